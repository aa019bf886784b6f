/** Words of relations among names (docs/product.md#5.35). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NAME_RANK } from './nameText.ts';
import type { Point } from '../drawing/geometry.ts';
import { relationLine } from '../relations/relationLine.ts';
import type { Box } from './boxes.ts';
import { nameForms, placeNames } from './placeNames.ts';
import { type LineWord, placeWords, wordKey, type WordPlace, type WordScene } from './placeWords.ts';

const RADIUS = 36;
const scene = (more: Partial<WordScene> = {}): WordScene => ({
  width: 1000,
  height: 640,
  font: 16,
  names: [],
  bodies: [],
  ...more,
});
const box = (x: number, y: number, width: number, height: number): Box => ({
  left: x - width / 2,
  top: y - height / 2,
  right: x + width / 2,
  bottom: y + height / 2,
});
const cross = (a: Box, b: Box) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
/** A word at the line between two points. */
const at = (from: number, to: number, a: Point, b: Point, more: { word?: string; bent?: boolean } = {}): LineWord => {
  const circle = ({ x, y }: Point) => ({ x, y, radius: RADIUS });
  const { word = 'misses', bent = false } = more;
  return { from, to, word, curve: relationLine(circle(a), circle(b), { kind: 'arrow', bent })!.curve };
};
const none = new Map<string, WordPlace>();
/** A level line over the middle of the view. */
const level = at(1, 2, { x: 300, y: 320 }, { x: 700, y: 320 });
const only = (more: Partial<WordScene>, before: ReadonlyMap<string, WordPlace> = none, word = level) =>
  placeWords([word], scene(more), before).get(wordKey(word));

/** Any field: figures with names, and relations among them. */
const FIELDS = fc.record({
  points: fc.array(fc.record({ x: fc.integer({ min: 0, max: 1000 }), y: fc.integer({ min: 0, max: 640 }) }), {
    minLength: 2,
    maxLength: 24,
    size: 'max',
  }),
  lines: fc.array(
    fc.record({
      from: fc.nat(23),
      to: fc.nat(23),
      word: fc.constantFrom('misses', 'is afraid of losing again', 'W', 'waits for', 'protects from everybody here'),
      bent: fc.boolean(),
    }),
    { maxLength: 20, size: 'max' },
  ),
});
const NAMES = ['Mother', 'The grandmother from the far village', 'Me', 'Großtante aus Klausenburg'];

function fieldOf({ points, lines }: typeof FIELDS extends fc.Arbitrary<infer T> ? T : never) {
  const figures = points.map((point, id) => ({
    id,
    ...point,
    radius: RADIUS,
    rotation: (id * 47) % 360,
    hasFace: true,
    rank: NAME_RANK.other,
    forms: nameForms(NAMES[id % NAMES.length]!),
    lifted: false,
    taken: [],
    wears: [],
  }));
  const middle = { x: 500, y: 320 };
  const named = placeNames(figures, { width: 1000, height: 640, font: 16, middle, occupied: [] }, new Map());
  const words = new Map<string, LineWord>();
  for (const { from, to, ...more } of lines) {
    const [a, b] = [figures[from], figures[to]];
    const line = a && b ? relationLine(a, b, { kind: 'arrow', bent: more.bent }) : null;
    if (line) words.set(wordKey({ from, to }), { from, to, word: more.word, curve: line.curve });
  }
  return {
    words: [...words.values()],
    scene: scene({ names: [...named.values()].map((place) => place.box), bodies: figures }),
  };
}

test('5.35 a word is in the middle of its line if nothing else is there', () => {
  expect(only({})).toMatchObject({ text: 'misses', x: 497, y: 320 });
});

