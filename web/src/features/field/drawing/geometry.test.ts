import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitField } from './camera/views.ts';
import { between, directionOf, nearest, samePlace, shortestTurn, toField, toScreen } from './geometry.ts';
import { points, sizes } from './geometry.testing.ts';

test('rotations take the shorter way', () => {
  expect(shortestTurn(350, 10)).toBe(20);
  expect(shortestTurn(10, 350)).toBe(-20);
  expect(between({ x: 0, y: 0, rotation: 350, scale: 1 }, { x: 10, y: 0, rotation: 10, scale: 1 }, 0.5)).toMatchObject({
    x: 5,
    rotation: 360,
  });
  expect(samePlace({ x: 1, y: 1, rotation: 359.98, scale: 1 }, { x: 1, y: 1, rotation: 0, scale: 1 })).toBe(true);
  expect(samePlace({ x: 1, y: 1, rotation: 0, scale: 1 }, { x: 1.1, y: 1, rotation: 0, scale: 1 })).toBe(false);
});

test('0 degrees is up and turning goes clockwise', () => {
  expect([directionOf(0, -1), directionOf(1, 0), directionOf(0, 1), directionOf(-1, 0)]).toEqual([0, 90, 180, 270]);
});

test('screen and field coordinates convert to each other and back', () => {
  fc.assert(
    fc.property(sizes, points, (size, point) => {
      const camera = fitField(size);
      const back = toField(camera, toScreen(camera, point));
      expect(back.x).toBeCloseTo(point.x, 6);
      expect(back.y).toBeCloseTo(point.y, 6);
    }),
  );
});

test('a finger beside a small figure selects the nearest one', () => {
  const circles = [
    { id: 1, x: 0, y: 0, radius: 10 },
    { id: 2, x: 60, y: 0, radius: 10 },
  ];
  expect(nearest(circles, { x: 25, y: 0 }, 18)?.id).toBe(1);
  expect(nearest(circles, { x: 40, y: 0 }, 18)?.id).toBe(2);
  expect(nearest(circles, { x: 0, y: 50 }, 18)).toBeNull();
});
