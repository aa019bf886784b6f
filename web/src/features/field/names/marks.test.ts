import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitField } from '../drawing/camera/views.ts';
import { toScreen } from '../drawing/geometry.ts';
import { zoomAt } from '../drawing/camera/zoomAndPan.ts';
import { edgeMarks, sameMarks, showFigures } from './marks.ts';

const real = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const size = { width: 800, height: 500 };
const points = fc
  .array(fc.record({ x: real(-2000, 3000), y: real(-2000, 3000) }), { maxLength: 40 })
  .map((all) => all.map((at, index) => ({ ...at, id: index + 1, radius: 20 })));
const sizes = fc.record({ width: real(40, 2000), height: real(40, 1200) });

test('5.24: every figure out of view has one mark within view, and a visible figure has none', () => {
  fc.assert(
    fc.property(points, sizes, (figures, box) => {
      const marks = edgeMarks(figures, box, []);
      const marked = marks.flatMap(({ figureIds }) => figureIds);
      const outside = figures.filter(({ x, y }) => x < -10 || y < -10 || x > box.width + 10 || y > box.height + 10);
      expect(marked.toSorted((a, b) => a - b)).toEqual(outside.map(({ id }) => id));
      for (const { x, y } of marks)
        expect([x >= 0, y >= 0, x <= box.width, y <= box.height]).toEqual([true, true, true, true]);
    }),
  );
});

test('5.24: marks do not overlap: figures near one spot share one mark', () => {
  fc.assert(
    fc.property(points, (figures) => {
      const marks = edgeMarks(figures, size, []);
      for (const [index, mark] of marks.entries())
        for (const other of marks.slice(index + 1))
          expect(Math.hypot(mark.x - other.x, mark.y - other.y)).toBeGreaterThanOrEqual(44);
    }),
  );
  const [mark, ...more] = edgeMarks(
    [
      { id: 7, x: -300, y: 250, radius: 20 },
      { id: 3, x: -90, y: 270, radius: 20 },
    ],
    size,
    [],
  );
  expect(mark).toEqual({ figureIds: [7, 3], x: 26, y: 250, angle: -90 });
  expect(more).toEqual([]);
});

test('5.24: a mark points to its figure and avoids the corners with buttons', () => {
  const markOf = (x: number, y: number) => edgeMarks([{ id: 1, x, y, radius: 20 }], size, [])[0];
  expect(markOf(400, -100)?.angle).toBe(0);
  expect(markOf(900, 250)?.angle).toBe(90);
  expect(markOf(400, 900)?.angle).toBe(180);
  expect(markOf(20, -100)?.y).toBeGreaterThan(64);
  expect(markOf(790, 900)?.y).toBeLessThan(500 - 64);
});

test('5.24: figures that share a mark keep sharing it a little longer', () => {
  const at = (y: number) => [
    { id: 1, x: -100, y: 200, radius: 20 },
    { id: 2, x: -100, y, radius: 20 },
  ];
  const joined = edgeMarks(at(240), size, []);
  expect(joined).toHaveLength(1);
  expect(edgeMarks(at(252), size, [])).toHaveLength(2);
  expect(edgeMarks(at(252), size, joined)).toHaveLength(1);
  expect(edgeMarks(at(270), size, joined)).toHaveLength(2);
  expect(sameMarks(joined, edgeMarks(at(252), size, joined))).toBe(true);
  expect(sameMarks(joined, edgeMarks(at(270), size, joined))).toBe(false);
});

test('5.24: pressing a mark shows its figures, without changing the zoom if they fit', () => {
  const camera = zoomAt(fitField(size), size, { x: 0, y: 0 }, 3);
  const far = { x: 1400, y: 800, radius: 60, name: null };
  const shown = showFigures(camera, size, [far]);
  expect(shown.k).toBe(camera.k);
  const at = toScreen(shown, far);
  const around = far.radius * shown.k;
  expect([at.x - around >= 0, at.y - around >= 0, at.x + around <= 800, at.y + around <= 500]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  const apart = showFigures(camera, size, [far, { ...far, x: 100, y: 100 }]);
  expect(apart.k).toBeLessThan(camera.k);
});
