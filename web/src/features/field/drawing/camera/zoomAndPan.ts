/** How the camera zooms, pans and pinches, and brings a point into view. */
import {
  type Camera,
  clamp,
  clearOf,
  FIELD_HEIGHT,
  FIELD_WIDTH,
  type FieldBox,
  middleOf,
  type Point,
  type Size,
  toField,
  toScreen,
  within,
} from '../geometry.ts';
import { fitField } from './views.ts';

/** Smallest and largest k for a box: from half of the whole field up to 4 px a unit. */
export function zoomRange(size: Size): { min: number; max: number } {
  const fit = fitField(size).k;
  return { min: fit * 0.5, max: Math.max(4, fit * 4) };
}

/** Keeps the middle of the box over the field, so that nobody pans into empty space. */
export function limitPan(camera: Camera, box: FieldBox): Camera {
  const { k } = camera;
  const { x, y } = middleOf(box);
  return {
    k,
    tx: clamp(camera.tx, x - k * FIELD_WIDTH, x),
    ty: clamp(camera.ty, y - k * FIELD_HEIGHT, y),
  };
}

/** Zooms by a factor while the field point below `at` (px) stays there. */
export function zoomAt(camera: Camera, box: FieldBox, at: Point, factor: number): Camera {
  const { min, max } = zoomRange(box);
  const k = clamp(camera.k * factor, min, max);
  const held = toField(camera, at);
  return limitPan({ k, tx: at.x - k * held.x, ty: at.y - k * held.y }, box);
}

/** Two fingers: the field points below them follow them as far as zoom and pan allow. */
export function pinchCamera(
  camera: Camera,
  box: FieldBox,
  from: readonly [Point, Point],
  to: readonly [Point, Point],
): Camera {
  const apart = Math.hypot(from[1].x - from[0].x, from[1].y - from[0].y);
  const now = Math.hypot(to[1].x - to[0].x, to[1].y - to[0].y);
  const middle = (pair: readonly [Point, Point]) => ({
    x: (pair[0].x + pair[1].x) / 2,
    y: (pair[0].y + pair[1].y) / 2,
  });
  const a = middle(from);
  const b = middle(to);
  const moved = { ...camera, tx: camera.tx + b.x - a.x, ty: camera.ty + b.y - a.y };
  return zoomAt(moved, box, b, apart > 1 ? now / apart : 1);
}

/** Moves the camera only until a circle (px around a field point) is inside the box with `margin` px. */
export function showPoint(camera: Camera, box: FieldBox, point: Point, radius: number, margin = 24): Camera {
  const at = toScreen(camera, point);
  const { x, y, width, height } = clearOf(box);
  const shift = (value: number, from: number, extent: number) =>
    within(value, from + radius + margin, from + extent - radius - margin) - value;
  return limitPan({ k: camera.k, tx: camera.tx + shift(at.x, x, width), ty: camera.ty + shift(at.y, y, height) }, box);
}
