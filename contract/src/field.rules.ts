/**
 * The rules of the field that need no schema: measures, colours, how a change is applied, who may move what. Apart from
 * field.ts so that the room in the browser carries no schema library. Specification 7.3, PRODUCT section 5.
 */
import type { IconType, Participant } from './field.ts';

/** Field units; rotation in degrees clockwise, 0 = facing up. */
export const FIELD_WIDTH = 1600;
export const FIELD_HEIGHT = 1000;
export const SCALE_MIN = 0.25;
export const SCALE_MAX = 4;
export const FIGURES_MAX = 500;
export const FIGURE_NAME_MAX = 60;
/** A figure is drawn this many field units wide at scale 1. */
export const FIGURE_SIZE = 120;
/** Acts that can be taken back, a person. */
export const UNDO_MAX = 50;
/** A hold ends after this silence (real time). */
export const HOLD_MS = 3000;
/** Volatile messages a second and person. */
export const VOLATILE_PER_SECOND = 30;
/** Volatile positions of a room are gathered this long. */
export const TICK_MS = 16;

export const ICON_TYPES = [
  'MALE_FIGURE',
  'FEMALE_FIGURE',
  'MALE_SQUARE',
  'FEMALE_CIRCLE',
  'STAR',
  'KIWI',
  'BAT',
  'CUSTOM',
] as const;

/** male figure ↔ male square, female figure ↔ female circle; others stay. */
export function toggledIconType(type: IconType): IconType {
  switch (type) {
    case 'MALE_FIGURE':
      return 'MALE_SQUARE';
    case 'MALE_SQUARE':
      return 'MALE_FIGURE';
    case 'FEMALE_FIGURE':
      return 'FEMALE_CIRCLE';
    case 'FEMALE_CIRCLE':
      return 'FEMALE_FIGURE';
    default:
      return type;
  }
}

export const MOVABLE_BY = ['therapist', 'holders', 'everyone'] as const;

/** Brings degrees into 0 ≤ r < 360, rounded to a tenth. */
export function normalizeRotation(degrees: number): number {
  const turned = ((degrees % 360) + 360) % 360;
  const rounded = Math.round(turned * 10) / 10;
  return rounded >= 360 ? 0 : rounded;
}

/** The twelve colours of the design (name → fill). */
export const FIGURE_COLORS = {
  chalk: '#F4F3F3',
  straw: '#EFDA71',
  apricot: '#D7A065',
  brick: '#953300',
  rose: '#D7739C',
  plum: '#6F2764',
  lilac: '#886AC1',
  inkBlue: '#2B549D',
  sky: '#4BA8E2',
  mint: '#7BD6C3',
  moss: '#4C7E58',
  coal: '#2E2E2E',
} as const;

/** The whole field, as `PLAYERS_VALUE` carries it. */
export interface FieldSnapshot {
  figures: Participant[];
  handsAllowed: boolean;
}

// ---- changes: what the server says happened

export type FieldOp =
  | { op: 'put'; figure: Participant }
  | { op: 'remove'; figureId: number }
  | { op: 'hands'; allowed: boolean };

/** One stored act as everybody hears of it. `revision` is the room's `participantsUpdatedOn` after it. */
export interface FieldChange {
  revision: number;
  actId: string | null;
  /** Person who acted (therapist or client id); null for the server itself. */
  by: number | null;
  ops: FieldOp[];
}

/** A browser's or the server's copy of a field with the revision it is at. */
export interface FieldCopy extends FieldSnapshot {
  revision: number;
}

export type Applied = { kind: 'applied'; field: FieldCopy } | { kind: 'known' } | { kind: 'gap' };

/**
 * Applies one change to a copy of the field. Pure; figures that did not change keep their identity.
 * Out: the new copy; `known` when the copy already has it; `gap` when something before it is missing and the
 * snapshot has to be asked for. Invariant: apply(snapshot, changes) equals a later snapshot.
 */
export function applyChange(field: FieldCopy, change: FieldChange): Applied {
  if (change.revision <= field.revision) return { kind: 'known' };
  if (change.revision !== field.revision + 1) return { kind: 'gap' };
  return { kind: 'applied', field: { revision: change.revision, ...applyOps(field, change.ops) } };
}

/** The ops alone, without looking at revisions. Figures come out sorted by order, then id. */
export function applyOps(field: FieldSnapshot, ops: readonly FieldOp[]): FieldSnapshot {
  let handsAllowed = field.handsAllowed;
  const byId = new Map(field.figures.map((figure) => [figure.id, figure]));
  for (const op of ops) {
    if (op.op === 'put') byId.set(op.figure.id, op.figure);
    else if (op.op === 'remove') byId.delete(op.figureId);
    else handsAllowed = op.allowed;
  }
  return { handsAllowed, figures: sortFigures([...byId.values()]) };
}

/** Painting order: `order`, then id. */
export function sortFigures(figures: Participant[]): Participant[] {
  return figures.sort((a, b) => a.order - b.order || a.id - b.id);
}

/** Who asks to move a figure: the therapist, or a client with the figures whose role it holds. */
export type Mover = { as: 'therapist' } | { as: 'client'; roles: readonly number[] };

/** Whether this person may move this figure now (PRODUCT 5: therapist, role holders, everyone; one switch stops all clients' hands). */
export function mayMove(mover: Mover, figure: Pick<Participant, 'id' | 'movableBy'>, handsAllowed: boolean): boolean {
  if (mover.as === 'therapist') return true;
  if (!handsAllowed) return false;
  if (figure.movableBy === 'everyone') return true;
  return figure.movableBy === 'holders' && mover.roles.includes(figure.id);
}

/** Icons: SVG text, 256 kB at most, cleaned on save, kept at 30×30 px, or in a 50-px box when its size is given in mm (1 mm = 3.7795 px). */
export const ICON_BYTES_MAX = 262_144;
export const ICONS_MAX = 100;
export const PX_PER_MM = 3.7795;
