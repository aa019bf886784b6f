/**
 * Which packets of a publisher are missing, and when to request them again (RFC 4585, 6.2.1). Numbers are unwrapped.
 */

/** Reordered packets are not lost: wait for this many newer ones, or this long, before the first request. */
const REORDERED_PACKETS = 2;
const REORDERED_MS = 10;
/** Time to the second request while the response time is unknown; each further wait is half as long again. */
const REPEAT_MS = 60;
const REPEAT_GROWTH = 1.5;
/** Once the response time is known: this multiple of it, plus a margin for jitter. */
const REPEAT_TRIPS = 1.25;
const REPEAT_MORE_MS = 10;
/** Weight of the latest response time in the average. */
const TRIP_SHARE = 1 / 4;
const REQUESTS_MAX = 8;
/** A video packet later than this is of no use. */
const GIVE_UP_MS = 1000;
/** An audio packet later than this has been concealed already; browsers wait about 200 ms at most. */
const AUDIO_GIVE_UP_MS = 400;
/** A publisher that let this many requests pass without answering one does not support them and is not asked again. */
const UNSUPPORTED_AFTER = 24;
/** A larger hole is not repaired packet by packet: a key frame costs less. */
const HOLE_MAX = 256;
/** Maximum per request; 16 words of a NACK hold that many even when they are far apart. */
const AT_ONCE_MAX = 64;

interface Hole {
  sinceMs: number;
  nextMs: number;
  askedMs: number;
  requests: number;
}

export interface Missing {
  /** Takes a packet that arrived. Returns false when so much is missing that a key frame must be requested instead. */
  arrived(sequence: number, nowMs: number): boolean;
  /** Whether a packet that comes now was requested; call it before `arrived`. */
  asked(sequence: number): boolean;
  /** Returns what to request now, oldest first. */
  due(nowMs: number): number[];
  /** How many were given up since the last call. */
  takeGivenUp(): number;
  count(): number;
}

/**
 * Takes whether it is audio. Not all browsers answer requests for audio, and none says so in its description; for video
 * it is negotiated.
 */
export function createMissing(isAudio = false): Missing {
  const giveUpMs = isAudio ? AUDIO_GIVE_UP_MS : GIVE_UP_MS;
  const holes = new Map<number, Hole>();
  let newest = -1;
  let givenUp = 0;
  let mended = 0;
  let unanswered = 0;
  let tripMs = -1;
  return {
    arrived(sequence, nowMs) {
      if (newest < 0) newest = sequence;
      if (sequence <= newest) {
        const hole = holes.get(sequence);
        holes.delete(sequence);
        if (hole !== undefined && hole.requests > 0) {
          mended++;
          // After a second request nobody knows which of them was answered.
          if (hole.requests === 1)
            tripMs = tripMs < 0 ? nowMs - hole.askedMs : tripMs + (nowMs - hole.askedMs - tripMs) * TRIP_SHARE;
        }
        return true;
      }
      const hole = sequence - newest - 1;
      const tooMany = hole + holes.size > HOLE_MAX;
      if (tooMany) {
        givenUp += hole + holes.size;
        holes.clear();
      } else
        for (let number = newest + 1; number < sequence; number++)
          holes.set(number, { sinceMs: nowMs, nextMs: nowMs + REORDERED_MS, askedMs: 0, requests: 0 });
      newest = sequence;
      return !tooMany;
    },
    asked: (sequence) => (holes.get(sequence)?.requests ?? 0) > 0,
    due(nowMs) {
      const due: number[] = [];
      const isUnsupported = isAudio && mended === 0 && unanswered >= UNSUPPORTED_AFTER;
      const repeatMs = tripMs < 0 ? REPEAT_MS : tripMs * REPEAT_TRIPS + REPEAT_MORE_MS;
      for (const [sequence, hole] of holes) {
        if (isUnsupported || hole.requests >= REQUESTS_MAX || nowMs - hole.sinceMs > giveUpMs) {
          holes.delete(sequence);
          givenUp++;
          if (hole.requests > 0) unanswered++;
          continue;
        }
        const overtaken = hole.requests === 0 && newest - sequence > REORDERED_PACKETS;
        if ((!overtaken && nowMs < hole.nextMs) || due.length >= AT_ONCE_MAX) continue;
        hole.nextMs = nowMs + repeatMs * REPEAT_GROWTH ** hole.requests;
        hole.askedMs = nowMs;
        hole.requests++;
        due.push(sequence);
      }
      return due;
    },
    takeGivenUp() {
      const count = givenUp;
      givenUp = 0;
      return count;
    },
    count() {
      return holes.size;
    },
  };
}
