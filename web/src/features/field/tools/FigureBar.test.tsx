import type { FieldAct, Figure } from '@fieldroom/contract/field';
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import field from '../../../locales/en/field.json';
import problems from '../../../locales/en/problems.json';
import { aFigure } from '../figures.testing.ts';
import type { PendingAct } from '../acts/index.ts';
import { FieldContext, type FieldStore } from '../useField.ts';
import { FigureBar, type FigureBarProps } from './FigureBar.tsx';

const acts: FieldAct[] = [];
let standing: Figure[] = [];
/** Pending acts. One more than a hundred would be refused at once. */
let pending: PendingAct[] = [];
let isFull = false;
const store = {
  act(done: FieldAct) {
    const actId = `act ${acts.push(done)}`;
    if (!isFull) pending.push({ actId, act: done });
    return actId;
  },
  get: () => ({
    field: { revision: 1, figures: standing, handsAllowed: true },
    pending,
    refused: [],
    undo: [],
    redo: [],
  }),
} as unknown as FieldStore;
const library = { icons: [], urls: new Map(), sizes: new Map(), save: vi.fn(), remove: vi.fn(), refresh: vi.fn() };

beforeAll(() =>
  i18next
    .use(initReactI18next)
    .init({ lng: 'en', resources: { en: { field, problems } }, interpolation: { escapeValue: false } }),
);
beforeEach(() => {
  acts.length = 0;
  standing = [];
  pending = [];
  isFull = false;
});
afterEach(cleanup);

function open(figure: Figure, more: Partial<FigureBarProps> = {}) {
  const props: FigureBarProps = {
    figure,
    people: [],
    library,
    form: 'panel',
    nameAsked: 0,
    onDone: vi.fn(() => screen.getByText('the figure').focus()),
    onClose: vi.fn(),
    onRemoved: vi.fn(),
    looking: false,
    onLook: vi.fn(),
    ...more,
  };
  const draw = (change: Partial<FigureBarProps>) => (
    <MantineProvider env="test">
      <FieldContext value={store}>
        <button type="button">the figure</button>
        <FigureBar {...props} {...change} />
      </FieldContext>
    </MantineProvider>
  );
  const { rerender, unmount } = render(draw({}));
  return { props, update: (change: Partial<FigureBarProps>) => rerender(draw(change)), unmount };
}
const name = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' });
const press = (label: string) => fireEvent.click(screen.getByRole('button', { name: label }));

test('5.25: Enter in the name stores it and returns to the figure', () => {
  const { props } = open(aFigure(3));
  name().focus();
  fireEvent.change(name(), { target: { value: ' Mother ' } });
  fireEvent.keyDown(name(), { key: 'Enter' });
  expect(acts).toEqual([{ kind: 'edit', figureId: 3, name: 'Mother' }]);
  expect(document.activeElement).toBe(screen.getByText('the figure'));
  expect(props.onClose).not.toHaveBeenCalled();
});

test('12.32 invisible characters are reported at the name, which is kept and not stored', () => {
  const { props, unmount } = open(aFigure(3));
  name().focus();
  fireEvent.change(name(), { target: { value: 'Mother\u202E' } });
  const fault = screen.getByRole('alert');
  expect(fault.textContent).toBe('Please leave out special characters that can’t be displayed.');
  expect([name().getAttribute('aria-invalid'), name().getAttribute('aria-describedby')]).toEqual(['true', fault.id]);
  fireEvent.keyDown(name(), { key: 'Enter' });
  expect(props.onDone).not.toHaveBeenCalled();
  fireEvent.blur(name());
  expect([name().value, acts]).toEqual(['Mother\u202E', []]);
  standing = [aFigure(3)];
  unmount();
  expect(acts).toEqual([]);
});

test('5.25: Escape discards typed text, closes the tools and returns to the figure', () => {
  const { props } = open(aFigure(3));
  name().focus();
  fireEvent.change(name(), { target: { value: 'Mother' } });
  fireEvent.keyDown(name(), { key: 'Escape' });
  expect(acts).toEqual([]);
  expect(props.onClose).toHaveBeenCalledTimes(1);
  expect(document.activeElement).toBe(screen.getByText('the figure'));
  fireEvent.keyDown(screen.getByRole('button', { name: 'Larger' }), { key: 'Escape' });
  expect(props.onClose).toHaveBeenCalledTimes(2);
});

test('5.25: typed text is stored when a finger selects another figure or none, without a blur event', () => {
  standing = [aFigure(3), aFigure(4)];
  const { update, unmount } = open(aFigure(3));
  name().focus();
  fireEvent.change(name(), { target: { value: 'Mother' } });
  update({ figure: aFigure(4) });
  expect(acts).toEqual([{ kind: 'edit', figureId: 3, name: 'Mother' }]);
  fireEvent.change(name(), { target: { value: 'Father' } });
  unmount();
  expect(acts[1]).toEqual({ kind: 'edit', figureId: 4, name: 'Father' });
});

test('5.25: typed text is discarded with a removed figure', () => {
  const { unmount } = open(aFigure(3));
  fireEvent.change(name(), { target: { value: 'Mother' } });
  unmount();
  expect(acts).toEqual([]);
});

test('a name from another screen stays when the focus leaves an input without typed text', () => {
  const { update } = open(aFigure(3, { name: 'Mother' }));
  name().focus();
  update({ figure: aFigure(3, { name: 'Grandmother' }) });
  name().blur();
  expect([acts, name().value]).toEqual([[], 'Grandmother']);
});