test('5.35 no word ever covers a name, wherever figures are', () => {
  fc.assert(
    fc.property(FIELDS, (field) => {
      const { words, scene: among } = fieldOf(field);
      for (const { box: word } of placeWords(words, among, none).values())
        expect(among.names.filter((name) => cross(word, name))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('5.35 a word that keeps its place during a drag does not cover a name either', () => {
  fc.assert(
    fc.property(FIELDS, fc.integer({ min: -80, max: 80 }), fc.integer({ min: -80, max: 80 }), (field, dx, dy) => {
      const first = fieldOf(field);
      const before = placeWords(first.words, first.scene, none);
      const points = field.points.map(({ x, y }, index) => (index === 0 ? { x: x + dx, y: y + dy } : { x, y }));
      const { words, scene: among } = fieldOf({ ...field, points });
      for (const { box: word } of placeWords(words, among, before).values())
        expect(among.names.filter((name) => cross(word, name))).toEqual([]);
    }),
    { numRuns: 200 },
  );
});

test('5.35 a word moves along its line, then beside it, then is shortened', () => {
  const [near, whole] = [box(497, 320, 60, 20), box(497, 320, 400, 20)];
  const along = only({ names: [near] })!;
  expect(along).toMatchObject({ text: 'misses', y: 320 });
  expect(cross(along.box, near)).toBe(false);
  const beside = only({ names: [whole] })!;
  expect(beside).toMatchObject({ text: 'misses', x: 497 });
  // To the left of the way, which is above it here.
  expect(beside.y).toBeLessThan(310);
  expect(beside.y).toBeGreaterThan(270);
  const long = at(1, 2, { x: 420, y: 320 }, { x: 580, y: 320 }, { word: 'is afraid of losing her' });
  // A gap without room for all letters, and without a way out above and below.
  const gap = [box(300, 320, 320, 400), box(690, 320, 320, 400)];
  const shorter = only({ names: gap }, none, long)!;
  expect(shorter.text).toMatch(/^i.*…$/);
});

test('5.35 a word also avoids figures and other words', () => {
  const body = { x: 497, y: 320, radius: 30 };
  const place = only({ bodies: [body] })!;
  expect(cross(place.box, box(body.x, body.y, 54, 54))).toBe(false);
  const crossing = at(3, 4, { x: 497, y: 120 }, { x: 497, y: 532 });
  const both = placeWords([level, crossing], scene(), none);
  expect(cross(both.get('1 2')!.box, both.get('3 4')!.box)).toBe(false);
  // Of two, the one with the smaller ids stays.
  expect(both.get('1 2')).toMatchObject({ x: 497, y: 320 });
});

test('5.35 the words of two opposite lines stay apart, even if the figures are near', () => {
  for (const far of [140, 160, 200, 300, 500]) {
    const [a, b] = [
      { x: 400, y: 300 },
      { x: 400 + far, y: 300 },
    ];
    const bodies = [a, b].map((point) => ({ ...point, radius: RADIUS }));
    const there = at(1, 2, a, b, { bent: true, word: 'holds' });
    const back = at(2, 1, b, a, { bent: true, word: 'leans on' });
    const places = placeWords([there, back], scene({ bodies }), none);
    expect(cross(places.get('1 2')!.box, places.get('2 1')!.box), `${far} px apart`).toBe(false);
  }
});

test('5.35 a word that would cover a name at every place is left out, and the others stay', () => {
  const names = [box(500, 320, 900, 500)];
  const free = at(5, 6, { x: 100, y: 30 }, { x: 400, y: 30 });
  const places = placeWords([level, free], scene({ names }), none);
  expect([...places.keys()]).toEqual(['5 6']);
});

test('5.35 the same lines and names give the same places, in any order', () => {
  fc.assert(
    fc.property(FIELDS, fc.nat(), (field, turn) => {
      const { words, scene: among } = fieldOf(field);
      const by = turn % (words.length + 1);
      const turned = [...words.slice(by), ...words.slice(0, by)];
      expect([...placeWords(turned, among, none)]).toEqual([...placeWords(words, among, none)]);
    }),
  );
});

test('5.35 the word of a visible line is visible', () => {
  const edge = at(1, 2, { x: 400, y: 6 }, { x: 700, y: 6 });
  expect(only({}, none, edge)!.box.top).toBeGreaterThanOrEqual(0);
});

test('5.23 a trembling hand does not make words flutter; without a drag every screen shows the same', () => {
  const by = (x: number) => ({ names: [box(x, 320, 80, 20)] });
  // A name approaches until the word has to leave.
  let place = only(by(300))!;
  expect(place.spot).toBe(0);
  let edge = 300;
  while (place.spot === 0 && edge < 500) {
    edge += 1;
    place = only(by(edge), new Map([['1 2', place]]))!;
  }
  const spots = new Set<number>();
  for (const x of [edge - 1, edge + 1, edge - 2, edge + 2, edge]) {
    place = only(by(x), new Map([['1 2', place]]))!;
    spots.add(place.spot);
  }
  expect(spots.size).toBe(1);
  const other = only(by(edge - 12))!;
  expect(other.spot).toBe(0);
});
