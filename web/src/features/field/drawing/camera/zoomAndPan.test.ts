import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toField, toScreen } from '../geometry.ts';
import { fitField } from './views.ts';
import { limitPan, pinchCamera, showPoint, zoomAt, zoomRange } from './zoomAndPan.ts';
import { points, real, sizes } from '../geometry.testing.ts';

test('zooming keeps the point under the cursor unless pan is at its limit, and k in its range', () => {
  fc.assert(
    fc.property(sizes, points, real(0.2, 5), (size, point, factor) => {
      const camera = fitField(size);
      const at = toScreen(camera, point);
      const zoomed = zoomAt(camera, size, at, factor);
      const { min, max } = zoomRange(size);
      expect(zoomed.k).toBeGreaterThanOrEqual(min - 1e-9);
      expect(zoomed.k).toBeLessThanOrEqual(max + 1e-9);
      if (factor >= 1) {
        const after = toScreen(zoomed, point);
        expect(after.x).toBeCloseTo(at.x, 4);
        expect(after.y).toBeCloseTo(at.y, 4);
      }
    }),
  );
});

test('panning keeps the middle of the box over the field', () => {
  fc.assert(
    fc.property(sizes, real(-20000, 20000), real(-20000, 20000), (size, tx, ty) => {
      const camera = limitPan({ k: fitField(size).k, tx, ty }, size);
      const middle = toField(camera, { x: size.width / 2, y: size.height / 2 });
      expect(middle.x).toBeGreaterThanOrEqual(-0.01);
      expect(middle.x).toBeLessThanOrEqual(1600.01);
      expect(middle.y).toBeGreaterThanOrEqual(-0.01);
      expect(middle.y).toBeLessThanOrEqual(1000.01);
    }),
  );
});

test('two fingers keep the field points below them', () => {
  const size = { width: 800, height: 500 };
  const camera = fitField(size);
  const from = [
    { x: 300, y: 250 },
    { x: 500, y: 250 },
  ] as const;
  const to = [
    { x: 250, y: 270 },
    { x: 550, y: 270 },
  ] as const;
  const pinched = pinchCamera(camera, size, from, to);
  expect(pinched.k / camera.k).toBeCloseTo(1.5);
  for (const i of [0, 1] as const) {
    const after = toScreen(pinched, toField(camera, from[i]));
    expect(after.x).toBeCloseTo(to[i].x, 6);
    expect(after.y).toBeCloseTo(to[i].y, 6);
  }
});

test('a focused figure is brought into view', () => {
  fc.assert(
    fc.property(points, real(1, 4), (point, zoom) => {
      const size = { width: 800, height: 500 };
      const camera = zoomAt(fitField(size), size, { x: 0, y: 0 }, zoom);
      const at = toScreen(showPoint(camera, size, point, 40), point);
      expect(at.x).toBeGreaterThanOrEqual(-0.01);
      expect(at.x).toBeLessThanOrEqual(800.01);
      expect(at.y).toBeGreaterThanOrEqual(-0.01);
      expect(at.y).toBeLessThanOrEqual(500.01);
    }),
  );
});
