/** The parts of the therapist's events that other pages show, and the dialogs that they open. */
export { DateField } from '../dates/DateField.tsx';
export { eventQueries } from '../eventQueries.ts';
export { useTicking } from '../useTicking.ts';
export type { OpenDialog } from './dialogs/EventDialogs.tsx';
export { LazyEventDialogs } from './dialogs/LazyEventDialogs.tsx';
export type { OfferedUndo, Outcome } from './outcome/OutcomeNotice.tsx';
export { placesAt } from './rows/placesAt.ts';
export { RowPicture, rowPictureAddress } from './rows/RowPicture.tsx';
export { useOutcome } from './outcome/useOutcome.ts';
