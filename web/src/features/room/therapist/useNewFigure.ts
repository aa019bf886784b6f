/** Notices figures that this browser added. */
import type { FieldCopy } from '@fieldroom/contract/field';
import { useEffect, useRef } from 'react';
import type { RoomStore } from '../store/roomStore.ts';

/** Calls `onAdded` with the id of each figure that an act of this browser added, once the server has stored it. */
export function useNewFigure(store: RoomStore, onAdded: (id: number) => void): void {
  const seen = useRef({ addActs: new Set<string>(), field: null as FieldCopy | null, newestId: 0 });
  useEffect(() => {
    const look = () => {
      const before = seen.current;
      const { pending, field, undo } = store.get();
      for (const { actId, act } of pending) if (act.kind === 'add') before.addActs.add(actId);
      if (!field || field === before.field) return;
      const newestId = field.figures.reduce((highest, figure) => Math.max(highest, figure.id), 0);
      seen.current = { addActs: before.addActs, field, newestId };
      const isNew = before.field !== null && newestId > before.newestId;
      const confirmed = undo.at(-1);
      if (isNew && confirmed !== undefined && before.addActs.delete(confirmed)) onAdded(newestId);
    };
    look();
    return store.subscribe(look);
  }, [store, onAdded]);
}
