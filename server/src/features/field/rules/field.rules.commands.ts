/** The input of the rules: a command, its actor, the stored state, and which part of that state a command needs. */
import type { FieldAct, Figure, FigureInput, Relation } from '@fieldroom/contract/field';
import type { ActTrace } from '../field.tables.ts';

export type Actor = { readonly as: 'therapist'; readonly id: number } | { readonly as: 'client'; readonly id: number };

export interface RoleHeld {
  readonly clientId: number;
  readonly figureId: number;
  readonly active: boolean;
}

/** The state for a decision. `figures` may be only those that the command is about, if `scopeOf` says so. */
export interface FieldState {
  readonly figures: ReadonlyMap<number, Figure>;
  readonly handsAllowed: boolean;
  readonly roles: readonly RoleHeld[];
  /** Clients who are in the room. */
  readonly present: ReadonlySet<number>;
  /** Own icons of the therapist; needed if the command may put an icon on a figure. */
  readonly icons: ReadonlySet<number>;
}

type Undo = { readonly kind: 'undo'; readonly trace: ActTrace };
/** The whole field becomes these figures. Only the server makes it, from something that it kept. */
interface ReplaceFigures {
  readonly kind: 'replaceFigures';
  readonly figures: readonly Figure[];
}
export type Command =
  | Exclude<FieldAct, { kind: 'undo' | 'clear' | 'load' | 'backToMoment' }>
  | Undo
  | ReplaceFigures
  /** `participant/save` on an existing figure. */
  | { readonly kind: 'save'; readonly figureId: number; readonly input: FigureInput }
  /** `participant/saveAll`; an emptied field and a loaded constellation are lists too. */
  | {
      readonly kind: 'saveAll';
      readonly list: readonly FigureInput[];
      /** The relations of new figures: of each in the list, with the places of others in the list. */
      readonly relations?: readonly (readonly Relation[])[];
      readonly fromReset: boolean;
      readonly stamp: number | null;
    }
  /** A client's hand was stopped in the middle of a drag: the figure stays where the hand had it. */
  | {
      readonly kind: 'drop';
      readonly figureId: number;
      readonly x: number;
      readonly y: number;
      readonly rotation?: number;
      readonly scale?: number;
    };

/** The numbers that an act gets under the lock of its room. */
export interface Making {
  /** The room's field revision after this act. */
  readonly revision: number;
  /** The revision before it. */
  readonly standing: number;
  /** Ids for new figures, as many as `newFiguresOf` returns. */
  readonly newIds: readonly number[];
}

/** Which figures a command needs: one, or all. */
export function scopeOf(command: Command): number | 'all' {
  switch (command.kind) {
    case 'place':
    case 'drop':
    case 'toggleText':
    case 'toggleIconType':
    case 'giveRole':
    case 'takeRole':
      return command.figureId;
    case 'remove':
      return command.figureId;
    // Relations lead to other figures.
    case 'edit':
      return command.relations === undefined ? command.figureId : 'all';
    case 'save':
      return command.input.relations === undefined ? command.figureId : 'all';
    case 'activeRole':
      return command.figureId ?? 0;
    case 'hands':
      return 0;
    default:
      return 'all';
  }
}

/** Whether a command may put an own icon on a figure, so that it needs `icons`. */
export function usesIcons(command: Command): boolean {
  return (
    command.kind === 'add' ||
    command.kind === 'edit' ||
    command.kind === 'save' ||
    command.kind === 'saveAll' ||
    command.kind === 'replaceFigures' ||
    command.kind === 'undo'
  );
}

/** Whether this command of this actor needs roles or the people who are present. */
export function usesRoles(command: Command, actor: Actor): boolean {
  if (actor.as === 'client') return true;
  switch (command.kind) {
    case 'remove':
    case 'reset':
    case 'saveAll':
    case 'replaceFigures':
    case 'giveRole':
    case 'takeRole':
    case 'activeRole':
    case 'undo':
      return true;
    default:
      return false;
  }
}

/** The number of new figures that a command makes. */
export function newFiguresOf(command: Command): number {
  if (command.kind === 'add') return 1;
  return command.kind === 'saveAll' ? command.list.filter((one) => one.id === undefined).length : 0;
}
