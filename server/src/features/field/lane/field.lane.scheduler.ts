/** The time of the lane, which tests move by hand. */

/** Real time and one-shot timers. */
export interface Scheduler {
  /** Milliseconds of a clock that only advances. */
  now(): number;
  /** Milliseconds of the machine's clock, on which nodes agree more or less. */
  clock(): number;
  /** Runs `work` once after `ms`. Returns a function that cancels it. */
  after(ms: number, work: () => void): () => void;
}

export const realScheduler: Scheduler = {
  now: () => performance.now(),
  clock: () => Date.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
