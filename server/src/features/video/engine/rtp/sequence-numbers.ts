/** Numbers that wrap (RFC 1982), and their unwrapped order. */

/**
 * Unwraps numbers of that many bits. The first one is raised by one turn, so that earlier ones stay positive. Returns
 * the value closest to the newest so far: 3 after 65535 is 65539.
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

/** Which of the latest numbers have arrived. */
export interface Window {
  /** -1 before the first. */
  newest(): number;
  /** False also for numbers older than the window. */
  isNew(value: number): boolean;
  note(value: number): void;
}

/** Makes a window. Takes how many numbers back it remembers, a multiple of 32. Numbers are unwrapped. */
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
