/**
 * Moments in the therapist's room: what it has from the start. What past live sessions show is in `replay/index.ts`.
 */
export { LazyMomentItems, LazyMoments } from './LazyMoments.tsx';
export { createLatestMoments, type LatestMoments } from './latestMoments.ts';
