/** From a stranger's first visit to the sign-in: what the pages say, and sending the verification email again. */
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
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { startWords } from '../../../platform/i18n/app.ts';
import { storage } from '../../../platform/storage.ts';
import { RegisterPage } from './RegisterPage.tsx';
import { SignInPage } from '../signIn/SignInPage.tsx';

const captcha = vi.hoisted(() => ({ solved: Promise.resolve('solution') }));
vi.mock('../captcha.ts', () => ({ solveCaptcha: () => captcha.solved }));

beforeAll(async () => {
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords(['accounts']);
});
beforeEach(() => {
  captcha.solved = Promise.resolve('solution');
});
afterEach(() => {
  cleanup();
  window.localStorage.clear();
  vi.unstubAllGlobals();
});

interface Asked {
  path: string;
  body: Record<string, unknown>;
}
const refusal = (code: string, status = 403) => Response.json({ code, status }, { status });

/** Opens a page; the server answers each call by its path, others with nothing. Returns the requests. */
function open(path: '/user/register' | '/user/login', answers: Record<string, () => Response> = {}): Asked[] {
  const asked: Asked[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (init.body) asked.push({ path: address, body: JSON.parse(String(init.body)) });
    if (address === '/api/public/config') return new Response(null, { status: 404 });
    return answers[address]?.() ?? new Response(null, { status: 204 });
  });
  const root = createRootRoute();
  const user = createRoute({ getParentRoute: () => root, path: 'user' });
  const router = createRouter({
    routeTree: root.addChildren([
      user.addChildren([
        createRoute({ getParentRoute: () => user, path: 'register', component: RegisterPage }),
        createRoute({ getParentRoute: () => user, path: 'login', component: SignInPage }),
      ]),
    ]),
    history: createMemoryHistory({ initialEntries: [path] }),
  });
  render(
    <MantineProvider env="test">
      <RouterProvider router={router as never} />
    </MantineProvider>,
  );
  return asked;
}

test('a refused sign-in says what to check, beside the fixed words', async () => {
  open('/user/login', { '/api/authentication/login': () => refusal('invalid_credentials', 401) });
  await userEvent.type(await screen.findByLabelText('Email'), 'mira@practice.example');
  await userEvent.type(screen.getByLabelText('Password'), 'not this one');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Invalid credentials');
  expect(alert.textContent).toContain('Please check the email address and the password');
});

test('somebody who is, or seems, signed in never sees the form on the way to their pages', async () => {
  localStorage.setItem('token', 't');
  localStorage.setItem('therapist', JSON.stringify({ id: 7, roles: ['ROLE_THERAPIST'], joinLink: 'anna' }));
  const roles = ['ROLE_THERAPIST'];
  localStorage.setItem(
    'user',
    JSON.stringify({ id: 7, firstName: 'Anna', roles, authorities: roles, joinLink: 'anna' }),
  );
  let seen = false;
  const watch = new MutationObserver(() => {
    seen ||= document.querySelector('form') !== null;
  });
  watch.observe(document.body, { childList: true, subtree: true });
  open('/user/login');
  // This test has no page of the app.
  await screen.findByText('Not Found');
  watch.disconnect();
  expect(seen).toBe(false);
});

const AGAIN = '/api/public/verification';
const EMAIL = 'mira@practice.example';
const PASSWORD = 'quiet river under stones';

async function register(end = 'Check your email'): Promise<void> {
  await userEvent.type(await screen.findByLabelText('First name'), 'Mira');
  await userEvent.type(screen.getByLabelText('Family name'), 'New');
  await userEvent.type(screen.getByLabelText('Email'), EMAIL);
  await userEvent.type(screen.getByLabelText('Password'), PASSWORD);
  await userEvent.type(screen.getByLabelText('Repeat the password'), PASSWORD);
  for (const box of screen.getAllByRole('checkbox')) await userEvent.click(box);
  await userEvent.click(screen.getByRole('button', { name: 'Create the account' }));
  await screen.findByText(end);
}

test('an empty form marks every control that is missing', async () => {
  open('/user/register');
  await userEvent.click(await screen.findByRole('button', { name: 'Create the account' }));
  await screen.findAllByText(/./, { selector: '.mantine-InputWrapper-error' });
  const controls = [
    ...['First name', 'Family name', 'Email', 'Password', 'Repeat the password'].map((name) =>
      screen.getByLabelText(name),
    ),
    ...screen.getAllByRole('checkbox'),
  ];
  expect(controls.map((control) => control.getAttribute('aria-invalid'))).toEqual(controls.map(() => 'true'));
});

