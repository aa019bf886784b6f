/** Retention: how long names are kept, set on the dashboard. */
export { RetentionCard } from './RetentionCard.tsx';
