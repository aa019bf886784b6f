/** The position of a look back, and the field there. Pure. */
import type { Figure } from '@fieldroom/contract/field';
import { applySteps, type Moment, type Move, type Replay, type ReplayPart } from '@fieldroom/contract/moments';

/** The positions of a look back: a position is the number of the last move; the first one is the start. */
export interface Span {
  first: number;
  last: number;
}

/** Returns null if no moves are kept. */
export function spanOf({ parts, lastMove }: Replay): Span | null {
  const [earliest] = parts;
  if (earliest === undefined) return null;
  const first = earliest.firstMove - 1;
  return { first, last: Math.max(first, lastMove) };
}

/** The position, limited to the span. */
export const clampTo = ({ first, last }: Span, position: number): number => Math.min(last, Math.max(first, position));

/** The part of a position: the one that contains its move, or the first part at the start. */
export function partAt({ parts }: Pick<Replay, 'parts'>, position: number): Replay['parts'][number] {
  const found = parts.findLast(({ firstMove }) => firstMove <= position) ?? parts[0];
  if (found === undefined) throw new Error('a look back without parts has no positions');
  return found;
}

/** Whether a part has all the moves that it will ever have. */
export const isComplete = ({ parts }: Pick<Replay, 'parts'>, firstMove: number): boolean =>
  parts.some((part) => part.firstMove > firstMove);

/** A position with its data for the view. */
export interface Standing {
  figures: Figure[];
  /** The field before the last move, and that move; null at the start. */
  before: Figure[] | null;
  move: Move | null;
  /** The time of this position. */
  at: string;
}

/** The field at a position of a part. */
export function standingAt(part: ReplayPart, position: number): Standing {
  let standing: Standing = { figures: part.figures, before: null, move: null, at: part.startsOn };
  for (const move of part.moves) {
    if (move.number > position) break;
    const { figures } = standing;
    standing = { figures: applySteps(figures, move.steps), before: figures, move, at: move.movedOn };
  }
  return standing;
}

/** Every figure at all of its places in a part, so that one view shows all of them. */
export function placesIn(part: ReplayPart): Figure[] {
  const places = [...part.figures];
  let figures = part.figures;
  for (const move of part.moves) {
    figures = applySteps(figures, move.steps);
    for (const step of move.steps) {
      const id = 'put' in step ? step.put.id : 'gone' in step ? null : step.figureId;
      const found = figures.find((figure) => figure.id === id);
      if (found) places.push(found);
    }
  }
  return places;
}

/** The position of a moment, limited to the moves that are still kept. */
export const positionOf = (span: Span, moment: Pick<Moment, 'afterMove'>): number => clampTo(span, moment.afterMove);
