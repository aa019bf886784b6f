/** The sign-in form before the app's scripts have run (docs/product.md#11.69), and how the app takes it over. */
import { MantineProvider } from '@mantine/core';
import type { Language } from '@fieldroom/contract/text';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import early from '../../../../public/earlySignIn.js?raw';
import de from '../../../locales/de/accounts.json';
import en from '../../../locales/en/accounts.json';
import hu from '../../../locales/hu/accounts.json';
import ro from '../../../locales/ro/accounts.json';
import { startWords, switchLanguage } from '../../../platform/i18n/app.ts';
import { drawSignIn } from './drawSignIn.tsx';
import { SignInPage } from './SignInPage.tsx';
import type { Drawing } from './takeOverDrawing.ts';

const WORDS = { de, en, hu, ro };
const root = document.documentElement;

beforeAll(() => startWords(['accounts']));
beforeEach(() => {
  root.lang = 'en';
  root.setAttribute('data-mantine-color-scheme', 'light');
});
afterEach(async () => {
  cleanup();
  window.localStorage.clear();
  root.removeAttribute('data-drawn');
  document.body.replaceChildren();
  await switchLanguage('en');
  window.localStorage.clear();
  vi.unstubAllGlobals();
});

/** As the document arrives: an empty root, the prerendered form, the script after it. Returns the prerendered form. */
async function arrive(language: Language = 'en', search = '', arrivesAfterMs = 500): Promise<Drawing> {
  const [shown, other] = [language, language === 'de' ? 'hu' : 'de'] as const;
  document.body.innerHTML =
    `<div id="root"></div><div id="drawn" lang="${shown}" hidden>${(await drawSignIn(shown)).markup}</div>` +
    `<template lang="${other}" title="title in ${other}">${(await drawSignIn(other)).markup}</template>`;
  const drawing = document.getElementById('drawn') as Drawing;
  const performance = { now: () => arrivesAfterMs };
  const page = { document, window, localStorage, location: { search }, performance };
  runInNewContext(early, { ...page, setTimeout, clearTimeout, Event });
  return drawing;
}

/** The app's scripts have arrived. Returns the bodies of the sign-in attempts. */
function start(): unknown[] {
  const tries: unknown[] = [];
  vi.stubGlobal('fetch', async (address: string, init: RequestInit) => {
    if (address !== '/api/authentication/login') return new Response(null, { status: 404 });
    tries.push(JSON.parse(String(init.body)));
    return Response.json({ code: 'invalid_credentials', status: 401 }, { status: 401 });
  });
  const top = createRootRoute();
  const user = createRoute({ getParentRoute: () => top, path: 'user' });
  const login = createRoute({ getParentRoute: () => user, path: 'login', component: SignInPage });
  const router = createRouter({
    routeTree: top.addChildren([user.addChildren([login])]),
    history: createMemoryHistory({ initialEntries: ['/user/login'] }),
  });
  render(
    <MantineProvider env="test">
      <RouterProvider router={router as never} />
    </MantineProvider>,
    { container: document.getElementById('root') as HTMLElement },
  );
  return tries;
}

const taken = (drawing: Drawing) => waitFor(() => expect(drawing.isConnected).toBe(false));
const field = (part: ParentNode, name: string) => part.querySelector<HTMLInputElement>(`[name="${name}"]`)!;

test.each(Object.keys(WORDS) as Language[])(
  'the prerendered form in %s has the same words and controls as the page',
  async (language) => {
    root.lang = language;
    await switchLanguage(language);
    const drawing = await arrive(language);
    const words = WORDS[language].signIn;
    expect(drawing.querySelector('h1')?.textContent).toBe(words.title + words.greeting);
    const { title } = await drawSignIn(language);
    expect(title).toBe(words.title);
    const shown = (part: ParentNode) =>
      [...part.querySelectorAll('a, button, input, label')].map((each) =>
        [each.tagName, each.textContent]
          .concat(
            ['href', 'name', 'type', 'autocomplete', 'inputmode', 'aria-label'].map(
              (name) => `${each.getAttribute(name)}`,
            ),
          )
          .join(' '),
      );
    const before = shown(drawing);
    expect(before.length).toBeGreaterThan(10);
    start();
    await taken(drawing);
    expect(shown(document)).toEqual(before);
    expect(document.querySelectorAll('form')).toHaveLength(1);
  },
);

test.each([
  ['to a stranger', {}, '', 'stranger'],
  ['to somebody who has signed in here before', { device: 'd' }, '', 'known'],
  ['not to somebody who seems to be signed in', { token: 't' }, '', null],
  ['not to somebody who has just registered', { registeredEmail: 'mira@practice.example' }, '', null],
  ['not where a sign-in has ended', {}, '?returnUrl=%2Fapp&ended=true', null],
])('the prerendered form is shown %s', async (_whom, stored, search, shown) => {
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
  const drawing = await arrive('en', search);
  expect(root.getAttribute('data-drawn')).toBe(shown);
  expect(drawing.isConnected && !drawing.hidden).toBe(shown !== null);
});

