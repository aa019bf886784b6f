/**
 * The places of figures' names (docs/product.md#5.20 to #5.23). Pure: the same figures, view and earlier places give
 * the same places. All lengths are px on the screen.
 *
 * Names are placed one after the other: held figures first, then the selected one, then one's own, then those nearest
 * to the middle of the view. The middle, and not the pointer: names must not move while a mouse passes by, and people
 * look at the middle. Each name takes the first place and form that is free.
 */
import { NAME_GAP, NAME_LINE, NAME_RANK, nameLines, textWidth } from './nameText.ts';
import type { Point, Size } from '../drawing/geometry.ts';
import {
  area,
  around,
  BODY,
  type Box,
  type Circle,
  cross,
  inside,
  isNear,
  overlap,
  sameBox,
  SLACK,
  touches,
  union,
} from './boxes.ts';

/** A way to write a name. */
export interface NameForm {
  lines: readonly string[];
  /** Width of the longest line, in the font's size. */
  width: number;
}

/** Letters in a line of the second form, and in the only line of the third. */
const SHORT_LINE = 14;
const ONE_LINE = 9;

const SIDES = ['below', 'above', 'right', 'left'] as const;
export type Side = (typeof SIDES)[number];

/** A figure on the screen as needed for its name and its neighbours' names. */
export interface NamedFigure extends Point {
  id: number;
  /** Of the circle around it. */
  radius: number;
  /** Degrees clockwise, 0 is up: the direction of its face. */
  rotation: number;
  /** False for a drawing with an unknown front: all of it counts as face. */
  hasFace: boolean;
  rank: number;
  /** From the whole name to the shortest; empty when no name is shown. */
  forms: readonly NameForm[];
  /** More room below and above, for the ring of a hold. */
  lifted: boolean;
  /** The boxes of its attachments: the rotation handle, the holder's name. */
  taken: readonly Side[];
  /** The area that these cover: other names keep away, too. */
  wears: readonly Box[];
}

export interface NameView extends Size {
  font: number;
  /** Further boxes without names: the marks at the edge, tools and notices over the field. */
  occupied: readonly Box[];
  /** The nearer a figure is to it, the earlier its name is placed. */
  middle: Point;
}

/** Where and how a name is written. */
export interface NamePlace {
  side: Side;
  /** Index in the figure's forms; -1 where no name is shown. */
  form: number;
  box: Box;
  /** How far it was moved along the side to cover less; 0 for the middle, in halves of the way to the corner. */
  shift: number;
  /** The maximum area of the figure, its name and its attachments: figures within it are neighbours. */
  zone: Box;
  /** The neighbours when the place was chosen; absent without a name. */
  among?: Surroundings;
}

/** The result of `choose`. */
type ChosenPlace = Omit<NamePlace, 'zone' | 'among'>;

/** The names and other figures in a figure's zone when its name is placed. */
interface Surroundings {
  names: readonly Box[];
  figures: readonly NamedFigure[];
}

const sameSurroundings = (a: Surroundings, b: Surroundings): boolean =>
  a.figures.length === b.figures.length &&
  a.names.length === b.names.length &&
  a.figures.every((figure, index) => figure === b.figures[index]) &&
  a.names.every((box, index) => sameBox(box, b.names[index] as Box));

/** The face: a circle in the front half, in shares of the radius. */
const FACE_FRONT = 0.5;
const FACE = 0.42;
/** Between the circle and a name beside it, and above it. */
const SIDE_GAP = 7;

const known = new Map<string, readonly NameForm[]>();
/** As `nameForms`, and the same list for the same name. */
export function knownForms(caption: string): readonly NameForm[] {
  let forms = known.get(caption);
  if (!forms) {
    // Typed names change by one letter at a time: the cache of them stays small.
    if (known.size > 1000) known.clear();
    known.set(caption, (forms = nameForms(caption)));
  }
  return forms;
}

/**
 * All ways to write a name, each shorter than the one before: whole (two lines), two short lines, one line, initials.
 * Empty for no name.
 */
export function nameForms(caption: string): readonly NameForm[] {
  const whole = nameLines(caption);
  if (whole.length === 0) return [];
  const forms: NameForm[] = [];
  for (const lines of [whole, nameLines(caption, SHORT_LINE), nameLines(caption, ONE_LINE, 1), [initialsOf(caption)]]) {
    const form = { lines, width: Math.max(...lines.map(textWidth)) };
    const last = forms.at(-1);
    if (!last || form.width < last.width || (form.width === last.width && lines.length < last.lines.length))
      forms.push(form);
  }
  return forms;
}

