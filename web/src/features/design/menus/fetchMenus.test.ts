// @vitest-environment happy-dom
/** The menus' colours before the first page. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../../platform/fetching/queryClient.ts';
import { keepSignIn, storage } from '../../../platform/storage.ts';
import { therapist } from '../../events/eventPages.testing.tsx';
import { designQueries } from '../designQueries.ts';
import { fetchMenus } from './useMenuLook.ts';

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
  queryClient.clear();
  keepSignIn(storage, { token: 't', user: therapist });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('11.14 an unresponsive server delays the first page only briefly, and its answer is used later', async () => {
  let answer: (answer: Response) => void = () => {};
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (answer = resolve)));
  const done = vi.fn();
  void fetchMenus().then(done);
  await vi.advanceTimersByTimeAsync(1_400);
  expect(done).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(200);
  expect(done).toHaveBeenCalled();
  answer(Response.json([]));
  await vi.waitFor(() => expect(queryClient.getQueryData(designQueries.own().queryKey)).toBeTruthy());
});

test.each([
  ['an answer', () => Response.json([])],
  ['a refusal', () => Response.json({ code: 'unavailable', status: 503 }, { status: 503 })],
])('11.14 %s ends the waiting at once', async (_what, answer) => {
  vi.stubGlobal('fetch', async () => answer());
  const done = vi.fn();
  void fetchMenus().then(done);
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toHaveBeenCalled();
});
