/** Mouse, finger, pen and wheel on the field as it is drawn. */
import { HOLD_MS } from '@fieldroom/contract/field';
import { fireEvent } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { aFigure, fakeFrames, frame, openField, pointer } from '../FieldView.testing.tsx';

fakeFrames();

test('a drag moves the figure by its grip, reports it and drops it within the field', () => {
  const { props, figure, place } = openField();
  fireEvent.pointerDown(figure(1), pointer(110, 205));
  fireEvent.pointerMove(figure(1), pointer(160, 255));
  frame();
  expect(place(1)).toBe('translate(150 250) rotate(0) scale(1.2000)');
  expect(props.onGrab).toHaveBeenCalledWith(1);
  expect(props.onDragMove).toHaveBeenCalledWith(1, { x: 150, y: 250 });
  fireEvent.pointerMove(figure(1), pointer(-500, 2000));
  fireEvent.pointerUp(figure(1), pointer(-500, 2000));
  expect(props.onDrop).toHaveBeenCalledTimes(1);
  // With its name: the circle of 60 units, and the line below it.
  expect(props.onDrop).toHaveBeenCalledWith(1, { x: 60, y: 891.3, rotation: 0, scale: 1 }, { interrupted: false });
  expect(props.onSelect).not.toHaveBeenCalled();
});

test.each([
  ['one may not move it', { figures: [aFigure(1, { movable: false })] }],
  ['the whole field is read-only', { readOnly: true }],
])('11.64 dragging a figure does not move the view when %s; the background still pans', (_, more) => {
  const onCameraChange = vi.fn();
  const { figure, container } = openField({ ...more, onCameraChange });
  const views = () => onCameraChange.mock.calls.map(([{ view }]) => view);
  const drag = (on: Element) => {
    fireEvent.pointerDown(on, pointer(110, 205));
    fireEvent.pointerMove(on, pointer(160, 255));
    fireEvent.pointerUp(on, pointer(160, 255));
    frame();
  };
  drag(figure(1));
  expect(views()).toEqual(['figures']);
  drag(container.firstElementChild!);
  expect(views()).toEqual(['figures', 'free']);
});

test('positions are sent at most 30 times a second', () => {
  const { props, figure } = openField();
  fireEvent.pointerDown(figure(1), pointer(100, 200));
  for (let i = 0; i < 100; i++) {
    fireEvent.pointerMove(figure(1), pointer(110 + i, 200));
    frame(5);
  }
  // 500 ms: the timer's own flushes do not run here, only those that are due when a move arrives.
  expect(vi.mocked(props.onDragMove!).mock.calls.length).toBeLessThanOrEqual(15);
});

test('losing the permission during a drag drops the figure at its position, once', () => {
  const { props, figure, update } = openField();
  fireEvent.pointerDown(figure(1), pointer(100, 200));
  fireEvent.pointerMove(figure(1), pointer(300, 250));
  update({ figures: [aFigure(1, { movable: false }), aFigure(2)] });
  fireEvent.pointerMove(figure(1), pointer(700, 250));
  fireEvent.pointerUp(figure(1), pointer(700, 250));
  expect(vi.mocked(props.onDrop!).mock.calls).toEqual([
    [1, { x: 300, y: 250, rotation: 0, scale: 1 }, { interrupted: true }],
  ]);
});

test('removing a figure during a drag ends the hold without a drop', () => {
  const { props, figure, update } = openField();
  fireEvent.pointerDown(figure(1), pointer(100, 200));
  fireEvent.pointerMove(figure(1), pointer(300, 250));
  update({ figures: [aFigure(2)] });
  expect(props.onDrop).not.toHaveBeenCalled();
});

test('Escape returns the figure to where the drag began', () => {
  const { props, figure } = openField();
  fireEvent.pointerDown(figure(1), pointer(100, 200));
  fireEvent.pointerMove(figure(1), pointer(300, 250));
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(props.onDrop).toHaveBeenCalledWith(1, { x: 100, y: 200, rotation: 0, scale: 1 }, { interrupted: false });
});

