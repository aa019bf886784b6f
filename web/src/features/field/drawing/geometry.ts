/**
 * Points, places and boxes of the field and of the screen, as numbers, without a browser. Field units: 1600 × 1000,
 * rotation in degrees clockwise with 0 = up, scale 0.25..4 (docs/product.md#5.1).
 */
import { FIELD_HEIGHT, FIELD_WIDTH, FIGURE_SIZE, normalizeRotation } from '@fieldroom/contract/field';

export { FIELD_HEIGHT, FIELD_WIDTH };

/** Field units for one unit of a figure's 100×100 box at scale 1. */
export const UNITS_PER_BOX = FIGURE_SIZE / 100;

export interface Point {
  x: number;
  y: number;
}

export interface Place extends Point {
  rotation: number;
  scale: number;
}

/** Screen = k × field + (tx, ty); screen in CSS px from the field's top left corner. */
export interface Camera {
  k: number;
  tx: number;
  ty: number;
}

export interface Size {
  width: number;
  height: number;
}

/** The box that shows the field, px. */
export interface FieldBox extends Size {
  /** The unobstructed part, in which all figures must fit, from the box's corner; by default all of it. */
  clear?: Point & Size;
}

/** The unobstructed part of a box, in which all figures must fit, px. */
export const clearOf = ({ width, height, clear }: FieldBox): Point & Size => clear ?? { x: 0, y: 0, width, height };

/** The middle of the unobstructed part. */
export function middleOf(box: FieldBox): Point {
  const { x, y, width, height } = clearOf(box);
  return { x: x + width / 2, y: y + height / 2 };
}

/** The number, kept between two bounds. */
export const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/** Only tenths of a unit are sent and stored. */
export const round1 = (value: number) => Math.round(value * 10) / 10;

/** A clamp that returns the middle if the figure is larger than the field. */
export const within = (value: number, low: number, high: number) =>
  low > high ? (low + high) / 2 : clamp(value, low, high);

/** Whether two places look the same: the difference is within rounding. */
export function samePlace(a: Place, b: Place): boolean {
  return (
    Math.abs(a.x - b.x) < 0.06 &&
    Math.abs(a.y - b.y) < 0.06 &&
    Math.abs(shortestTurn(a.rotation, b.rotation)) < 0.06 &&
    Math.abs(a.scale - b.scale) < 0.006
  );
}

/** Degrees from one rotation to another on the shorter way, -180..180. */
export function shortestTurn(from: number, to: number): number {
  return ((((to - from) % 360) + 540) % 360) - 180;
}

/** The place at `share` (0..1) of the way. */
export function between(from: Place, to: Place, share: number): Place {
  if (share >= 1) return to;
  return {
    x: from.x + (to.x - from.x) * share,
    y: from.y + (to.y - from.y) * share,
    rotation: from.rotation + shortestTurn(from.rotation, to.rotation) * share,
    scale: from.scale + (to.scale - from.scale) * share,
  };
}

/** Direction of a vector as a figure's rotation: 0 up, 90 right. */
export const directionOf = (dx: number, dy: number) => normalizeRotation((Math.atan2(dx, -dy) * 180) / Math.PI);

/** A point of the field on the screen, px. */
export const toScreen = (camera: Camera, point: Point): Point => ({
  x: camera.k * point.x + camera.tx,
  y: camera.k * point.y + camera.ty,
});

/** A point of the screen (px) on the field. */
export const toField = (camera: Camera, point: Point): Point => ({
  x: (point.x - camera.tx) / camera.k,
  y: (point.y - camera.ty) / camera.k,
});

/**
 * Radius on the screen (px) of the circle around a figure; `radius` in box units, see boundingRadius of the figures.
 */
export const screenRadius = (radius: number, scale: number, k: number) => radius * UNITS_PER_BOX * scale * k;

/**
 * The nearest of some circles (px) that a finger at `at` may have meant, within `reach` px of its edge; null for none.
 */
export function nearest<T extends Point & { radius: number }>(
  circles: readonly T[],
  at: Point,
  reach: number,
): T | null {
  let best: T | null = null;
  let bestGap = reach;
  for (const circle of circles) {
    const gap = Math.hypot(circle.x - at.x, circle.y - at.y) - circle.radius;
    if (gap <= bestGap) {
      best = circle;
      bestGap = gap;
    }
  }
  return best;
}
