/** Relations in numbers and words (docs/product.md#5.33 to #5.35). */
import { FIGURE_COLORS, type Relation, RELATIONS_MAX } from '@fieldroom/contract/field';
import fc from 'fast-check';
import i18next from 'i18next';
import { beforeAll, expect, test } from 'vitest';
import field from '../../../locales/en/field.json';
import { withoutRelation, withRelation } from './relationEdits.ts';
import type { Circle } from '../names/boxes.ts';
import { pointOn, relationLine, relationsOnField } from './relationLine.ts';
import { labelWithRelations } from './relationWords.ts';

const relation = (to: number, more: Partial<Relation> = {}): Relation => ({
  to,
  kind: 'arrow',
  color: FIGURE_COLORS.brick,
  word: 'misses',
  ...more,
});
const circle = (x: number, y: number, radius = 50): Circle => ({ x, y, radius });
/** Start, control and end of a line. */
const pointsOf = (path: string) => {
  const [x0, y0, x1, y1, x2, y2] = path.match(/-?[\d.]+/g)!.map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return [
    { x: x0, y: y0 },
    { x: x1, y: y1 },
    { x: x2, y: y2 },
  ] as const;
};
const far = (a: { x: number; y: number }, b: { x: number; y: number }) => Math.hypot(a.x - b.x, a.y - b.y);

test('5.35 a plain line runs straight from edge to edge', () => {
  const line = relationLine(circle(0, 0), circle(400, 0, 80), { kind: 'plain', bent: false })!;
  expect(line).toMatchObject({ path: 'M54 0Q185 0 316 0', head: '' });
  expect(pointOn(line.curve, 0.5)).toEqual({ x: 185, y: 0 });
});

test('5.35 an arrow ends at the other figure’s edge, and its line before the tip', () => {
  const { path, head } = relationLine(circle(0, 0), circle(400, 0), { kind: 'arrow', bent: false })!;
  expect(head).toBe('M346 0L331 7.5L331 -7.5Z');
  expect(pointsOf(path)[2]).toEqual({ x: 334, y: 0 });
});

test('5.35 touching figures have no line between them', () => {
  expect(relationLine(circle(0, 0), circle(110, 0), { kind: 'plain', bent: false })).toBeNull();
  expect(relationLine(circle(0, 0), circle(0, 0), { kind: 'arrow', bent: true })).toBeNull();
});

test('5.35 at any two places lines begin and end at the figures’ edges, and two opposite lines stay apart', () => {
  const anywhere = fc.record({
    x: fc.integer({ min: 0, max: 1600 }),
    y: fc.integer({ min: 0, max: 1000 }),
    radius: fc.integer({ min: 8, max: 240 }),
  });
  fc.assert(
    fc.property(anywhere, anywhere, fc.constantFrom('plain', 'arrow', 'double'), fc.boolean(), (a, b, kind, bent) => {
      const there = relationLine(a, b, { kind, bent });
      const back = relationLine(b, a, { kind, bent });
      expect(there === null).toBe(back === null);
      if (!there || !back) return;
      const [start, , end] = pointsOf(there.path);
      expect(far(start, a) - a.radius).toBeCloseTo(4, 0);
      expect(far(end, b) - b.radius).toBeCloseTo(kind === 'arrow' ? 16 : 4, 0);
      if (bent) expect(far(pointOn(there.curve, 0.5), pointOn(back.curve, 0.5))).toBeGreaterThan(10);
    }),
  );
});

test('5.33, 5.34 lines are drawn between existing figures; two opposite lines are bent', () => {
  const figures = [
    { id: 1, relations: [relation(2), relation(9)] },
    { id: 2, relations: [relation(1, { kind: 'double' }), relation(3)] },
    { id: 3 },
  ];
  expect(relationsOnField(figures).map(({ from, to, bent }) => [from, to, bent])).toEqual([
    [1, 2, true],
    [2, 1, true],
    [2, 3, false],
  ]);
  expect(relationsOnField([{ id: 3 }])).toEqual([]);
});

test('5.33 a relation is added, or replaces the one to the same figure', () => {
  const two = [relation(2), relation(3)];
  expect(withRelation(two, relation(4), new Set([2, 3, 4]))).toEqual([...two, relation(4)]);
  expect(withRelation(two, relation(2, { word: '' }), new Set())).toEqual([relation(2, { word: '' }), relation(3)]);
  expect(withoutRelation(two, 2)).toEqual([relation(3)]);
});

test('5.34 a relation to a removed figure is kept, and removed only if there would be too many', () => {
  const here = new Set(Array.from({ length: 20 }, (_, index) => index + 2));
  const full = [relation(99), ...Array.from({ length: RELATIONS_MAX - 1 }, (_, index) => relation(index + 2))];
  expect(withRelation(full.slice(0, 5), relation(20), here)[0]).toEqual(relation(99));
  const next = withRelation(full, relation(20), here);
  expect(next).toHaveLength(RELATIONS_MAX);
  expect(next.map(({ to }) => to)).not.toContain(99);
});

beforeAll(() => i18next.init({ lng: 'en', resources: { en: { field } }, interpolation: { escapeValue: false } }));

test('5.35 a screen reader reads a figure’s relations, except those to a removed figure', () => {
  const t = i18next.getFixedT('en', 'field');
  const names = new Map([
    [2, 'Father'],
    [3, 'Child'],
  ]);
  const say = (...relations: Relation[]) =>
    labelWithRelations(t, 'Mother, on the left', relations, (id) => names.get(id));
  expect(say(relation(2), relation(9), relation(3, { kind: 'double', word: '' }))).toBe(
    'Mother, on the left. Related to Father (arrow, “misses”), Child (double line)',
  );
  expect(say(relation(9))).toBe('Mother, on the left');
});
