/** Boxes and circles on the screen, as names and words are placed among them. Pure; px. */
import type { Point, Size } from '../drawing/geometry.ts';

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The circle around a figure. */
export interface Circle extends Point {
  radius: number;
}

/**
 * A place that a name or a word does not have yet needs this much more room, so that none flutters between two places.
 */
export const SLACK = 6;
/** The drawing fills its circle only in part: letters may come this near to its middle, as a share of the radius. */
export const BODY = 0.9;

/** Whether two boxes cover the same area. */
export const sameBox = (a: Box, b: Box): boolean =>
  a === b || (a.left === b.left && a.top === b.top && a.right === b.right && a.bottom === b.bottom);

/** Whether two boxes are nearer to each other than `slack`. */
export const cross = (a: Box, b: Box, slack = 0): boolean =>
  a.left - slack < b.right && a.right + slack > b.left && a.top - slack < b.bottom && a.bottom + slack > b.top;

/** Whether a box is nearer to a circle than `slack`. */
export function touches(box: Box, circle: Circle, slack: number): boolean {
  const dx = Math.max(box.left - slack - circle.x, 0, circle.x - box.right - slack);
  const dy = Math.max(box.top - slack - circle.y, 0, circle.y - box.bottom - slack);
  return dx * dx + dy * dy < circle.radius * circle.radius;
}

/** Whether a circle may reach into a box. */
export const isNear = (box: Box, { x, y, radius }: Circle): boolean =>
  x + radius > box.left && x - radius < box.right && y + radius > box.top && y - radius < box.bottom;

/** Whether a box lies wholly in a view of this size. */
export const inside = (box: Box, { width, height }: Size): boolean =>
  box.left >= 0 && box.top >= 0 && box.right <= width && box.bottom <= height;

/** The area of a box, px². */
export const area = (box: Box): number => (box.right - box.left) * (box.bottom - box.top);

/** The area that two boxes share. */
export function overlap(a: Box, b: Box): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  // Most boxes share nothing.
  if (width <= 0) return 0;
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return height <= 0 ? 0 : width * height;
}

/** The box around a box and others. */
export const union = (boxes: readonly Box[], first: Box): Box =>
  boxes.reduce(
    (all, { left, top, right, bottom }) => ({
      left: Math.min(all.left, left),
      top: Math.min(all.top, top),
      right: Math.max(all.right, right),
      bottom: Math.max(all.bottom, bottom),
    }),
    first,
  );

/** The box around a circle. */
export const around = ({ x, y, radius }: Circle): Box => ({
  left: x - radius,
  top: y - radius,
  right: x + radius,
  bottom: y + radius,
});
