/** React's view of the field: each part subscribes only to its own slice. */
import type {
  FieldAct,
  FieldDragMessage,
  FieldPointMessage,
  Figure,
  FieldCopy,
  DragPosition,
  PointerPosition,
} from '@fieldroom/contract/field';
import type { ProblemBody } from '@fieldroom/contract/problems';
import { createContext, useContext } from 'react';
import { sameList, useStorePart } from '../../platform/useStorePart.ts';
import { nextToUndo, type OwnActs, shownFigures } from './acts/index.ts';

export interface FieldModel extends OwnActs {
  /** null until the first snapshot. */
  field: FieldCopy | null;
}

/** The field's view of its room. */
export interface FieldStore {
  get(): FieldModel;
  subscribe(listener: () => void): () => void;
  /** Starts a stored act, after the pending steps by key. Returns its id. */
  act(act: FieldAct): string;
  undo(): void;
  redo(): void;
  /** Stores the pending steps by key now, so that the next act comes after them. */
  storeSteps(): void;
  /** Listens to `storeSteps`, for the code that makes the steps. Returns a function that stops listening. */
  onStoreSteps(listener: () => void): () => void;
  /** Whether this person can do nothing on the field at the moment. */
  standsStill(): boolean;
  drag(message: FieldDragMessage): void;
  point(message: FieldPointMessage): void;
  /** Reports moves of all drags except this browser's own; this person may also drag on another screen. */
  onDrags(listener: (drags: readonly DragPosition[]) => void): () => void;
  /** A stored act moved or removed these figures: all drags of them end. */
  onStored(listener: (figureIds: readonly number[]) => void): () => void;
  /** Earlier drags and pointers may be outdated. */
  onFresh(listener: () => void): () => void;
  /** Reports all pointers except this browser's own. */
  onPointers(listener: (pointers: readonly PointerPosition[]) => void): () => void;
  /** Reports refused acts and drags, with their figure; null if there is none. */
  onRefused(listener: (refusal: FieldRefusal) => void): () => void;
}

/** The refused message: an act, or a drag if `act` is null. */
export interface FieldRefusal {
  readonly problem: ProblemBody;
  readonly figureId: number | null;
  readonly act: FieldAct | null;
}

export const FieldContext = createContext<FieldStore | null>(null);

/** The field's store of the surrounding room. Throws outside of a room. */
export function useFieldStore(): FieldStore {
  const store = useContext(FieldContext);
  if (!store) throw new Error('outside of a room');
  return store;
}

/** A slice of the field; see `useStorePart`. */
export function useFieldPart<T>(read: (model: FieldModel) => T, same?: (a: T, b: T) => boolean): T {
  return useStorePart(useFieldStore(), read, same);
}

const shownCache = new WeakMap<FieldModel, Figure[]>();

/** The figures of a model as this person sees them; the same array while the model is the same. */
export function shownOf(model: FieldModel): Figure[] {
  let figures = shownCache.get(model);
  if (!figures) {
    figures = shownFigures(model);
    shownCache.set(model, figures);
  }
  return figures;
}

/** The figures as this person sees them; the same array while none of them changed. */
export function useShownFigures(): Figure[] {
  return useFieldPart(shownOf, sameList);
}

/** One of them as this person sees it; null while there is none. */
export function useShownFigure(id: number | null): Figure | null {
  return useFieldPart((model) => (id === null ? null : (shownOf(model).find((figure) => figure.id === id) ?? null)));
}

/** Whether two lists of figures look alike: a list does not show places. */
export function sameFaces(a: readonly Figure[], b: readonly Figure[]): boolean {
  return sameList(
    a,
    b,
    (one, other) =>
      one === other ||
      (one.id === other.id && one.name === other.name && one.iconType === other.iconType && one.color === other.color),
  );
}

const wornIcons = (model: FieldModel): number[] =>
  shownOf(model).flatMap((figure) => (figure.iconId === null ? [] : [figure.iconId]));

/** Ids of the therapist's own icons in use by figures. */
export function useWornIcons(): number[] {
  return useFieldPart(wornIcons, sameList);
}

/** Whether this person has something to undo, and to redo. */
export function useCanUndo(): { undo: boolean; redo: boolean } {
  const store = useFieldStore();
  const undo = useFieldPart((model) => nextToUndo(model, 'undo') !== null && !store.standsStill());
  const redo = useFieldPart((model) => nextToUndo(model, 'redo') !== null && !store.standsStill());
  return { undo, redo };
}
