/**
 * The fixed messages (docs/product.md#11.12) in all languages, each at the place where it happens. That the English
 * ones stand word for word is held by `locales/locales.test.ts`.
 */
import { MantineProvider } from '@mantine/core';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { cleanup, fireEvent, render, renderHook, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ConfirmEmailPage } from '../features/accounts/emailLinks/EmailLinkPages.tsx';
import { VerifyPage } from '../features/accounts/emailLinks/VerifyPage.tsx';
import { SignInPage } from '../features/accounts/signIn/SignInPage.tsx';
import { LazyBugReport } from '../features/bugReports/LazyBugReport.tsx';
import { JoinPage } from '../features/join/JoinPage.tsx';
import { showJoinLanguage } from '../features/join/useJoinWords.ts';
import { useNameTaken } from '../features/room/client/useNameTaken.ts';
import { UsageDialog } from '../features/usage/dialogs/UsageDialogs.tsx';
import { startWords, switchLanguage } from '../platform/i18n/app.ts';
import { LANGUAGES } from '../platform/i18n/languages.ts';
import { keepSeat, keepSignIn, storage } from '../platform/storage.ts';
import { client } from '../platform/client.testing.ts';

const files = import.meta.glob<Record<string, unknown>>('../locales/*/*.json', { eager: true, import: 'default' });
/**
 * A text as it stands in the file of a language. Takes its file and its key, such as `problems` and
 * `problem.not_found`.
 */
function wordsOf(language: string, space: string, key: string): string {
  const text = key
    .split('.')
    .reduce<unknown>(
      (words, part) => (words as Record<string, unknown>)[part],
      files[`../locales/${language}/${space}.json`],
    );
  if (typeof text !== 'string') throw new Error(`${language}/${space}.json has no ${key}`);
  return text;
}

/** The server answers every call with this refusal, or with nothing. */
function server(code?: string, status = 400) {
  vi.stubGlobal('fetch', async (address: string) => {
    if (address === '/api/public/config') return new Response(null, { status: 404 });
    return code === undefined ? new Response(null, { status: 204 }) : Response.json({ code, status }, { status });
  });
}
const inKit = (element: ReactNode) => render(<MantineProvider env="test">{element}</MantineProvider>);
function openPage(path: string, component: () => ReactNode, hash = '') {
  window.history.replaceState(null, '', path + hash);
  const root = createRootRoute();
  const router = createRouter({
    routeTree: root.addChildren([createRoute({ getParentRoute: () => root, path, component })]),
    history: createMemoryHistory({ initialEntries: [path] }),
  });
  inKit(<RouterProvider router={router as never} />);
}
function openJoin(path: string) {
  window.history.replaceState(null, '', path);
  render(<JoinPage openRoomHere={() => {}} />);
}
/** By its words: roles cost much more to find, and other tests hold them. */
const button = async (words: string) => (await screen.findByText(words)).closest('button')!;
const press = async (words: string) => fireEvent.click(await button(words));
const type = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label, { exact: false, selector: 'input, textarea' }), {
    target: { value },
  });
const THERAPIST = ['ROLE_THERAPIST' as const];
const user = {
  id: 7,
  firstName: 'Anna',
  lastName: 'B',
  email: 'a@b.example',
  roles: THERAPIST,
  authorities: THERAPIST,
  language: 'en' as const,
  slug: 'anna',
  joinLink: 'anna',
};

beforeAll(async () => {
  Object.defineProperty(document, 'fonts', { value: new EventTarget(), configurable: true });
  await startWords(['accounts', 'usage', 'bugReports', 'shell']);
});
beforeEach(() => {
  vi.stubGlobal(
    'WebSocket',
    class {
      close() {}
    },
  );
});
afterEach(() => {
  cleanup();
  localStorage.clear();
  sessionStorage.clear();
  vi.unstubAllGlobals();
});

// The files that come next in this window expect English.
afterAll(async () => {
  await switchLanguage('en');
  showJoinLanguage('en');
});

