/** A list of listeners for one kind of news. */

export interface Emitter<T> {
  emit(value: T): void;
  /** Returns the way to stop listening. */
  on(listener: (value: T) => void): () => void;
  /** Forgets all listeners. */
  clear(): void;
}

/** Creates an emitter. Listeners may come and go while a value is emitted; it reaches those who were there before. */
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
