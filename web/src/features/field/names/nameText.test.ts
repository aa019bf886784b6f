import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundingRadius, HALO_LINE, SHAPES } from '../../../ui/figures/shapes.ts';
import { DRAWN_KINDS, pointsOf } from '../../../ui/figures/shapes.testing.ts';
import { HELD_LIFT } from '../drawing/figures/worn.ts';
import { screenRadius, UNITS_PER_BOX } from '../drawing/geometry.ts';
import { nameLines, namePlace, nameSize } from './nameText.ts';
import { real } from '../drawing/geometry.testing.ts';

test('a name never touches its icon, at any kind, rotation, size and zoom', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...DRAWN_KINDS),
      real(0, 360),
      real(0.25, 4),
      real(0.1, 4),
      fc.boolean(),
      (kind, rotation, scale, k, held) => {
        const lift = held ? HELD_LIFT : 1;
        const name = namePlace(
          { x: 100, y: 100 },
          screenRadius(boundingRadius(kind), scale, k) * lift,
          nameSize(k),
          held,
        );
        const a = (rotation * Math.PI) / 180;
        // The lowest point of the turned drawing with its halo.
        const lowestInBox =
          Math.max(...pointsOf(SHAPES[kind].halo).map(([x, y]) => x * Math.sin(a) + y * Math.cos(a))) + HALO_LINE / 2;
        const lowest = 100 + lowestInBox * UNITS_PER_BOX * scale * k * lift;
        expect(name.top - lowest).toBeGreaterThanOrEqual(9.999);
        // Capitals reach about 0.72 of the size above the baseline.
        expect(name.y - nameSize(k) * 0.72).toBeGreaterThan(lowest + 9);
      },
    ),
    { numRuns: 300 },
  );
});

test('names break into two short lines and end in an ellipsis', () => {
  expect(nameLines('Mother')).toEqual(['Mother']);
  expect(nameLines('The grandmother from the far village')).toEqual(['The grandmother from the', 'far village']);
  const long = nameLines('Donaudampfschifffahrtsgesellschaft and what it left behind for all of us');
  expect(long).toHaveLength(2);
  for (const line of long) expect(Array.from(line).length).toBeLessThanOrEqual(24);
  expect(long[0]?.endsWith('…')).toBe(true);
  expect(nameLines('   ')).toEqual([]);
});

test('5.20: letters are smaller in a small view, never too small to read, and never grow with the zoom', () => {
  expect([0.1, 0.225, 0.3, 0.4, 1, 4].map(nameSize)).toEqual([12, 12, 14, 16, 16, 16]);
});
