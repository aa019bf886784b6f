/** What a refusal or failure on the way into the room means: an end that is told in words, or another try. Pure. */
import type { MediaFault } from './media.types.ts';

/** Tries at the first coming before it is told that it does not work; coming back is tried for ever. */
export const FIRST_TRIES = 3;
const REFUSED_TRIES = 2;
const ROOM_FULL = 432;
const REFUSALS: ReadonlySet<string> = new Set([
  'forbidden',
  'not_signed_in',
  'session_expired',
  'sent_out',
  'declined',
  'not_admitted',
  'live_session_over',
  'account_suspended',
]);

export interface Meaning {
  /** Ends it; null: try again. */
  end: MediaFault | null;
  /** The least to wait before another try, as the server said. */
  waitMs: number;
}

interface Failure {
  code?: unknown;
  retryAfterSeconds?: unknown;
}
const wordsOf = (code: unknown): MediaFault => (code === -1 ? 'no_way_through' : 'video_unavailable');

/**
 * In: what was thrown by the ticket (a problem with a code in words) or by the line (LineFault, a number), how many tries there were with this
 * one, how many in a row the ticket or its use was refused, whether it is the first coming.
 */
export function meaningOf(
  thrown: unknown,
  { tries, refusals, first }: { tries: number; refusals: number; first: boolean },
): Meaning {
  const { code, retryAfterSeconds } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as Failure;
  const waitMs = typeof retryAfterSeconds === 'number' ? retryAfterSeconds * 1_000 : 0;
  if (code === ROOM_FULL) return { end: 'room_full', waitMs };
  if (isRefusal(thrown)) return { end: code !== 403 || refusals >= REFUSED_TRIES ? 'not_member' : null, waitMs };
  if (first && code === 'no_live_session') return { end: 'video_unavailable', waitMs };
  return { end: first && tries >= FIRST_TRIES ? wordsOf(code) : null, waitMs };
}

/** Whether it says: you are not of this room. */
export function isRefusal(thrown: unknown): boolean {
  const { code } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as Failure;
  return code === 403 || (typeof code === 'string' && REFUSALS.has(code));
}

/** Ms to wait before the next try: at once at first, then longer, never all at the same moment. In: tries so far, a number 0..1. */
export function backoffMs(tries: number, chance: number): number {
  return tries === 0 ? 0 : Math.min(6_000, 400 * 2 ** (tries - 1)) * (0.5 + chance / 2);
}
