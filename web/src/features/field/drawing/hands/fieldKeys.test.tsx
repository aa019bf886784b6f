/** The keyboard on the field as it is drawn. */
import { act, fireEvent } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aFigure, fakeFrames, frame, openField } from '../FieldView.testing.tsx';

fakeFrames();

test('keys move, turn and resize, within the field', () => {
  const { props, figure, place } = openField({ figures: [aFigure(1, { x: 65 })] });
  const press = (key: string, shiftKey = false) => fireEvent.keyDown(figure(1), { key, shiftKey });
  press('ArrowRight');
  press('ArrowDown', true);
  press(']');
  press('[', true);
  press('+');
  expect(vi.mocked(props.onKeyAct!).mock.calls.at(-1)).toEqual([
    1,
    'scale',
    { x: 75, y: 250, rotation: 330, scale: 1.1 },
  ]);
  for (let i = 0; i < 60; i++) press('-');
  for (let i = 0; i < 3; i++) press('ArrowLeft');
  // At the limit of its name, which is wider than the figure now.
  expect(vi.mocked(props.onKeyAct!).mock.calls.at(-1)).toEqual([
    1,
    'move',
    { x: 52.7, y: 250, rotation: 330, scale: 0.25 },
  ]);
  const count = vi.mocked(props.onKeyAct!).mock.calls.length;
  press('ArrowLeft');
  expect(props.onKeyAct).toHaveBeenCalledTimes(count);
  frame();
  frame();
  expect(place(1)).toBe('translate(52.7 250) rotate(330) scale(0.3000)');
  press('Delete');
  expect(vi.mocked(props.onKeyAct!).mock.calls.at(-1)?.[1]).toBe('remove');
  press('Enter');
  expect(props.onSelect).toHaveBeenCalledWith(1);
});

test('M toggles the pointer only over the field, never in a text field', () => {
  const { props, container } = openField();
  const field = container.querySelector('[data-scheme]') as HTMLElement;
  fireEvent.keyDown(document.body, { key: 'm' });
  expect(props.onPointingChange).not.toHaveBeenCalled();
  fireEvent.pointerEnter(field);
  fireEvent.keyDown(document.body, { key: 'm' });
  expect(props.onPointingChange).toHaveBeenCalledWith(true);
  const input = document.body.appendChild(document.createElement('input'));
  fireEvent.keyDown(input, { key: 'm' });
  input.remove();
  expect(props.onPointingChange).toHaveBeenCalledTimes(1);
});

test('5.14 when a focused figure is removed, the focus moves to the nearest one, then to the field; other focus stays', () => {
  const field = document.body.appendChild(document.createElement('main'));
  field.id = 'field';
  const figures = [aFigure(1), aFigure(3), aFigure(4)];
  const { figure, update, handle } = openField({ figures: [...figures, aFigure(9)] });
  act(() => figure(3).focus());
  update({ figures: [figures[0]!, figures[2]!, aFigure(9)] });
  expect(document.activeElement).toBe(figure(4));
  update({ figures: [figures[0]!, figures[2]!] });
  expect(document.activeElement).toBe(figure(4));
  update({ figures: [figures[0]!] });
  expect(document.activeElement).toBe(figure(1));
  update({ figures: [] });
  expect(document.activeElement).toBe(field);

  field.blur();
  update({ figures });
  update({ figures: figures.slice(1) });
  expect(document.activeElement).toBe(document.body);
  act(() => handle.focusBeside(4));
  expect(document.activeElement).toBe(figure(3));
  field.remove();
});

test('5.14 holding the Delete key removes one figure', () => {
  const { props, figure } = openField();
  fireEvent.keyDown(figure(1), { key: 'Delete' });
  fireEvent.keyDown(figure(2), { key: 'Delete', repeat: true });
  expect(vi.mocked(props.onKeyAct!).mock.calls.map(([id, kind]) => [id, kind])).toEqual([[1, 'remove']]);
});

test.each(['ArrowRight', ']', '+'])('5.14 a held key does not affect another figure: %s', (key) => {
  const { props, figure, update } = openField({ figures: [aFigure(1), aFigure(2)] });
  act(() => figure(1).focus());
  fireEvent.keyDown(figure(1), { key });
  fireEvent.keyDown(figure(1), { key, repeat: true });
  update({ figures: [aFigure(2)] });
  expect(document.activeElement).toBe(figure(2));
  expect(fireEvent.keyDown(figure(2), { key, repeat: true })).toBe(false);
  const moved = () => vi.mocked(props.onKeyAct!).mock.calls.map(([id]) => id);
  expect(moved()).toEqual([1, 1]);
  fireEvent.keyDown(figure(2), { key });
  expect(moved()).toEqual([1, 1, 2]);
});
