/** Which packets of a publisher are missing, and when they are asked for again (RFC 4585, 6.2.1). In the order without end. */

/** Packets that overtake each other are not lost: so many newer ones, or so long, before the first request. */
const REORDERED_PACKETS = 2;
const REORDERED_MS = 10;
/** Time to the second request while nobody knows how long an answer takes; each further one waits half as long again. */
const REPEAT_MS = 60;
const REPEAT_GROWTH = 1.5;
/** Once it is known: so many times as long, and a little for what is uneven. */
const REPEAT_TRIPS = 1.25;
const REPEAT_MORE_MS = 10;
/** How fast what is known of answers follows the latest. */
const TRIP_SHARE = 1 / 4;
const REQUESTS_MAX = 8;
/** A picture that late is of no use any more. */
const GIVE_UP_MS = 1000;
/** A voice that late has been made up for already; browsers wait some 200 ms for one at most. */
const VOICE_GIVE_UP_MS = 400;
/** Whoever let so many requests pass without answering a single one does not know them, and is not asked any more. */
const DEAF_AFTER = 24;
/** A larger hole is not mended packet by packet: a key frame costs less. */
const HOLE_MAX = 256;
/** In one request; 16 words of a NACK hold that many even when they are far apart. */
const AT_ONCE_MAX = 64;

interface Hole {
  sinceMs: number;
  nextMs: number;
  askedMs: number;
  requests: number;
}

export interface Missing {
  /** A packet arrived. Out: false when so much is missing that a key frame has to be asked for instead. */
  arrived(sequence: number, nowMs: number): boolean;
  /** Whether a packet that comes now was asked for; to be known before it is told to `arrived`. */
  asked(sequence: number): boolean;
  /** What is to be asked for now, oldest first. */
  due(nowMs: number): number[];
  /** How many were given up since the last time somebody asked. */
  takeGivenUp(): number;
  count(): number;
}

/**
 * In: `voice` for a voice. Not all browsers answer requests for voices, and none says so in its description; of pictures it is agreed.
 */
export function createMissing(voice = false): Missing {
  const giveUpMs = voice ? VOICE_GIVE_UP_MS : GIVE_UP_MS;
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
      const deaf = voice && mended === 0 && unanswered >= DEAF_AFTER;
      const repeatMs = tripMs < 0 ? REPEAT_MS : tripMs * REPEAT_TRIPS + REPEAT_MORE_MS;
      for (const [sequence, hole] of holes) {
        if (deaf || hole.requests >= REQUESTS_MAX || nowMs - hole.sinceMs > giveUpMs) {
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
