/**
 * Cameras that show the whole field, every figure or one's own, and the part of the box that they use
 * (docs/product.md#5.24).
 */
import {
  type Camera,
  clamp,
  clearOf,
  FIELD_HEIGHT,
  FIELD_WIDTH,
  type FieldBox,
  type Point,
  type Size,
  within,
} from '../geometry.ts';
import { type NameExtent, nameHeight, nameSize } from '../../names/nameText.ts';

/** Every figure with its name stays this far from the edges of a fitting view, px. */
export const FIT_MARGIN = 24;
/**
 * Buttons cover the field at the top and the bottom: a view of the figures leaves them this much, px, if the box is
 * high enough.
 */
const CONTROLS = 44;
/** In a low box the margin above and below is at most its height divided by this. */
const LOW_EDGE = 12;
/** A view of the figures zooms in no further than this if the whole field is smaller, px a unit. */
const CLOSE_ZOOM = 0.6;
/** A view of the figures zooms out no further than this share of the whole field's zoom. */
const FAR_SHARE = 0.35;
/** A view avoids the elements over the field as long as the field keeps this share of its size. */
const CLEAR_SHARE = 0.4;

/** The camera that shows a part of the field as large as possible, in the middle of the box. */
function fitBox(size: Size, box: Point & Size, padding = 0): Camera {
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
 * The part of a box beside all elements over it in which the field is largest; null for the whole box. Ignores elements
 * that would leave too little.
 */
export function clearBeside(
  size: Size,
  over: readonly { left: number; top: number; right: number; bottom: number }[],
): (Point & Size) | null {
  const whole = clearOf(size);
  let clear = whole;
  for (const { left, top, right, bottom } of over) {
    const [endX, endY] = [clear.x + clear.width, clear.y + clear.height];
    if (right <= clear.x || left >= endX || bottom <= clear.y || top >= endY) continue;
    const parts = [
      { ...clear, width: left - clear.x },
      { ...clear, x: right, width: endX - right },
      { ...clear, height: top - clear.y },
      { ...clear, y: bottom, height: endY - bottom },
    ];
    const best = parts.reduce((one, other) => (fitField(other).k > fitField(one).k ? other : one));
    if (fitField(best).k >= fitField(size).k * CLEAR_SHARE) clear = best;
  }
  return clear === whole ? null : clear;
}

/** A figure as a view has to show it: its circle in field units, and its name if one is drawn. */
export interface SeenFigure extends Point {
  radius: number;
  name: NameExtent | null;
}

/** Left, top, right and bottom in px, before the camera's shift. */
type Box = [left: number, top: number, right: number, bottom: number];

function boxOf(figure: SeenFigure, k: number): Box {
  const around = figure.radius * k;
  const font = nameSize(k);
  const half = figure.name ? Math.max(around, (figure.name.width * font) / 2) : around;
  const x = k * figure.x;
  const y = k * figure.y;
  return [x - half, y - around, x + half, y + around + (figure.name ? nameHeight(figure.name, font) : 0)];
}

/**
 * The box around figures and their names at a zoom of `k` px a unit, before the camera's shift. Without figures its
 * sides are infinite.
 */
export function boxOfAll(figures: readonly SeenFigure[], k: number): Box {
  const all: Box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const figure of figures) {
    const box = boxOf(figure, k);
    all[0] = Math.min(all[0], box[0]);
    all[1] = Math.min(all[1], box[1]);
    all[2] = Math.max(all[2], box[2]);
    all[3] = Math.max(all[3], box[3]);
  }
  return all;
}

/** Whether a camera shows a figure with its name. */
export function isInView(camera: Camera, box: FieldBox, figure: SeenFigure): boolean {
  const [left, top, right, bottom] = boxOf(figure, camera.k);
  const { x, y, width, height } = clearOf(box);
  // Rounding of a fitted camera is no reason for another one.
  const slack = 1;
  return (
    left + camera.tx >= x - slack &&
    top + camera.ty >= y - slack &&
    right + camera.tx <= x + width + slack &&
    bottom + camera.ty <= y + height + slack
  );
}

/**
 * The camera that shows every given figure with its name. It is the whole field if that shows them. On a small screen
 * it zooms in as far as they allow, up to CLOSE_ZOOM. `margin` is px from the edges of the box. `free` is px at the top
 * and the bottom that buttons need, if nothing else is there.
 */
export function fitFigures(
  box: FieldBox,
  figures: readonly SeenFigure[],
  { margin = FIT_MARGIN, free = CONTROLS }: { margin?: number | undefined; free?: number | undefined } = {},
): Camera {
  const clear = clearOf(box);
  const whole = fitField(clear);
  const inBox = ({ k, tx, ty }: Camera) => ({ k, tx: tx + clear.x, ty: ty + clear.y });
  if (figures.length === 0) return inBox(whole);
  const controls = Math.min(free, clear.height / 7);
  const edge = Math.min(margin, clear.height / LOW_EDGE);
  const above = edge + (clear.y > 0 ? 0 : controls);
  const below = edge + (clear.y + clear.height < box.height ? 0 : controls);
  const width = Math.max(1, clear.width - 2 * margin);
  const height = Math.max(1, clear.height - above - below);
  const fits = (zoom: number) => {
    const [left, top, right, bottom] = boxOfAll(figures, zoom);
    return right - left <= width && bottom - top <= height;
  };
  let k = Math.max(whole.k, CLOSE_ZOOM);
  if (!fits(k)) {
    // The space for names does not shrink with the zoom, so the largest that fits is searched for.
    let low = whole.k * FAR_SHARE;
    let high = k;
    for (let step = 0; step < 24; step += 1) {
      const middle = (low + high) / 2;
      if (fits(middle)) low = middle;
      else high = middle;
    }
    k = low;
  }
  const [left, top, right, bottom] = boxOfAll(figures, k);
  /**
   * The middle of the field stays the middle of the box as far as the figures allow; when zoomed in further, the
   * figures' middle does.
   */
  const place = (extent: number, length: number, from: number, to: number, before: number, after: number) =>
    within(
      k * length <= extent ? (extent - k * length) / 2 : (extent - from - to) / 2,
      before - from,
      extent - after - to,
    );
  return inBox({
    k,
    tx: place(clear.width, FIELD_WIDTH, left, right, margin, margin),
    ty: place(clear.height, FIELD_HEIGHT, top, bottom, above, below),
  });
}

/**
 * The camera for a small screen: the field fills the box and one's own figure is as near the middle as the field's edge
 * allows.
 * @param own the place of this person's figure
 */
export function fitOwn(box: FieldBox, own: Point): Camera {
  const clear = clearOf(box);
  const whole = fitField(clear).k;
  const k = Math.max(whole, Math.min(Math.max(clear.width / FIELD_WIDTH, clear.height / FIELD_HEIGHT), 0.6));
  // Without empty space at the sides: an edge of the field stays at the edge of the box.
  const place = (extent: number, length: number, middle: number) =>
    k * length <= extent ? (extent - k * length) / 2 : clamp(extent / 2 - k * middle, extent - k * length, 0);
  return {
    k,
    tx: clear.x + place(clear.width, FIELD_WIDTH, own.x),
    ty: clear.y + place(clear.height, FIELD_HEIGHT, own.y),
  };
}
