/**
 * The counters of therapists in memory, so that asking for a timer costs no query. Each change of this process puts the
 * new counter here after its commit. With several nodes, a kept counter is used only for a moment, for frequent
 * requests.
 */
import type { Counter } from './usage.rules.ts';

/** Beyond this number, counters are dropped: first those not running that were used longest ago. */
const KEPT_MAX = 20_000;

export interface Counters {
  /** From memory, or undefined. */
  known(therapistId: number): Counter | undefined;
  /** From memory, or read. */
  get(therapistId: number): Promise<Counter>;
  /** Read, because another node may have changed it. */
  fresh(therapistId: number): Promise<Counter>;
  /** A transaction that changes it is in progress: until `set`, every answer is read from the database. */
  changing(therapistId: number): void;
  set(therapistId: number, counter: Counter): void;
  /** Whether the timer runs, by what this process changed; a server that starts stops all timers first. */
  isRunning(therapistId: number): boolean;
  /** The number of running timers. */
  running(): number;
  /** Counters whose last change has an unknown result in this process. */
  uncertain(): number[];
}

/** Makes the counters. Takes how to read one, and for how long (milliseconds of real time) it is used. */
export function createCounters(read: (therapistId: number) => Promise<Counter>, usedMs: number = Infinity): Counters {
  const all = new Map<number, Counter>();
  /** Until when each is used, if not for ever (process clock). */
  const until = new Map<number, number>();
  const underWay = new Set<number>();
  const running = new Set<number>();

  function keep(therapistId: number, counter: Counter): void {
    all.delete(therapistId);
    all.set(therapistId, counter);
    if (usedMs !== Infinity) until.set(therapistId, performance.now() + usedMs);
    if (all.size <= KEPT_MAX) return;
    for (const id of all.keys()) {
      if (running.has(id)) continue;
      all.delete(id);
      until.delete(id);
      break;
    }
  }
  const known = (therapistId: number) =>
    underWay.has(therapistId) || performance.now() >= (until.get(therapistId) ?? Infinity)
      ? undefined
      : all.get(therapistId);

  return {
    known,
    async get(therapistId) {
      const before = known(therapistId);
      if (before !== undefined) return before;
      const counter = await read(therapistId);
      // What a change put here in between is newer; what a change is about to put here must not be hidden.
      const newer = known(therapistId);
      if (newer !== undefined) return newer;
      if (!underWay.has(therapistId)) keep(therapistId, counter);
      return counter;
    },
    async fresh(therapistId) {
      const counter = await read(therapistId);
      if (!underWay.has(therapistId)) keep(therapistId, counter);
      return counter;
    },
    changing: (therapistId) => void underWay.add(therapistId),
    set(therapistId, counter) {
      underWay.delete(therapistId);
      if (counter.startedMs === null) running.delete(therapistId);
      else running.add(therapistId);
      keep(therapistId, counter);
    },
    isRunning: (therapistId) => running.has(therapistId),
    running: () => running.size,
    uncertain: () => [...underWay],
  };
}
