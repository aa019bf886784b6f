/** Names and marks on the field as it is drawn (docs/product.md#5.20 to #5.24). */
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { toneOf } from '../../../ui/figures/index.ts';
import { textWidth } from './nameText.ts';
import { aFigure, apart, arranged, fakeFrames, onAScreen, openField, pointer } from '../drawing/FieldView.testing.tsx';

fakeFrames();

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

test('names show the text that they are given and can be hidden; a hostile name is only text', () => {
  const evil = '"><script>x</script>';
  const { update, container } = openField({
    figures: [aFigure(1, { caption: evil }), aFigure(2, { showText: false })],
  });
  expect(container.querySelectorAll('[data-part=name]')).toHaveLength(1);
  expect(container.querySelector('script')).toBeNull();
  update({ showNames: false });
  expect(container.querySelectorAll('[data-part=name]')).toHaveLength(0);
});

test('5.24: a figure that a zoom moves out of view has a mark that leads there, by pointer and by key; Fit needs none', async () => {
  const box = onAScreen(800, 500);
  const { handle, figure, props } = openField({ figures: apart() });
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
  const { handle, container, update } = openField({ figures });
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

test('5.24: a drag that begins on a mark pans the view as anywhere else', async () => {
  onAScreen(800, 500);
  const { handle, container } = openField({ figures: apart() });
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

test('5.21: names avoid elements over the field, and return when these disappear', async () => {
  onAScreen(800, 500);
  const { handle } = openField({ figures: [aFigure(1, { x: 400, y: 500, caption: 'Mother' })] });
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

test('5.21: a name avoids another figure’s handle and the name of its holder, and returns', async () => {
  const figures = [aFigure(1, { x: 800, y: 600 }), aFigure(2, { x: 800, y: 430 })];
  const { handle, update } = openField({ figures });
  await arranged();
  /** The place of the second figure's name. */
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

test('5.20: names are above all figures, including a dragged one', async () => {
  const { figure, container } = openField();
  fireEvent.pointerDown(figure(1), pointer(100, 200));
  fireEvent.pointerMove(figure(1), pointer(150, 200));
  await arranged();
  const names = [...container.querySelectorAll('[data-part=name]')];
  // Also in the new element of a dragged figure.
  expect(names.map(({ textContent }) => textContent)).toEqual(['Name 2', 'Name 1']);
  for (const name of names)
    for (const body of container.querySelectorAll('[data-figure]'))
      expect(body.compareDocumentPosition(name) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

test('5.21: names that would overlap move apart, and the dragged figure’s name stays at its place', async () => {
  const { figure } = openField({ figures: [aFigure(1, { x: 400 }), aFigure(2, { x: 1000 })] });
  await arranged();
  const at = (id: number) => document.querySelectorAll('[data-part=name]')[id - 1]?.getAttribute('transform') ?? '';
  const before = at(1);
  fireEvent.pointerDown(figure(2), pointer(1000, 200));
  fireEvent.pointerMove(figure(2), pointer(440, 300));
  await arranged();
  // The dragged figure's name is in the last layer; the other one has left its place below.
  expect(at(2)).toContain('translate(440 ');
  expect(at(1)).not.toBe(before);
  fireEvent.pointerMove(figure(2), pointer(1000, 300));
  await arranged();
  expect(at(1)).toBe(before);
});

test('5.24: a longer name at the edge moves no figure and stays in view', async () => {
  const { update, place } = openField({ figures: [aFigure(1, { x: 1540, y: 930 }), aFigure(2)] });
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

test('a name that moves keeps its elements: only its position, and changed text and anchor, are written', async () => {
  // There is no room above the first one.
  const above = aFigure(3, { x: 400, y: 170, showText: false });
  const figures = [aFigure(1, { x: 400, y: 300 }), aFigure(2, { x: 1000 }), above];
  const { figure } = openField({ figures, selectedId: 2 });
  await arranged();
  const [first] = document.querySelectorAll('[data-part=name]');
  const line = first?.querySelector('tspan');
  const ring = document.querySelector('[data-part=ring] circle');
  const before = first?.getAttribute('transform');
  fireEvent.pointerDown(figure(2), pointer(1000, 200));
  fireEvent.pointerMove(figure(2), pointer(900, 300));
  await arranged();
  const changes: MutationRecord[] = [];
  const written = new MutationObserver((records) => changes.push(...records));
  written.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  fireEvent.pointerMove(figure(2), pointer(430, 400));
  await arranged();
  changes.push(...written.takeRecords());
  written.disconnect();
  expect(first?.getAttribute('transform')).not.toBe(before);
  expect(first?.querySelector('text')?.getAttribute('text-anchor')).not.toBe('middle');
  expect(first?.querySelector('tspan')).toBe(line);
  // Adding or removing elements makes the browser restyle, lay out and paint more than the name itself.
  expect(changes.filter(({ type }) => type === 'childList')).toEqual([]);
  expect(changes.filter(({ target }) => target === ring)).toEqual([]);
  expect(changes.some(({ target }) => target === first)).toBe(true);
});