/** "GV" for "Grandmother (Vera)", "M." for "Mother". */
function initialsOf(caption: string): string {
  const words = caption.match(/[\p{L}\p{N}]+/gu) ?? [];
  const first = (word: string) => Array.from(word)[0] ?? '';
  if (words.length > 1) return words.slice(0, 3).map(first).join('');
  return words.length === 1 ? `${first(words[0] ?? '')}.` : first(caption.trim());
}

const bodyOf = ({ x, y, radius }: NamedFigure): Circle => ({ x, y, radius: radius * BODY });

function faceOf(figure: NamedFigure): Circle {
  if (!figure.hasFace) return bodyOf(figure);
  const turn = (figure.rotation * Math.PI) / 180;
  return {
    x: figure.x + Math.sin(turn) * figure.radius * FACE_FRONT,
    y: figure.y - Math.cos(turn) * figure.radius * FACE_FRONT,
    radius: figure.radius * FACE,
  };
}

/** The area of a name at a side of its figure. */
function boxAt(figure: NamedFigure, side: Side, form: NameForm, font: number): Box {
  const width = form.width * font;
  const height = form.lines.length * NAME_LINE * font;
  const { x, y, radius, lifted } = figure;
  const ring = lifted ? 5 : 0;
  if (side === 'below' || side === 'above') {
    const top = side === 'below' ? y + radius + NAME_GAP + ring : y - radius - SIDE_GAP - ring - height;
    return { left: x - width / 2, top, right: x + width / 2, bottom: top + height };
  }
  const left = side === 'right' ? x + radius + SIDE_GAP + ring : x - radius - SIDE_GAP - ring - width;
  return { left, top: y - height / 2, right: left + width, bottom: y + height / 2 };
}

function zoneOf(figure: NamedFigure, font: number): Box {
  const { x, y, radius, forms } = figure;
  const room = radius + NAME_GAP + 5 + SLACK;
  const width = Math.max(0, ...forms.map((form) => form.width)) * font;
  const height = Math.max(0, ...forms.map((form) => form.lines.length)) * NAME_LINE * font;
  return union(figure.wears, {
    left: x - room - width,
    top: y - room - height,
    right: x + room + width,
    bottom: y + room + height,
  });
}

/**
 * Places names. Takes all figures, sorted by id, the view, the former places of names (`before`), and which figures
 * have changed since then (null for all). Returns the places for changed figures and for figures with changed
 * surroundings; all other names stay.
 */
export function placeNames(
  figures: readonly NamedFigure[],
  view: NameView,
  before: ReadonlyMap<number, NamePlace>,
  changed: ReadonlySet<number> | null = null,
): Map<number, NamePlace> {
  const placed = new Map<number, NamePlace>();
  const standing: Box[] = [...view.occupied, ...figures.flatMap(({ wears }) => wears)];
  const due: { figure: NamedFigure; zone: Box }[] = [];
  const stirred: Box[] = [];
  const zones = new Map<number, Box>();
  for (const figure of figures) {
    const was = before.get(figure.id);
    if (was && changed && !changed.has(figure.id)) continue;
    const zone = zoneOf(figure, view.font);
    zones.set(figure.id, zone);
    stirred.push(zone);
    if (was) stirred.push(was.zone);
  }
  // The entries of removed figures.
  for (const id of changed ?? []) {
    const was = before.get(id);
    if (was && !zones.has(id)) stirred.push(was.zone);
  }
  for (const figure of figures) {
    const was = before.get(figure.id);
    const zone = zones.get(figure.id) ?? was?.zone ?? zoneOf(figure, view.font);
    if (figure.forms.length === 0) {
      if (zones.has(figure.id)) placed.set(figure.id, { side: 'below', form: -1, shift: 0, box: zone, zone });
    } else if (!changed || !was || stirred.some((box) => cross(box, zone))) due.push({ figure, zone });
    else standing.push(was.box);
  }
  const away = ({ x, y }: Point) => (x - view.middle.x) ** 2 + (y - view.middle.y) ** 2;
  due.sort(({ figure: a }, { figure: b }) => a.rank - b.rank || away(a) - away(b) || a.id - b.id);
  // While one figure is dragged, most others are too far away to matter to any of these names.
  const [first, ...others] = due.map(({ zone }) => zone);
  if (!first) return placed;
  const reach = union(others, first);
  const names = standing.filter((box) => cross(reach, box));
  const neighbours = figures.filter((figure) => isNear(reach, figure));
  for (const { figure, zone } of due) {
    const was = before.get(figure.id);
    const among: Surroundings = {
      names: names.filter((box) => cross(zone, box)),
      figures: neighbours.filter((other) => other !== figure && isNear(zone, other)),
    };
    // A dragged figure changes what is near only a few of its neighbours. For the others the answer stays the same.
    if (was?.among && !zones.has(figure.id) && sameSurroundings(was.among, among)) {
      names.push(was.box);
      continue;
    }
    const place = choose(figure, view, was, among);
    names.push(place.box);
    placed.set(figure.id, { ...place, zone, among });
  }
  return placed;
}

