/**
 * What a browser knows of a room, as one value, and how it changes. Pure, so that it can be tested with lost, doubled
 * and reordered messages. Source: contract/realtime.ts invariants 1–4; PRODUCT section 5.
 */
import type { Person, WaitingPerson } from '@fieldroom/contract/clients';
import type { FieldAct, Participant } from '@fieldroom/contract/field';
import { applyChange, type FieldCopy, UNDO_MAX } from '@fieldroom/contract/field.rules';
import type { StampedChange } from '@fieldroom/contract/realtime';
import { freshKeeper, hear, isLacking, type StampKeeper } from '../../platform/realtime/stamp-keeper.ts';

export interface PendingAct {
  actId: string;
  act: FieldAct;
}

export interface RoomModel {
  /** null until the first PLAYERS_VALUE. */
  field: FieldCopy | null;
  people: Person[];
  /** False until the first UNREGISTER_USER. */
  peopleKnown: boolean;
  waiting: WaitingPerson[];
  therapistHere: boolean;
  /** What was heard of and what is held (invariants 1-4 of the wire). */
  keeper: StampKeeper;
  /** Acts sent (or kept while offline) and not answered yet, oldest first. */
  pending: PendingAct[];
  /** Own confirmed acts that can be taken back, newest last, and those that can be done again. */
  undo: string[];
  redo: string[];
  over: boolean;
}

export const emptyRoom: RoomModel = {
  field: null,
  people: [],
  peopleKnown: false,
  waiting: [],
  therapistHere: true,
  keeper: freshKeeper,
  pending: [],
  undo: [],
  redo: [],
  over: false,
};

/** Whether something exists that this browser has not got. */
export function lacks(model: RoomModel): boolean {
  return model.field === null || !model.peopleKnown || isLacking(model.keeper);
}

/** Acts by which a person's own earlier act is not meant to be taken back. */
const NOT_UNDOABLE = new Set<FieldAct['kind']>(['undo', 'activeRole']);

/**
 * Takes one stamped change in. In: the model, the message, real time in ms. Out: the next model. Outdated values are
 * ignored; a PLAYER_CHANGE over a gap is left aside and `lacks` turns true.
 */
export function receive(model: RoomModel, change: StampedChange, nowMs: number): RoomModel {
  const { keeper, verdict } = hear(model.keeper, change, nowMs);
  const next: RoomModel = { ...model, keeper };
  switch (change.eventType) {
    case 'PLAYERS_VALUE':
      return verdict === 'take'
        ? { ...next, field: { ...keepIdentity(model.field, change.contents), revision: change.participantsUpdatedOn } }
        : next;
    case 'PLAYER_CHANGE': {
      // Before the first snapshot there is nothing to change: the keeper must not count it as held.
      if (!model.field)
        return settle({ ...next, keeper: { ...keeper, held: model.keeper.held } }, change.contents.actId);
      const settled = settle(next, change.contents.actId);
      const applied = verdict === 'take' ? applyChange(model.field, change.contents) : null;
      return applied?.kind === 'applied' ? { ...settled, field: applied.field } : settled;
    }
    case 'UNREGISTER_USER': {
      if (verdict !== 'take') return next;
      const { people, therapistHere, waiting } = change.contents;
      return { ...next, people, therapistHere, waiting: waiting ?? model.waiting, peopleKnown: true };
    }
    case 'DISCONNECTED':
      return { ...next, therapistHere: false };
    case 'RECONNECTED':
      return { ...next, therapistHere: true };
    case 'SESSION_OUT':
      return { ...next, over: true };
    default:
      return next;
  }
}

/** Figures that are equal keep their object, so that only what changed is drawn again. */
function keepIdentity(old: FieldCopy | null, snapshot: { figures: Participant[]; handsAllowed: boolean }) {
  if (!old) return snapshot;
  const known = new Map(old.figures.map((figure) => [figure.id, figure]));
  return {
    ...snapshot,
    figures: snapshot.figures.map((figure) => {
      const before = known.get(figure.id);
      return before?.updatedOn === figure.updatedOn ? before : figure;
    }),
  };
}

/** An act of one's own was confirmed: it leaves the pending list and can be taken back. */
function settle(model: RoomModel, actId: string | null): RoomModel {
  const mine = model.pending.find((entry) => entry.actId === actId);
  if (!mine || actId === null) return model;
  const pending = model.pending.filter((entry) => entry !== mine);
  if (mine.act.kind === 'undo') {
    // The undo itself is an act that can be undone: that is redo.
    const wasRedo = model.redo.at(-1) === mine.act.actId;
    return wasRedo
      ? { ...model, pending, redo: model.redo.slice(0, -1), undo: [...model.undo, actId].slice(-UNDO_MAX) }
      : {
          ...model,
          pending,
          undo: model.undo.filter((id) => mine.act.kind === 'undo' && id !== mine.act.actId),
          redo: [...model.redo, actId].slice(-UNDO_MAX),
        };
  }
  if (NOT_UNDOABLE.has(mine.act.kind)) return { ...model, pending };
  return { ...model, pending, undo: [...model.undo, actId].slice(-UNDO_MAX), redo: [] };
}

/** An act was refused: nothing of it stays, and an undo that cannot be done any more is forgotten. */
export function refuse(model: RoomModel, actId: string): RoomModel {
  const mine = model.pending.find((entry) => entry.actId === actId);
  if (!mine) return model;
  const pending = model.pending.filter((entry) => entry !== mine);
  if (mine.act.kind !== 'undo') return { ...model, pending };
  const target = mine.act.actId;
  return {
    ...model,
    pending,
    undo: model.undo.filter((id) => id !== target),
    redo: model.redo.filter((id) => id !== target),
  };
}

/** An own act starts: it stands in the pending list until the server answers. */
export function begin(model: RoomModel, entry: PendingAct): RoomModel {
  return { ...model, pending: [...model.pending, entry] };
}

/**
 * The figures as this person should see them: the server's, and on top what the own hand did and the server has not
 * answered yet, so that nothing jumps back while a message travels or the line is down.
 */
export function shownFigures(model: RoomModel): Participant[] {
  if (!model.field) return [];
  if (model.pending.length === 0) return model.field.figures;
  let figures = model.field.figures;
  for (const { act } of model.pending) {
    if (act.kind === 'place' || act.kind === 'edit') {
      const { kind: _kind, figureId, ...patch } = act;
      const defined = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
      figures = figures.map((figure) => (figure.id === figureId ? { ...figure, ...defined } : figure));
    } else if (act.kind === 'toggleText') {
      figures = figures.map((figure) =>
        figure.id === act.figureId ? { ...figure, showText: !figure.showText } : figure,
      );
    } else if (act.kind === 'remove') {
      figures = figures.filter((figure) => figure.id !== act.figureId);
    }
  }
  return figures;
}
