/**
 * Numbers of the field's picture, without a browser: where figures may stand, how the camera looks at them, where names
 * go. Field units: 1600 × 1000, rotation in degrees clockwise with 0 = up, scale 0.25..4 (docs/product.md#5.1).
 */
import {
  FIELD_HEIGHT,
  FIELD_WIDTH,
  FIGURE_SIZE,
  SCALE_MAX,
  SCALE_MIN,
  normalizeRotation,
} from '@fieldroom/contract/field';

export { FIELD_HEIGHT, FIELD_WIDTH };

/** Field units for one unit of a figure's 100×100 box at scale 1. */
export const UNITS_PER_BOX = FIGURE_SIZE / 100;
/** A held figure is drawn this much larger. */
export const HELD_LIFT = 1.08;
/** Distance on the screen from the circle around a figure to the top of its name, px. */
export const NAME_GAP = 10;
/** Distance on the screen from the circle around a figure to the ring of selection, px. */
export const RING_GAP = 5;

/** Distance on the screen from the circle around a figure to the dotted ring of a hold, px. */
export const HOLD_GAP = RING_GAP + 2;
/** The name of who holds a figure: the height of its pill, and how far above the ring of the hold its middle is, px. */
export const HOLDER = { height: 28, rise: 20 } as const;
/** The turning handle in full size: how far from the ring the middle of its knob is, and the knob's radius, px. */
export const KNOB = { rise: 21, radius: 8 } as const;

/** Usual size of names, px. */
export const NAME_SIZE = 16;
/** Height of a line of a name, in its own size. */
export const NAME_LINE = 1.2;
/** Names are placed in this order; see placeNames.ts. */
export const NAME_RANK = { held: 0, selected: 1, own: 2, other: 3 } as const;
/** Every figure with its name stays this far from the edges of a view that fits, px. */
export const FIT_MARGIN = 24;
/**
 * At the top and the bottom buttons lie over the field: a view of the figures leaves them this much, px, where the box
 * is high enough.
 */
const CONTROLS = 44;
/** In a low box the margin above and below is at most its height divided by this. */
const LOW_EDGE = 12;
/** A view of the figures comes no closer than this where the whole field is smaller, px a unit. */
const CLOSE_ZOOM = 0.6;
/** A view of the figures goes no farther away than this share of the whole field's zoom. */
const FAR_SHARE = 0.35;
/** Names are measured at this zoom where the field ends for a hand: about as a desk shows the whole field. */
const EDGE_ZOOM = 0.6;

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

/** The box in which the field is seen, px. */
export interface FieldBox extends Size {
  /** The part of it that a view of the figures has, from the box's corner; by default all of it. */
  clear?: Point & Size;
}

/** The part of a box that a view of the figures has, px. */
export const clearOf = ({ width, height, clear }: FieldBox): Point & Size => clear ?? { x: 0, y: 0, width, height };

/** A view gives way to what lies over the field as long as the field keeps this share of its size. */
const CLEAR_SHARE = 0.4;

/**
 * The part of a box beside all that lies over it, in which the field is largest; null for the whole box. Ignores what
 * would leave too little.
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

/** The number, kept between two bounds. */
export const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));

/** One tenth of a unit is all that is sent or kept. */
export const round1 = (value: number) => Math.round(value * 10) / 10;

/** The nearest place that the field allows, rounded as it is sent (scale to hundredths). */
export function allowedPlace(place: Place, reach: Reach = NO_REACH): Place {
  return {
    x: round1(within(place.x, reach.side, FIELD_WIDTH - reach.side)),
    y: round1(within(place.y, reach.above, FIELD_HEIGHT - reach.below)),
    rotation: normalizeRotation(place.rotation),
    scale: Math.round(clamp(place.scale, SCALE_MIN, SCALE_MAX) * 100) / 100,
  };
}

/** What a figure covers around its middle, in field units. */
export interface Reach {
  side: number;
  above: number;
  below: number;
}
const NO_REACH: Reach = { side: 0, above: 0, below: 0 };

/** A clamp that ends in the middle where the figure is larger than the field. */
export const within = (value: number, low: number, high: number) =>
  low > high ? (low + high) / 2 : clamp(value, low, high);

/**
 * How far a figure with its name reaches, so that a hand keeps both inside of the field. A name is as large in px on
 * each screen, so it is measured at one zoom: the field has the same edges for everybody.
 * @param radius radius of the circle around the figure in box units, see boundingRadius of the figures
 */
