/**
 * A browser's state of a room, as one value, and its changes. Pure, so that tests can lose, double and reorder
 * messages. Source: contract/src/realtime.ts, invariants 1 to 4; docs/product.md#5.
 */
import type { Person, WaitingPerson } from '@fieldroom/contract/clients';
import { type FieldSnapshot, applyChange, type FieldCopy } from '@fieldroom/contract/field';
import type { StampedChange } from '@fieldroom/contract/realtime';
import { freshKeeper, hear, isLacking, type StampKeeper } from '../../../platform/realtime/index.ts';
import { confirm, type OwnActs } from '../../field/acts/index.ts';

export interface RoomModel extends OwnActs {
  /** null until the first snapshot. */
  field: FieldCopy | null;
  people: Person[];
  /** False until the people are known for the first time. */
  peopleKnown: boolean;
  waiting: WaitingPerson[];
  therapistHere: boolean;
  /** The highest known revisions, and those of the present data. */
  keeper: StampKeeper;
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
  refused: [],
  undo: [],
  redo: [],
  over: false,
};

/** Whether the server has newer data than this browser. */
export function lacks(model: RoomModel): boolean {
  return model.field === null || !model.peopleKnown || isLacking(model.keeper);
}

/**
 * Takes one message about field or people, and the real time in ms. Returns the next model. An outdated value is
 * ignored; a change after a gap is dropped, and `lacks` becomes true.
 */
export function receive(model: RoomModel, change: StampedChange, nowMs: number): RoomModel {
  const { keeper, verdict } = hear(model.keeper, change, nowMs);
  const next: RoomModel = { ...model, keeper };
  switch (change.eventType) {
    case 'PLAYERS_VALUE': {
      if (verdict !== 'take') return next;
      const field = { ...keepIdentity(model.field, change.contents), revision: keeper.held.fieldRevision };
      return { ...next, field };
    }
    case 'PLAYER_CHANGE': {
      // Before the first snapshot there is nothing to change: the keeper must not count the change as applied.
      if (!model.field) {
        return confirm({ ...next, keeper: { ...keeper, held: model.keeper.held } }, change.contents);
      }
      const confirmed = confirm(next, change.contents);
      const applied = verdict === 'take' ? applyChange(model.field, change.contents) : null;
      return applied?.kind === 'applied' ? { ...confirmed, field: applied.field } : confirmed;
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

/** Equal figures keep their object, so that only changes are redrawn. */
function keepIdentity(old: FieldCopy | null, snapshot: FieldSnapshot): FieldSnapshot {
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
