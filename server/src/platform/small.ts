/** Small helpers that belong nowhere else. */
import { withoutWaits } from './db/waits.ts';

/** Asks once and keeps the answer for all later callers. A fault is not kept: the next caller asks again. */
export function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null;
  return () => {
    answer ??= withoutWaits(ask).catch((fault: unknown) => {
      answer = null;
      throw fault;
    });
    return answer;
  };
}

/**
 * Does the work for each, one after the other. A fault of one does not stop the others; the first fault is thrown at
 * the end.
 */
export async function forEachInTurn<T>(all: Iterable<T>, work: (one: T) => Promise<unknown>): Promise<void> {
  const faults: unknown[] = [];
  for (const one of all) {
    try {
      await work(one);
    } catch (fault) {
      faults.push(fault);
    }
  }
  if (faults.length > 0) throw faults[0];
}

/** Splits a list into groups of at most `size`, in order. */
export function* groupsOf<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size);
}

/** Sets an entry of a map that holds at most `max`: a new one takes the place of the one that was added first. */
export function setBounded<K, V>(map: Map<K, V>, max: number, key: K, value: NoInfer<V>): void {
  if (map.size >= max && !map.has(key)) map.delete(map.keys().next().value!);
  map.set(key, value);
}
