/** The parts of the frame that pages outside it use. */
export { LazySchemeSwitch } from './LazySchemeSwitch.tsx';
