/** The dialog that renames a moment (docs/product.md#6.10). */
import type { Moment } from '@fieldroom/contract/moments';
import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startWords } from '../../../platform/i18n/app.ts';
import { MomentDialogs } from './MomentDialogs.tsx';

const call = vi.hoisted(() => vi.fn<(endpoint: unknown, input: unknown) => Promise<void>>());
vi.mock('../../../platform/api/index.ts', async (original) => ({ ...(await original<object>()), api: { call } }));

const moment: Moment = {
  id: 3,
  actId: crypto.randomUUID(),
  number: 2,
  name: 'Before',
  keptOn: '2026-11-21T10:42:00Z',
  afterMove: 0,
  figures: 1,
};

beforeAll(() => startWords(['moments']));
beforeEach(() => void call.mockReset().mockResolvedValue());
afterEach(cleanup);

async function open() {
  const onChanged = vi.fn();
  await act(
    async () =>
      void render(
        <MantineProvider env="test">
          <MomentDialogs question={{ ask: 'rename', moment }} onClose={vi.fn()} onChanged={onChanged} />
        </MantineProvider>,
      ),
  );
  const input = await screen.findByRole<HTMLInputElement>('textbox');
  return {
    input,
    onChanged,
    write: (value: string) => act(() => void fireEvent.change(input, { target: { value } })),
    save: () => act(async () => void fireEvent.submit(input.closest('form')!)),
  };
}

test('12.32 invisible characters are reported at the name, which gets the focus, and nothing is sent', async () => {
  const { input, write, save } = await open();
  write('After\u202E');
  input.blur();
  await save();
  expect(call).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(input);
  expect(screen.getByText('Please leave out special characters that can’t be displayed.').id).toBe(
    input
      .getAttribute('aria-describedby')
      ?.split(' ')
      .find((id) => id.endsWith('-error')),
  );
});

test('an empty name is accepted: the moment is shown with its number and time again', async () => {
  const { write, save, onChanged } = await open();
  write('');
  await save();
  expect(call).toHaveBeenCalledWith(expect.anything(), { params: { momentId: 3 }, body: { name: '' } });
  expect(onChanged).toHaveBeenCalledOnce();
});
