/** The field in a test: it is drawn, time advances manually, and each frame is painted on demand. */
import { act, cleanup, render, screen } from '@testing-library/react';
import { createRef } from 'react';
import { afterEach, beforeEach, vi } from 'vitest';
import { FieldView } from './FieldView.tsx';
import type { FieldViewHandle, FieldViewProps, FigureOnField } from './fieldViewTypes.ts';

const frames: FrameRequestCallback[] = [];
let clock = 0;

/** Lets the given time (ms) pass without a frame. */
export function passTime(ms: number) {
  clock += ms;
}

/** Lets the given time (ms) pass and paints one frame. */
export function frame(ms = 200) {
  passTime(ms);
  for (const callback of frames.splice(0)) callback(clock);
}

/** The number of requested frames that are not painted yet. */
export const framesDue = () => frames.length;

/**
 * For the top of a test file: `frame` paints frames, and one px is one unit, because the box is as large as the field.
 */
export function fakeFrames() {
  beforeEach(() => {
    clock = 1000;
    frames.length = 0;
    vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => frames.push(callback));
    vi.stubGlobal('cancelAnimationFrame', () => frames.splice(0));
    vi.spyOn(performance, 'now').mockImplementation(() => clock);
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1600);
    vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(1000);
    HTMLElement.prototype.setPointerCapture = () => {};
  });
  afterEach(() => {
    cleanup();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
}

/** Makes a movable star on the field. Takes its id, and values to put in place of the usual ones. */
export const aFigure = (id: number, more: Partial<FigureOnField> = {}): FigureOnField => ({
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

/** Draws a field of two figures, with values in place of the usual ones. Returns it and helpers for the test. */
export function openField(more: Partial<FieldViewProps> = {}) {
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

/** A mouse with its first button at a point, px. */
export const pointer = (x: number, y: number) => ({
  pointerId: 1,
  pointerType: 'mouse',
  button: 0,
  clientX: x,
  clientY: y,
});

/** A box of this size, and whether each figure's middle and radius are drawn within it. */
export function onAScreen(width: number, height: number) {
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

/** Three figures far apart; the last one is this person's. */
export const apart = () => [
  aFigure(1, { x: 100, y: 100 }),
  aFigure(2, { x: 1500, y: 120 }),
  aFigure(3, { x: 900, y: 880, own: true }),
];

/** Lets the code for names and marks load, and everything be drawn. */
export async function arranged() {
  await act(async () => {
    await import('./laterParts.ts');
  });
  for (let count = 0; count < 4; count += 1) act(() => frame());
}
