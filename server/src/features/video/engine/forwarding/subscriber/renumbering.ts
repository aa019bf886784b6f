/**
 * Gives a source's numbers (unwrapped, growing) new ones: without holes where packets were left out on purpose, with
 * holes where packets were lost. Receivers must request what was lost, but not what was never meant for them.
 */

/** What is known of a source's number. */
const UNKNOWN = 0;
const RESERVED = 1;
const TAKEN = 2;
const SKIPPED = 3;

export interface Renumber {
  /**
   * Returns the number under which `source` is sent. Null when it must not be: too old, before the last `restart`, or
   * skipped before. The same source number always gives the same result.
   */
  take(source: number): number | null;
  /** As `take`, but also null when it was sent before. */
  takeOnce(source: number): number | null;
  /**
   * Leaves `source` out. Returns the number that was reserved for it while it was missing and that nothing will fill
   * now; null when there is none.
   */
  skip(source: number): number | null;
  /** Whether `source` was taken (true), skipped (false), or neither (null). */
  decided(source: number): boolean | null;
  /** The next packet is `source` and follows directly on all before. Older ones are refused from now on. */
  restart(source: number): void;
  /** The newest number given; `first - 1` before any. */
  last(): number;
}

/**
 * Takes the first number to give, and how many numbers back are remembered (a power of two). A jump by more than that
 * is treated as a restart: nobody can request that much again.
 */
export function createRenumber(first: number, remembered: number): Renumber {
  const mask = remembered - 1;
  // The number given, times four, plus the state: one place in memory per packet, because some rooms have a thousand of
  // these.
  const known = new Float64Array(remembered);
  let newest = -1;
  let oldest = 0;
  let last = first - 1;

  function remember(source: number, state: number, out: number): void {
    known[source & mask] = out * 4 + state;
  }
  const state = (source: number) =>
    source > newest || source < oldest || source <= newest - remembered ? UNKNOWN : known[source & mask]! & 3;
  const given = (source: number) => Math.floor(known[source & mask]! / 4);

  /** Moves on to `source`, reserving a number for each one between. */
  function advance(source: number): void {
    if (newest < 0 || source - newest >= remembered) {
      oldest = source;
      newest = source;
      return;
    }
    for (let missing = newest + 1; missing < source; missing++) remember(missing, RESERVED, ++last);
    newest = source;
  }

  const renumber: Renumber = {
    take(source) {
      if (source > newest) {
        advance(source);
        remember(source, TAKEN, ++last);
        return last;
      }
      const before = state(source);
      if (before !== TAKEN && before !== RESERVED) return null;
      const out = given(source);
      remember(source, TAKEN, out);
      return out;
    },
    takeOnce: (source) => (state(source) === TAKEN ? null : renumber.take(source)),
    skip(source) {
      if (source > newest) {
        advance(source);
        remember(source, SKIPPED, 0);
        return null;
      }
      if (state(source) !== RESERVED) return null;
      const out = given(source);
      remember(source, SKIPPED, out);
      return out;
    },
    decided(source) {
      const now = state(source);
      return now === TAKEN ? true : now === SKIPPED ? false : null;
    },
    restart(source) {
      newest = source - 1;
      oldest = source;
    },
    last() {
      return last;
    },
  };
  return renumber;
}
