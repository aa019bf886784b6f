/** The list of figures in sight (docs/product.md#5.36). */
import type { Figure } from '@fieldroom/contract/field';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import field from '../../../locales/en/field.json';
import relations from '../../../locales/en/relations.json';
import type { FieldViewHandle, Place } from '../drawing/index.ts';
import { aFigure } from '../figures.testing.ts';
import { FieldContext, type FieldModel, type FieldStore } from '../useField.ts';
import { SightPanel } from './SightPanel.tsx';

let model: FieldModel;
const listeners = new Set<() => void>();
const store = {
  get: () => model,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
} as unknown as FieldStore;
const drawn = new Map<number, Place>();
/** The elements that the view makes room for. */
const beside = new Set<Element>();
const view = {
  current: {
    drawnAt: (id: number) => drawn.get(id) ?? null,
    fitBeside(element: Element) {
      beside.add(element);
      return () => void beside.delete(element);
    },
  } as FieldViewHandle,
};
const onClose = vi.fn();

const stand = (...figures: Figure[]) =>
  act(() => {
    const known = { figures, handsAllowed: true, revision: 1 };
    model = { field: known, pending: [], refused: [], undo: [], redo: [] };
    for (const listener of listeners) listener();
  });
const open = () =>
  render(
    <FieldContext value={store}>
      <SightPanel figureId={1} view={view} onClose={onClose} />
    </FieldContext>,
  );
const list = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent);
const mother = aFigure(1, { name: 'Mother', x: 200, y: 500, rotation: 90 });
const father = aFigure(2, { name: 'Father', x: 1500, y: 500, iconType: 'MALE_FIGURE' });
const child = aFigure(3, { name: '', x: 500, y: 700 });

beforeAll(() =>
  i18next
    .use(initReactI18next)
    .init({ lng: 'en', resources: { en: { field, relations } }, interpolation: { escapeValue: false } }),
);
beforeEach(() => {
  vi.useFakeTimers();
  drawn.clear();
  onClose.mockClear();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('5.36 names, kinds, distances and sides are listed from near to far, and the region takes the focus', () => {
  stand(mother, father, child);
  open();
  expect(list()).toEqual(['Star star · near · right', 'Father male figure · far · ahead']);
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Mother can see' }));
});

test('5.36 the list follows drags before they are stored, and stored moves', () => {
  stand(mother, father, child);
  open();
  drawn.set(3, { x: 60, y: 500, rotation: 0, scale: 1 });
  act(() => void vi.advanceTimersByTime(300));
  expect(list()).toEqual(['Father male figure · far · ahead']);
  drawn.clear();
  stand({ ...mother, rotation: 270 }, father, child);
  expect(list()).toEqual([]);
  expect(screen.getByRole('status').textContent).toBe('Nobody is in sight.');
});

test('5.36 the view makes room for the list while it is open', () => {
  stand(mother, father);
  const { unmount } = open();
  const region = screen.getByRole('region', { name: 'Mother can see' });
  expect([...beside].map((place) => place.contains(region))).toEqual([true]);
  unmount();
  expect(beside.size).toBe(0);
});

test('5.36 Escape, the button, and the figure’s removal close it', () => {
  stand(mother, father);
  open();
  fireEvent.keyDown(document.body, { key: 'Escape' });
  expect(onClose).toHaveBeenCalledTimes(1);
  fireEvent.click(screen.getByRole('button', { name: 'Stop looking from here' }));
  expect(onClose).toHaveBeenCalledTimes(2);
  stand(father);
  expect(onClose).toHaveBeenCalledTimes(3);
  expect(screen.queryByRole('region')).toBeNull();
});

test('5.36 it takes the focus once and returns it, to the field if its opener no longer exists', () => {
  const opener = document.body.appendChild(document.createElement('button'));
  const ground = document.body.appendChild(document.createElement('main'));
  ground.id = 'field';
  stand(mother, father);
  opener.focus();
  let closes = open();
  const region = screen.getByRole('region', { name: 'Mother can see' });
  expect(document.activeElement).toBe(region);
  closes.unmount();
  expect(document.activeElement).toBe(opener);

  closes = open();
  const elsewhere = document.body.appendChild(document.createElement('button'));
  elsewhere.focus();
  closes.unmount();
  expect(document.activeElement).toBe(elsewhere);

  opener.focus();
  closes = open();
  opener.remove();
  closes.unmount();
  expect(document.activeElement).toBe(ground);
  for (const element of [elsewhere, ground]) element.remove();
});
