/** The dialog of one's own icons: a file that cannot be read, and the icon that a search has found. */
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startWords } from '../../../platform/i18n/app.ts';
import { FieldContext, type FieldStore } from '../useField.ts';
import type { IconLibrary } from './iconLibrary.ts';
import { IconsDialog } from './IconsDialog.tsx';

beforeAll(() => startWords(['field']));
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const libraryOf = (icons: IconLibrary['icons']): IconLibrary => ({
  icons,
  urls: new Map(),
  sizes: new Map(),
  save: vi.fn(),
  remove: vi.fn(),
  refresh: vi.fn(),
});
const store = {
  get: () => ({ field: null, pending: [], refused: [], undo: [], redo: [] }),
  subscribe: () => () => {},
} as unknown as FieldStore;

const open = (library: IconLibrary, foundId: number | null) =>
  render(
    <MantineProvider env="test">
      <FieldContext value={store}>
        <IconsDialog opened library={library} foundId={foundId} chosenId={null} onClose={vi.fn()} onTold={vi.fn()} />
      </FieldContext>
    </MantineProvider>,
  );

test('a file that was deleted after it was chosen is reported, and another one can be chosen', async () => {
  const library = libraryOf([]);
  open(library, null);
  const gone = new File(['<svg/>'], 'house.svg');
  gone.text = () => Promise.reject(new DOMException('gone', 'NotReadableError'));
  fireEvent.change(screen.getByTestId('icon-file'), { target: { files: [gone] } });
  expect((await screen.findByRole('alert', { hidden: true })).textContent).toBe('We can’t read this SVG file.');
  expect(library.save).not.toHaveBeenCalled();
  expect(screen.getByText('Add an SVG file').closest('button')?.disabled).toBe(false);
});

test('11.33 the icon that a search leads to is marked and scrolled into view, the others are not', async () => {
  const scrolled: Element[] = [];
  Element.prototype.scrollIntoView = function note(this: Element) {
    scrolled.push(this);
  };
  const icon = (id: number, name: string) => ({ id, name, width: 30, height: 30, createdOn: '2026-11-01T10:00:00Z' });
  open(libraryOf([icon(3, 'House'), icon(4, 'Tower')]), 4);
  const tower = (await screen.findByText('Tower')).closest('li');
  expect(tower?.getAttribute('aria-current')).toBe('true');
  expect(scrolled).toEqual([tower]);
  expect(screen.getByText('House').closest('li')?.hasAttribute('aria-current')).toBe(false);
});
