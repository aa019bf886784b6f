/**
 * A person's pages when another tab signs them out, or signs somebody else in.
 *
 * @alone It replaces the router.
 */
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { client } from '../platform/client.testing.ts';
import { queryClient } from '../platform/fetching/queryClient.ts';
import { forgetPerson, keepSeat, keepSignIn, storage, tabStore, UNSENT_SUPPORT } from '../platform/storage.ts';
import { therapist } from '../features/events/eventPages.testing.tsx';
import { App } from './App.tsx';

const went = vi.hoisted(() => vi.fn());
vi.mock('../routes.tsx', () => ({
  router: { navigate: async ({ to, search }: { to: string; search?: object }) => went(to, search) },
}));
vi.mock('@tanstack/react-router', () => ({ RouterProvider: () => null }));

const KEY = ['somebody’s', 'data'];

beforeEach(() => {
  vi.spyOn(window.location, 'replace').mockImplementation((to) => went(`${String(to)}, loaded`));
  keepSignIn(storage, { token: 'a', user: therapist });
});
afterEach(() => {
  cleanup();
  forgetPerson(storage);
  went.mockReset();
  vi.restoreAllMocks();
});

/**
 * Opens the app at a path, lets another tab change the storage, and returns this tab's new address and stored values.
 */
async function after(path: string, change: () => void) {
  window.history.replaceState(null, '', path);
  render(<App />);
  const oldValue = window.localStorage.getItem('user');
  change();
  // The other tab has cleared its own memory, not this one's.
  queryClient.setQueryData(KEY, 'names');
  tabStore.set(UNSENT_SUPPORT, 'typed');
  const newValue = window.localStorage.getItem('user');
  await act(async () => {
    window.dispatchEvent(new StorageEvent('storage', { key: 'user', oldValue, newValue }));
  });
  return {
    to: went.mock.calls,
    keeps: [queryClient.getQueryData(KEY) ?? null, tabStore.get(UNSENT_SUPPORT)],
    token: storage.getText('token'),
  };
}

test('3.12 a sign-out in another tab removes the person’s page, and what this tab stored of them', async () => {
  const { to, keeps } = await after('/app/manage-events-client?keyword=Rita', () => forgetPerson(storage));
  // No return address: it may contain a name.
  expect(to).toEqual([['/user/login', undefined]]);
  expect(keeps).toEqual([null, null]);
});

test('3.12 after a different person signs in in another tab, their own page is shown', async () => {
  const other = { ...therapist, id: therapist.id + 1 };
  expect(await after('/app/profile', () => keepSignIn(storage, { token: 'b', user: other }))).toEqual({
    to: [['/user/login', undefined], ['/app/dashboard, loaded']],
    keeps: [null, null],
    token: 'b',
  });
});

test('3.12 a client who enters in another tab does not see the therapist’s page', async () => {
  expect(await after('/app/profile', () => keepSeat(storage, { token: 'c', client, language: 'en' }))).toEqual({
    to: [['/user/login', undefined]],
    keeps: [null, null],
    token: 'c',
  });
});

test('3.12 if only the same person’s name has changed, nothing happens', async () => {
  const rename = () => storage.set('user', { ...therapist, firstName: 'Other' });
  expect(await after('/app/profile', rename)).toEqual({ to: [], keeps: ['names', 'typed'], token: 'a' });
});

test.each(['/user/imprint', '/app/play-area', '/app/play-area-view'])(
  '3.12 the page at %s stays, and forgets the person',
  async (path) => {
    const { to, keeps } = await after(path, () => forgetPerson(storage));
    expect([to, keeps]).toEqual([[], [null, null]]);
  },
);
