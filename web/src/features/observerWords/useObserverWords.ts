/** React's view of observers' words: each part subscribes to its own slice. */
import { createContext, useContext } from 'react';
import { useStorePart } from '../../platform/useStorePart.ts';
import type { ObserverWordsModel, ObserverWordsStore } from './observerWordsStore.ts';

export const ObserverWordsContext = createContext<ObserverWordsStore | null>(null);

/** The store of observers' words of the surrounding room. Throws outside of a room. */
export function useObserverWordsStore(): ObserverWordsStore {
  const store = useContext(ObserverWordsContext);
  if (!store) throw new Error('outside of a room');
  return store;
}

/** A slice of the words; see `useStorePart`. */
export function useObserverWordsPart<T>(read: (model: ObserverWordsModel) => T): T {
  return useStorePart(useObserverWordsStore(), read);
}

/** A person's present word; null if none is shown. */
export function useWordOf(personId: number): string | null {
  return useObserverWordsPart(({ words }) => words.find((word) => word.personId === personId)?.text ?? null);
}
