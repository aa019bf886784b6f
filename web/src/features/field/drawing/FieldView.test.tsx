/** The field as a component: its order for screen readers and keys, its focus, its handle and its wedge. */
import { fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aFigure, fakeFrames, frame, openField, pointer } from './FieldView.testing.tsx';

fakeFrames();

test('11.65 a small figure has a smaller rotation handle, also one that becomes small', () => {
  const { update } = openField({ figures: [aFigure(1)], selectedId: 1 });
  const size = () => {
    const handle = document.querySelector('[data-turn]')?.parentElement?.getAttribute('transform') ?? '';
    return Number(/scale\((\S+)\)/.exec(handle)?.[1]);
  };
  // Around the figure is a circle of 60 px; the handle is whole from 34 px on.
  expect(size()).toBe(1);
  update({ figures: [aFigure(1, { scale: 0.425 })] });
  expect(size()).toBe(0.75);
  update({ figures: [aFigure(1, { scale: 0.25 })] });
  expect(size()).toBe(0.6);
});

test('figures are read out and focused in their order', () => {
  openField({ figures: [aFigure(1, { order: 9 }), aFigure(2, { order: 3 }), aFigure(3, { order: 5 })], selectedId: 3 });
  const buttons = screen.getAllByRole('button');
  expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual(['Figure 2', 'Figure 3', 'Figure 1']);
  expect(buttons.map((button) => button.getAttribute('aria-pressed'))).toEqual(['false', 'true', 'false']);
  expect(buttons.every((button) => button.getAttribute('tabindex') === '0')).toBe(true);
});

test('a picked-up figure keeps the focus, though its element is a new one', () => {
  const { figure } = openField();
  figure(1).focus();
  fireEvent.pointerDown(figure(1), pointer(100, 200));
  fireEvent.pointerMove(figure(1), pointer(150, 200));
  expect(document.activeElement).toBe(figure(1));
  fireEvent.pointerUp(figure(1), pointer(150, 200));
  expect(document.activeElement).toBe(figure(1));
});

test('5.36 the wedge is at its figure and turns with it', async () => {
  const wedge = () => document.querySelector('[data-part=sight]')?.getAttribute('transform');
  const { update, figure } = openField({ sightId: 1 });
  await vi.waitFor(() => expect(wedge()).toBe('translate(100 200) rotate(0)'));
  fireEvent.pointerDown(figure(1), pointer(100, 200));
  fireEvent.pointerMove(figure(1), pointer(160, 260));
  frame();
  expect(wedge()).toBe('translate(160 260) rotate(0)');
  update({ sightId: null });
  expect(wedge()).toBeUndefined();
});
