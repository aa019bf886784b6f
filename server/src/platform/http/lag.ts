/**
 * Measures how far the event loop is behind. If it is far behind, refusing calls is better than keeping them waiting.
 */

/** How often it looks. */
const LAG_EVERY_MS = 500;

/** How the lag is measured; tests bring their own. */
export interface LagMeasure {
  /** Milliseconds that only go forward. */
  now(): number;
  /**
   * Looks again and again after this many milliseconds, or later if the loop is blocked. Returns a function that ends
   * it.
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
 * Returns whether the event loop is behind by more than `maxLagMs` milliseconds; 0 always returns false. One timer
 * twice a second: a histogram of the loop wakes it a hundred times a second, which costs an idle server a hundredth of
 * a core.
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
