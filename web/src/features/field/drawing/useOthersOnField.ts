/** The names drawn on the field because somebody else holds a figure or points. */
import { useState } from 'react';

type NamesById = ReadonlyMap<number, string>;

function without(names: NamesById, id: number): NamesById {
  if (!names.has(id)) return names;
  const next = new Map(names);
  next.delete(id);
  return next;
}

const withoutAll = (names: NamesById, ids: readonly number[]) => ids.reduce((left, id) => without(left, id), names);

/**
 * Returns the holders' names by figure, who points (by the person's id), and stable functions that change them. The
 * maps change only when the drawing changes: moves arrive many times a second.
 */
export function useOthersOnField() {
  const [holders, setHolders] = useState<NamesById>(new Map());
  const [pointing, setPointing] = useState<NamesById>(new Map());
  const [others] = useState(() => ({
    /** Another person drags a figure. Without a name the known one stays. */
    hold(figureId: number, byName: string | undefined) {
      const name = byName ?? '';
      setHolders((before) => {
        if (before.has(figureId) && (byName === undefined || before.get(figureId) === name)) return before;
        return new Map(before).set(figureId, name);
      });
    },
    /** Nobody else drags this figure any more. */
    letGo: (figureId: number) => setHolders((before) => without(before, figureId)),
    /** Somebody points. */
    point: (personId: number, name: string) =>
      setPointing((before) => (before.get(personId) === name ? before : new Map(before).set(personId, name))),
    pointEnd: (personId: number) => setPointing((before) => without(before, personId)),
    /** Removes drags and pointers without further messages. */
    silent(figureIds: readonly number[], personIds: readonly number[]) {
      setHolders((before) => withoutAll(before, figureIds));
      setPointing((before) => withoutAll(before, personIds));
    },
    /** Nobody else drags or points. */
    clear() {
      setHolders((before) => (before.size === 0 ? before : new Map()));
      setPointing((before) => (before.size === 0 ? before : new Map()));
    },
  }));
  return { holders, pointing, others };
}

export type OthersOnField = ReturnType<typeof useOthersOnField>['others'];
