/** React's view of the messages: each part subscribes to its own slice. */
import { createContext, useContext } from 'react';
import { useStorePart } from '../../platform/useStorePart.ts';
import type { MessagesModel } from './messagesModel.ts';
import type { MessagesStore } from './messagesStore.ts';

export const MessagesContext = createContext<MessagesStore | null>(null);

/** The messages' store of the surrounding room. Throws outside of a room. */
export function useMessagesStore(): MessagesStore {
  const store = useContext(MessagesContext);
  if (!store) throw new Error('outside of a room');
  return store;
}

/** A slice of the messages; see `useStorePart`. */
export function useMessagesPart<T>(read: (model: MessagesModel) => T, same?: (a: T, b: T) => boolean): T {
  return useStorePart(useMessagesStore(), read, same);
}