test('a figure that may not be moved cannot be stepped or dragged', () => {
  const { props, figure } = openField({ readOnly: true });
  fireEvent.keyDown(figure(1), { key: 'ArrowRight' });
  fireEvent.keyDown(figure(1), { key: 'Delete' });
  fireEvent.pointerDown(figure(1), pointer(100, 200));
  fireEvent.pointerMove(figure(1), pointer(300, 200));
  fireEvent.pointerUp(figure(1), pointer(300, 200));
  expect(props.onKeyAct).not.toHaveBeenCalled();
  expect(props.onGrab).not.toHaveBeenCalled();
});

test('a figure gets the focus after a mouse has pressed and released it, and not before', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { figure } = openField();
  const input = document.body.appendChild(document.createElement('input'));
  const press = (id: number) => {
    input.focus();
    fireEvent.pointerDown(figure(id), pointer(100, 200));
    return fireEvent.mouseDown(figure(id));
  };
  // The browser gives it no focus, and the typing elsewhere has ended.
  expect(press(1)).toBe(false);
  expect(document.activeElement).toBe(document.body);
  fireEvent.pointerMove(figure(1), pointer(150, 200));
  frame();
  expect(document.activeElement).toBe(document.body);
  fireEvent.pointerUp(figure(1), pointer(150, 200));
  vi.advanceTimersByTime(200);
  expect(document.activeElement).toBe(figure(1));
  // A tap gives it at once.
  expect(press(2)).toBe(false);
  fireEvent.pointerUp(figure(2), pointer(100, 200));
  expect(document.activeElement).toBe(figure(2));
  // Not while the next figure is already dragged.
  press(1);
  fireEvent.pointerMove(figure(1), pointer(150, 200));
  fireEvent.pointerUp(figure(1), pointer(150, 200));
  (document.activeElement as HTMLElement).blur();
  fireEvent.pointerDown(figure(2), pointer(200, 200));
  fireEvent.pointerMove(figure(2), pointer(250, 200));
  vi.advanceTimersByTime(200);
  expect(document.activeElement).toBe(document.body);
  fireEvent.pointerUp(figure(2), pointer(250, 200));
  vi.advanceTimersByTime(200);
  expect(document.activeElement).toBe(figure(2));
  // A person who moved on elsewhere keeps the focus there.
  press(1);
  fireEvent.pointerMove(figure(1), pointer(150, 200));
  fireEvent.pointerUp(figure(1), pointer(150, 200));
  input.focus();
  vi.advanceTimersByTime(200);
  expect(document.activeElement).toBe(input);
  input.remove();
});

test('a finger, and a mouse on a figure that may not be moved, give the focus as usual', () => {
  const { figure } = openField({ figures: [aFigure(1), aFigure(2, { movable: false })] });
  fireEvent.pointerDown(figure(1), { ...pointer(100, 200), pointerType: 'touch' });
  expect(fireEvent.mouseDown(figure(1))).toBe(true);
  fireEvent.pointerUp(figure(1), { ...pointer(100, 200), pointerType: 'touch' });
  fireEvent.pointerDown(figure(2), pointer(200, 200));
  expect(fireEvent.mouseDown(figure(2))).toBe(true);
});

test('during a drag an element with the cursor covers the field, and is removed after it', () => {
  const { figure, container } = openField();
  const closed = () => [
    container.querySelector('[data-grasp]') !== null,
    container.querySelector('[data-scheme]')?.hasAttribute('data-grasping'),
  ];
  fireEvent.pointerDown(figure(1), pointer(100, 200));
  expect(closed()).toEqual([false, false]);
  fireEvent.pointerMove(figure(1), pointer(150, 200));
  expect(closed()).toEqual([true, true]);
  fireEvent.pointerUp(figure(1), pointer(150, 200));
  expect(closed()).toEqual([false, false]);
});

