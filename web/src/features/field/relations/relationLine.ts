/** The lines of relations, in numbers: which exist, and their courses (docs/product.md#5.35). Pure. */
import type { Relation } from '@fieldroom/contract/field';
import { NAME_SIZE } from '../names/nameText.ts';
import type { Point } from '../drawing/geometry.ts';
import type { Circle } from '../names/boxes.ts';

/** A relation whose two figures are on the field. */
export interface RelationOnField extends Pick<Relation, 'to' | 'kind' | 'color' | 'word'> {
  from: number;
  /** There is also one in the opposite direction: the two bend away from each other. */
  bent: boolean;
}

/** The ends of a line, and the point to which it bends, px. */
export interface Curve {
  start: Point;
  control: Point;
  end: Point;
}

export interface RelationLine {
  /** Path data of the line, and of the arrow's head; the head is empty where there is none. */
  path: string;
  head: string;
  curve: Curve;
}

/**
 * All measures are px at the usual size of names; with smaller names, lines are thinner too.
 *
 * Widths of the colour,  of the dark edge around it and of the light one around that, as figures have them.
 */
export const LINE_WIDTHS = {
  plain: { colour: 3.5, outline: 5.5, halo: 8.5 },
  double: { colour: 9, outline: 11, halo: 14 },
} as const;
/** Between the two lines of a double one: the dark edges, and the visible gap. */
export const GAP_WIDTHS = { outline: 4.6, halo: 2.4 } as const;
/** Width of the edges around an arrow's head. */
export const HEAD_WIDTHS = { outline: 2, halo: 5 } as const;
/** A word in the size of names. */
export const WORD_SIZE = 0.9;

/** Between a figure's circle and the line. */
const GAP = 4;
/** Shorter lines are not drawn. */
const SHORTEST = 10;
const HEAD_LENGTH = 15;
/** Half of the head's width, in its length. */
const HEAD_HALF = 0.5;
/** How far two opposite lines bend: share of the distance, minimum and maximum. */
const BEND = 0.13;
const BEND_LEAST = 16;
const BEND_MOST = 56;

const number = (value: number) => (Math.round(value * 10) / 10).toString();
const at = ({ x, y }: Point) => `${number(x)} ${number(y)}`;

/** The point at a distance from one point towards another. */
function towards(from: Point, to: Point, distance: number): Point {
  const whole = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  return { x: from.x + ((to.x - from.x) / whole) * distance, y: from.y + ((to.y - from.y) / whole) * distance };
}

const middleOf = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });

/** The point at a share (0 to 1) of a line. */
export function pointOn({ start, control, end }: Curve, share: number): Point {
  const rest = 1 - share;
  const mix = (a: number, b: number, c: number) => rest * rest * a + 2 * rest * share * b + share * share * c;
  return { x: mix(start.x, control.x, end.x), y: mix(start.y, control.y, end.y) };
}

/**
 * The course of a line from one circle to another. Takes the circles in px, and the size of names. Returns null if they
 * leave no room for it. Every path has the same commands, so that one can glide into another.
 */
export function relationLine(
  from: Circle,
  to: Circle,
  { kind, bent }: Pick<RelationOnField, 'kind' | 'bent'>,
  size: number = NAME_SIZE,
): RelationLine | null {
  const unit = size / NAME_SIZE;
  const gap = GAP * unit;
  const headLength = HEAD_LENGTH * unit;
  const distance = Math.hypot(to.x - from.x, to.y - from.y);
  if (distance - from.radius - to.radius - 2 * gap < SHORTEST * unit) return null;
  const bend = bent ? Math.min(BEND_MOST * unit, Math.max(BEND_LEAST * unit, distance * BEND)) : 0;
  const middle = middleOf(towards(from, to, from.radius), towards(to, from, to.radius));
  // To the left in its direction, so the opposite line bends to the other side.
  const control = {
    x: middle.x + ((to.y - from.y) / distance) * bend,
    y: middle.y - ((to.x - from.x) / distance) * bend,
  };
  const start = towards(from, control, from.radius + gap);
  const tip = towards(to, control, to.radius + gap);
  const end = kind === 'arrow' ? towards(to, control, to.radius + gap + headLength * 0.8) : tip;
  return {
    path: `M${at(start)}Q${at(control)} ${at(end)}`,
    head: kind === 'arrow' ? headPath(tip, towards(tip, control, headLength)) : '',
    curve: { start, control, end },
  };
}

function headPath(tip: Point, base: Point): string {
  const side = { x: (base.y - tip.y) * HEAD_HALF, y: (tip.x - base.x) * HEAD_HALF };
  const left = { x: base.x + side.x, y: base.y + side.y };
  const right = { x: base.x - side.x, y: base.y - side.y };
  return `M${at(tip)}L${at(left)}L${at(right)}Z`;
}

/** A figure's data for drawing its relations. */
export interface RelatedFigure {
  id: number;
  relations?: readonly Relation[] | undefined;
}

/** The relations of these figures whose other figure is among them, in the order of the figures. */
export function relationsOnField(figures: readonly RelatedFigure[]): RelationOnField[] {
  const related = figures.filter(({ relations }) => relations && relations.length > 0);
  if (related.length === 0) return [];
  const here = new Map(figures.map(({ id, relations }) => [id, relations]));
  return related.flatMap(({ id, relations = [] }) =>
    relations
      .filter(({ to }) => here.has(to))
      .map(({ to, kind, color, word }) => ({
        from: id,
        to,
        kind,
        color,
        word,
        bent: here.get(to)?.some((back) => back.to === id) ?? false,
      })),
  );
}
