/** React's view of a store: a component reads one slice and is drawn again only when that slice changes. */
import { useRef, useSyncExternalStore } from 'react';

export interface ReadableStore<M> {
  get(): M;
  subscribe(listener: () => void): () => void;
}

/**
 * Reads a slice of a store. Takes the store, what to read, and when two readings count as the same (by default the same
 * object). Returns the reading; an equal one keeps its first object.
 */
export function useStorePart<M, T>(
  store: ReadableStore<M>,
  read: (model: M) => T,
  same: (a: T, b: T) => boolean = Object.is,
): T {
  const last = useRef<{ value: T } | null>(null);
  const get = () => {
    const value = read(store.get());
    if (last.current && same(last.current.value, value)) return last.current.value;
    last.current = { value };
    return value;
  };
  return useSyncExternalStore(store.subscribe, get);
}

/** Whether two lists hold the same entries in the same order. */
export function sameList<T>(a: readonly T[], b: readonly T[], same: (a: T, b: T) => boolean = Object.is): boolean {
  return a === b || (a.length === b.length && a.every((entry, index) => same(entry, b[index] as T)));
}
