/**
 * Whether the server has a newer web. @alone: other listeners on the window that test files share also query the server
 * when the page comes back to the front.
 */
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { firstScript, isOutdated, useOutdated } from './newVersion.ts';

const documentWith = (script: string) =>
  `<!doctype html><head><script src="/theme.js"></script><script type="module" crossorigin src="/assets/${script}"></script>`;
const serving = (script: string) => vi.fn(async () => new Response(documentWith(script)));

beforeEach(() => {
  // The script of a page must not run here.
  Object.assign((window as unknown as { happyDOM: { settings: object } }).happyDOM.settings, {
    handleDisabledFileLoadingAsSuccess: true,
  });
  const script = document.createElement('script');
  script.type = 'module';
  script.setAttribute('src', '/assets/app-1.js');
  document.head.append(script);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.head.replaceChildren();
});

test.each([
  [documentWith('app-1.js'), '/assets/app-1.js'],
  ['<script type="module" src="/src/main.tsx"></script>', null],
  ['<script type="module" src="/assets/', null],
  ['', null],
])('11.37 the first script of a document: %#', (html, script) => expect(firstScript(html)).toBe(script));

test('11.37 another first script means a newer web; a fault or the same script does not', async () => {
  expect(await isOutdated(serving('app-2.js'))).toBe(true);
  expect(await isOutdated(serving('app-1.js'))).toBe(false);
  expect(await isOutdated(async () => new Response(documentWith('app-2.js'), { status: 503 }))).toBe(false);
  expect(await isOutdated(() => Promise.reject(new TypeError('Failed to fetch')))).toBe(false);
  document.head.replaceChildren();
  expect(await isOutdated(serving('app-2.js'))).toBe(false);
});

test.each([
  ['/app/play-area?x=1', '/app/play-area'],
  ['/app/history', '/'],
  ['/', '/'],
])('11.37 a document that was loaded for %s is compared with that at %s', async (loadedFor, asked) => {
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([
    { name: `https://field.example${loadedFor}` },
  ] as PerformanceEntryList);
  const server = serving('app-1.js');
  await isOutdated(server);
  expect(server).toHaveBeenCalledWith(asked, expect.anything());
});

test('11.37 a page that stays open checks every ten minutes, and stops once it knows', async () => {
  vi.useFakeTimers();
  const server = serving('app-1.js');
  vi.stubGlobal('fetch', server);
  const { result } = renderHook(() => useOutdated());
  await act(() => vi.advanceTimersByTimeAsync(599_999));
  expect(server).not.toHaveBeenCalled();
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(server).toHaveBeenCalledTimes(1);
  expect(result.current).toBe(false);
  server.mockImplementation(serving('app-2.js'));
  await act(() => vi.advanceTimersByTimeAsync(600_000));
  expect(result.current).toBe(true);
  await act(() => vi.advanceTimersByTimeAsync(6_000_000));
  expect(server).toHaveBeenCalledTimes(2);
});

test('11.37 a page that comes back to the front checks, at most once a minute', async () => {
  vi.useFakeTimers();
  const server = serving('app-2.js');
  vi.stubGlobal('fetch', server);
  const { result } = renderHook(() => useOutdated());
  const comeBack = () => act(async () => void document.dispatchEvent(new Event('visibilitychange')));
  await comeBack();
  expect(server).not.toHaveBeenCalled();
  vi.setSystemTime(Date.now() + 60_000);
  await comeBack();
  expect(server).toHaveBeenCalledTimes(1);
  expect(result.current).toBe(true);
});