/** The best place of one name among placed names and figures. */
function choose(
  figure: NamedFigure,
  view: NameView,
  was: NamePlace | undefined,
  { names, figures: near }: Surroundings,
): ChosenPlace {
  const { font } = view;
  const bodies = near.map(bodyOf);
  // The name of a figure at the edge of the view need not be fully in view.
  const mustBeInside = inside(around(figure), view);
  // A held or selected figure keeps its whole name.
  const forms = figure.rank <= NAME_RANK.selected ? figure.forms.slice(0, 1) : figure.forms;
  const sides = SIDES.filter((side) => !figure.taken.includes(side));
  /** Places that cover a figure, but no name. */
  const overBodies: { place: ChosenPlace; slack: number }[] = [];
  for (const [form, written] of forms.entries())
    for (const side of sides) {
      const box = boxAt(figure, side, written, font);
      const slack = was?.side === side && was.form === form && was.shift === 0 ? 0 : SLACK;
      if (mustBeInside && !inside(box, view)) continue;
      if (names.some((name) => cross(box, name, slack))) continue;
      const place = { side, form, shift: 0, box };
      if (!bodies.some((body) => touches(box, body, slack))) return place;
      overBodies.push({ place, slack });
    }
  const faces = near.map(faceOf);
  for (const { place, slack } of overBodies) if (!faces.some((face) => touches(place.box, face, slack))) return place;
  // Nothing is free: the shortest form at the place, or beside it, where it covers least. Names count most, because two
  // overlapping names are both unreadable.
  const form = forms.length - 1;
  const isWas = ({ side, shift }: { side: Side; shift: number }) =>
    was?.side === side && was.form === form && was.shift === shift;
  const candidates = sides.flatMap((side) => shiftedAlong(figure, side, boxAt(figure, side, forms[form]!, font)));
  // The present place is rated first. If it is still good, most others cost more after a few boxes.
  candidates.sort((a, b) => Number(isWas(b)) - Number(isWas(a)));
  const boxes = candidates.map(({ box }) => box);
  const reach = union(boxes, boxes[0]!);
  const inReach = near.filter((other) => isNear(reach, other));
  const covered: readonly (readonly [boxes: readonly Box[], weight: number])[] = [
    [names.filter((name) => cross(reach, name)), 4],
    [inReach.map((other) => around(faceOf(other))), 2],
    [inReach.map((other) => around(bodyOf(other))), 1],
  ];
  let best: ChosenPlace | null = null;
  let least = Infinity;
  for (const { side, shift, box } of candidates) {
    const share = isWas({ side, shift }) ? 0.8 : 1;
    let cost = mustBeInside
      ? 3 * (area(box) - overlap(box, { left: 0, top: 0, right: view.width, bottom: view.height }))
      : 0;
    for (const [others, weight] of covered)
      for (const other of others) {
        if (cost * share >= least) break;
        cost += weight * overlap(box, other);
      }
    if (cost * share < least) {
      least = cost * share;
      best = { side, form, shift, box };
    }
  }
  return best as ChosenPlace;
}

/** A place, and places beside it along the same side of the figure. */
function shiftedAlong({ radius }: NamedFigure, side: Side, box: Box): Pick<NamePlace, 'side' | 'shift' | 'box'>[] {
  const { left, top, right, bottom } = box;
  const beside = side === 'below' || side === 'above';
  const length = beside ? right - left : bottom - top;
  return [0, -1, 1, -2, 2].map((shift) => {
    const far = (shift / 2) * (radius + length / 2);
    return {
      side,
      shift,
      box: beside
        ? { left: left + far, top, right: right + far, bottom }
        : { left, top: top + far, right, bottom: bottom + far },
    };
  });
}
