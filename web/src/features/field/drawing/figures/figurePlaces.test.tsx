/** Where figures are drawn: dragged, gliding, unconfirmed, and stored. */
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aFigure, fakeFrames, frame, openField, passTime, pointer } from '../FieldView.testing.tsx';

fakeFrames();

test('a dropped figure stays until it is confirmed, and takes the stored place after three seconds', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { figure, place, update } = openField();
    fireEvent.pointerDown(figure(1), pointer(100, 200));
    fireEvent.pointerMove(figure(1), pointer(300, 200));
    fireEvent.pointerUp(figure(1), pointer(300, 200));
    frame();
    update({ figures: [aFigure(1, { color: '#2B549D' }), aFigure(2)] });
    expect(place(1)).toContain('translate(300 200)');
    passTime(3100);
    vi.advanceTimersByTime(3100);
    frame();
    frame();
    expect(place(1)).toContain('translate(100 200)');
  } finally {
    vi.useRealTimers();
  }
});

test('a figure that another person drags glides to each new position, shows its holder, and one’s own drag ignores others’ positions', () => {
  const { handle, figure, place } = openField();
  act(() => handle.moveLive(2, { x: 400, y: 300 }, 'Hanna'));
  frame(60);
  const half = place(2);
  expect(half).not.toContain('translate(200 200)');
  expect(half).not.toContain('translate(400 300)');
  frame(80);
  expect(place(2)).toContain('translate(400 300)');
  expect(screen.getByText('Hanna')).toBeTruthy();
  act(() => handle.releaseLive(2));
  frame();
  expect(screen.queryByText('Hanna')).toBeNull();
  expect(place(2)).toContain('translate(400 300)');

  fireEvent.pointerDown(figure(1), pointer(100, 200));
  fireEvent.pointerMove(figure(1), pointer(150, 200));
  act(() => handle.moveLive(1, { x: 900, y: 900 }, 'Hanna'));
  frame();
  expect(place(1)).toContain('translate(150 200)');
});

test('with reduced motion nothing glides', () => {
  const { handle, place } = openField({ reducedMotion: true });
  act(() => handle.moveLive(2, { x: 400, y: 300 }, 'Hanna'));
  frame(1);
  expect(place(2)).toContain('translate(400 300)');
});

test('an update from the store writes only the positions of changed figures', () => {
  const { update } = openField({ figures: [aFigure(1), aFigure(2), aFigure(3)] });
  const write = vi.spyOn(SVGElement.prototype, 'setAttribute');
  const placed = () =>
    write.mock.contexts
      .flatMap((element, index) =>
        write.mock.calls[index]?.[0] === 'transform'
          ? [(element as Element).closest('[data-figure]')?.getAttribute('data-figure')]
          : [],
      )
      .filter(Boolean);
  update({ figures: [aFigure(1), aFigure(2, { color: '#2B549D' }), aFigure(3)] });
  expect(placed()).toEqual([]);
  update({ figures: [aFigure(1), aFigure(2, { x: 700 }), aFigure(3)] });
  expect(new Set(placed())).toEqual(new Set(['2']));
});
