/** Usage: the timer of a therapist's practice, and what was used. */
export { usageQuery } from './usageQueries.ts';
