/** Behind the link of the email: opening the page verifies nothing, its button does. */
import { MantineProvider } from '@mantine/core';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startWords } from '../../../platform/i18n/app.ts';
import { storage } from '../../../platform/storage.ts';
import { VerifyPage } from './VerifyPage.tsx';

const TOKEN = 'A'.repeat(43);

beforeAll(async () => {
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords(['accounts']);
});
afterEach(() => {
  cleanup();
  window.localStorage.clear();
  vi.unstubAllGlobals();
});

/** Opens the page by the link of the email. Returns the requests. */
function open(answer: () => Response): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    asked.push(`${init.method} ${address} ${String(init.body)}`);
    return answer();
  });
  window.history.replaceState(null, '', `/user/verify#token=${TOKEN}`);
  const router = createRouter({
    routeTree: createRootRoute({ component: VerifyPage }),
    history: createMemoryHistory(),
  });
  render(
    <MantineProvider>
      <RouterProvider router={router as never} />
    </MantineProvider>,
  );
  return asked;
}
const VERIFY = `POST /api/authentication/verify {"token":"${TOKEN}"}`;

test('opening the link and running its scripts verifies nothing', async () => {
  const asked = open(() => Response.json({ email: 'mira@practice.example' }));
  expect(await screen.findByRole('button', { name: 'Yes, confirm my address' })).toBeTruthy();
  expect(asked).toEqual([]);
  expect(window.location.hash).toBe('');
});

test('the button verifies with the token in the body; the sign-in then knows the address (3.16)', async () => {
  const asked = open(() => Response.json({ email: 'mira@practice.example' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Yes, confirm my address' }));
  expect(await screen.findByText('Your address is confirmed')).toBeTruthy();
  expect(asked).toEqual([VERIFY]);
  expect(storage.getText('registeredEmail')).toBe('mira@practice.example');
});

test('after a temporary fault the button can be pressed again; a used link is explained', async () => {
  let answer = () => Response.json({ code: 'shutting_down', status: 503 }, { status: 503 });
  const asked = open(() => answer());
  await userEvent.click(await screen.findByRole('button', { name: 'Yes, confirm my address' }));
  expect(await screen.findByRole('alert')).toBeTruthy();
  answer = () => Response.json({ code: 'link_invalid', status: 400 }, { status: 400 });
  await userEvent.click(screen.getByRole('button', { name: 'Yes, confirm my address' }));
  expect(await screen.findByText('This link has expired')).toBeTruthy();
  expect(asked).toEqual([VERIFY, VERIFY]);
});
