/** Retention: how long names are stored, set on the dashboard. */
export { RetentionCard } from './RetentionCard.tsx';
