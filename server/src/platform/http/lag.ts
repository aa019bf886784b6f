/** How far the event loop is behind, so that calls are better turned away than kept waiting. */

/** How often it is looked at. */
const LAG_EVERY_MS = 500;

/** By what the lag is measured; tests bring their own. */
export interface LagMeasure {
  /** Milliseconds that only go forward. */
  now(): number;
  /**
   * Looks again and again after this many milliseconds, or later where the loop is held up. Returns how to end that.
   */
  every(ms: number, look: () => void): () => void;
}

const real: LagMeasure = {
  now: () => performance.now(),
  every: (ms, look) => {
    const timer = setInterval(look, ms).unref();
    return () => clearInterval(timer);
  },
};

export interface LagWatch {
  /** Whether the last look came too late. */
  isLate(): boolean;
  stop(): void;
}

/**
 * Tells whether the event loop is behind by more than `maxLagMs` milliseconds; 0 never says so. One timer twice a
 * second: a histogram of the loop wakes it a hundred times a second, which costs an idle server a hundredth of a core.
 */
export function watchLag(maxLagMs: number, measure: LagMeasure = real): LagWatch {
  if (maxLagMs <= 0) return { isLate: () => false, stop: () => {} };
  let lag = 0;
  let due = measure.now() + LAG_EVERY_MS;
  const stop = measure.every(LAG_EVERY_MS, () => {
    const now = measure.now();
    lag = Math.max(0, now - due);
    due = now + LAG_EVERY_MS;
  });
  return { isLate: () => lag > maxLagMs, stop };
}
