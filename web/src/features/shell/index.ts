/** What pages outside the frame show of it. */
export { LazySchemeSwitch } from './LazySchemeSwitch.tsx';