describe.each(LANGUAGES.map(({ code }) => code))('11.12 %s', (language) => {
  const words = (space: string, key: string) => wordsOf(language, space, key);
  const problem = (code: string) => words('problems', `problem.${code}`);
  beforeEach(async () => {
    await switchLanguage(language);
    showJoinLanguage(language);
    localStorage.clear();
  });
  const expectAlert = async (text: string) =>
    waitFor(() =>
      expect([...document.querySelectorAll('[role=alert]')].map(({ textContent }) => textContent)).toContainEqual(
        expect.stringContaining(text),
      ),
    );

  test.each(['invalid_credentials', 'account_suspended'])('signing in: %s', async (code) => {
    server(code, 403);
    openPage('/user/login', SignInPage);
    await type(words('accounts', 'signIn.email'), 'mira@practice.example');
    await type(words('accounts', 'signIn.password'), 'not this one');
    fireEvent.submit(document.querySelector('form')!);
    await expectAlert(problem(code));
  });

  test('behind the link that verifies an address: link_invalid', async () => {
    server('link_invalid');
    openPage('/user/verify', VerifyPage, `#token=${'A'.repeat(43)}`);
    await press(words('accounts', 'verify.confirm'));
    await expectAlert(problem('link_invalid'));
  });

  test('behind the link to another address: email_taken', async () => {
    server('email_taken', 409);
    openPage('/user/confirm-email', ConfirmEmailPage, `#token=${'A'.repeat(43)}`);
    await press(words('accounts', 'newEmail.confirm'));
    await expectAlert(problem('email_taken'));
  });

  test('entering by a code: required, too short, invalid', async () => {
    server('invalid_code', 404);
    openJoin('/user/code');
    await press(words('join', 'join.submit'));
    expect(await screen.findByText(words('problems', 'field.code.required'))).toBeTruthy();
    await type(words('join', 'code.code'), 'abc');
    await type(words('join', 'join.name'), 'Hanna');
    await press(words('join', 'join.submit'));
    expect(await screen.findByText(words('problems', 'field.code.code_too_short'))).toBeTruthy();
    await type(words('join', 'code.code'), 'abcde');
    await press(words('join', 'join.submit'));
    await expectAlert(problem('invalid_code'));
  });

  test('at the door: the room is full; a therapist is signed in here', async () => {
    keepSeat(storage, { token: 'c', client, language });
    server('room_full', 409);
    openJoin('/user/join/anna');
    expect(await screen.findByText(problem('room_full'), { exact: false })).toBeTruthy();
    cleanup();
    localStorage.clear();
    keepSignIn(storage, { token: 't', user });
    openJoin('/user/join/anna');
    expect(await screen.findByText(problem('therapist_signed_in_here'))).toBeTruthy();
  });

  test('inside: the name is taken', () => {
    const tell = vi.fn();
    renderHook(() => useNameTaken(9, true, tell));
    expect(tell).toHaveBeenCalledExactlyOnceWith({ text: problem('name_taken'), tone: 'fault' });
  });

  test('after long inactivity: to the clients, and to the therapist after a warning', async () => {
    server();
    openJoin('/user/bye?why=timed_out&link=anna');
    expect(await screen.findByText(words('join', 'bye.away.text'))).toBeTruthy();
    cleanup();
    keepSignIn(storage, { token: 't', user });
    for (const [dialog, key] of [
      ['timeoutwarning', 'warning.text'],
      ['timedout', 'timedOut.text'],
    ] as const) {
      inKit(<UsageDialog opened which={{ dialog, until: null } as never} onClose={() => {}} />);
      expect(await screen.findByText(words('usage', key), { exact: false })).toBeTruthy();
      cleanup();
    }
  });

  test('reporting a fault: what is missing, and the thanks', async () => {
    server();
    inKit(<LazyBugReport />);
    fireEvent.click(await screen.findByTitle(words('bugReports', 'ERROR_FORM.HOVER_MSG')));
    const send = await button(words('bugReports', 'send'));
    // The picture was tried first.
    await waitFor(() => expect(send.disabled).toBe(false));
    fireEvent.click(send);
    expect(await screen.findByText(words('bugReports', 'ERROR_FORM.PRIORITY_REQ'))).toBeTruthy();
    expect(screen.getByText(words('bugReports', 'ERROR_FORM.COMMENT_REQ'))).toBeTruthy();
    fireEvent.click(document.querySelector('input[type=radio]')!);
    await type(words('bugReports', 'comment'), 'x');
    fireEvent.click(send);
    expect(await screen.findByText(words('bugReports', 'ERROR_FORM.SUCCESS_MSG_TOP'))).toBeTruthy();
    expect(screen.getByText(words('bugReports', 'ERROR_FORM.SUCCESS_MSG_BTM'))).toBeTruthy();
  });
});
