/**
 * Moments in the therapist's room: the parts that it has from the start. The parts for past live sessions are in
 * `replay/index.ts`.
 */
export { LazyMomentItems, LazyMoments } from './LazyMoments.tsx';
export { createLatestMoments, type LatestMoments } from './latestMoments.ts';
