import { HOLD_MS } from '@fieldroom/contract/field';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { createRef } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { toneOf } from '../../../ui/figures/index.ts';
import { textWidth } from '../names/nameText.ts';
import { FieldView } from './index.ts';
import type { FieldViewHandle, FieldViewProps, FigureOnField } from './index.ts';

const frames: FrameRequestCallback[] = [];
let clock = 0;
/** Lets the given time pass and paints one frame. */
function frame(ms = 200) {
  clock += ms;
  for (const callback of frames.splice(0)) callback(clock);
}

beforeEach(() => {
  clock = 1000;
  frames.length = 0;
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
  vi.stubGlobal('cancelAnimationFrame', () => frames.splice(0));
  vi.spyOn(performance, 'now').mockImplementation(() => clock);
  // One px is one unit: the box is as large as the field.
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1600);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(1000);
  HTMLElement.prototype.setPointerCapture = () => {};
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const aFigure = (id: number, more: Partial<FigureOnField> = {}): FigureOnField => ({
  id,
  name: `N${id}`,
  iconType: 'STAR',
  color: '#4C7E58',
  showText: true,
  x: 100 * id,
  y: 200,
  rotation: 0,
  scale: 1,
  order: id,
  movable: true,
  label: `Figure ${id}`,
  caption: `Name ${id}`,
  ...more,
});

function open(more: Partial<FieldViewProps> = {}) {
  const handle = createRef<FieldViewHandle>();
  const props: FieldViewProps = {
    ref: handle,
    figures: [aFigure(1), aFigure(2)],
    selectedId: null,
    onSelect: vi.fn(),
    showBeams: true,
    showNames: true,
    scheme: 'light',
    reducedMotion: false,
    texts: {
      field: 'Field',
      keyboardHelp: 'Arrows move',
      outside: 'Outside',
      show: (names) => `Show ${names.join(', ')}`,
    },
    onGrab: vi.fn(),
    onDragMove: vi.fn(),
    onDrop: vi.fn(),
    onTurnDrop: vi.fn(),
    onKeyAct: vi.fn(),
    onPointingChange: vi.fn(),
    onPointerMove: vi.fn(),
    onBackgroundTap: vi.fn(),
    ...more,
  };
  const view = render(<FieldView {...props} />);
  frame();
  const figure = (id: number) => screen.getByRole('button', { name: `Figure ${id}` });
  const place = (id: number) => figure(id).getAttribute('transform');
  const update = (next: Partial<FieldViewProps>) => {
    view.rerender(<FieldView {...props} {...next} />);
    frame();
    frame();
  };
  return { props, handle: handle.current as FieldViewHandle, figure, place, update, ...view };
}

const pointer = (x: number, y: number) => ({ pointerId: 1, pointerType: 'mouse', button: 0, clientX: x, clientY: y });

test('a drag moves the figure by its grip, tells of it and drops it inside of the field', () => {
  const { props, figure, place } = open();
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
])('11.64 a drag of a figure leaves the view as it is when %s; the ground still pans', (_, more) => {
  const onCameraChange = vi.fn();
  const { figure, container } = open({ ...more, onCameraChange });
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

/** A box of this size, and whether each figure's middle and radius are in it as drawn. */
function onAScreen(width: number, height: number) {
  let resized = () => {};
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(callback: () => void) {
        resized = callback;
      }
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  const sides = { width, height };
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockImplementation(() => sides.width);
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockImplementation(() => sides.height);
  return {
    resize(next: typeof sides) {
      Object.assign(sides, next);
      resized();
      for (let count = 0; count < 3; count++) frame();
    },
    outside() {
      for (let count = 0; count < 3; count++) frame();
      return screen.getAllByRole('button').flatMap((element) => {
        const [k = 0, , , , tx = 0, ty = 0] =
          /matrix\((.*)\)/
            .exec(element.parentElement?.getAttribute('transform') ?? '')?.[1]
            ?.split(' ')
            .map(Number) ?? [];
        const [x = 0, y = 0] =
          /translate\(([^)]*)\)/
            .exec(element.getAttribute('transform') ?? '')?.[1]
            ?.split(' ')
            .map(Number) ?? [];
        const seen = [
          k * (x - 60) + tx >= 0,
          k * (x + 60) + tx <= sides.width,
          k * (y - 60) + ty >= 0,
          k * (y + 60) + ty <= sides.height,
        ];
        return seen.every(Boolean) ? [] : [element.getAttribute('aria-label')];
      });
    },
  };
}
const apart = () => [
  aFigure(1, { x: 100, y: 100 }),
  aFigure(2, { x: 1500, y: 120 }),
  aFigure(3, { x: 900, y: 880, own: true }),
];

test('the first view on a phone shows every figure, and follows when faces take a part of it', () => {
  const box = onAScreen(374, 506);
  open({ figures: apart() });
  expect(box.outside()).toEqual([]);
  box.resize({ width: 374, height: 250 });
  expect(box.outside()).toEqual([]);
});

test('what others move out of the view brings it along, unless the person zoomed', () => {
  const box = onAScreen(374, 506);
  const { handle, update } = open({ figures: [aFigure(1, { x: 700, y: 400 }), aFigure(2, { x: 900, y: 600 })] });
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

test('5.24: no view moves under a hand while others move figures out of it; it follows when the hand opens', () => {
  const box = onAScreen(374, 506);
  const { handle, figure, place } = open({ figures: [aFigure(1, { x: 700, y: 400 }), aFigure(2, { x: 900, y: 600 })] });
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

  // A finger that rests on the ground, too, and moves nothing.
  const ground = screen.getByRole('group', { name: 'Field' });
  const finger = { ...pointer(5, 5), pointerType: 'touch' };
  fireEvent.pointerDown(ground, finger);
  leaves(1540, 900);
  expect(box.outside()).toEqual(['Figure 2']);
  fireEvent.pointerUp(ground, finger);
  expect(box.outside()).toEqual([]);
});

test('5.24: the edges at which a hand stops are drawn, and move with the figures', () => {
  onAScreen(374, 506);
  const { container, figure, handle } = open();
  const edges = container.querySelector('[data-edges][width="1600"][height="1000"]');
  const cameraOf = (element: Element | null) => element?.closest('g[transform^="matrix"]')?.getAttribute('transform');
  const before = cameraOf(edges);
  expect(before).toBeTruthy();
  act(() => handle.zoomIn());
  for (let count = 0; count < 3; count += 1) frame();
  expect(cameraOf(edges)).toBe(cameraOf(figure(1)));
  expect(cameraOf(edges)).not.toBe(before);
});

test('positions go out at most 30 times a second', () => {
  const { props, figure } = open();
  fireEvent.pointerDown(figure(1), pointer(100, 200));
  for (let i = 0; i < 100; i++) {
    fireEvent.pointerMove(figure(1), pointer(110 + i, 200));
    frame(5);
  }
  // 500 ms: the timer's own flushes do not run here, only those that are due when a move comes.
  expect(vi.mocked(props.onDragMove!).mock.calls.length).toBeLessThanOrEqual(15);
});

test('a dropped figure stays until it is confirmed, and believes the stored place after three seconds', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { figure, place, update } = open();
    fireEvent.pointerDown(figure(1), pointer(100, 200));
    fireEvent.pointerMove(figure(1), pointer(300, 200));
    fireEvent.pointerUp(figure(1), pointer(300, 200));
    frame();
    update({ figures: [aFigure(1, { color: '#2B549D' }), aFigure(2)] });
    expect(place(1)).toContain('translate(300 200)');
    clock += 3100;
    vi.advanceTimersByTime(3100);
    frame();
    frame();
    expect(place(1)).toContain('translate(100 200)');
  } finally {
    vi.useRealTimers();
  }
});

test('hands that are stopped in mid-drag drop the figure where it stands, once', () => {
  const { props, figure, update } = open();
  fireEvent.pointerDown(figure(1), pointer(100, 200));
  fireEvent.pointerMove(figure(1), pointer(300, 250));
  update({ figures: [aFigure(1, { movable: false }), aFigure(2)] });
  fireEvent.pointerMove(figure(1), pointer(700, 250));
  fireEvent.pointerUp(figure(1), pointer(700, 250));
  expect(vi.mocked(props.onDrop!).mock.calls).toEqual([
    [1, { x: 300, y: 250, rotation: 0, scale: 1 }, { interrupted: true }],
  ]);
});

test('a figure removed in mid-drag ends the hold without a drop', () => {
  const { props, figure, update } = open();
  fireEvent.pointerDown(figure(1), pointer(100, 200));
  fireEvent.pointerMove(figure(1), pointer(300, 250));
  update({ figures: [aFigure(2)] });
  expect(props.onDrop).not.toHaveBeenCalled();
});

test('Escape brings the figure back to where it was taken', () => {
  const { props, figure } = open();
  fireEvent.pointerDown(figure(1), pointer(100, 200));
  fireEvent.pointerMove(figure(1), pointer(300, 250));
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(props.onDrop).toHaveBeenCalledWith(1, { x: 100, y: 200, rotation: 0, scale: 1 }, { interrupted: false });
});

test('another hand’s figure glides to what arrives, shows its holder, and ignores what comes for one’s own hand', () => {
  const { handle, figure, place } = open();
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
  const { handle, place } = open({ reducedMotion: true });
  act(() => handle.moveLive(2, { x: 400, y: 300 }, 'Hanna'));
  frame(1);
  expect(place(2)).toContain('translate(400 300)');
});

test('keys step, turn and size, within the field', () => {
  const { props, figure, place } = open({ figures: [aFigure(1, { x: 65 })] });
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
  // As far as its name reaches, which is wider than the figure now.
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

test('what may not be moved takes no step and no drag', () => {
  const { props, figure } = open({ readOnly: true });
  fireEvent.keyDown(figure(1), { key: 'ArrowRight' });
  fireEvent.keyDown(figure(1), { key: 'Delete' });
  fireEvent.pointerDown(figure(1), pointer(100, 200));
  fireEvent.pointerMove(figure(1), pointer(300, 200));
  fireEvent.pointerUp(figure(1), pointer(300, 200));
  expect(props.onKeyAct).not.toHaveBeenCalled();
  expect(props.onGrab).not.toHaveBeenCalled();
});

test('11.65 a small figure has a smaller turning handle, also one that becomes small', () => {
  const { update } = open({ figures: [aFigure(1)], selectedId: 1 });
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

test('figures are read out and walked in their order', () => {
  open({ figures: [aFigure(1, { order: 9 }), aFigure(2, { order: 3 }), aFigure(3, { order: 5 })], selectedId: 3 });
  const buttons = screen.getAllByRole('button');
  expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual(['Figure 2', 'Figure 3', 'Figure 1']);
  expect(buttons.map((button) => button.getAttribute('aria-pressed'))).toEqual(['false', 'true', 'false']);
  expect(buttons.every((button) => button.getAttribute('tabindex') === '0')).toBe(true);
});

test('a figure taken into the hand keeps the focus, though its element is a new one', () => {
  const { figure } = open();
  figure(1).focus();
  fireEvent.pointerDown(figure(1), pointer(100, 200));
  fireEvent.pointerMove(figure(1), pointer(150, 200));
  expect(document.activeElement).toBe(figure(1));
  fireEvent.pointerUp(figure(1), pointer(150, 200));
  expect(document.activeElement).toBe(figure(1));
});

test('a figure that a mouse presses has the focus once the hand is done with it, and not before', () => {
  const { figure } = open();
  const input = document.body.appendChild(document.createElement('input'));
  const press = (id: number) => {
    input.focus();
    fireEvent.pointerDown(figure(id), pointer(100, 200));
    return fireEvent.mouseDown(figure(id));
  };
  // The browser gives it no focus, and what was typed elsewhere is done.
  expect(press(1)).toBe(false);
  expect(document.activeElement).toBe(document.body);
  fireEvent.pointerMove(figure(1), pointer(150, 200));
  frame();
  expect(document.activeElement).toBe(document.body);
  fireEvent.pointerUp(figure(1), pointer(150, 200));
  for (let count = 0; count < 3; count += 1) frame();
  expect(document.activeElement).toBe(figure(1));
  // A tap gives it at once.
  expect(press(2)).toBe(false);
  fireEvent.pointerUp(figure(2), pointer(100, 200));
  expect(document.activeElement).toBe(figure(2));
  // Who has gone on elsewhere meanwhile is left there.
  press(1);
  fireEvent.pointerMove(figure(1), pointer(150, 200));
  fireEvent.pointerUp(figure(1), pointer(150, 200));
  input.focus();
  for (let count = 0; count < 3; count += 1) frame();
  expect(document.activeElement).toBe(input);
  input.remove();
});

test('a finger, and a mouse on what may not be moved, give the focus as everywhere', () => {
  const { figure } = open({ figures: [aFigure(1), aFigure(2, { movable: false })] });
  fireEvent.pointerDown(figure(1), { ...pointer(100, 200), pointerType: 'touch' });
  expect(fireEvent.mouseDown(figure(1))).toBe(true);
  fireEvent.pointerUp(figure(1), { ...pointer(100, 200), pointerType: 'touch' });
  fireEvent.pointerDown(figure(2), pointer(200, 200));
  expect(fireEvent.mouseDown(figure(2))).toBe(true);
});

test('what comes from the store writes the places of changed figures only', () => {
  const { update } = open({ figures: [aFigure(1), aFigure(2), aFigure(3)] });
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

test('a closed hand lies over the field with its cursor and is gone when it opens', () => {
  const { figure, container } = open();
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

test('M toggles the pointer over the field only, never in a text', () => {
  const { props, container } = open();
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

test('a pointer that rests says so before others take it as gone, and stops when it leaves', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const { props, container, update } = open({ pointing: true });
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

test('pointing sends field units and takes the pointer away in the end', () => {
  const { props, container, update } = open({ pointing: true });
  const field = container.querySelector('[data-scheme]') as HTMLElement;
  fireEvent.pointerMove(field, pointer(321, 123));
  expect(props.onPointerMove).toHaveBeenLastCalledWith({ x: 321, y: 123 });
  update({ pointing: false });
  expect(props.onPointerMove).toHaveBeenLastCalledWith(null);
});

test('names show what the caller says and disappear as told; a hostile name is only text', () => {
  const evil = '"><script>x</script>';
  const { update, container } = open({ figures: [aFigure(1, { caption: evil }), aFigure(2, { showText: false })] });
  expect(container.querySelectorAll('[data-part=name]')).toHaveLength(1);
  expect(container.querySelector('script')).toBeNull();
  update({ showNames: false });
  expect(container.querySelectorAll('[data-part=name]')).toHaveLength(0);
});

/** Lets the code for names and marks come, and everything be drawn. */
async function arranged() {
  await act(async () => {
    await import('./laterParts.ts');
  });
  for (let count = 0; count < 4; count += 1) act(() => frame());
}
const marks = () => screen.queryAllByRole('button', { name: /^Show / });
/** Left and right end of each written name, px, by the drawing's own measure of letters. */
const namesDrawn = () =>
  [...document.querySelectorAll('[data-part=name]')].map((element) => {
    const text = element.querySelector('text');
    const lines = [...(text?.children ?? [])].map((line) => line.textContent);
    const width = Math.max(...lines.map(textWidth)) * 16;
    const anchor = text?.getAttribute('text-anchor');
    const x = Number(/translate\((\S+) /.exec(element.getAttribute('transform') ?? '')?.[1]);
    const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
    return { text: lines.join(' '), left, right: left + width };
  });

test('5.24: what a zoom leaves out of view has a mark that leads there, by pointer and by key; Fit needs none', async () => {
  const box = onAScreen(800, 500);
  const { handle, figure, props } = open({ figures: apart() });
  await arranged();
  expect(marks()).toEqual([]);
  for (let count = 0; count < 8; count += 1) act(() => handle.zoomIn());
  await arranged();
  expect(marks().map((mark) => mark.getAttribute('aria-label'))).toEqual(['Show Name 1', 'Show Name 2', 'Show Name 3']);
  // Marks come after all figures for the keyboard.
  const buttons = screen.getAllByRole('button');
  expect(buttons.slice(-3)).toEqual(marks());

  fireEvent.click(screen.getByRole('button', { name: 'Show Name 2' }));
  await arranged();
  expect(document.activeElement).toBe(figure(2));
  expect(box.outside()).not.toContain('Figure 2');
  expect(marks().map((mark) => mark.getAttribute('aria-label'))).not.toContain('Show Name 2');

  const toThree = screen.getByRole('button', { name: 'Show Name 3' });
  fireEvent.pointerDown(toThree, pointer(700, 450));
  fireEvent.pointerUp(toThree, pointer(700, 450));
  await arranged();
  expect(box.outside()).not.toContain('Figure 3');
  expect(props.onBackgroundTap).not.toHaveBeenCalled();

  act(() => handle.fit());
  await arranged();
  expect(marks()).toEqual([]);
  expect(box.outside()).toEqual([]);
});

test('5.24: a mark has the colour of its figure in light and dark; several near one spot have a number', async () => {
  onAScreen(800, 500);
  const figures = [
    aFigure(1, { x: 700, y: 500 }),
    aFigure(2, { x: 1500, y: 120, color: '#A83A4B' }),
    aFigure(3, { x: 150, y: 860, color: '#3A6EA8' }),
    aFigure(4, { x: 110, y: 880, color: '#3A6EA8' }),
  ];
  const { handle, container, update } = open({ figures });
  for (let count = 0; count < 8; count += 1) act(() => handle.zoomIn());
  await arranged();
  const drawn = () =>
    [...container.querySelectorAll('[data-outside]')].map((mark) => [
      mark.querySelector('path:last-of-type')?.getAttribute('fill'),
      mark.textContent,
    ]);
  const fill = (color: string, scheme: 'light' | 'dark') => toneOf(color, scheme).fill;
  for (const scheme of ['light', 'dark'] as const) {
    update({ figures, scheme });
    await arranged();
    expect(drawn()).toEqual(
      expect.arrayContaining([
        [fill('#A83A4B', scheme), ''],
        [fill('#3A6EA8', scheme), '2'],
      ]),
    );
  }
});

test('5.24: a drag that begins on a mark moves the view as anywhere else', async () => {
  onAScreen(800, 500);
  const { handle, container } = open({ figures: apart() });
  await arranged();
  for (let count = 0; count < 8; count += 1) act(() => handle.zoomIn());
  await arranged();
  const world = () => container.querySelector('svg g[transform]')?.getAttribute('transform');
  const before = world();
  const [mark] = marks();
  if (!mark) throw new Error('no mark');
  fireEvent.pointerDown(mark, pointer(100, 100));
  fireEvent.pointerMove(mark, pointer(60, 80));
  fireEvent.pointerUp(mark, pointer(60, 80));
  await arranged();
  expect(world()).not.toBe(before);
  expect(marks().length).toBeGreaterThan(0);
});

test('5.21: names keep clear of what lies over the field, and return when it has gone', async () => {
  onAScreen(800, 500);
  const { handle } = open({ figures: [aFigure(1, { x: 400, y: 500, caption: 'Mother' })] });
  await arranged();
  const name = () => document.querySelector('[data-part=name]')?.getAttribute('transform');
  const [, left = 0, top = 0] = /translate\((\S+) (\S+)\)/.exec(name() ?? '')?.map(Number) ?? [];
  const before = name();
  const over = document.createElement('div');
  over.getBoundingClientRect = () => new DOMRect(left - 20, top - 20, 40, 20);
  let gone = () => {};
  act(() => {
    gone = handle.keepClear(over);
  });
  await arranged();
  const y = Number(/ (\S+)\)/.exec(name() ?? '')?.[1]);
  expect(Math.abs(y - top)).toBeGreaterThan(20);
  act(gone);
  await arranged();
  expect(name()).toBe(before);
});

test('5.21: a name gives way to another figure’s handle, and to the name of who holds that, and returns', async () => {
  const figures = [aFigure(1, { x: 800, y: 600 }), aFigure(2, { x: 800, y: 430 })];
  const { handle, update } = open({ figures });
  await arranged();
  /** Where the second figure's name stands. */
  const side = () => {
    const name = [...document.querySelectorAll('[data-part=name]')].find(({ textContent }) => textContent === 'Name 2');
    const y = Number(/ (\S+)\)/.exec(name?.getAttribute('transform') ?? '')?.[1]);
    return y > 430 ? 'below' : y < 430 ? 'above' : '?';
  };
  expect(side()).toBe('below');
  act(() => handle.moveLive(1, { x: 800, y: 600 }, 'Hanna'));
  await arranged();
  expect(screen.getByText('Hanna')).toBeTruthy();
  expect(side()).toBe('above');
  act(() => handle.releaseLive(1));
  await arranged();
  expect(side()).toBe('below');
  update({ figures, selectedId: 1 });
  await arranged();
  expect(side()).toBe('above');
});

test('5.24: a view makes room for a question over the field, not for news, and takes it back, unless the person zoomed', () => {
  const box = onAScreen(374, 640);
  const place = { top: 340 };
  const { handle, figure } = open({ figures: apart() });
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

test('5.21: what stands over the field is measured again when what it stands in changes its size', () => {
  const watched = new Set<Element>();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe(element: Element) {
        watched.add(element);
      }
      unobserve(element: Element) {
        watched.delete(element);
      }
      disconnect() {}
    },
  );
  const { handle } = open();
  const place = document.createElement('div');
  const [one, other] = [document.createElement('p'), document.createElement('p')];
  place.append(one, other);
  const [oneGone, otherGone] = [handle.keepClear(one), handle.keepClear(other)];
  expect([one, other, place].map((element) => watched.has(element))).toEqual([true, true, true]);
  oneGone();
  expect([one, other, place].map((element) => watched.has(element))).toEqual([false, true, true]);
  otherGone();
  expect([one, other, place].some((element) => watched.has(element))).toBe(false);
});

test('5.24: “My figure” is the active one of several, and follows when another one is', () => {
  const box = onAScreen(374, 506);
  const figures = [
    aFigure(1, { x: 100, y: 100, own: true }),
    aFigure(2, { x: 1500, y: 900, own: true }),
    aFigure(3, { x: 800, y: 500 }),
  ];
  const { handle, figure, update } = open({ figures, ownId: 2 });
  act(() => handle.fitOwn());
  expect(box.outside()).toContain('Figure 1');
  expect(box.outside()).not.toContain('Figure 2');
  update({ figures, ownId: 1 });
  expect(box.outside()).not.toContain('Figure 1');
  // One that is no longer the person’s own does not count.
  update({ figures, ownId: 3 });
  expect(box.outside()).not.toContain('Figure 1');

  // Not under a finger, whose figure would leap.
  const finger = { ...pointer(100, 200), pointerType: 'touch' };
  fireEvent.pointerDown(figure(1), finger);
  update({ figures, ownId: 2 });
  expect(box.outside()).not.toContain('Figure 1');
  fireEvent.pointerUp(figure(1), finger);
  expect(box.outside()).not.toContain('Figure 2');
});

test('5.24: “My figure” shows all figures once the person has none any more', () => {
  const box = onAScreen(374, 506);
  const figures = [aFigure(1, { x: 100, y: 100 }), aFigure(2, { x: 1500, y: 900, own: true })];
  const onCameraChange = vi.fn();
  const { handle, update } = open({ figures, onCameraChange });
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

test('5.20: names lie above all bodies, also above one in a hand', async () => {
  const { figure, container } = open();
  fireEvent.pointerDown(figure(1), pointer(100, 200));
  fireEvent.pointerMove(figure(1), pointer(150, 200));
  await arranged();
  const names = [...container.querySelectorAll('[data-part=name]')];
  expect(names).toHaveLength(2);
  for (const name of names)
    for (const body of container.querySelectorAll('[data-figure]'))
      expect(body.compareDocumentPosition(name) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

test('5.21: names that would overlap move apart, and the one in the hand stays where it belongs', async () => {
  const { figure } = open({ figures: [aFigure(1, { x: 400 }), aFigure(2, { x: 1000 })] });
  await arranged();
  const at = (id: number) => document.querySelectorAll('[data-part=name]')[id - 1]?.getAttribute('transform') ?? '';
  const before = at(1);
  fireEvent.pointerDown(figure(2), pointer(1000, 200));
  fireEvent.pointerMove(figure(2), pointer(440, 300));
  await arranged();
  // The hand's name is in the last layer; the other one has left its place below.
  expect(at(2)).toContain('translate(440 ');
  expect(at(1)).not.toBe(before);
  fireEvent.pointerMove(figure(2), pointer(1000, 300));
  await arranged();
  expect(at(1)).toBe(before);
});

test('5.24: a longer name at the edge moves no figure and stays in view', async () => {
  const { update, place } = open({ figures: [aFigure(1, { x: 1540, y: 930 }), aFigure(2)] });
  await arranged();
  update({
    figures: [aFigure(1, { x: 1540, y: 930, caption: 'Großtante aus Klausenburg und ihre Schwester' }), aFigure(2)],
  });
  await arranged();
  expect(place(1)).toContain('translate(1540 930)');
  for (const { left, right } of namesDrawn()) {
    expect(left).toBeGreaterThanOrEqual(0);
    expect(right).toBeLessThanOrEqual(1600);
  }
});

test('5.24: a size given by key, wheel or fingers keeps figure and name inside of the field', () => {
  const atEdge = aFigure(1, { x: 70, y: 890 });
  const { props, figure, container, update } = open({ figures: [atEdge, aFigure(2)], onScaleDrop: vi.fn() });
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

// ---- relations and sight (docs/product.md#5.35 and #5.36)

const misses = { to: 2, kind: 'arrow' as const, color: '#953300', word: 'misses' };
const related = (more: Partial<FigureOnField> = {}) => [
  aFigure(1, { relations: [misses] }),
  aFigure(2, { x: 900, ...more }),
];
const lineOf = (key: string) => document.querySelector(`[data-relation="${key}"]`);
const wordOf = (key: string) => document.querySelector(`[data-word="${key}"]`);
const pathOf = (key: string) => lineOf(key)?.querySelector('[data-stroke]')?.getAttribute('d');

test('5.35 a line follows the figure in the hand before it is dropped; lines of others are not written', async () => {
  const figures = [
    ...related(),
    aFigure(3, { x: 300, y: 700, relations: [{ ...misses, to: 4 }] }),
    aFigure(4, { x: 900, y: 700 }),
  ];
  const { figure } = open({ figures });
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

test('5.35 words, kinds and colours are drawn, lines to nobody are not, and what changes is drawn anew', async () => {
  const { update } = open({ figures: related() });
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
  open({ figures: related(), showNames: false });
  await vi.waitFor(() => expect(lineOf('1 2')).toBeTruthy());
  expect(wordOf('1 2')).toBeNull();
});

/** The middle of a word as it is drawn. */
const middleOf = (key: string) =>
  wordOf(key)
    ?.getAttribute('transform')
    ?.match(/-?[\d.]+/g)
    ?.map(Number);

test('5.35 a word gives way to a name that a hand carries over it, at once, and comes back when it is gone', async () => {
  const { figure } = open({
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
  fireEvent.pointerUp(figure(3), pointer(500, 700));
  frame();
  expect(middleOf('1 2')).toEqual(before);
});

test('5.35 a word comes back when the figure that was in its way is removed', async () => {
  const inTheWay = aFigure(3, { x: 500, y: 200 });
  const { update } = open({ figures: [...related(), inTheWay] });
  await vi.waitFor(() => expect(wordOf('1 2')?.textContent).toBe('misses'));
  frame();
  expect(Math.abs(middleOf('1 2')![0]! - 493)).toBeGreaterThan(40);
  update({ figures: related() });
  frame();
  expect(Math.abs(middleOf('1 2')![0]! - 493)).toBeLessThan(6);
});

test('5.36 the wedge stands where its figure stands and turns with it', async () => {
  const wedge = () => document.querySelector('[data-part=sight]')?.getAttribute('transform');
  const { update, figure } = open({ sightId: 1 });
  await vi.waitFor(() => expect(wedge()).toBe('translate(100 200) rotate(0)'));
  fireEvent.pointerDown(figure(1), pointer(100, 200));
  fireEvent.pointerMove(figure(1), pointer(160, 260));
  frame();
  expect(wedge()).toBe('translate(160 260) rotate(0)');
  update({ sightId: null });
  expect(wedge()).toBeUndefined();
});
