/**
 * A person's own acts on the field: those that the server has not answered yet, those that can be undone and redone,
 * and how they look in the meantime. Pure.
 */
import {
  type FieldAct,
  type FieldChange,
  type FieldOp,
  type FieldSnapshot,
  type Figure,
  UNDO_MAX,
} from '@fieldroom/contract/field';
import type { ProblemCode } from '@fieldroom/contract/problems';

export interface PendingAct {
  actId: string;
  act: FieldAct;
}

export interface OwnActs {
  /** Acts sent, or kept while disconnected, that the server has not answered yet; oldest first. */
  pending: PendingAct[];
  /**
   * The last acts that the server refused. It answers `unavailable` while it still checks whether an act was stored,
   * and may confirm that one later.
   */
  refused: PendingAct[];
  /** Ids of confirmed acts that can be undone, newest last. */
  undo: string[];
  /** Ids of confirmed undo acts that can be redone, newest last. */
  redo: string[];
}

type PlaceAct = Extract<FieldAct, { kind: 'place' }>;

/** Acts that undo skips. */
const NOT_UNDOABLE = new Set<FieldAct['kind']>(['undo', 'activeRole']);
/** Refusals that are not about the act itself: it may succeed a moment later. */
const PASSING = new Set<ProblemCode>([
  'figure_held',
  'hands_stopped',
  'therapist_away',
  'too_many_requests',
  'unavailable',
  'shutting_down',
]);
/**
 * Maximum number of pending acts, also while disconnected: fewer than the frames that the server takes from a
 * connection in one burst (120), because all are answered soon after it opens.
 */
const KEPT_ACTS = 100;

/** Starts an act: it is pending until the server answers. */
export function begin<T extends OwnActs>(own: T, entry: PendingAct): T {
  return { ...own, pending: [...own.pending, entry] };
}

/** Prepares for one more act while disconnected: only the last place of a figure matters then. */
export function makeRoomFor<T extends OwnActs>(own: T, act: FieldAct): T {
  // An act with a pending undo has to be stored first.
  const takenBack = new Set(own.pending.map((entry) => (entry.act.kind === 'undo' ? entry.act.actId : null)));
  const pending =
    act.kind === 'place'
      ? own.pending.filter((entry) => takenBack.has(entry.actId) || !isReplacedBy(entry.act, act))
      : own.pending;
  return { ...own, pending };
}

/** Whether one more act cannot be kept until the server answers. */
export const isFull = ({ pending }: OwnActs): boolean => pending.length >= KEPT_ACTS;

function isReplacedBy(older: FieldAct, newer: PlaceAct): boolean {
  return older.kind === 'place' && older.figureId === newer.figureId && setsNothingElse(older, newer);
}

function setsNothingElse(older: PlaceAct, newer: PlaceAct): boolean {
  return (['x', 'y', 'rotation', 'scale'] as const).every(
    (key) => older[key] === undefined || newer[key] !== undefined,
  );
}

/**
 * Takes the server's confirmation of an act, also of a refused one; an act of somebody else changes nothing. An act
 * that changed nothing cannot be undone, and does not clear redo.
 */
export function confirm<T extends OwnActs>(own: T, { actId, unchanged }: Confirmation): T {
  const mine = [...own.pending, ...own.refused].find((entry) => entry.actId === actId);
  if (!mine) return own;
  const others = (entry: PendingAct) => entry !== mine;
  const settled = { ...own, pending: own.pending.filter(others), refused: own.refused.filter(others) };
  if (!unchanged) return { ...settled, ...stored(own, mine) };
  return mine.act.kind === 'undo' ? { ...settled, ...without(own, mine.act.actId) } : settled;
}

type Confirmation = Pick<FieldChange, 'actId' | 'unchanged'>;
type Lists = Pick<OwnActs, 'undo' | 'redo'>;

