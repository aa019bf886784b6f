/** Behind the links about another address: opening a page changes nothing, its button does (docs/product.md#3.25). */
import { MantineProvider } from '@mantine/core';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { startWords } from '../../../platform/i18n/app.ts';
import { ConfirmEmailPage, RestoreEmailPage } from './EmailLinkPages.tsx';

const TOKEN = 'A'.repeat(43);

beforeAll(async () => {
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords(['accounts']);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Opens the page by the link of the email. Returns the requests, and the browser's address. */
function open(path: '/user/confirm-email' | '/user/restore-email', answer: () => Response, hash = `#token=${TOKEN}`) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    asked.push(`${init.method} ${address} ${String(init.body)}`);
    return answer();
  });
  window.history.replaceState(null, '', path + hash);
  const root = createRootRoute();
  const at = (address: string, component: () => React.ReactNode) =>
    createRoute({ getParentRoute: () => root, path: address, component });
  const router = createRouter({
    routeTree: root.addChildren([
      at('/user/confirm-email', ConfirmEmailPage),
      at('/user/restore-email', RestoreEmailPage),
      at('/user/reset-password', () => <p>a new password</p>),
    ]),
    history: createMemoryHistory({ initialEntries: [path] }),
  });
  render(
    <MantineProvider>
      <RouterProvider router={router as never} />
    </MantineProvider>,
  );
  return { asked, place: () => router.state.location };
}
const refusal = (code: string, status: number) => () => Response.json({ code, status }, { status });
const confirm = async () => userEvent.click(await screen.findByRole('button', { name: 'Yes, use this address' }));

test('opening a link and running its scripts changes nothing', async () => {
  const { asked } = open('/user/confirm-email', () => new Response(null, { status: 204 }));
  expect(await screen.findByRole('button', { name: 'Yes, use this address' })).toBeTruthy();
  expect(asked).toEqual([]);
  expect(window.location.hash).toBe('');
});

test('the button confirms without a sign-in, and the page shows which address is now in use', async () => {
  const { asked } = open('/user/confirm-email', () => Response.json({ email: 'anna@new.example' }));
  await confirm();
  expect(await screen.findByText(/anna@new\.example/)).toBeTruthy();
  expect(asked).toEqual([`POST /api/public/email/confirm {"token":"${TOKEN}"}`]);
});

test.each([
  ['link_invalid', 'The verification link is invalid or expired'],
  ['email_taken', 'The given e-mail address is already in use'],
])('%s is explained in words, and that nothing has changed', async (code, words) => {
  open('/user/confirm-email', refusal(code, 409));
  await confirm();
  expect((await screen.findByRole('alert')).textContent).toBe(words);
  expect(screen.getByText('The address stays as it was')).toBeTruthy();
});

test('after a temporary fault the button can be pressed again', async () => {
  let answer = refusal('shutting_down', 503);
  const { asked } = open('/user/confirm-email', () => answer());
  await confirm();
  expect(await screen.findByRole('alert')).toBeTruthy();
  answer = () => Response.json({ email: 'anna@new.example' });
  await confirm();
  expect(await screen.findByText(/anna@new\.example/)).toBeTruthy();
  expect(asked).toHaveLength(2);
});

test('a link without its token says so', async () => {
  open('/user/confirm-email', () => new Response(null, { status: 204 }), '');
  expect((await screen.findByRole('alert')).textContent).toBe(
    'The link is incomplete. Please open it again from the email.',
  );
});

test('taking back an address leads to a new password, with the token in the fragment', async () => {
  const { place } = open('/user/restore-email', () => Response.json({ token: 'B'.repeat(43) }));
  await userEvent.click(await screen.findByRole('button', { name: 'Take back my address' }));
  expect(await screen.findByText('a new password')).toBeTruthy();
  expect(place().hash).toBe(`token=${'B'.repeat(43)}`);
});
