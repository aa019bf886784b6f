/** Whose names are drawn on the field because somebody else holds a figure or points at something. */
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
 * Returns who (by name) holds which figure, who points (by the person's id), and what changes that, always the same
 * functions. The maps change only when something else has to be drawn: moves come many times a second.
 */
export function useOthersOnField() {
  const [holders, setHolders] = useState<NamesById>(new Map());
  const [pointing, setPointing] = useState<NamesById>(new Map());
  const [others] = useState(() => ({
    /** Another hand holds a figure. Without a name the one that is known stays. */
    hold(figureId: number, byName: string | undefined) {
      const name = byName ?? '';
      setHolders((before) => {
        if (before.has(figureId) && (byName === undefined || before.get(figureId) === name)) return before;
        return new Map(before).set(figureId, name);
      });
    },
    /** No other hand holds a figure. */
    letGo: (figureId: number) => setHolders((before) => without(before, figureId)),
    /** Somebody points. */
    point: (personId: number, name: string) =>
      setPointing((before) => (before.get(personId) === name ? before : new Map(before).set(personId, name))),
    pointEnd: (personId: number) => setPointing((before) => without(before, personId)),
    /** What was not heard of any more is gone. */
    silent(figureIds: readonly number[], personIds: readonly number[]) {
      setHolders((before) => withoutAll(before, figureIds));
      setPointing((before) => withoutAll(before, personIds));
    },
    /** Nobody else holds or points. */
    clear() {
      setHolders((before) => (before.size === 0 ? before : new Map()));
      setPointing((before) => (before.size === 0 ? before : new Map()));
    },
  }));
  return { holders, pointing, others };
}

export type OthersOnField = ReturnType<typeof useOthersOnField>['others'];
