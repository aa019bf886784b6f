/**
 * The places of relations' words among names and figures (docs/product.md#5.35). Pure: the same lines, names and
 * figures give the same places on every screen. All lengths are px on the screen.
 *
 * Names come first: they are placed without regard to words, and no word ever covers one. Words are placed one after
 * the other, by the ids of their figures. Each takes the first free spot: along its line, beside it, slightly farther
 * away; only then is it shortened.
 */
import { NAME_LINE, nameLines, textWidth } from './nameText.ts';
import type { Point, Size } from '../drawing/geometry.ts';
import { type Curve, pointOn, WORD_SIZE } from '../relations/relationLine.ts';
import { area, around, BODY, type Box, type Circle, cross, inside, overlap, SLACK, touches } from './boxes.ts';

/** A word, and the line that it belongs to. */
export interface LineWord {
  from: number;
  to: number;
  word: string;
  curve: Curve;
}

/** The obstacles for words, in a view of this size. */
export interface WordScene extends Size {
  /** The size of names. */
  font: number;
  /** Names, and the marks at the edge: no word covers them. */
  names: readonly Box[];
  bodies: readonly Circle[];
}

/** Where and how a word is written; x and y are its middle. */
export interface WordPlace extends Point {
  text: string;
  /** Index in the word's forms, and in the spots at its line. */
  form: number;
  spot: number;
  box: Box;
  /** How much it covers of other elements; 0 for a free place. */
  cost: number;
}

/** Possible places of a word along its line, as shares of the line: the middle first. */
const ALONG = [0.5, 0.41, 0.59, 0.32, 0.68, 0.23, 0.77, 0.14, 0.86];
/** On the line, beside it, and one text line farther away. The left side first: a bent line has its room there. */
const BESIDE = [0, 1, -1, 2, -2];
const SPOTS = ALONG.length * BESIDE.length;
/** Maximum letters of the second and the third form. */
const SHORTER = [14, 7];
/** Letters and their borders extend this far beyond the box of a name or a word. */
const EDGE = 4;
/** Distance between a line and a word beside it. */
const LINE_GAP = 6;

/** The key of a word: the ids of the two figures, in the direction of its relation. */
export const wordKey = ({ from, to }: Pick<LineWord, 'from' | 'to'>): string => `${from} ${to}`;

/** A place is kept until it covers this much more than when it was chosen. */
const WORSE = 1.25;

/** A way to write a word, and its width in the word's size. */
interface WordForm {
  text: string;
  width: number;
}

const known = new Map<string, readonly WordForm[]>();
/** All ways to write a word, each shorter than the one before; the same list for the same word. */
function knownWordForms(word: string): readonly WordForm[] {
  const before = known.get(word);
  if (before) return before;
  const texts = [word];
  for (const letters of SHORTER) {
    const text = nameLines(word, letters, 1)[0];
    if (text !== undefined && text.length < texts.at(-1)!.length) texts.push(text);
  }
  const forms = texts.map((text) => ({ text, width: textWidth(text) }));
  // Typed words change by one letter at a time: the cache of them stays small.
  if (known.size > 1000) known.clear();
  known.set(word, forms);
  return forms;
}

/**
 * Places words. Takes the words, their obstacles, and the places that they keep if possible. During a drag these are
 * the present places, so that nothing flutters. Otherwise there are none, so that every screen shows the same. Returns
 * the places by `wordKey`. A word that would cover a name at every place has none.
 */
export function placeWords(
  words: readonly LineWord[],
  scene: WordScene,
  before: ReadonlyMap<string, WordPlace>,
): Map<string, WordPlace> {
  const placed = new Map<string, WordPlace>();
  const standing: Box[] = [];
  const bodies = scene.bodies.map(({ x, y, radius }) => ({ x, y, radius: radius * BODY }));
  const obstacles = { names: scene.names, words: standing, bodies };
  for (const word of words.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const key = wordKey(word);
    const place = choose(word, scene, before.get(key), obstacles);
    if (!place) continue;
    standing.push(place.box);
    placed.set(key, place);
  }
  return placed;
}

/** The obstacles for words; of a figure, the part that its drawing fills. */
interface Obstacles {
  names: readonly Box[];
  words: readonly Box[];
  bodies: readonly Circle[];
}

