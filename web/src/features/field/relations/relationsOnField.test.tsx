/** Lines and words of relations on the field as it is drawn (docs/product.md#5.35). */
import { fireEvent } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aFigure, fakeFrames, frame, openField, pointer } from '../drawing/FieldView.testing.tsx';
import type { FigureOnField } from '../drawing/fieldViewTypes.ts';

fakeFrames();

const misses = { to: 2, kind: 'arrow' as const, color: '#953300', word: 'misses' };
const related = (more: Partial<FigureOnField> = {}) => [
  aFigure(1, { relations: [misses] }),
  aFigure(2, { x: 900, ...more }),
];
const lineOf = (key: string) => document.querySelector(`[data-relation="${key}"]`);
const wordOf = (key: string) => document.querySelector(`[data-word="${key}"]`);
const pathOf = (key: string) => lineOf(key)?.querySelector('[data-stroke]')?.getAttribute('d');
/** The middle of a word as it is drawn. */
const middleOf = (key: string) =>
  wordOf(key)
    ?.getAttribute('transform')
    ?.match(/-?[\d.]+/g)
    ?.map(Number);

test('5.35 a line follows a dragged figure before it is dropped; other lines are not written', async () => {
  const figures = [
    ...related(),
    aFigure(3, { x: 300, y: 700, relations: [{ ...misses, to: 4 }] }),
    aFigure(4, { x: 900, y: 700 }),
  ];
  const { figure } = openField({ figures });
  await vi.waitFor(() => expect(lineOf('1 2')).toBeTruthy());
  frame();
  expect(pathOf('1 2')).toMatch(/^M16[34](\.\d)? 200Q/);
  const written = vi.spyOn(lineOf('3 4')!.querySelector('[data-stroke]')!, 'setAttribute');
  fireEvent.pointerDown(figure(1), pointer(100, 200));
  fireEvent.pointerMove(figure(1), pointer(100, 500));
  frame();
  expect(pathOf('1 2')).not.toMatch(/^M16[34](\.\d)? 200Q/);
  expect(pathOf('1 2')).toMatch(/^M[\d.]+ 4\d\d/);
  expect(written).not.toHaveBeenCalled();
});

test('5.35 words, kinds and colours are drawn, lines to nobody are not, and changes are redrawn', async () => {
  const { update } = openField({ figures: related() });
  await vi.waitFor(() => expect(wordOf('1 2')?.textContent).toBe('misses'));
  expect(lineOf('1 2')?.querySelectorAll('[data-head]')).toHaveLength(2);
  update({ figures: [aFigure(1, { relations: [{ ...misses, kind: 'double', word: '' }] }), aFigure(2, { x: 900 })] });
  expect(lineOf('1 2')?.getAttribute('data-kind')).toBe('double');
  expect(wordOf('1 2')).toBeNull();
  expect(pathOf('1 2')).toMatch(/^M\d/);
  update({ figures: [aFigure(1, { relations: [misses] })] });
  expect(lineOf('1 2')).toBeNull();
  update({ figures: related({ x: 120 }) });
  expect(lineOf('1 2')?.getAttribute('visibility')).toBe('hidden');
});

test('5.35 without names there are no words', async () => {
  openField({ figures: related(), showNames: false });
  await vi.waitFor(() => expect(lineOf('1 2')).toBeTruthy());
  expect(wordOf('1 2')).toBeNull();
});

test('5.35 a word avoids a name that is dragged over it at once, and returns afterwards', async () => {
  const { figure } = openField({
    figures: [...related(), aFigure(3, { x: 500, y: 700, caption: 'Uncle', showText: true })],
  });
  await vi.waitFor(() => expect(wordOf('1 2')?.textContent).toBe('misses'));
  frame();
  const before = middleOf('1 2');
  expect(before?.[1]).toBeCloseTo(200, 0);
  fireEvent.pointerDown(figure(3), pointer(500, 700));
  fireEvent.pointerMove(figure(3), pointer(before![0]!, 115));
  frame();
  expect(middleOf('1 2')).not.toEqual(before);
  fireEvent.pointerMove(figure(3), pointer(500, 700));
  frame();
  const inHand = middleOf('1 2');
  expect(inHand).not.toEqual(before);
  fireEvent.pointerUp(figure(3), pointer(500, 700));
  frame();
  // The frame that draws the drop has enough to do.
  expect(middleOf('1 2')).toEqual(inHand);
  frame();
  frame();
  expect(middleOf('1 2')).toEqual(before);
});

test('5.35 a word returns when the figure in its way is removed', async () => {
  const inTheWay = aFigure(3, { x: 500, y: 200 });
  const { update } = openField({ figures: [...related(), inTheWay] });
  await vi.waitFor(() => expect(wordOf('1 2')?.textContent).toBe('misses'));
  frame();
  expect(Math.abs(middleOf('1 2')![0]! - 493)).toBeGreaterThan(40);
  update({ figures: related() });
  frame();
  expect(Math.abs(middleOf('1 2')![0]! - 493)).toBeLessThan(6);
});
