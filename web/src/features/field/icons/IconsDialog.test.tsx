/** The dialog of one's own icons: a file that cannot be read. */
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startWords } from '../../../platform/i18n/app.ts';
import { FieldContext, type FieldStore } from '../useField.ts';
import { IconsDialog } from './IconsDialog.tsx';

beforeAll(() => startWords(['field']));
afterEach(cleanup);

test('a file that has gone from the disk since it was chosen is told, and another one can be chosen', async () => {
  const library = { icons: [], urls: new Map(), sizes: new Map(), save: vi.fn(), remove: vi.fn(), refresh: vi.fn() };
  const store = {
    get: () => ({ field: null, pending: [], undo: [], redo: [] }),
    subscribe: () => () => {},
  } as unknown as FieldStore;
  render(
    <MantineProvider env="test">
      <FieldContext value={store}>
        <IconsDialog opened library={library} chosenId={null} onClose={vi.fn()} onTold={vi.fn()} />
      </FieldContext>
    </MantineProvider>,
  );
  const gone = new File(['<svg/>'], 'house.svg');
  gone.text = () => Promise.reject(new DOMException('gone', 'NotReadableError'));
  fireEvent.change(screen.getByTestId('icon-file'), { target: { files: [gone] } });
  expect((await screen.findByRole('alert', { hidden: true })).textContent).toBe('We can’t read this SVG file.');
  expect(library.save).not.toHaveBeenCalled();
  expect(screen.getByText('Add an SVG file').closest('button')?.disabled).toBe(false);
});
