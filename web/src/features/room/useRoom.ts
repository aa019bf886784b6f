/** React's view of the room store: each part of the room hears of its own slice and of nothing else. */
import { createContext, useContext, useRef, useSyncExternalStore } from 'react';
import type { Participant } from '@fieldroom/contract/field';
import { shownFigures, type RoomModel } from './room.model.ts';
import type { Line } from '../../platform/realtime/index.ts';
import type { RoomStore } from './room.store.ts';

export const RoomContext = createContext<RoomStore | null>(null);

export function useRoomStore(): RoomStore {
  const store = useContext(RoomContext);
  if (!store) throw new Error('outside of a room');
  return store;
}

/**
 * A slice of the room. In: what to read, and when two readings count as the same (by default the same object). Out: the
 * reading; the component is drawn again only when another one comes, as every stored act makes a new model.
 */
export function useRoomPart<T>(read: (model: RoomModel) => T, same: (a: T, b: T) => boolean = Object.is): T {
  const store = useRoomStore();
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

/** Whether two lists of figures read alike: where they stand does not show in a list. */
export function sameFaces(a: readonly Participant[], b: readonly Participant[]): boolean {
  return sameList(
    a,
    b,
    (one, other) =>
      one === other ||
      (one.id === other.id && one.name === other.name && one.iconType === other.iconType && one.color === other.color),
  );
}

export function useLine(): Line {
  const store = useRoomStore();
  return useSyncExternalStore(store.subscribe, store.line);
}

const shownCache = new WeakMap<RoomModel, Participant[]>();
/** The figures of a model as this person should see them; the same array while the model is the same. */
export const shownOf = (model: RoomModel): Participant[] => {
  let figures = shownCache.get(model);
  if (!figures) {
    figures = shownFigures(model);
    shownCache.set(model, figures);
  }
  return figures;
};

/** The figures as this person should see them; the same array while none of them changed. */
export function useShownFigures(): Participant[] {
  return useRoomPart(shownOf, sameList);
}

/** One of them as this person should see it; null while there is none. */
export function useShownFigure(id: number | null): Participant | null {
  return useRoomPart((model) => (id === null ? null : (shownOf(model).find((figure) => figure.id === id) ?? null)));
}

const wornIcons = (model: RoomModel): number[] =>
  shownOf(model).flatMap((figure) => (figure.iconId === null ? [] : [figure.iconId]));

/** Ids of the therapist's own icons that figures wear. */
export function useWornIcons(): number[] {
  return useRoomPart(wornIcons, sameList);
}

/** Whether an act of one's own can be taken back, and done again. */
export function useCanUndo(): { undo: boolean; redo: boolean } {
  const undo = useRoomPart((model) => model.undo.length > 0);
  const redo = useRoomPart((model) => model.redo.length > 0);
  return { undo, redo };
}
