import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundingRadius, HALO_LINE, SHAPES } from '../../../ui/figures/shapes.ts';
import { DRAWN_KINDS, pointsOf } from '../../../ui/figures/shapes.testing.ts';
import {
  FIELD_HEIGHT,
  FIELD_WIDTH,
  HELD_LIFT,
  UNITS_PER_BOX,
  allowedPlace,
  between,
  directionOf,
  fitField,
  fitFigures,
  fitOwn,
  isInView,
  knobSize,
  limitPan,
  nameExtent,
  nameLines,
  namePlace,
  nameSize,
  nearest,
  pinchCamera,
  reachOf,
  samePlace,
  screenRadius,
  shortestTurn,
  showPoint,
  toField,
  toScreen,
  zoomAt,
  clearBeside,
  zoomRange,
} from './geometry.ts';

const real = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const sizes = fc.record({ width: real(280, 3000), height: real(200, 2000) });
const points = fc.record({ x: real(0, FIELD_WIDTH), y: real(0, FIELD_HEIGHT) });
const places = fc.record({
  x: real(-5000, 5000),
  y: real(-5000, 5000),
  rotation: real(-3600, 3600),
  scale: real(-2, 20),
});

test('every place is brought into the field, and a place in the field stays', () => {
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

test('turns take the shorter way', () => {
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

test('the whole field is seen when it fits, at any size of the box', () => {
  fc.assert(
    fc.property(sizes, (size) => {
      const camera = fitField(size);
      const a = toScreen(camera, { x: 0, y: 0 });
      const b = toScreen(camera, { x: FIELD_WIDTH, y: FIELD_HEIGHT });
      expect(a.x).toBeGreaterThanOrEqual(-0.001);
      expect(a.y).toBeGreaterThanOrEqual(-0.001);
      expect(b.x).toBeLessThanOrEqual(size.width + 0.001);
      expect(b.y).toBeLessThanOrEqual(size.height + 0.001);
    }),
  );
});

test('screen and field are each other’s inverse', () => {
  fc.assert(
    fc.property(sizes, points, (size, point) => {
      const camera = fitField(size);
      const back = toField(camera, toScreen(camera, point));
      expect(back.x).toBeCloseTo(point.x, 6);
      expect(back.y).toBeCloseTo(point.y, 6);
    }),
  );
});

test('zooming keeps the point under the cursor where pan is not at its limit, and k in its range', () => {
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

test('nobody pans into nothing: the middle of the box stays over the field', () => {
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

test('two fingers carry the field points below them', () => {
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

const captions = fc.constantFrom(
  '',
  'Me',
  'Grandmother',
  'The one who is missing in it',
  'WWWWWWWWWWWW',
  'Großtante aus Klausenburg und ihre Schwester',
);
const seenFigures = fc
  .array(fc.record({ x: real(0, 1600), y: real(0, 1000), radius: real(20, 90), caption: captions }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((all) => all.map(({ caption, ...circle }) => ({ ...circle, name: nameExtent(caption) })));

test.each([
  ['a phone', 374, 506, 24],
  ['a phone with faces', 390, 330, 24],
  ['a narrow phone', 320, 380, 0],
  ['a desk', 1100, 760, 24],
  ['a desk with faces beside the field', 620, 700, 24],
])('a view of the figures shows each with its name: %s', (_, width, height, margin) => {
  fc.assert(
    fc.property(seenFigures, (all) => {
      const camera = fitFigures({ width, height }, all);
      for (const figure of all) {
        const at = toScreen(camera, figure);
        const around = figure.radius * camera.k;
        const font = nameSize(camera.k);
        const half = Math.max(around, figure.name ? (figure.name.width * font) / 2 : 0);
        expect(at.x - half).toBeGreaterThanOrEqual(margin - 0.01);
        expect(at.x + half).toBeLessThanOrEqual(width - margin + 0.01);
        expect(at.y - around).toBeGreaterThanOrEqual(margin - 0.01);
        const below = figure.name ? namePlace(at, around, font).top + figure.name.lines * 1.2 * font : at.y + around;
        expect(below).toBeLessThanOrEqual(height - margin + 0.01);
        expect(isInView(camera, { width, height }, figure)).toBe(true);
      }
    }),
  );
});

describe('5.24: beside what lies over the field', () => {
  const size = { width: 374, height: 640 };
  const sheet = { left: 8, top: 340, right: 366, bottom: 576 };
  test('a view has the part in which the field is largest, and all of it where too little would be left', () => {
    expect(clearBeside(size, [])).toBeNull();
    expect(clearBeside(size, [sheet])).toEqual({ x: 0, y: 0, width: 374, height: 340 });
    expect(clearBeside({ width: 740, height: 330 }, [{ left: 8, top: 8, right: 280, bottom: 300 }])).toEqual({
      x: 280,
      y: 0,
      width: 460,
      height: 330,
    });
    expect(clearBeside(size, [sheet, { left: 0, top: 0, right: 374, bottom: 60 }])).toEqual({
      x: 0,
      y: 60,
      width: 374,
      height: 280,
    });
    // Out of the field, as a question beside the gallery's preview.
    expect(clearBeside(size, [{ left: -400, top: 0, right: -20, bottom: 200 }])).toBeNull();
    expect(clearBeside(size, [{ left: 0, top: 10, right: 374, bottom: 630 }])).toBeNull();
  });
  test('figures with their names fit there, one’s own too, and nobody pans out of it', () => {
    const box = { ...size, clear: { x: 0, y: 0, width: 374, height: 340 } };
    fc.assert(
      fc.property(seenFigures, points, (all, own) => {
        // The renderer limits every camera that it is given.
        const camera = limitPan(fitFigures(box, all), box);
        for (const figure of all) {
          const at = toScreen(camera, figure);
          const around = figure.radius * camera.k;
          const font = nameSize(camera.k);
          const below = figure.name ? namePlace(at, around, font).top + figure.name.lines * 1.2 * font : at.y + around;
          expect(below).toBeLessThanOrEqual(341);
          expect(at.y - around).toBeGreaterThanOrEqual(-1);
          expect(isInView(camera, box, figure)).toBe(true);
        }
        const at = toScreen(limitPan(fitOwn(box, own), box), own);
        expect(at.y).toBeLessThanOrEqual(340.01);
        const shown = toScreen(showPoint(limitPan({ k: 1, tx: 0, ty: -400 }, box), box, own, 30), own);
        expect(shown.y).toBeLessThanOrEqual(340.01);
      }),
    );
  });
});

test('on a desk a view of the figures is the whole field where that shows them', () => {
  const size = { width: 1600, height: 1000 };
  const inside = [
    { x: 200, y: 200, radius: 60, name: nameExtent('Mother') },
    { x: 1400, y: 800, radius: 60, name: null },
  ];
  expect(fitFigures(size, inside)).toEqual(fitField(size));
  const atTheEdge = { x: 1590, y: 990, radius: 60, name: nameExtent('Father') };
  expect(isInView(fitField(size), size, atTheEdge)).toBe(false);
  expect(isInView(fitFigures(size, [...inside, atTheEdge]), size, atTheEdge)).toBe(true);
  expect(fitFigures(size, [...inside, atTheEdge, { x: 10, y: 10, radius: 60, name: null }]).k).toBeLessThan(1);
  expect(fitFigures(size, [])).toEqual(fitField(size));
});

test('the field has the same edges for every hand: a figure and its name stay inside, whatever the screen', () => {
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

test('on a phone the field fills the box and one’s own figure is visible', () => {
  fc.assert(
    fc.property(points, (own) => {
      const size = { width: 374, height: 506 };
      const camera = fitOwn(size, own);
      const at = toScreen(camera, own);
      expect(at.x).toBeGreaterThanOrEqual(-0.01);
      expect(at.x).toBeLessThanOrEqual(size.width + 0.01);
      expect(toField(camera, { x: 0, y: 0 }).x).toBeGreaterThanOrEqual(-0.01);
      expect(toField(camera, { x: size.width, y: 0 }).x).toBeLessThanOrEqual(1600.01);
    }),
  );
});

test('a focused figure is brought into the box', () => {
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

test('a name never touches its icon: all kinds, rotations, sizes and zooms', () => {
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

test('a finger beside a small figure means the nearest one', () => {
  const circles = [
    { id: 1, x: 0, y: 0, radius: 10 },
    { id: 2, x: 60, y: 0, radius: 10 },
  ];
  expect(nearest(circles, { x: 25, y: 0 }, 18)?.id).toBe(1);
  expect(nearest(circles, { x: 40, y: 0 }, 18)?.id).toBe(2);
  expect(nearest(circles, { x: 0, y: 50 }, 18)).toBeNull();
});

test('11.65: the turning handle of a small figure is smaller, and never too small for a finger', () => {
  expect([10, 20.4, 25.5, 34, 90].map(knobSize)).toEqual([0.6, 0.6, 0.75, 1, 1]);
});

test('5.20: letters are smaller in a small view, never too small to read, and never grow with the zoom', () => {
  expect([0.1, 0.225, 0.3, 0.4, 1, 4].map(nameSize)).toEqual([12, 12, 14, 16, 16, 16]);
});
