import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nameExtent, namePlace, nameSize } from '../../names/nameText.ts';
import { FIELD_HEIGHT, FIELD_WIDTH, toField, toScreen } from '../geometry.ts';
import { clearBeside, fitField, fitFigures, fitOwn, isInView } from './views.ts';
import { limitPan, showPoint } from './zoomAndPan.ts';
import { captions, points, real, sizes } from '../geometry.testing.ts';

test('the whole field is visible when it fits, in a box of any size', () => {
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

describe('5.24: beside elements that cover the field', () => {
  const size = { width: 374, height: 640 };
  const sheet = { left: 8, top: 340, right: 366, bottom: 576 };
  test('a view uses the part in which the field is largest, and all of it if too little would be left', () => {
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
    // Outside the field, like a question beside the gallery's preview.
    expect(clearBeside(size, [{ left: -400, top: 0, right: -20, bottom: 200 }])).toBeNull();
    expect(clearBeside(size, [{ left: 0, top: 10, right: 374, bottom: 630 }])).toBeNull();
  });
  test('figures with their names fit there, including one’s own, and panning keeps within the field', () => {
    const box = { ...size, clear: { x: 0, y: 0, width: 374, height: 340 } };
    fc.assert(
      fc.property(seenFigures, points, (all, own) => {
        // The renderer limits every camera that it receives.
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

test('on a desktop a view of the figures is the whole field if that shows them', () => {
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
