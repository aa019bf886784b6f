/** The positions of figures after a reset, as pure rules. Numbers are the rules of ../README.md. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FIELD_HEIGHT, FIELD_WIDTH, FIGURE_SIZE, FIGURES_MAX, type Figure } from '@fieldroom/contract/field';
import { startPlaces } from './field.rules.reset.ts';

const startingAt = (...starts: readonly { x: number; y: number; scale?: number }[]): Figure[] =>
  starts.map(
    ({ x, y, scale = 1 }, index) =>
      ({ id: index + 1, startX: x, startY: y, startScale: scale }) as Partial<Figure> as Figure,
  );
const distances = (places: readonly { x: number; y: number }[]): number[] =>
  places.flatMap((a, index) => places.slice(index + 1).map((b) => Math.hypot(a.x - b.x, a.y - b.y)));
const ofAll = (figures: readonly Figure[]) => {
  const places = startPlaces(figures);
  return figures.map(({ id }) => places.get(id)!);
};

test('38 the oldest figure that shares a start place keeps it, wherever it is in the list', () => {
  const figures = startingAt({ x: 800, y: 500 }, { x: 800, y: 500 }, { x: 200, y: 200 });
  const places = startPlaces(figures.toReversed());
  expect([places.get(1), places.get(3)]).toEqual([
    { x: 800, y: 500 },
    { x: 200, y: 200 },
  ]);
  expect(Math.hypot(places.get(2)!.x - 800, places.get(2)!.y - 500)).toBeGreaterThan(FIGURE_SIZE);
  expect(places).toEqual(startPlaces(figures));
});

test('38 start places that overlap a little are intended and stay; half covered ones count as shared', () => {
  expect(ofAll(startingAt({ x: 800, y: 500 }, { x: 861, y: 500 }))).toEqual([
    { x: 800, y: 500 },
    { x: 861, y: 500 },
  ]);
  expect(ofAll(startingAt({ x: 800, y: 500 }, { x: 859, y: 500 }))[1]).not.toEqual({ x: 859, y: 500 });
  // A small star on somebody's chest.
  expect(ofAll(startingAt({ x: 800, y: 500, scale: 2 }, { x: 832, y: 500, scale: 0.5 }))[1]).toEqual({
    x: 832,
    y: 500,
  });
});

test('38 a figure beside the shared place is not covered by those that must leave it', () => {
  const places = ofAll(startingAt({ x: 800, y: 500 }, { x: 800, y: 500 }, { x: 930, y: 500 }, { x: 670, y: 500 }));
  expect(places[2]).toEqual({ x: 930, y: 500 });
  expect(Math.min(...distances(places))).toBeGreaterThan(FIGURE_SIZE);
});

test('38 from any start places, moved figures are fully on the field, and none covers another', () => {
  const place = fc.record({
    // Few values, so that many share.
    x: fc.constantFrom(0, 5, 800, 810, FIELD_WIDTH),
    y: fc.constantFrom(0, 500, FIELD_HEIGHT),
    scale: fc.constantFrom(0.25, 1, 1, 4),
  });
  fc.assert(
    fc.property(fc.array(place, { maxLength: 40 }), (starts) => {
      const figures = startingAt(...starts);
      const places = ofAll(figures);
      for (const [index, { x, y }] of places.entries()) {
        const { startX, startY, startScale } = figures[index]!;
        if (x === startX && y === startY) continue;
        const half = Math.min((FIGURE_SIZE / 2) * startScale, 20);
        expect(x).toBeGreaterThanOrEqual(half);
        expect(x).toBeLessThanOrEqual(FIELD_WIDTH - half);
        expect(y).toBeGreaterThanOrEqual(half);
        expect(y).toBeLessThanOrEqual(FIELD_HEIGHT - half);
      }
      expect(Math.min(FIGURE_SIZE, ...distances(places))).toBeGreaterThan(0);
      expect(ofAll(figures)).toEqual(places);
    }),
  );
});

test('38 in a full field with one start place, each figure gets its own place', () => {
  const places = ofAll(startingAt(...Array.from({ length: FIGURES_MAX }, () => ({ x: 800, y: 500 }))));
  expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(FIGURES_MAX);
  for (const { x, y } of places) expect(x >= 0 && x <= FIELD_WIDTH && y >= 0 && y <= FIELD_HEIGHT).toBe(true);
});
