/** React's view of observers' words: each part hears of its own slice. */
import { createContext, useContext } from 'react';
import { useStorePart } from '../../platform/useStorePart.ts';
import type { ObserverWordsModel, ObserverWordsStore } from './observerWordsStore.ts';

export const ObserverWordsContext = createContext<ObserverWordsStore | null>(null);

/** The store of observers' words of the room around. Throws outside of a room. */
export function useObserverWordsStore(): ObserverWordsStore {
  const store = useContext(ObserverWordsContext);
  if (!store) throw new Error('outside of a room');
  return store;
}

/** A slice of the words; see `useStorePart`. */
export function useObserverWordsPart<T>(read: (model: ObserverWordsModel) => T): T {
  return useStorePart(useObserverWordsStore(), read);
}

/** What a person has just said; null where nothing is shown. */
export function useWordOf(personId: number): string | null {
  return useObserverWordsPart(({ words }) => words.find((word) => word.personId === personId)?.text ?? null);
}
