/** Recognises figures that this browser added, and selects them. */
import { useEffect, useRef } from 'react';
import { isTypedIn } from '../../../../ui/isTypedIn.ts';
import { shownOf } from '../../../field/index.ts';
import type { RoomStore } from '../../store/roomStore.ts';

/**
 * Calls `onAdded` with the id of each figure that an act of this browser added, once the server has stored it and it is
 * on the field. After a lost connection the snapshot may arrive before the confirmation or after it.
 */
export function useNewFigure(store: RoomStore, onAdded: (id: number) => void): void {
  /** Confirmed, and not on the field yet. */
  const awaited = useRef<number | null>(null);
  useEffect(() => {
    const look = () => {
      const id = awaited.current;
      if (id === null || !store.get().field?.figures.some((figure) => figure.id === id)) return;
      awaited.current = null;
      onAdded(id);
    };
    const stopLooking = store.subscribe(look);
    const stopHearing = store.onAdded((id) => {
      awaited.current = id;
      look();
    });
    return () => {
      stopLooking();
      stopHearing();
    };
  }, [store, onAdded]);
}

interface Leading {
  store: Pick<RoomStore, 'get'>;
  selection: { get(): { selectedId: number | null }; select(id: number): void; askName(id: number): void };
  /** The on-screen keyboard would cover the field. */
  phone: boolean;
}

/**
 * Selects a new figure on the field, and focuses its name, which is still empty. It may appear late: text that is being
 * typed elsewhere must not end up in its name, which everybody reads. While a name is being edited in the tools of
 * another figure, these stay.
 */
export function leadToNewFigure(id: number, { store, selection, phone }: Leading): void {
  const { activeElement } = document;
  const inTools =
    activeElement instanceof HTMLInputElement && activeElement.closest('[data-room="figure-bar"]') !== null;
  if (inTools) {
    const { selectedId } = selection.get();
    const name = shownOf(store.get()).find((figure) => figure.id === selectedId)?.name;
    if (name !== undefined && activeElement.value !== name) return;
  }
  if (phone || (!inTools && isTypedIn(activeElement))) selection.select(id);
  else selection.askName(id);
}
