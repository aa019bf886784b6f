/** A clock for tests of the lane, which the test moves. */
import type { Scheduler } from './field.lane.scheduler.ts';

export interface HandClock {
  readonly scheduler: Scheduler;
  /** Lets time pass, and runs what falls due in its order. */
  pass(ms: number): void;
  /** Goes to the next timer, or to a little before it, and runs it. Returns how long that took, in milliseconds. */
  runNext(earlyMs?: number): number;
  /** Puts the clock forward or back, as a person may; no timer runs. */
  shift(byMs: number): void;
  /** When the timers that have not run are due, in milliseconds of this clock. */
  due(): number[];
}

/** Makes a clock that is stopped at `startMs`. */
export function createHandClock(startMs = 0): HandClock {
  let now = startMs;
  let timers: { at: number; work: () => void }[] = [];
  const first = () => timers.toSorted((a, b) => a.at - b.at)[0];
  function run(timer: (typeof timers)[number]): void {
    timers = timers.filter((one) => one !== timer);
    timer.work();
  }
  return {
    scheduler: {
      now: () => now,
      clock: () => now,
      after(ms, work) {
        const timer = { at: now + ms, work };
        timers.push(timer);
        return () => void (timers = timers.filter((one) => one !== timer));
      },
    },
    pass(ms) {
      const until = now + ms;
      for (let next = first(); next !== undefined && next.at <= until; next = first()) {
        now = Math.max(now, next.at);
        run(next);
      }
      now = until;
    },
    runNext(earlyMs = 0) {
      const next = first();
      if (next === undefined) throw new Error('No timer is due.');
      const ms = next.at - earlyMs - now;
      now += ms;
      run(next);
      return ms;
    },
    shift: (byMs) => void (now += byMs),
    due: () => timers.map(({ at }) => at),
  };
}
