/** The parts of the public page that are shown elsewhere too, so that they look the same there. */
export { TherapistText } from './TherapistText.tsx';
