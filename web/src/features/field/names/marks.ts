/** Marks at the edge of the view for figures outside it (docs/product.md#5.24). Pure; lengths are px on the screen. */
import { FIT_MARGIN, boxOfAll, fitFigures, type SeenFigure } from '../drawing/camera/views.ts';
import { clamp, clearOf, middleOf, toField, within } from '../drawing/geometry.ts';
import { limitPan } from '../drawing/camera/zoomAndPan.ts';
import type { Camera, FieldBox, Point, Size } from '../drawing/geometry.ts';

export interface EdgeMark extends Point {
  /** The figures it stands for; the first one gives it its colour. */
  figureIds: readonly number[];
  /** Where it points, in degrees clockwise, 0 is up. */
  angle: number;
}

/** From the edge of the view to the middle of a mark. */
const INSET = 26;
/**
 * The field's buttons are at the top left and bottom right: marks stay out of these corners. A narrow view has fewer
 * buttons.
 */
const CORNER = { width: 400, share: 0.67, height: 64 };
/** Marks nearer than this are joined, and stay joined until they are this far apart. */
const JOIN = 46;
const PART = 60;

/** The nearest point to a figure at the edge of the view. */
function edgePoint(at: Point, { width, height }: Size): Point {
  const x = clamp(at.x, Math.min(INSET, width / 2), Math.max(width - INSET, width / 2));
  const y = clamp(at.y, Math.min(INSET, height / 2), Math.max(height - INSET, height / 2));
  // Not in a low view, where hardly any space would be left between the corners.
  const corner = height > 4 * CORNER.height ? CORNER.height + INSET : 0;
  const far = Math.min(CORNER.width, width * CORNER.share);
  if (x < far && y < corner) return { x, y: corner };
  if (x > width - far && y > height - corner) return { x, y: height - corner };
  return { x, y };
}

/** A figure counts as out of view once less than half of it, minus this share of its radius, is visible. */
const PEEKS = 0.5;

/**
 * The places of marks, for the figures that are out of view except for a small part. Marks near one spot are joined;
 * `before` keeps joined ones together slightly longer, so that no mark flutters.
 */
export function edgeMarks(
  figures: readonly (Point & { id: number; radius: number })[],
  size: Size,
  before: readonly EdgeMark[],
): EdgeMark[] {
  const marks: (EdgeMark & { figureIds: number[] })[] = [];
  for (const { id, x, y, radius } of figures) {
    const peeks = radius * PEEKS;
    if (x >= -peeks && y >= -peeks && x <= size.width + peeks && y <= size.height + peeks) continue;
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

/** Whether the same marks belong to the same figures, wherever they are. */
export const sameMarks = (a: readonly EdgeMark[], b: readonly EdgeMark[]): boolean =>
  a.length === b.length && a.every((mark, index) => mark.figureIds.join() === b[index]?.figureIds.join());

/** Moves the camera as little as needed to show all given figures with their names, and zooms out if they need more. */
export function showFigures(camera: Camera, box: FieldBox, figures: readonly SeenFigure[]): Camera {
  const [x, y, endX, endY] = boxOfAll(figures, camera.k);
  const room = 2 * FIT_MARGIN;
  const clear = clearOf(box);
  const fits = endX - x <= clear.width - room && endY - y <= clear.height - room;
  const k = fits ? camera.k : fitFigures(box, figures).k;
  const middle = middleOf(box);
  const stays = toField(camera, middle);
  const [left, top, right, bottom] = boxOfAll(figures, k);
  const shift = (start: number, extent: number, from: number, to: number, at: number) =>
    within(at, start + FIT_MARGIN - from, start + extent - FIT_MARGIN - to);
  return limitPan(
    {
      k,
      tx: shift(clear.x, clear.width, left, right, middle.x - k * stays.x),
      ty: shift(clear.y, clear.height, top, bottom, middle.y - k * stays.y),
    },
    box,
  );
}