/** The undo and redo lists after the server has stored an act. */
function stored({ undo, redo }: Lists, { actId, act }: PendingAct): Lists {
  if (act.kind === 'undo') return undone({ undo, redo }, act.actId, actId);
  return NOT_UNDOABLE.has(act.kind) ? { undo, redo } : { undo: [...undo, actId].slice(-UNDO_MAX), redo: [] };
}

/** Undo is itself an act that can be undone: that is redo. */
function undone(own: Lists, target: string, actId: string): Lists {
  const wasRedo = own.redo.at(-1) === target;
  return wasRedo
    ? { redo: own.redo.slice(0, -1), undo: [...own.undo, actId].slice(-UNDO_MAX) }
    : { undo: own.undo.filter((id) => id !== target), redo: [...own.redo, actId].slice(-UNDO_MAX) };
}

/**
 * Takes the server's refusal: drops the act and its pending undos. An undo that has become impossible is forgotten; one
 * that was refused only temporarily can be tried again.
 */
export function refuse<T extends OwnActs>(own: T, actId: string, code: ProblemCode): T {
  const mine = own.pending.find((entry) => entry.actId === actId);
  if (!mine) return own;
  const gone = new Set([actId]);
  const pending = own.pending.filter((entry) => {
    if (entry.act.kind === 'undo' && gone.has(entry.act.actId)) gone.add(entry.actId);
    return !gone.has(entry.actId);
  });
  const refused = [...own.refused, ...own.pending.filter((entry) => gone.has(entry.actId))].slice(-KEPT_ACTS);
  if (mine.act.kind !== 'undo' || PASSING.has(code)) return { ...own, pending, refused };
  return { ...own, pending, refused, ...without(own, mine.act.actId) };
}

/** Forgets an act that can no longer be undone or redone. */
function without({ undo, redo }: Lists, actId: string): Lists {
  const others = (id: string) => id !== actId;
  return { undo: undo.filter(others), redo: redo.filter(others) };
}

/**
 * The act that undo, or redo, would take back now; null if there is none. The server answers a person's acts in order,
 * so pending ones count as stored.
 */
export function nextToUndo(own: OwnActs, which: 'undo' | 'redo'): string | null {
  return own.pending.reduce<Lists>(stored, own)[which].at(-1) ?? null;
}

/**
 * The figures as this person sees them: the server's, changed by the acts it has not answered yet. So nothing moves
 * back while a message is on its way or the connection is lost.
 */
export function shownFigures({ field, pending }: { field: FieldSnapshot | null; pending: PendingAct[] }): Figure[] {
  if (!field) return [];
  return pending.reduce((figures, { act }) => withAct(figures, act), field.figures);
}

function withAct(figures: Figure[], act: FieldAct): Figure[] {
  switch (act.kind) {
    case 'place':
    case 'edit': {
      const { kind: _kind, figureId, ...patch } = act;
      const defined = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined));
      return withFigure(figures, figureId, (figure) => ({ ...figure, ...defined }));
    }
    case 'toggleText':
      return withFigure(figures, act.figureId, (figure) => ({ ...figure, showText: !figure.showText }));
    case 'remove':
      return figures.filter((figure) => figure.id !== act.figureId);
    case 'clear':
      return [];
    default:
      return figures;
  }
}

function withFigure(figures: Figure[], id: number, change: (figure: Figure) => Figure): Figure[] {
  return figures.map((figure) => (figure.id === id ? change(figure) : figure));
}

/** The figures that ops move or remove; a figure with only another look stays in the hand that holds it. */
export function movedBy(ops: readonly FieldOp[], before: FieldSnapshot | null): number[] {
  return ops.flatMap((op) => {
    if (op.op === 'remove') return [op.figureId];
    if (op.op !== 'put') return [];
    const old = before?.figures.find((figure) => figure.id === op.figure.id);
    return old && standsAlike(old, op.figure) ? [] : [op.figure.id];
  });
}

function standsAlike(a: Figure, b: Figure): boolean {
  return a.x === b.x && a.y === b.y && a.rotation === b.rotation && a.scale === b.scale;
}
