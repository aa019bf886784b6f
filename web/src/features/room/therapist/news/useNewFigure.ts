/** Notices figures that this browser added. */
import { useEffect, useRef } from 'react';
import type { RoomStore } from '../../store/roomStore.ts';

/**
 * Calls `onAdded` with the id of each figure that an act of this browser added, once the server has stored it and it is
 * on the field. After a lost connection the field may come before the confirmation or after it.
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