test('5.25: the name gets the focus each time it is requested, and not when another figure is selected', () => {
  const { update } = open(aFigure(3));
  expect(document.activeElement).not.toBe(name());
  update({ nameAsked: 1 });
  expect(document.activeElement).toBe(name());
  screen.getByText('the figure').focus();
  update({ nameAsked: 2 });
  expect(document.activeElement).toBe(name());
  screen.getByText('the figure').focus();
  update({ figure: aFigure(4), nameAsked: 0 });
  expect(document.activeElement).not.toBe(name());
  expect(name().value).toBe('f4');
});

test.each(['panel', 'row', 'phone'] as const)('5.25: all kinds have the same tools in the same places: %s', (form) => {
  const placed = (iconType: Figure['iconType']) => {
    open(aFigure(3, { iconType }), { form });
    const buttons = screen
      .getAllByRole('button')
      .map((button) => button.getAttribute('aria-label') ?? button.textContent ?? '')
      .map((label) => (label === 'Gaze colour' ? 'Colour' : label));
    cleanup();
    return buttons;
  };
  expect(placed('STAR')).toEqual(placed('MALE_FIGURE'));
  expect(placed('CUSTOM')).toEqual(placed('MALE_FIGURE'));
});

test.each(['panel', 'row'] as const)('11.8 every icon has a word: the words on the buttons, in a %s', async (form) => {
  open(aFigure(3), { form });
  const seen = (label: string) => screen.getByRole('button', { name: label, hidden: true }).textContent;
  expect(['Rotate left', 'Rotate right'].map(seen)).toEqual(['Left', 'Right']);
  expect(['Smaller', 'Larger'].map(seen)).toEqual(['Smaller', 'Larger']);
  if (form === 'row') {
    press('More');
    await screen.findByRole('button', { name: 'Change shape', hidden: true });
  }
  expect(['Hide name', 'Change shape'].map(seen)).toEqual(['Name', 'Shape']);
});

test('11.8: a shape that cannot be changed says why', () => {
  const shape = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Change shape' });
  const { update } = open(aFigure(3, { iconType: 'STAR' }));
  expect([shape().disabled, shape().title]).toEqual([true, 'This figure has one shape only']);
  update({ figure: aFigure(3, { iconType: 'MALE_FIGURE' }) });
  expect([shape().disabled, shape().title]).toEqual([false, 'Change shape']);
});

test('5.25: the tools of an own icon say that the colour is that of its gaze', () => {
  open(aFigure(3, { iconType: 'CUSTOM' }));
  expect(screen.queryByRole('button', { name: 'Colour' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Gaze colour' })).toBeTruthy();
});

test('5.24: a figure that grows at an edge moves away from it', () => {
  open(aFigure(3, { x: 60, y: 500, scale: 1 }));
  press('Larger');
  press('Smaller');
  expect(acts[0]).toMatchObject({ kind: 'place', figureId: 3, scale: 1.1 });
  expect((acts[0] as { x: number }).x).toBeGreaterThan(60);
  expect(acts[1]).toEqual({ kind: 'place', figureId: 3, scale: 0.9 });
});

test('a figure is removed by a second press, and stays when the focus moves elsewhere', () => {
  const { props } = open(aFigure(3));
  press('Remove');
  fireEvent.blur(screen.getByRole('button', { name: 'Yes, remove' }));
  press('Remove');
  expect(acts).toEqual([]);
  press('Yes, remove');
  expect(acts).toEqual([{ kind: 'remove', figureId: 3 }]);
  expect(props.onRemoved).toHaveBeenCalledWith('f3', 'act 1');
});

test('5.13 a figure whose removal cannot be stored stays, with its tools and the focus', () => {
  const { props } = open(aFigure(3));
  isFull = true;
  press('Remove');
  screen.getByRole('button', { name: 'Yes, remove' }).focus();
  press('Yes, remove');
  expect(acts).toHaveLength(1);
  expect(props.onRemoved).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove' }));
});

test('colours are named in a caption: the figure’s own, and the one under the pointer', async () => {
  open(aFigure(3, { color: '#4C7E58' }));
  press('Colour');
  expect(await screen.findByText('Moss')).toBeTruthy();
  const brick = screen.getByRole('radio', { name: 'Brick', hidden: true });
  fireEvent.pointerEnter(brick);
  expect(screen.getByText('Brick')).toBeTruthy();
  fireEvent.click(brick);
  expect(acts).toEqual([{ kind: 'edit', figureId: 3, color: '#953300' }]);
});

test('the tools start from the figure’s place at the press, though they are not redrawn for each move', () => {
  const { update } = open(aFigure(3, { x: 500, y: 500 }));
  standing = [aFigure(3, { x: 60, y: 500, rotation: 350, scale: 2 })];
  update({ figure: aFigure(3, { x: 60, y: 500, rotation: 350 }) });
  press('Rotate right');
  press('Larger');
  expect(acts[0]).toEqual({ kind: 'place', figureId: 3, rotation: 5 });
  expect(acts[1]).toMatchObject({ scale: 2.1, x: 126 });
});

test('5.36 looking from the figure starts and stops with one button, which shows whether it is on', () => {
  const { props, update } = open(aFigure(3));
  press('Look from here');
  expect(props.onLook).toHaveBeenLastCalledWith(3);
  update({ looking: true });
  expect(screen.getByRole('button', { name: 'Look from here' }).getAttribute('aria-pressed')).toBe('true');
  press('Look from here');
  expect(props.onLook).toHaveBeenLastCalledWith(null);
});
