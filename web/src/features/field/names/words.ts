/**
 * Where the words of relations stand among names and figures (docs/product.md#5.35). Pure: the same lines, names and
 * figures give the same places on every screen. All lengths are px on the screen.
 *
 * Names come first: they are placed without regard to words, and no word ever covers one. Words are placed one after the
 * other, by the ids of their figures. Each takes the first spot that is free: along its line, beside it, a little
 * farther away; and only then it gets shorter.
 */
import { NAME_LINE, nameLines, type Point, type Size, textWidth } from '../drawing/geometry.ts';
import { type Curve, pointOn, WORD_SIZE } from '../relations/relationLine.ts';
import { area, around, BODY, type Box, type Circle, cross, inside, isNear, overlap, SLACK, touches } from './boxes.ts';

/** A word, and the line that it belongs to. */
export interface LineWord {
  from: number;
  to: number;
  word: string;
  curve: Curve;
}

/** What words stand among, in a view of this size. */
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
}

/** Where along its line a word may stand, in shares of the line: in the middle first. */
const ALONG = [0.5, 0.41, 0.59, 0.32, 0.68, 0.23, 0.77, 0.14, 0.86];
/** On the line, beside it, and a line of letters farther away. Left of the way first: a bent line has its room there. */
const BESIDE = [0, 1, -1, 2, -2];
const SPOTS = BESIDE.flatMap((beside) => ALONG.map((along) => ({ along, beside })));
/** Letters of the second and the third form. */
const SHORTER = [14, 7];
/** Letters and their borders reach this far out of the box of a name or a word. */
const EDGE = 4;
/** Between a line and a word beside it. */
const LINE_GAP = 6;

export const wordKey = ({ from, to }: Pick<LineWord, 'from' | 'to'>): string => `${from} ${to}`;

/** All ways to write a word, each shorter than the one before. */
function wordForms(word: string): string[] {
  const forms = [word];
  for (const letters of SHORTER) {
    const form = nameLines(word, letters, 1)[0];
    if (form !== undefined && form.length < forms.at(-1)!.length) forms.push(form);
  }
  return forms;
}

/**
 * Places words. Takes the words, what they stand among, and the places that they keep if they can: those they had, while
 * a hand moves a figure, so that nothing flutters; none while nobody does, so that every screen shows the same. Returns
 * the places by `wordKey`. A word that would cover a name wherever it stands has none.
 */
export function placeWords(
  words: readonly LineWord[],
  scene: WordScene,
  before: ReadonlyMap<string, WordPlace>,
): Map<string, WordPlace> {
  const placed = new Map<string, WordPlace>();
  const standing: Box[] = [];
  for (const word of words.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const key = wordKey(word);
    const place = choose(word, scene, before.get(key), standing);
    if (!place) continue;
    standing.push(place.box);
    placed.set(key, place);
  }
  return placed;
}

/** All that a word may ever cover. */
function zoneOf({ start, control, end }: Curve, width: number, height: number): Box {
  const x = width + 2 * height + LINE_GAP + SLACK + EDGE;
  const y = width / 2 + 3 * height + LINE_GAP + SLACK + EDGE;
  return {
    left: Math.min(start.x, control.x, end.x) - x,
    top: Math.min(start.y, control.y, end.y) - y,
    right: Math.max(start.x, control.x, end.x) + x,
    bottom: Math.max(start.y, control.y, end.y) + y,
  };
}

function spotAt(curve: Curve, spot: number, width: number, height: number): Point & { box: Box } {
  const { along, beside } = SPOTS[spot]!;
  let { x, y } = pointOn(curve, along);
  if (beside !== 0) {
    const { start, control, end } = curve;
    const dx = (1 - along) * (control.x - start.x) + along * (end.x - control.x);
    const dy = (1 - along) * (control.y - start.y) + along * (end.y - control.y);
    const length = Math.hypot(dx, dy) || 1;
    // Just so far that the whole box is beside the line.
    const reach = (Math.abs(dy) * width + Math.abs(dx) * height) / length / 2 + LINE_GAP;
    const far = Math.sign(beside) * (reach + (Math.abs(beside) - 1) * height);
    x += (dy / length) * far;
    y -= (dx / length) * far;
  }
  return { x, y, box: { left: x - width / 2, top: y - height / 2, right: x + width / 2, bottom: y + height / 2 } };
}

/** The best place of one word among names, figures and the words that stand already. */
function choose(
  { word, curve }: LineWord,
  scene: WordScene,
  was: WordPlace | undefined,
  standing: readonly Box[],
): WordPlace | null {
  const size = scene.font * WORD_SIZE;
  const height = NAME_LINE * size;
  const forms = wordForms(word).map((text) => ({ text, width: textWidth(text) * size }));
  const zone = zoneOf(curve, forms[0]!.width, height);
  const names = scene.names.filter((box) => cross(zone, box));
  const words = standing.filter((box) => cross(zone, box));
  const bodies = scene.bodies
    .filter((body) => isNear(zone, body))
    .map(({ x, y, radius }) => ({ x, y, radius: radius * BODY }));
  const { x, y } = pointOn(curve, 0.5);
  // A line that runs out of view cannot ask its word to be inside.
  const mustBeInside = inside({ left: x, top: y, right: x, bottom: y }, scene);
  for (const [form, { text, width }] of forms.entries())
    for (let spot = 0; spot < SPOTS.length; spot += 1) {
      const at = spotAt(curve, spot, width, height);
      const slack = was?.spot === spot && was.form === form ? EDGE : SLACK + EDGE;
      if (mustBeInside && !inside(at.box, scene)) continue;
      const taken = (box: Box) => cross(at.box, box, slack);
      if (names.some(taken) || words.some(taken) || bodies.some((body) => touches(at.box, body, slack))) continue;
      return { text, form, spot, ...at };
    }
  // Nothing is free: the shortest form where it covers least, but never a name.
  const form = forms.length - 1;
  const { text, width } = forms[form]!;
  const view = { left: 0, top: 0, right: scene.width, bottom: scene.height };
  let best: WordPlace | null = null;
  let least = Infinity;
  for (let spot = 0; spot < SPOTS.length; spot += 1) {
    const at = spotAt(curve, spot, width, height);
    if (names.some((name) => cross(at.box, name, EDGE))) continue;
    let cost = mustBeInside ? 3 * (area(at.box) - overlap(at.box, view)) : 0;
    for (const other of words) cost += 4 * overlap(at.box, other);
    for (const body of bodies) cost += 2 * overlap(at.box, around(body));
    if (was?.spot === spot && was.form === form) cost *= 0.8;
    if (cost >= least) continue;
    least = cost;
    best = { text, form, spot, ...at };
  }
  return best;
}
