/** Writing to the operator (docs/product.md#11.39). */
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { ApiProblem, api } from '../../platform/api/index.ts';
import { startWords } from '../../platform/i18n/app.ts';
import { createQueryClient } from '../../platform/fetching/queryClient.ts';
import { forgetPerson, keepSignIn, storage } from '../../platform/storage.ts';
import { SupportPage } from './SupportPage.tsx';

vi.mock('@tanstack/react-router', () => ({ Link: ({ children }: { children: string }) => <a href="/">{children}</a> }));

beforeAll(async () => {
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords(['help', 'problems']);
});
const draw = () =>
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={createQueryClient()}>
        <SupportPage />
      </QueryClientProvider>
    </MantineProvider>,
  );
beforeEach(() => {
  keepSignIn(storage, {
    token: 'token',
    user: {
      id: 7,
      firstName: 'Anna',
      lastName: 'Berg',
      email: 'anna@berg.example',
      roles: ['ROLE_THERAPIST'],
      authorities: ['ROLE_THERAPIST'],
      language: 'en',
      slug: 'anna',
      joinLink: 'anna',
    },
  });
  draw();
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
});
const send = () => screen.getByRole('button', { name: 'Send message' });
const field = () => screen.getByLabelText<HTMLTextAreaElement>(/Your message/);

test('11.39 a message is sent with its topic, and the page says where the answer arrives', async () => {
  const call = vi.spyOn(api, 'call').mockResolvedValue(undefined);
  await userEvent.click(screen.getByLabelText('A bill'));
  await userEvent.type(field(), 'Which hours are on it?');
  await userEvent.click(send());
  expect(await screen.findByText(/the answer comes to anna@berg.example/)).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('status'));
  expect(call.mock.calls[0]?.[1]).toEqual({
    body: { email: 'anna@berg.example', username: 'Anna Berg', text: 'Which hours are on it?', topic: 'bill' },
  });
  await userEvent.click(screen.getByRole('button', { name: 'Write another message' }));
  expect(document.activeElement).toBe(field());
  expect(field().value).toBe('');
});

test('11.39 an empty message is not sent; the field says so and has the focus', async () => {
  const call = vi.spyOn(api, 'call').mockResolvedValue(undefined);
  await userEvent.type(field(), '  ');
  await userEvent.click(send());
  expect(await screen.findByText('Please write a message.')).toBeTruthy();
  expect(document.activeElement).toBe(field());
  expect(call).not.toHaveBeenCalled();
});

test('11.39 invisible characters are reported at the field, and not sent', async () => {
  const call = vi.spyOn(api, 'call').mockResolvedValue(undefined);
  await userEvent.click(field());
  await userEvent.paste('Hel\u200Blo');
  await userEvent.click(send());
  expect(await screen.findByText('This contains characters that can’t be displayed safely.')).toBeTruthy();
  expect(field().getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(field());
  expect(call).not.toHaveBeenCalled();
});

test('11.75 the message says how much more text fits', async () => {
  await userEvent.click(field());
  await userEvent.paste('x'.repeat(4999));
  expect(screen.getByText('Please name no clients and nothing they said. 1 character left')).toBeTruthy();
});

test('11.39 a failure is shown, and the text stays', async () => {
  vi.spyOn(api, 'call').mockRejectedValue(new ApiProblem('offline'));
  await userEvent.type(field(), 'Hello');
  await userEvent.click(send());
  expect((await screen.findByRole('alert')).textContent).not.toBe('');
  expect(field().value).toBe('Hello');
});

test('11.39 the text survives a visit to the help page, until it is sent or its person signs out', async () => {
  vi.spyOn(api, 'call').mockResolvedValue(undefined);
  const topic = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
  await userEvent.click(topic('A bill'));
  await userEvent.type(field(), 'Which hours?');
  cleanup();
  draw();
  expect(field().value).toBe('Which hours?');
  expect(topic('A bill').checked).toBe(true);
  await userEvent.click(send());
  await screen.findByText(/the answer comes to/);
  cleanup();
  draw();
  expect(field().value).toBe('');
  expect(topic('A bill').checked).toBe(false);
  await userEvent.type(field(), 'A secret');
  forgetPerson(storage);
  cleanup();
  draw();
  expect(field().value).toBe('');
});
