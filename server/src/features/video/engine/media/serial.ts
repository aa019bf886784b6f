/** Numbers that wrap (RFC 1982) and what they mean in an order without end. */

/**
 * Turns wrapping numbers into growing ones. In: bits of the number. The first one becomes larger by one turn, so that earlier
 * ones stay positive. Out: the value nearest to the newest so far; 3 after 65535 is 65539.
 */
export function createUnwrap(bits: 7 | 15 | 16 | 32): { (value: number): number; reset(): void } {
  const modulus = 2 ** bits;
  const half = modulus / 2;
  let newest = -1;
  const unwrap = (value: number): number => {
    if (newest < 0) {
      newest = modulus + value;
      return newest;
    }
    let distance = value - (newest % modulus);
    if (distance > half) distance -= modulus;
    else if (distance <= -half) distance += modulus;
    const whole = newest + distance;
    if (distance > 0) newest = whole;
    return whole;
  };
  unwrap.reset = () => {
    newest = -1;
  };
  return unwrap;
}

/** How far `value` is ahead of `other` (negative: behind) among 32-bit timestamps. */
export const ahead32 = (value: number, other: number): number => (value - other) | 0;

/** Which of the latest numbers have come. */
export interface Window {
  /** -1 before the first. */
  newest(): number;
  /** False also for what is older than the window. */
  isNew(value: number): boolean;
  note(value: number): void;
}

/** In: how many numbers back are remembered, a multiple of 32. For numbers without end. */
export function createWindow(size: number): Window {
  const bits = new Uint32Array(size / 32);
  const word = (value: number) => (value % size) >>> 5;
  const bit = (value: number) => 1 << (value & 31);
  let newest = -1;
  return {
    newest() {
      return newest;
    },
    isNew: (value) => value > newest || (value > newest - size && (bits[word(value)]! & bit(value)) === 0),
    note(value) {
      if (value > newest) {
        if (newest < 0 || value - newest >= size) bits.fill(0);
        else for (let passed = newest + 1; passed < value; passed++) bits[word(passed)]! &= ~bit(passed);
        newest = value;
      } else if (value <= newest - size) return;
      bits[word(value)]! |= bit(value);
    },
  };
}