test('gender is optional (docs/product.md#3.18)', async () => {
  const asked = open('/user/register');
  expect((await screen.findByLabelText<HTMLInputElement>('Prefer not to say')).checked).toBe(true);
  await register();
  const sent = asked.find(({ path }) => path === '/api/authentication/register')?.body;
  expect(sent).toMatchObject({
    firstName: 'Mira',
    gender: null,
    // Emails and events of a new account use the browser's time zone until it is changed.
    timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
  });
});

test('the security check is silent while it is quick, and mentioned when it takes long', async () => {
  captcha.solved = new Promise(() => {});
  open('/user/register');
  const firstName = await screen.findByLabelText('First name');
  vi.useFakeTimers({ shouldAdvanceTime: true });
  firstName.focus();
  await vi.advanceTimersByTimeAsync(1900);
  expect(screen.queryByText('Checking your browser…')).toBeNull();
  await vi.advanceTimersByTimeAsync(200);
  vi.useRealTimers();
  expect(await screen.findByText('Checking your browser…')).toBeTruthy();
});

test.each([
  ['once', 1, 'Check your email'],
  ['again', 2, 'The security check failed. Please try again.'],
] as const)('a solution of the security check that the server refuses %s is made again once', async (_, times, end) => {
  let refusals = times;
  const asked = open('/user/register', {
    '/api/authentication/register': () =>
      (refusals -= 1) >= 0 ? refusal('captcha_failed', 400) : new Response(null, { status: 204 }),
  });
  await register(end);
  expect(asked.filter(({ path }) => path === '/api/authentication/register')).toHaveLength(2);
});

test('after registering, the email can be sent again with the typed password', async () => {
  const asked = open('/user/register');
  await register();
  await userEvent.click(screen.getByRole('button', { name: 'Send the email again' }));
  expect(await screen.findByText(/We’ve sent another email to mira@practice.example/)).toBeTruthy();
  expect(asked.filter(({ path }) => path === AGAIN)).toEqual([
    { path: AGAIN, body: { email: EMAIL, password: PASSWORD } },
  ]);
});

test('if the address already has another password, the page leads to the first email', async () => {
  open('/user/register', { [AGAIN]: () => refusal('invalid_credentials', 401) });
  await register();
  await userEvent.click(screen.getByRole('button', { name: 'Send the email again' }));
  expect(await screen.findByText(/The email you’ve already received tells you what to do/)).toBeTruthy();
});

test('a mistyped address is corrected in the form, which keeps the rest', async () => {
  const asked = open('/user/register');
  await register();
  await userEvent.click(screen.getByRole('button', { name: 'Correct the address' }));
  const address = await screen.findByLabelText('Email');
  await vi.waitFor(() => expect(document.activeElement).toBe(address));
  await userEvent.clear(address);
  await userEvent.type(address, 'mira.right@practice.example');
  await userEvent.click(screen.getByRole('button', { name: 'Create the account' }));
  expect(await screen.findByText(/mira.right@practice.example/)).toBeTruthy();
  expect(asked.map(({ body }) => [body['email'], body['firstName'], body['captcha']])).toEqual([
    [EMAIL, 'Mira', 'solution'],
    ['mira.right@practice.example', 'Mira', 'solution'],
  ]);
});

test('a stranger reads what this is; a browser with an earlier sign-in shows a welcome back', async () => {
  open('/user/login');
  expect(await screen.findByText(/Fieldroom is an online room for group therapy/)).toBeTruthy();
  expect(screen.queryByText('Welcome back')).toBeNull();
  cleanup();
  storage.setText('device', 'd'.repeat(43));
  open('/user/login');
  expect(await screen.findByText('Welcome back')).toBeTruthy();
  expect(screen.queryByText(/Fieldroom is an online room/)).toBeNull();
});

test('after registering, the sign-in form has the address', async () => {
  open('/user/register');
  await register();
  cleanup();
  open('/user/login');
  expect(await screen.findByLabelText<HTMLInputElement>('Email')).toHaveProperty('value', EMAIL);
});

test('someone who signs in without a verified address can have the email sent again', async () => {
  const asked = open('/user/login', { '/api/authentication/login': () => refusal('email_not_verified') });
  await userEvent.type(await screen.findByLabelText('Email'), EMAIL);
  await userEvent.type(screen.getByLabelText('Password'), PASSWORD);
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Send the email again' }));
  expect(await screen.findByText(/We’ve sent another email/)).toBeTruthy();
  expect(asked.at(-1)).toEqual({ path: AGAIN, body: { email: EMAIL, password: PASSWORD } });
  expect(screen.getByRole('link', { name: 'Register with another address' })).toBeTruthy();
});
