/**
 * Numbers of the field's picture, without a browser: where figures may stand, how the camera looks at them, where names go.
 * Field units: 1600 × 1000, rotation in degrees clockwise with 0 = up, scale 0.25..4 (PRODUCT, section 5).
 */
import {
  FIELD_HEIGHT,
  FIELD_WIDTH,
  FIGURE_SIZE,
  SCALE_MAX,
  SCALE_MIN,
  normalizeRotation,
} from '@fieldroom/contract/field.rules';

export { FIELD_HEIGHT, FIELD_WIDTH };

/** Field units for one unit of a figure's 100×100 box at scale 1. */
export const UNITS_PER_BOX = FIGURE_SIZE / 100;
/** A held figure is drawn this much larger. */
export const HELD_LIFT = 1.08;
/** Distance on the screen from the circle around a figure to the top of its name, px. */
export const NAME_GAP = 10;
/** Distance on the screen from the circle around a figure to the ring of selection, px. */
export const RING_GAP = 5;

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

export const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/** One tenth of a unit is all that is sent or kept. */
export const round1 = (value: number) => Math.round(value * 10) / 10;

/** The nearest place that the field allows, rounded as it is sent (scale to hundredths). */
export function allowedPlace(place: Place): Place {
  return {
    x: round1(clamp(place.x, 0, FIELD_WIDTH)),
    y: round1(clamp(place.y, 0, FIELD_HEIGHT)),
    rotation: normalizeRotation(place.rotation),
    scale: Math.round(clamp(place.scale, SCALE_MIN, SCALE_MAX) * 100) / 100,
  };
}

/** Whether two places look the same: closer than what rounding on the way may change. */
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

export const toScreen = (camera: Camera, point: Point): Point => ({
  x: camera.k * point.x + camera.tx,
  y: camera.k * point.y + camera.ty,
});

export const toField = (camera: Camera, point: Point): Point => ({
  x: (point.x - camera.tx) / camera.k,
  y: (point.y - camera.ty) / camera.k,
});

/** Smallest and largest k for a box: from half of the whole field up to 4 px a unit. */
export function zoomRange(size: Size): { min: number; max: number } {
  const fit = fitField(size).k;
  return { min: fit * 0.5, max: Math.max(4, fit * 4) };
}

/** The camera that shows a part of the field as large as possible, in the middle of the box. */
export function fitBox(size: Size, box: Point & Size, padding = 0): Camera {
  const width = Math.max(1, size.width - 2 * padding);
  const height = Math.max(1, size.height - 2 * padding);
  const k = Math.min(width / Math.max(1, box.width), height / Math.max(1, box.height));
  return {
    k,
    tx: size.width / 2 - k * (box.x + box.width / 2),
    ty: size.height / 2 - k * (box.y + box.height / 2),
  };
}

/** The camera that shows the whole field. */
export const fitField = (size: Size) => fitBox(size, { x: 0, y: 0, width: FIELD_WIDTH, height: FIELD_HEIGHT });

/**
 * The camera that shows all given figures with room for their names, never closer than one would sit to a table.
 * @param circles middle and radius of each figure, field units
 */
export function fitFigures(size: Size, circles: readonly (Point & { radius: number })[]): Camera {
  if (circles.length === 0) return fitField(size);
  const left = Math.min(...circles.map((c) => c.x - c.radius));
  const right = Math.max(...circles.map((c) => c.x + c.radius));
  const top = Math.min(...circles.map((c) => c.y - c.radius));
  const bottom = Math.max(...circles.map((c) => c.y + c.radius));
  const whole = fitField(size);
  // Names hang 40 px below their figures: the lower edge keeps room for them.
  const camera = fitBox(
    { width: size.width, height: Math.max(1, size.height - 32) },
    { x: left, y: top, width: right - left, height: bottom - top },
    24,
  );
  const k = Math.min(camera.k, Math.max(whole.k, 0.9));
  return limitPan(
    {
      k,
      tx: size.width / 2 - (k * (left + right)) / 2,
      ty: (size.height - 32) / 2 - (k * (top + bottom)) / 2,
    },
    size,
  );
}