test('a resting pointer is sent again before others would remove it, until pointing ends', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { props, container, update } = openField({ pointing: true });
    fireEvent.pointerMove(container.querySelector('[data-scheme]') as HTMLElement, pointer(10, 20));
    vi.advanceTimersByTime(HOLD_MS);
    const told = vi.mocked(props.onPointerMove!).mock.calls;
    expect(told.length).toBeGreaterThan(2);
    expect(new Set(told.map(([at]) => JSON.stringify(at)))).toEqual(new Set(['{"x":10,"y":20}']));
    update({ pointing: false });
    const count = told.length;
    vi.advanceTimersByTime(HOLD_MS);
    expect(told.slice(count - 1)).toEqual([[null]]);
  } finally {
    vi.useRealTimers();
  }
});

test('pointing sends field units and finally removes the pointer', () => {
  const { props, container, update } = openField({ pointing: true });
  const field = container.querySelector('[data-scheme]') as HTMLElement;
  fireEvent.pointerMove(field, pointer(321, 123));
  expect(props.onPointerMove).toHaveBeenLastCalledWith({ x: 321, y: 123 });
  update({ pointing: false });
  expect(props.onPointerMove).toHaveBeenLastCalledWith(null);
});

test('5.24: resizing by key, wheel or fingers keeps figure and name within the field', () => {
  const atEdge = aFigure(1, { x: 70, y: 890 });
  const { props, figure, container, update } = openField({ figures: [atEdge, aFigure(2)], onScaleDrop: vi.fn() });
  fireEvent.keyDown(figure(1), { key: '+' });
  const [, , byKey] = vi.mocked(props.onKeyAct!).mock.calls.at(-1) ?? [];
  expect(byKey).toMatchObject({ scale: 1.1, x: 70 });
  expect(byKey?.y).toBeLessThan(890);
  for (let count = 0; count < 9; count += 1) fireEvent.keyDown(figure(1), { key: '+' });
  expect(vi.mocked(props.onKeyAct!).mock.calls.at(-1)?.[2]).toMatchObject({ scale: 2, x: 120 });

  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    update({ figures: [aFigure(1, { x: 70, y: 890 }), aFigure(2)], selectedId: 1 });
    // The wheel of happy-dom has no keys.
    const wheel = new Event('wheel', { bubbles: true, cancelable: true });
    fireEvent(
      container.querySelector('[data-scheme]') as HTMLElement,
      Object.assign(wheel, { deltaX: 0, deltaY: -400, deltaMode: 0, altKey: true }),
    );
    vi.advanceTimersByTime(300);
    const [, byWheel] = vi.mocked(props.onScaleDrop!).mock.calls.at(-1) ?? [];
    expect(byWheel?.scale).toBeGreaterThan(1.5);
    expect(byWheel?.x).toBeGreaterThanOrEqual(60 * (byWheel?.scale ?? 0) - 0.1);
  } finally {
    vi.useRealTimers();
  }

  const finger = (id: number, x: number, y: number) => ({
    pointerId: id,
    pointerType: 'touch',
    button: 0,
    clientX: x,
    clientY: y,
  });
  update({ figures: [aFigure(1, { x: 700, y: 90 }), aFigure(2)], selectedId: 1 });
  fireEvent.pointerDown(figure(1), finger(1, 690, 90));
  fireEvent.pointerDown(figure(1), finger(2, 710, 90));
  fireEvent.pointerMove(figure(1), finger(2, 740, 90));
  fireEvent.pointerUp(figure(1), finger(2, 740, 90));
  const [, byFingers] = vi.mocked(props.onScaleDrop!).mock.calls.at(-1) ?? [];
  expect(byFingers?.scale).toBeGreaterThan(2);
  expect(byFingers?.y).toBeGreaterThanOrEqual(60 * (byFingers?.scale ?? 0) - 0.1);
});
