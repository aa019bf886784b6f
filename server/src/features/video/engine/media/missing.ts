/** Which packets of a publisher are missing, and when they are asked for again (RFC 4585, 6.2.1). In the order without end. */

/** Packets that overtake each other are not lost: so many newer ones, or so long, before the first request. */
const REORDERED_PACKETS = 2;
const REORDERED_MS = 20;
/** Time to the second request; each further one waits half as long again. */
const REPEAT_MS = 60;
const REPEAT_GROWTH = 1.5;
const REQUESTS_MAX = 8;
/** A picture that late is of no use any more. */
const GIVE_UP_MS = 1000;
/** A larger hole is not mended packet by packet: a key frame costs less. */
const HOLE_MAX = 256;
/** In one request; 16 words of a NACK hold that many even when they are far apart. */
const AT_ONCE_MAX = 64;

interface Hole {
  sinceMs: number;
  nextMs: number;
  requests: number;
}

export interface Missing {
  /** A packet arrived. Out: false when so much is missing that a key frame has to be asked for instead. */
  arrived(sequence: number, nowMs: number): boolean;
  /** What is to be asked for now, oldest first. */
  due(nowMs: number): number[];
  /** How many were given up since the last time somebody asked. */
  takeGivenUp(): number;
  count(): number;
}

export function createMissing(): Missing {
  const holes = new Map<number, Hole>();
  let newest = -1;
  let givenUp = 0;
  return {
    arrived(sequence, nowMs) {
      if (newest < 0) newest = sequence;
      if (sequence <= newest) {
        holes.delete(sequence);
        return true;
      }
      const hole = sequence - newest - 1;
      const tooMany = hole + holes.size > HOLE_MAX;
      if (tooMany) {
        givenUp += hole + holes.size;
        holes.clear();
      } else for (let number = newest + 1; number < sequence; number++) holes.set(number, { sinceMs: nowMs, nextMs: nowMs + REORDERED_MS, requests: 0 });
      newest = sequence;
      return !tooMany;
    },
    due(nowMs) {
      const due: number[] = [];
      for (const [sequence, hole] of holes) {
        if (hole.requests >= REQUESTS_MAX || nowMs - hole.sinceMs > GIVE_UP_MS) {
          holes.delete(sequence);
          givenUp++;
          continue;
        }
        const overtaken = hole.requests === 0 && newest - sequence > REORDERED_PACKETS;
        if ((!overtaken && nowMs < hole.nextMs) || due.length >= AT_ONCE_MAX) continue;
        hole.nextMs = nowMs + REPEAT_MS * REPEAT_GROWTH ** hole.requests;
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