/** The obstacles for a word within `reach` px of its line: it tries a hundred spots there. */
function nearLine({ start, control, end }: Curve, reach: number, { names, words, bodies }: Obstacles): Obstacles {
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  const square = dx * dx + dy * dy || 1;
  const bend = Math.hypot(control.x - (start.x + end.x) / 2, control.y - (start.y + end.y) / 2) / 2;
  /** Whether an obstacle is that near to a point, `size` px large. */
  const isNear = (x: number, y: number, size: number) => {
    const share = Math.min(1, Math.max(0, ((x - start.x) * dx + (y - start.y) * dy) / square));
    const farX = x - start.x - share * dx;
    const farY = y - start.y - share * dy;
    return farX * farX + farY * farY < (reach + bend + size) ** 2;
  };
  const boxIsNear = ({ left, top, right, bottom }: Box) =>
    isNear((left + right) / 2, (top + bottom) / 2, (right - left + bottom - top) / 2);
  return {
    names: names.filter(boxIsNear),
    words: words.filter(boxIsNear),
    bodies: bodies.filter(({ x, y, radius }) => isNear(x, y, radius)),
  };
}

/** Whether nothing is nearer to a box than `slack`. */
function isFree(box: Box, { names, words, bodies }: Obstacles, slack: number): boolean {
  for (const name of names) if (cross(box, name, slack)) return false;
  for (const word of words) if (cross(box, word, slack)) return false;
  for (const body of bodies) if (touches(box, body, slack)) return false;
  return true;
}

function spotAt(curve: Curve, spot: number, width: number, height: number): Point & { box: Box } {
  const along = ALONG[spot % ALONG.length]!;
  const beside = BESIDE[Math.floor(spot / ALONG.length)]!;
  let { x, y } = pointOn(curve, along);
  if (beside !== 0) {
    const { start, control, end } = curve;
    const dx = (1 - along) * (control.x - start.x) + along * (end.x - control.x);
    const dy = (1 - along) * (control.y - start.y) + along * (end.y - control.y);
    const length = Math.sqrt(dx * dx + dy * dy) || 1;
    // Just far enough that the whole box is beside the line.
    const reach = (Math.abs(dy) * width + Math.abs(dx) * height) / length / 2 + LINE_GAP;
    const far = Math.sign(beside) * (reach + (Math.abs(beside) - 1) * height);
    x += (dy / length) * far;
    y -= (dx / length) * far;
  }
  return { x, y, box: { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 } };
}

/** How much a box covers of words, figures and the area outside the view; Infinity if it covers a name. */
function costOf(box: Box, { names, words, bodies }: Obstacles, view: Box | null): number {
  for (const name of names) if (cross(box, name, EDGE)) return Infinity;
  let cost = view ? 3 * (area(box) - overlap(box, view)) : 0;
  for (const word of words) cost += 4 * overlap(box, word);
  for (const body of bodies) if (touches(box, body, 0)) cost += 2 * overlap(box, around(body));
  return cost;
}

/** The best place of one word among names, figures and placed words. */
function choose(
  { word, curve }: LineWord,
  { width, height, font }: WordScene,
  was: WordPlace | undefined,
  all: Obstacles,
): WordPlace | null {
  const size = font * WORD_SIZE;
  const line = NAME_LINE * size;
  const forms = knownWordForms(word);
  const { x, y } = pointOn(curve, 0.5);
  // The word of a line that leaves the view need not be fully in view.
  const mustBeInside = inside({ left: x, top: y, right: x, bottom: y }, { width, height });
  const view = mustBeInside ? { left: 0, top: 0, right: width, bottom: height } : null;
  const last = was && forms[was.form];
  if (last && last.text === was.text) {
    const at = spotAt(curve, was.spot, last.width * size, line);
    if (costOf(at.box, all, view) <= was.cost * WORSE) return { ...was, ...at };
  }
  const near = nearLine(curve, forms[0]!.width * size + 3 * line + LINE_GAP + SLACK + EDGE, all);
  for (const [form, { text, width: letters }] of forms.entries())
    for (let spot = 0; spot < SPOTS; spot += 1) {
      const at = spotAt(curve, spot, letters * size, line);
      if (view && !inside(at.box, { width, height })) continue;
      if (isFree(at.box, near, SLACK + EDGE)) return { text, form, spot, cost: 0, ...at };
    }
  // Nothing is free: the shortest form where it covers least, but never a name.
  const form = forms.length - 1;
  const { text, width: letters } = forms[form]!;
  let best: WordPlace | null = null;
  for (let spot = 0; spot < SPOTS; spot += 1) {
    const at = spotAt(curve, spot, letters * size, line);
    const cost = costOf(at.box, near, view);
    if (cost < (best?.cost ?? Infinity)) best = { text, form, spot, cost, ...at };
  }
  return best;
}