/** Keeps the middle of the box over the field, so that nobody pans into nothing. */
export function limitPan(camera: Camera, size: Size): Camera {
  const { k } = camera;
  return {
    k,
    tx: clamp(camera.tx, size.width / 2 - k * FIELD_WIDTH, size.width / 2),
    ty: clamp(camera.ty, size.height / 2 - k * FIELD_HEIGHT, size.height / 2),
  };
}

/** Zooms by a factor while the field point below `at` (px) stays there. */
export function zoomAt(camera: Camera, size: Size, at: Point, factor: number): Camera {
  const { min, max } = zoomRange(size);
  const k = clamp(camera.k * factor, min, max);
  const held = toField(camera, at);
  return limitPan({ k, tx: at.x - k * held.x, ty: at.y - k * held.y }, size);
}

/** Two fingers: the field points below them follow them as far as zoom and pan allow. */
export function pinchCamera(
  camera: Camera,
  size: Size,
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
  return zoomAt(moved, size, b, apart > 1 ? now / apart : 1);
}

/** Moves the camera just so far that a circle (px round a field point) is inside of the box with `margin` px. */
export function showPoint(camera: Camera, size: Size, point: Point, radius: number, margin = 24): Camera {
  const at = toScreen(camera, point);
  const shift = (value: number, extent: number) => {
    const low = radius + margin;
    const high = extent - radius - margin;
    if (low > high) return extent / 2 - value;
    return clamp(value, low, high) - value;
  };
  return limitPan(
    { k: camera.k, tx: camera.tx + shift(at.x, size.width), ty: camera.ty + shift(at.y, size.height) },
    size,
  );
}

/** Radius on the screen (px) of the circle around a figure; `radius` in box units, see boundingRadius of the figures. */
export const screenRadius = (radius: number, scale: number, k: number) => radius * UNITS_PER_BOX * scale * k;

/** Name size in px: 16, and smaller only when the whole field is squeezed onto a phone. */
export const nameSize = (k: number) => Math.round(clamp(16 * Math.sqrt(k / 0.4), 12, 16));

/**
 * The camera for a small screen: the field fills the box and one's own figure is as near the middle as the field's edge allows.
 * @param own the own figure's place; the middle of the field where there is none
 */
export function fitOwn(size: Size, own: Point | null): Camera {
  const whole = fitField(size).k;
  const k = Math.max(whole, Math.min(Math.max(size.width / FIELD_WIDTH, size.height / FIELD_HEIGHT), 0.6));
  const at = own ?? { x: FIELD_WIDTH / 2, y: FIELD_HEIGHT / 2 };
  // Without empty ground at the sides: an edge of the field stays at the edge of the box.
  const place = (extent: number, length: number, middle: number) =>
    k * length <= extent ? (extent - k * length) / 2 : clamp(extent / 2 - k * middle, extent - k * length, 0);
  return { k, tx: place(size.width, FIELD_WIDTH, at.x), ty: place(size.height, FIELD_HEIGHT, at.y) };
}

/**
 * Where a name stands: upright, centred under the circle around the figure, so that it touches the icon in no rotation.
 * @param at middle of the figure on the screen, px
 * @param radius radius of the circle on the screen, px
 * @param fontSize px
 * @param held whether the dotted ring lies between
 * @returns centre and baseline of the first line, and the top of its letters
 */
export function namePlace(at: Point, radius: number, fontSize: number, held = false): Point & { top: number } {
  const top = at.y + radius + NAME_GAP + (held ? 5 : 0);
  return { x: at.x, y: top + fontSize * 0.78, top };
}

/** Breaks a name into at most two lines of about `width` letters; what does not fit ends in an ellipsis. */
export function nameLines(caption: string, width = 24): string[] {
  const words = caption.trim().replace(/\s+/g, ' ').split(' ');
  const cut = (text: string) => {
    const letters = Array.from(text);
    return letters.length > width
      ? `${letters
          .slice(0, width - 1)
          .join('')
          .trimEnd()}…`
      : text;
  };
  const lines: string[] = [''];
  for (const word of words) {
    const line = lines[lines.length - 1] ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (Array.from(`${line} ${word}`).length <= width || lines.length === 2)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.filter((line) => line !== '').map(cut);
}

/** The nearest of some circles (px) that a finger at `at` may have meant, within `reach` px of its edge; null for none. */
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
