/** Who stands in a figure's sight (docs/product.md#5.36). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inSight, SIGHT_DEGREES, SIGHT_REACH } from './inSight.ts';

const at = (id: number, x: number, y: number) => ({ id, x, y });
const looking = (rotation: number, x = 800, y = 500) => ({ id: 1, x, y, rotation });

test('5.36 from near to far, with distance in thirds of the diagonal and the side as the figure sees it', () => {
  const seen = inSight(looking(90, 0, 500), [at(1, 0, 500), at(2, 1500, 500), at(3, 300, 800), at(4, 700, 100)]);
  expect(seen.map(({ id, range, side }) => [id, range, side])).toEqual([
    [3, 'near', 'right'],
    [4, 'middle', 'left'],
    [2, 'far', 'ahead'],
  ]);
});

test('5.36 a figure behind, or beside beyond the edge of the wedge, is not seen', () => {
  const around = [0, 59, 61, 90, 180, 270, 299, 301].map((degrees) => {
    const angle = (degrees * Math.PI) / 180;
    return at(degrees + 10, 800 + 100 * Math.sin(angle), 500 - 100 * Math.cos(angle));
  });
  expect(inSight(looking(0), around).map(({ id }) => id - 10)).toEqual([0, 59, 301].sort((a, b) => a - b));
  expect(inSight(looking(180), [at(2, 800, 100)])).toEqual([]);
  expect(inSight(looking(45), [])).toEqual([]);
});

test('5.36 a figure on the same spot is ahead; of two equally far the older one is first', () => {
  expect(inSight(looking(200), [at(3, 800, 500), at(2, 800, 500)])).toEqual([
    { id: 2, distance: 0, range: 'near', side: 'ahead' },
    { id: 3, distance: 0, range: 'near', side: 'ahead' },
  ]);
});

const place = fc.record({
  x: fc.double({ min: 0, max: 1600, noNaN: true }),
  y: fc.double({ min: 0, max: 1000, noNaN: true }),
});
const others = fc
  .array(place, { maxLength: 12 })
  .map((places) => places.map((one, index) => ({ id: index + 2, ...one })));
const from = fc
  .tuple(place, fc.integer({ min: 0, max: 3599 }))
  .map(([one, tenths]) => ({ id: 1, ...one, rotation: tenths / 10 }));

test('5.36 on any field: exactly the figures within the angle, by distance, and never the figure itself', () => {
  fc.assert(
    fc.property(from, others, (one, figures) => {
      const seen = inSight(one, [...figures, one]);
      const distances = seen.map(({ distance }) => distance);
      expect(distances).toEqual(distances.toSorted((a, b) => a - b));
      expect(seen.some(({ id }) => id === one.id)).toBe(false);
      const front = [Math.sin((one.rotation * Math.PI) / 180), -Math.cos((one.rotation * Math.PI) / 180)] as const;
      for (const { id, x, y } of figures) {
        const far = Math.hypot(x - one.x, y - one.y);
        // A tenth of a degree is as fine as turns are.
        if (far < 1) continue;
        const degrees =
          (Math.acos(Math.min(1, ((x - one.x) * front[0] + (y - one.y) * front[1]) / far)) * 180) / Math.PI;
        if (Math.abs(degrees - SIGHT_DEGREES / 2) < 0.11) continue;
        expect(
          seen.some((it) => it.id === id),
          `${degrees}`,
        ).toBe(degrees < SIGHT_DEGREES / 2);
      }
      for (const { distance, range } of seen)
        expect(range).toBe(
          ['near', 'middle', 'far'][Math.min(2, Math.ceil((distance * 3) / SIGHT_REACH) - 1)] ?? 'near',
        );
    }),
  );
});

test('5.36 mirroring swaps left and right and keeps ahead', () => {
  fc.assert(
    fc.property(from, others, (one, figures) => {
      const mirrored = inSight(
        { ...one, x: 1600 - one.x, rotation: (360 - one.rotation) % 360 },
        figures.map((figure) => ({ ...figure, x: 1600 - figure.x })),
      );
      const sides = new Map(mirrored.map(({ id, side }) => [id, side]));
      const opposite = { left: 'right', right: 'left', ahead: 'ahead' };
      for (const { id, side, distance } of inSight(one, figures)) {
        const other = sides.get(id);
        // At an edge rounding may decide.
        if (distance > 50 && other !== undefined && side !== 'ahead' && other !== 'ahead')
          expect(other).toBe(opposite[side]);
      }
    }),
  );
});
