/** Which part of the field is visible, on screens of several sizes and while figures move (docs/product.md#5.24). */
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { aFigure, apart, fakeFrames, frame, onAScreen, openField, pointer } from '../FieldView.testing.tsx';

fakeFrames();

test('the first view on a phone shows every figure, and follows when videos cover a part of it', () => {
  const box = onAScreen(374, 506);
  openField({ figures: apart() });
  expect(box.outside()).toEqual([]);
  box.resize({ width: 374, height: 250 });
  expect(box.outside()).toEqual([]);
});

test('the view follows figures that others move out of it, unless the person zoomed', () => {
  const box = onAScreen(374, 506);
  const { handle, update } = openField({ figures: [aFigure(1, { x: 700, y: 400 }), aFigure(2, { x: 900, y: 600 })] });
  act(() => handle.moveLive(2, { x: 60, y: 60 }, 'Hanna'));
  expect(box.outside()).toEqual([]);
  act(() => handle.releaseOthers());
  update({ figures: [aFigure(1, { x: 700, y: 400 }), aFigure(2, { x: 1540, y: 900 })] });
  expect(box.outside()).toEqual([]);

  act(() => handle.zoomIn());
  act(() => handle.zoomIn());
  expect(box.outside()).not.toEqual([]);
  update({ figures: apart() });
  expect(box.outside()).not.toEqual([]);
  act(() => handle.fit());
  expect(box.outside()).toEqual([]);
});

test('5.24: the view does not move during a drag while others move figures out of it; it follows after the drop', () => {
  const box = onAScreen(374, 506);
  const { handle, figure, place } = openField({
    figures: [aFigure(1, { x: 700, y: 400 }), aFigure(2, { x: 900, y: 600 })],
  });
  const leaves = (x: number, y: number) => {
    act(() => handle.moveLive(2, { x, y }, 'Hanna'));
    for (let count = 0; count < 3; count += 1) frame();
  };
  fireEvent.pointerDown(figure(1), pointer(100, 200));
  fireEvent.pointerMove(figure(1), pointer(120, 200));
  frame();
  const before = place(1);
  leaves(60, 60);
  fireEvent.pointerMove(figure(1), pointer(120, 200));
  frame();
  expect(place(1)).toBe(before);
  fireEvent.pointerUp(figure(1), pointer(120, 200));
  expect(box.outside()).toEqual([]);

  // A finger that rests on the background, too, and moves nothing.
  const ground = screen.getByRole('group', { name: 'Field' });
  const finger = { ...pointer(5, 5), pointerType: 'touch' };
  fireEvent.pointerDown(ground, finger);
  leaves(1540, 900);
  expect(box.outside()).toEqual(['Figure 2']);
  fireEvent.pointerUp(ground, finger);
  expect(box.outside()).toEqual([]);
});

test('5.24: the edges that limit a drag are drawn, and move with the figures', () => {
  onAScreen(374, 506);
  const { container, figure, handle } = openField();
  const edges = container.querySelector('[data-edges][width="1600"][height="1000"]');
  const cameraOf = (element: Element | null) => element?.closest('g[transform^="matrix"]')?.getAttribute('transform');
  const before = cameraOf(edges);
  expect(before).toBeTruthy();
  act(() => handle.zoomIn());
  for (let count = 0; count < 3; count += 1) frame();
  expect(cameraOf(edges)).toBe(cameraOf(figure(1)));
  expect(cameraOf(edges)).not.toBe(before);
});

test('5.24: the view makes room for a question over the field, not for notices, and returns, unless the person zoomed', () => {
  const box = onAScreen(374, 640);
  const place = { top: 340 };
  const { handle, figure } = openField({ figures: apart() });
  screen.getByRole('group', { name: 'Field' }).getBoundingClientRect = () => new DOMRect(0, 0, 374, 640);
  const over = document.createElement('div');
  over.getBoundingClientRect = () => new DOMRect(8, place.top, 358, 576 - place.top);
  const lowest = () => {
    box.outside();
    const [k = 0, , , , , ty = 0] =
      /matrix\((.*)\)/
        .exec(figure(3).parentElement?.getAttribute('transform') ?? '')?.[1]
        ?.split(' ')
        .map(Number) ?? [];
    return k * (880 + 60) + ty;
  };
  const before = lowest();
  let gone = handle.keepClear(over);
  expect(lowest()).toBe(before);
  gone();
  act(() => {
    gone = handle.fitBeside(over);
  });
  expect(lowest()).toBeLessThan(340);
  expect(box.outside()).toEqual([]);
  // It grew, or its place moved, without a change of the field.
  place.top = 300;
  box.resize({ width: 374, height: 640 });
  expect(lowest()).toBeLessThan(300);
  act(gone);
  expect(lowest()).toBe(before);
  act(() => handle.zoomIn());
  const zoomed = lowest();
  act(() => void handle.fitBeside(over));
  expect(lowest()).toBe(zoomed);
});

test('5.24: “My figure” is the active one of several, and follows a change of it', () => {
  const box = onAScreen(374, 506);
  const figures = [
    aFigure(1, { x: 100, y: 100, own: true }),
    aFigure(2, { x: 1500, y: 900, own: true }),
    aFigure(3, { x: 800, y: 500 }),
  ];
  const { handle, figure, update } = openField({ figures, ownId: 2 });
  act(() => handle.fitOwn());
  expect(box.outside()).toContain('Figure 1');
  expect(box.outside()).not.toContain('Figure 2');
  update({ figures, ownId: 1 });
  expect(box.outside()).not.toContain('Figure 1');
  // A figure that is no longer the person’s own does not count.
  update({ figures, ownId: 3 });
  expect(box.outside()).not.toContain('Figure 1');

  // Not under a finger, whose figure would jump.
  const finger = { ...pointer(100, 200), pointerType: 'touch' };
  fireEvent.pointerDown(figure(1), finger);
  update({ figures, ownId: 2 });
  expect(box.outside()).not.toContain('Figure 1');
  fireEvent.pointerUp(figure(1), finger);
  expect(box.outside()).not.toContain('Figure 2');
});

test('5.24: “My figure” shows all figures once the person has none', () => {
  const box = onAScreen(374, 506);
  const figures = [aFigure(1, { x: 100, y: 100 }), aFigure(2, { x: 1500, y: 900, own: true })];
  const onCameraChange = vi.fn();
  const { handle, update } = openField({ figures, onCameraChange });
  const view = () => onCameraChange.mock.lastCall?.[0].view;
  act(() => handle.fitOwn());
  expect(box.outside()).toEqual(['Figure 1']);
  expect(view()).toBe('own');
  update({ figures: apart().map((figure) => ({ ...figure, own: false })), onCameraChange });
  expect(box.outside()).toEqual([]);
  expect(view()).toBe('figures');
  act(() => handle.fitOwn());
  expect(box.outside()).toEqual([]);
});
