/**
 * Guessing costs time. Wrong codes and links are counted by address block. Beyond the limit, answers are delayed more
 * and more (real time), and tries of that block are looked up one after another. Wrong codes also count for all rooms
 * with a live code together, so that guessing from many addresses costs time too. A right code or link is never
 * refused: it waits a few milliseconds for each other try of its own block. Rules: docs/product.md#4.7 and #14.5.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Limit } from '../../../platform/config.ts';
import type { Limits } from '../../../platform/limits.ts';
import { setBounded } from '../../../platform/small.ts';

export interface Throttle {
  /** Waits for the turn of a try of this block. */
  turn(block: string): Promise<void>;
  /**
   * Counts a wrong try and delays its answer if there were too many. `rooms` is true for a code while any room has one.
   */
  wrong(block: string, rooms?: boolean): Promise<void>;
  /** Number of answers held back, and how many of them still queue for it. */
  held(): { delayed: number; queued: number };
  /** Sends everything that is held back, when the server stops. */
  stop(): void;
}

export interface ThrottleTimes {
  /**
   * Time between two look-ups for a block that guesses. There are 31^5 codes, and each lives 4 hours: 40 look-ups a
   * second find one code in 40 rooms' lives.
   */
  spacingMs: number;
  firstDelayMs: number;
  longestDelayMs: number;
  /** Answers held back at once; others queue for it. */
  delayedMax: number;
  /** If the queue is longer than this, the answer goes out at once, so that a flood cannot fill the memory. */
  queuedMax: number;
}

export const THROTTLE_TIMES: Readonly<ThrottleTimes> = {
  spacingMs: 25,
  firstDelayMs: 250,
  longestDelayMs: 4_000,
  delayedMax: 64,
  queuedMax: 2_000,
};
const BLOCKS_MAX = 10_000;

/** Takes the store of the counts, the limits of a block and of all active rooms together, and the times. */
export function createThrottle({
  limits,
  limit,
  roomsLimit,
  times = THROTTLE_TIMES,
  wait = (ms, signal) => sleep(ms, undefined, { ref: false, signal }),
}: {
  limits: Pick<Limits, 'allows'>;
  limit: Limit;
  roomsLimit: Limit;
  times?: Readonly<ThrottleTimes>;
  wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}): Throttle {
  /** Blocks beyond the limit: by how much, and the end of the queue of their tries. */
  const guessing = new Map<string, { beyond: number; tail: Promise<unknown> }>();
  const stopping = new AbortController();
  const pause = (ms: number) =>
    stopping.signal.aborted ? Promise.resolve() : wait(ms, stopping.signal).catch(() => {});
  /** Wrong codes beyond the limit of the rooms with a live code. */
  let beyondRooms = 0;
  let delayed = 0;
  let delayedForOthers = 0;
  const queue: (() => void)[] = [];

  function remember(block: string): { beyond: number; tail: Promise<unknown> } {
    const known = guessing.get(block);
    if (known) return known;
    const fresh = { beyond: 0, tail: Promise.resolve() };
    setBounded(guessing, BLOCKS_MAX, block, fresh);
    return fresh;
  }

  async function holdBack(ms: number): Promise<void> {
    if (delayed >= times.delayedMax) {
      if (queue.length >= times.queuedMax) return;
      await new Promise<void>((next) => queue.push(next));
    } else delayed += 1;
    try {
      await pause(ms);
    } finally {
      // The place goes to the next in the queue, or becomes free.
      const next = queue.shift();
      if (next) next();
      else delayed -= 1;
    }
  }

  const delay = (beyond: number) => Math.min(times.longestDelayMs, times.firstDelayMs * 2 ** Math.min(beyond - 1, 16));

  /**
   * A delay caused by others: never queued behind them, so that a mistyped code is answered within the maximum delay.
   */
  async function holdBriefly(ms: number): Promise<void> {
    if (delayedForOthers >= times.queuedMax) return;
    delayedForOthers += 1;
    try {
      await pause(ms);
    } finally {
      delayedForOthers -= 1;
    }
  }

  return {
    async turn(block) {
      const known = guessing.get(block);
      if (!known) return;
      const mine = known.tail;
      known.tail = mine.then(() => pause(times.spacingMs));
      await mine;
    },
    async wrong(block, rooms = false) {
      // Nobody knows which room was meant, and a delay only for near misses would reveal that a guess is near: one
      // count for all.
      let beyondThem = 0;
      if (rooms) {
        if (await limits.allows('wrong code, rooms at work', roomsLimit)) beyondRooms = 0;
        else beyondThem = ++beyondRooms;
      }
      if (await limits.allows(`wrong code ${block}`, limit)) {
        // A new window: the block starts again.
        guessing.delete(block);
        if (beyondThem > 0) await holdBriefly(delay(beyondThem));
        return;
      }
      const known = remember(block);
      known.beyond += 1;
      await holdBack(delay(known.beyond));
    },
    stop: () => stopping.abort(),
    held: () => ({ delayed, queued: queue.length }),
  };
}
