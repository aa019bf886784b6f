/** React's view of the room store. */
import { createContext, useContext, useSyncExternalStore } from 'react';
import { shownFigures, type RoomModel } from './room.model.ts';
import type { Line } from '../../platform/realtime/index.ts';
import type { RoomStore } from './room.store.ts';

export const RoomContext = createContext<RoomStore | null>(null);

export function useRoomStore(): RoomStore {
  const store = useContext(RoomContext);
  if (!store) throw new Error('outside of a room');
  return store;
}

export function useRoom(): RoomModel {
  const store = useRoomStore();
  return useSyncExternalStore(store.subscribe, store.get);
}

export function useLine(): Line {
  const store = useRoomStore();
  return useSyncExternalStore(store.subscribe, store.line);
}

const shownCache = new WeakMap<RoomModel, ReturnType<typeof shownFigures>>();
/** The figures as this person should see them; the same array while the model is the same. */
export function useShownFigures() {
  const model = useRoom();
  let figures = shownCache.get(model);
  if (!figures) { figures = shownFigures(model); shownCache.set(model, figures); }
  return figures;
}
