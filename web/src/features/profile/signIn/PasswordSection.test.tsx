/**
 * The current password proves the person's identity; if it does not match, its field says so (docs/product.md#3.24).
 */
import { MantineProvider } from '@mantine/core';
import { notifyManager, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startWords } from '../../../platform/i18n/app.ts';
import { createQueryClient } from '../../../platform/fetching/queryClient.ts';
import { PasswordSection } from './PasswordSection.tsx';

notifyManager.setScheduler(queueMicrotask);
beforeAll(async () => {
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords(['profile']);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('a wrong password is reported at its field; the right one changes it and empties the form', async () => {
  const asked: unknown[] = [];
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    const body = JSON.parse(String(init.body));
    asked.push(body);
    return body.current === 'right one here'
      ? new Response(null, { status: 204 })
      : Response.json({ code: 'current_password_wrong', status: 403 }, { status: 403 });
  });
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={createQueryClient()}>
        <PasswordSection email="anna@practice.example" />
      </QueryClientProvider>
    </MantineProvider>,
  );
  const current = screen.getByLabelText<HTMLInputElement>('Current password');
  const send = async (typed: string) => {
    await userEvent.clear(current);
    await userEvent.type(current, typed);
    for (const label of ['New password', 'Repeat the new password']) {
      await userEvent.clear(screen.getByLabelText(label));
      await userEvent.type(screen.getByLabelText(label), 'slow clouds over the field');
    }
    await userEvent.click(screen.getByRole('button', { name: 'Change the password' }));
  };
  await send('wrong one here');
  await screen.findByText('The current password must match');
  expect(current.getAttribute('aria-invalid')).toBe('true');
  await send('right one here');
  expect(await screen.findByText(/Your password is changed/)).toBeTruthy();
  await waitFor(() => expect(current.value).toBe(''));
  expect(asked).toEqual(
    ['wrong one here', 'right one here'].map((typed) => ({ current: typed, password: 'slow clouds over the field' })),
  );
});
