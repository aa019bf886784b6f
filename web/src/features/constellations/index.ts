/** Prepared constellations: what the therapist's room needs of them. */
export { constellationsDialog, LazyConstellationsDialog } from './lazyDialog.tsx';
