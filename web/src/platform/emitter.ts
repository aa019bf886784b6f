/** Listeners for one kind of event. */

export interface Emitter<T> {
  emit(value: T): void;
  /** Returns a function that stops listening. */
  on(listener: (value: T) => void): () => void;
  /** Removes all listeners. */
  clear(): void;
}

/** Creates an emitter. Listeners may be added or removed while a value is emitted; it reaches those that were there
 * before. */
export function createEmitter<T = void>(): Emitter<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    emit(value) {
      for (const listener of [...listeners]) listener(value);
    },
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    clear: () => listeners.clear(),
  };
}
