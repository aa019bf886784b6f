import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameExtent } from '../../names/nameText.ts';
import { UNITS_PER_BOX } from '../geometry.ts';
import { allowedPlace, reachOf } from './reach.ts';
import { captions, real } from '../geometry.testing.ts';

const places = fc.record({
  x: real(-5000, 5000),
  y: real(-5000, 5000),
  rotation: real(-3600, 3600),
  scale: real(-2, 20),
});

test('every position is moved into the field, and a position in the field stays', () => {
  fc.assert(
    fc.property(places, (place) => {
      const allowed = allowedPlace(place);
      expect(allowed.x).toBeGreaterThanOrEqual(0);
      expect(allowed.x).toBeLessThanOrEqual(1600);
      expect(allowed.y).toBeGreaterThanOrEqual(0);
      expect(allowed.y).toBeLessThanOrEqual(1000);
      expect(allowed.rotation).toBeGreaterThanOrEqual(0);
      expect(allowed.rotation).toBeLessThan(360);
      expect(allowed.scale).toBeGreaterThanOrEqual(0.25);
      expect(allowed.scale).toBeLessThanOrEqual(4);
      expect(allowedPlace(allowed)).toEqual(allowed);
      expect(Math.round(allowed.x * 10)).toBeCloseTo(allowed.x * 10, 6);
    }),
  );
});

test('the field has the same limits for everybody: a figure and its name stay inside on every screen', () => {
  fc.assert(
    fc.property(real(-200, 1800), real(-200, 1200), real(0.25, 4), captions, (x, y, scale, caption) => {
      const name = nameExtent(caption);
      const reach = reachOf(50, scale, name);
      const place = allowedPlace({ x, y, rotation: 0, scale }, reach);
      const half = Math.max(50 * UNITS_PER_BOX * scale, name ? (name.width * 16) / 2 / 0.6 : 0);
      if (2 * half < 1600) expect([place.x - half >= -0.1, place.x + half <= 1600.1]).toEqual([true, true]);
      if (reach.above + reach.below < 1000)
        expect([place.y - reach.above >= -0.1, place.y + reach.below <= 1000.1]).toEqual([true, true]);
      expect(reach.below - reach.above > 0).toBe(name !== null);
    }),
  );
});
