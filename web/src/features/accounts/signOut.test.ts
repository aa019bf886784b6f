// @vitest-environment happy-dom
/** Signing out on a network that stalls. */
import { afterEach, expect, test, vi } from 'vitest';
import { keepSignIn, storage } from '../../platform/storage.ts';
import { therapist } from '../events/eventPages.testing.tsx';
import { signOut } from './signOut.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  window.localStorage.clear();
});

test('a stalled call does not keep anybody signed in on this browser, and continues after the page closes', async () => {
  vi.useFakeTimers();
  const asked = vi.fn((_address: string, _init: RequestInit) => new Promise<Response>(() => {}));
  vi.stubGlobal('fetch', asked);
  keepSignIn(storage, { token: 't', user: therapist });
  const left = signOut();
  // A call of another tab that is refused now was made with an older token, and does not lead to the sign-in.
  expect([storage.getText('token'), storage.get('user')?.id]).toEqual([null, therapist.id]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await left).toBe('/');
  expect([storage.getText('token'), storage.get('user')]).toEqual([null, null]);
  expect(asked.mock.lastCall![1]).toMatchObject({ keepalive: true, headers: { authorization: 'Bearer t' } });
});
