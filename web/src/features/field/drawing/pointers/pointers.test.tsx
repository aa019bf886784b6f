/** The named pointers of others on the field as it is drawn. */
import { act, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fakeFrames, frame, openField } from '../FieldView.testing.tsx';

fakeFrames();

const pointerAt = () => document.querySelector('[data-mark=pointer]')?.parentElement?.getAttribute('transform');

test('a pointer glides to each new position, keeps its field point when the view changes, and disappears', () => {
  const { handle } = openField();
  act(() => handle.setPointer(7, 'Ben', { x: 100, y: 200 }));
  expect(screen.getByText('Ben')).toBeTruthy();
  expect(pointerAt()).toBe('translate(100 200)');
  act(() => handle.setPointer(7, 'Ben', { x: 300, y: 200 }));
  frame(60);
  expect(pointerAt()).toBe('translate(200 200)');
  frame(80);
  expect(pointerAt()).toBe('translate(300 200)');
  act(() => handle.zoomIn());
  for (let count = 0; count < 3; count += 1) frame();
  // The middle of the view, 800 and 500, stays where it is.
  expect(pointerAt()).toBe('translate(175 125)');
  act(() => handle.setPointer(7, 'Ben', null));
  expect(pointerAt()).toBeUndefined();
});

test('with reduced motion a pointer jumps', () => {
  const { handle } = openField({ reducedMotion: true });
  act(() => handle.setPointer(7, 'Ben', { x: 100, y: 200 }));
  act(() => handle.setPointer(7, 'Ben', { x: 300, y: 200 }));
  frame(1);
  expect(pointerAt()).toBe('translate(300 200)');
});

test('a pointer that ends and returns before a frame is drawn still follows', () => {
  const { handle } = openField({ reducedMotion: true });
  act(() => handle.setPointer(7, 'Ben', { x: 100, y: 200 }));
  act(() => {
    handle.setPointer(7, 'Ben', null);
    handle.setPointer(7, 'Ben', { x: 300, y: 200 });
  });
  expect(pointerAt()).toBe('translate(300 200)');
  act(() => handle.setPointer(7, 'Ben', { x: 500, y: 200 }));
  frame(1);
  expect(pointerAt()).toBe('translate(500 200)');
});
