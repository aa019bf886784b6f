/**
 * How much one person may ask in real time: a bucket that refills. In memory, for what costs nothing but this process.
 */

export interface Rate {
  atOnce: number;
  aSecond: number;
}

/** People whose bucket is remembered; beyond that the full ones are forgotten first, which changes nothing for them. */
const REMEMBERED = 10_000;

/** Makes the buckets. Takes the machine's clock in milliseconds, for tests. */
export function createAllowance(now: () => number = () => performance.now()): {
  take(personId: number, rate: Rate): boolean;
} {
  const buckets = new Map<number, { left: number; at: number }>();
  return {
    /** Takes one; false where none is left. */
    take(personId, { atOnce, aSecond }) {
      const bucket = buckets.get(personId) ?? { left: atOnce, at: now() };
      const left = Math.min(atOnce, bucket.left + ((now() - bucket.at) / 1000) * aSecond);
      // Moved to the end, so the first entry is the one that was quiet longest.
      buckets.delete(personId);
      buckets.set(personId, { left: left < 1 ? left : left - 1, at: now() });
      for (const [first] of buckets) {
        if (buckets.size <= REMEMBERED) break;
        buckets.delete(first);
      }
      return left >= 1;
    },
  };
}
