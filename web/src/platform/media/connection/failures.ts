/** What a failure on the way into the room means: an end with a message, or another try. Pure. */
import type { MediaFault } from '../mediaTypes.ts';

/** Tries before the first join is given up; reconnecting never gives up. */
const FIRST_TRIES = 3;
const REFUSED_TRIES = 2;
const ROOM_FULL = 432;
const REFUSALS: ReadonlySet<string> = new Set([
  'forbidden',
  'not_signed_in',
  'session_expired',
  'sent_out',
  'declined',
  'account_suspended',
]);
/** After a long absence a person has no seat until the room's connection is back, which may be later than this one. */
const NOT_BACK_YET = 'not_admitted';
/** The end of the live session is the end of its video: do not try again. */
const OVER: ReadonlySet<unknown> = new Set(['no_live_session', 'live_session_over']);

export interface Meaning {
  /** The fault to end with; null: try again. */
  end: MediaFault | null;
  /** Minimum wait before another try, as the server said. */
  waitMs: number;
}

interface Failure {
  code?: unknown;
  retryAfterSeconds?: unknown;
}
const faultOf = (code: unknown): MediaFault => {
  if (code === NOT_BACK_YET) return 'not_member';
  return code === -1 ? 'no_way_through' : 'video_unavailable';
};

/**
 * Takes what was thrown: by the ticket call a problem with a code in words, by the connection a ConnectionFault with a
 * number. Also takes the number of tries including this one, how many tries in a row were refused, and whether this is
 * the first join.
 */
export function meaningOf(
  thrown: unknown,
  { tries, refusals, first }: { tries: number; refusals: number; first: boolean },
): Meaning {
  const { code, retryAfterSeconds } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as Failure;
  const waitMs = typeof retryAfterSeconds === 'number' ? retryAfterSeconds * 1_000 : 0;
  if (code === ROOM_FULL) return { end: 'room_full', waitMs };
  if (OVER.has(code)) return { end: 'live_session_over', waitMs };
  if (isRefusal(thrown)) return { end: code !== 403 || refusals >= REFUSED_TRIES ? 'not_member' : null, waitMs };
  return { end: first && tries >= FIRST_TRIES ? faultOf(code) : null, waitMs };
}

/** Whether the fault says that this person is not a member of the room. */
export function isRefusal(thrown: unknown): boolean {
  const { code } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as Failure;
  return code === 403 || (typeof code === 'string' && REFUSALS.has(code));
}

/**
 * Milliseconds to wait before the next try: none at first, then growing, with jitter. Takes the number of tries so far
 * and a random number 0..1.
 */
export function backoffMs(tries: number, chance: number): number {
  return tries === 0 ? 0 : Math.min(6_000, 400 * 2 ** (tries - 1)) * (0.5 + chance / 2);
}
