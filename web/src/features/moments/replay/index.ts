/** The look back among the details of a past live session. */
export { LazySessionLookBack } from './LazySessionLookBack.tsx';
