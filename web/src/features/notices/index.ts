/** Notices for therapists: the bell of the top bar. */
export { Bell } from './Bell.tsx';
