/** What of the public page is shown elsewhere too, so that it looks the same there. */
export { TherapistText } from './TherapistText.tsx';