test('the prerendered form uses the language that was chosen in this browser', async () => {
  root.lang = 'de';
  const drawing = await arrive('en');
  expect(drawing.lang).toBe('de');
  expect(drawing.querySelector('h1')?.textContent).toBe(de.signIn.title + de.signIn.greeting);
  expect(document.querySelectorAll('form')).toHaveLength(1);
  expect(document.querySelector('template')).toBeNull();
  expect(document.title).toBe('title in de');
});

test('11.69 typed text, focus and caret move to the app', async () => {
  const drawing = await arrive();
  await userEvent.type(field(drawing, 'email'), 'mira@practice.example');
  await userEvent.type(field(drawing, 'password'), 'quiet rier');
  field(drawing, 'password').setSelectionRange(8, 8);
  start();
  await taken(drawing);
  expect(root.hasAttribute('data-drawn')).toBe(false);
  expect(field(document, 'email').value).toBe('mira@practice.example');
  const password = field(document, 'password');
  expect(document.activeElement).toBe(password);
  expect([password.selectionStart, password.selectionEnd]).toEqual([8, 8]);
});

test('11.69 the app sends an early sign-in once', async () => {
  const drawing = await arrive();
  const submit = new Promise<boolean>((resolve) =>
    document.addEventListener('submit', (event) => resolve(event.defaultPrevented), { once: true }),
  );
  await userEvent.type(field(drawing, 'email'), 'mira@practice.example');
  await userEvent.type(field(drawing, 'password'), 'quiet river{Enter}');
  expect(await submit).toBe(true);
  const button = drawing.querySelector<HTMLElement>('[type=submit]')!;
  expect(button.getAttribute('aria-busy')).toBe('true');
  const status = drawing.querySelector<HTMLElement>('[role=status] > *')!;
  expect([status.textContent, status.hidden]).toEqual([en.signIn.busy, false]);
  await userEvent.click(button);
  const tries = start();
  await screen.findByRole('alert');
  expect(tries).toEqual([{ email: 'mira@practice.example', password: 'quiet river' }]);
});

test('11.69 typing after an early sign-in cancels it, and the button must be pressed again', async () => {
  const drawing = await arrive();
  await userEvent.type(field(drawing, 'email'), 'mira@practice.example');
  await userEvent.type(field(drawing, 'password'), 'quiet{Enter} ri');
  expect(drawing.querySelector('[type=submit]')?.getAttribute('aria-busy')).toBe('false');
  expect(drawing.querySelector<HTMLElement>('[role=status] > *')?.hidden).toBe(true);
  const tries = start();
  await taken(drawing);
  await userEvent.type(field(document, 'password'), 'ver{Enter}');
  await screen.findByRole('alert');
  expect(tries).toEqual([{ email: 'mira@practice.example', password: 'quiet river' }]);
});

test('11.69 other early presses are repeated', async () => {
  const drawing = await arrive();
  await userEvent.type(field(drawing, 'password'), 'quiet river');
  await userEvent.click(drawing.querySelector<HTMLElement>('form [aria-pressed]')!);
  start();
  await taken(drawing);
  await waitFor(() => expect(field(document, 'password').type).toBe('text'));
  expect(field(document, 'password').value).toBe('quiet river');
});

test.each([
  ['a press', 'pointerdown', 'pointerup'],
  ['a key', 'keydown', 'keyup'],
  ['a composed letter', 'compositionstart', 'compositionend'],
])('11.69 the app waits for the end of %s', async (_what, begin, end) => {
  const drawing = await arrive();
  const email = field(drawing, 'email');
  email.dispatchEvent(new Event(begin, { bubbles: true }));
  start();
  await waitFor(() => expect(document.querySelectorAll('form')).toHaveLength(2));
  expect(root.getAttribute('data-drawn')).toBe('stranger');
  email.value = 'mira@practice.example';
  email.dispatchEvent(new Event(end, { bubbles: true }));
  await taken(drawing);
  expect(field(document, 'email').value).toBe('mira@practice.example');
});

test('11.69 a person who signed in in another tab goes on to their pages', async () => {
  const drawing = await arrive();
  const roles = ['ROLE_THERAPIST'];
  localStorage.setItem('token', 't');
  localStorage.setItem('therapist', JSON.stringify({ id: 7, roles, joinLink: 'anna' }));
  localStorage.setItem('user', JSON.stringify({ id: 7, firstName: 'Anna', roles, authorities: roles }));
  start();
  await taken(drawing);
  expect(root.hasAttribute('data-drawn')).toBe(false);
  expect(document.querySelector('form')).toBeNull();
});

test('11.69 over a weak connection the heading’s font arrives with the app', async () => {
  await arrive();
  expect(root.hasAttribute('data-drawn-slow')).toBe(false);
  const drawing = await arrive('en', '', 1500);
  expect(root.hasAttribute('data-drawn-slow')).toBe(true);
  start();
  await taken(drawing);
  expect(root.hasAttribute('data-drawn-slow')).toBe(false);
});

test('11.69 in dark mode the prerendered form is marked as dark', async () => {
  root.setAttribute('data-mantine-color-scheme', 'dark');
  const drawing = await arrive();
  expect(drawing.querySelector('header [aria-pressed]')?.getAttribute('aria-pressed')).toBe('true');
});
