/** React's view of the room's store: each part subscribes only to its own slice. */
import { createContext, createElement, type ReactNode, useContext, useEffect, useSyncExternalStore } from 'react';
import type { ConnectionState } from '../../../platform/realtime/index.ts';
import { useStorePart } from '../../../platform/useStorePart.ts';
import { FieldContext } from '../../field/index.ts';
import type { RoomModel } from './roomModel.ts';
import type { RoomStore } from './roomStore.ts';

const RoomContext = createContext<RoomStore | null>(null);

/** Provides the store to the room's parts and to the field. */
export function RoomProvider({ store, children }: { store: RoomStore; children: ReactNode }) {
  return createElement(RoomContext, { value: store }, createElement(FieldContext, { value: store }, children));
}

/** The store of the surrounding room. Throws outside of a room. */
export function useRoomStore(): RoomStore {
  const store = useContext(RoomContext);
  if (!store) throw new Error('outside of a room');
  return store;
}

/** A slice of the room; see `useStorePart`. */
export function useRoomPart<T>(read: (model: RoomModel) => T, same?: (a: T, b: T) => boolean): T {
  return useStorePart(useRoomStore(), read, same);
}

/** The state of the room's connection, such as `open` or `lost`. */
export function useConnectionState(): ConnectionState {
  const store = useRoomStore();
  return useSyncExternalStore(store.subscribe, store.connectionState);
}

/** Calls back each time the connection opens again after it was lost. Takes a stable function. */
export function useReopened(work: () => void): void {
  const store = useRoomStore();
  useEffect(() => {
    let lost = store.connectionState() === 'lost';
    return store.subscribe(() => {
      const state = store.connectionState();
      if (state === 'open' && lost) work();
      lost = state === 'lost';
    });
  }, [store, work]);
}

/** Whether an act of this person is unanswered longer than usual. */
export function useUnanswered(): boolean {
  const store = useRoomStore();
  return useSyncExternalStore(store.subscribe, store.unanswered);
}