export function reachOf(radius: number, scale: number, name: NameExtent | null): Reach {
  const around = radius * UNITS_PER_BOX * scale;
  if (name === null) return { side: around, above: around, below: around };
  return {
    side: Math.max(around, (name.width * NAME_SIZE) / 2 / EDGE_ZOOM),
    above: around,
    below: around + nameHeight(name, NAME_SIZE) / EDGE_ZOOM,
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

/** Smallest and largest k for a box: from half of the whole field up to 4 px a unit. */
export function zoomRange(size: Size): { min: number; max: number } {
  const fit = fitField(size).k;
  return { min: fit * 0.5, max: Math.max(4, fit * 4) };
}

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

/** A figure as a view has to show it: its circle in field units, and its name where one is drawn. */
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
  // Rounding of a camera that was made to fit is no reason for another one.
  const slack = 1;
  return (
    left + camera.tx >= x - slack &&
    top + camera.ty >= y - slack &&
    right + camera.tx <= x + width + slack &&
    bottom + camera.ty <= y + height + slack
  );
}

/**
 * The camera that shows every given figure with its name. Where the whole field shows them, it is the whole field. On a
 * small screen it comes as close as they let it, up to CLOSE_ZOOM. `margin` is px from the edges of the box. `free` is
 * px at the top and the bottom that buttons need, where nothing else lies there.
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
    // What names need does not shrink with the zoom, so the largest that fits is looked for.
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
   * The middle of the field stays the middle of the box as far as the figures allow; closer than the field, they are
   * the middle.
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

/** The middle of what a view of the figures has. */
export function middleOf(box: FieldBox): Point {
  const { x, y, width, height } = clearOf(box);
  return { x: x + width / 2, y: y + height / 2 };
}

/** Keeps the middle of the box over the field, so that nobody pans into nothing. */
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

/** Moves the camera just so far that a circle (px round a field point) is inside of the box with `margin` px. */
export function showPoint(camera: Camera, box: FieldBox, point: Point, radius: number, margin = 24): Camera {
  const at = toScreen(camera, point);
  const { x, y, width, height } = clearOf(box);
  const shift = (value: number, from: number, extent: number) =>
    within(value, from + radius + margin, from + extent - radius - margin) - value;
  return limitPan({ k: camera.k, tx: camera.tx + shift(at.x, x, width), ty: camera.ty + shift(at.y, y, height) }, box);
}

/**
 * Radius on the screen (px) of the circle around a figure; `radius` in box units, see boundingRadius of the figures.
 */
export const screenRadius = (radius: number, scale: number, k: number) => radius * UNITS_PER_BOX * scale * k;

/** Name size in px: 16, and smaller only when the whole field is squeezed onto a phone. */
export const nameSize = (k: number) => Math.round(clamp(NAME_SIZE * Math.sqrt(k / 0.4), 12, NAME_SIZE));

/**
 * The camera for a small screen: the field fills the box and one's own figure is as near the middle as the field's edge
 * allows.
 * @param own the place of this person's figure
 */
export function fitOwn(box: FieldBox, own: Point): Camera {
  const clear = clearOf(box);
  const whole = fitField(clear).k;
  const k = Math.max(whole, Math.min(Math.max(clear.width / FIELD_WIDTH, clear.height / FIELD_HEIGHT), 0.6));
  // Without empty ground at the sides: an edge of the field stays at the edge of the box.
  const place = (extent: number, length: number, middle: number) =>
    k * length <= extent ? (extent - k * length) / 2 : clamp(extent / 2 - k * middle, extent - k * length, 0);
  return {
    k,
    tx: clear.x + place(clear.width, FIELD_WIDTH, own.x),
    ty: clear.y + place(clear.height, FIELD_HEIGHT, own.y),
  };
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

/** Breaks a name into at most `count` lines of about `width` letters; what does not fit ends in an ellipsis. */
export function nameLines(caption: string, width = 24, count = 2): string[] {
  const words = caption.trim().replace(/\s+/g, ' ').split(' ');
  const cut = (text: string) => {
    const letters = Array.from(text);
    if (letters.length <= width) return text;
    letters.length = width - 1;
    while (letters.length > 1 && ' (,-'.includes(letters.at(-1) ?? '')) letters.pop();
    return `${letters.join('')}…`;
  };
  const lines: string[] = [''];
  for (const word of words) {
    const line = lines[lines.length - 1] ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (Array.from(`${line} ${word}`).length <= width || lines.length === count)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.filter((line) => line !== '').map(cut);
}

/** A name's lines and the width of the longest, in its own size. */
export interface NameExtent {
  lines: number;
  width: number;
}

/** How much a name needs; null for none. */
export function nameExtent(caption: string): NameExtent | null {
  const lines = nameLines(caption);
  return lines.length === 0 ? null : { lines: lines.length, width: Math.max(...lines.map(textWidth)) };
}

/** From the circle around a figure to below its name, px. */
const nameHeight = (name: NameExtent, fontSize: number) => NAME_GAP + name.lines * NAME_LINE * fontSize;

/** Width of a line in its own size. Near enough, and rather too wide: what is wide, narrow and between. */
export function textWidth(line: string): number {
  let width = 0;
  for (const letter of line)
    width += /[mwMW@%…—]/.test(letter)
      ? 0.95
      : /[A-Z\u00c0-\u00de0-9]/.test(letter)
        ? 0.72
        : /[iljtfI.,:;'’| ]/.test(letter)
          ? 0.36
          : letter < '\u2e80'
            ? 0.6
            : 1.15;
  return width;
}

/** Width of a word in a 15 px semibold text, near enough for a pill; the letters themselves are centred in it. */
export const wordWidth = (text: string) => Array.from(text).length * 8.4;

/** The name of a person, cut where it is long. */
export function shortName(name: string): string {
  const letters = Array.from(name);
  return letters.length > 20 ? `${letters.slice(0, 19).join('')}…` : name;
}

/** Width of the pill with the name of who holds a figure, px. */
export const holderWidth = (name: string) => Math.max(48, wordWidth(shortName(name)) + 30);

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

/** From this radius on the screen (px) a figure has a turning handle of full size. */
const KNOB_FULL_PX = 34;
const KNOB_SMALLEST = 0.6;

/**
 * Size of the turning handle, so that it does not cover the neighbours of a small figure. Takes the radius of the
 * circle around the figure on the screen, px.
 */
export const knobSize = (radius: number): number => clamp(radius / KNOB_FULL_PX, KNOB_SMALLEST, 1);
