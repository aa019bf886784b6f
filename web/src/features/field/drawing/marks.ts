/**
 * Marks at the edge of the view for figures that are outside of it (docs/product.md#5.24). Pure; lengths are px on the
 * screen.
 */
import { clamp } from './geometry.ts';
import type { Point, Size } from './geometry.ts';

export interface EdgeMark extends Point {
  /** The figures it stands for; the first one gives it its colour. */
  figureIds: readonly number[];
  /** Where it points, in degrees clockwise, 0 is up. */
  angle: number;
}

/** From the edge of the view to the middle of a mark. */
const INSET = 26;
/** Top left and bottom right are the field's buttons: marks stay out of these corners. */
const CORNER = { width: 250, height: 64 };
/** Marks nearer than this are one; and stay one until they are this far apart. */
const JOIN = 46;
const PART = 60;

/** The nearest point to a figure at the edge of the view. */
function edgePoint(at: Point, { width, height }: Size): Point {
  const x = clamp(at.x, Math.min(INSET, width / 2), Math.max(width - INSET, width / 2));
  const y = clamp(at.y, Math.min(INSET, height / 2), Math.max(height - INSET, height / 2));
  // Not in a low view, where hardly anything would be left between the corners.
  const corner = height > 4 * CORNER.height ? CORNER.height + INSET : 0;
  if (x < CORNER.width && y < corner) return { x, y: corner };
  if (x > width - CORNER.width && y > height - corner) return { x, y: height - corner };
  return { x, y };
}

/**
 * Where marks stand, for the figures whose middle is out of view. Those near one spot are joined; `before` keeps what
 * was joined together a little longer, so that no mark flutters.
 */
export function edgeMarks(
  figures: readonly (Point & { id: number })[],
  size: Size,
  before: readonly EdgeMark[],
): EdgeMark[] {
  const marks: (EdgeMark & { figureIds: number[] })[] = [];
  for (const { id, x, y } of figures) {
    if (x >= 0 && y >= 0 && x <= size.width && y <= size.height) continue;
    const at = edgePoint({ x, y }, size);
    const fellows = before.find(({ figureIds }) => figureIds.includes(id))?.figureIds;
    const joined = marks.find(
      (mark) =>
        Math.hypot(mark.x - at.x, mark.y - at.y) < (fellows?.includes(mark.figureIds[0] as number) ? PART : JOIN),
    );
    if (joined) joined.figureIds.push(id);
    else marks.push({ figureIds: [id], ...at, angle: (Math.atan2(x - at.x, at.y - y) * 180) / Math.PI });
  }
  return marks;
}

/** Whether the same marks stand for the same figures, wherever they are. */
export const sameMarks = (a: readonly EdgeMark[], b: readonly EdgeMark[]): boolean =>
  a.length === b.length && a.every((mark, index) => mark.figureIds.join() === b[index]?.figureIds.join());
