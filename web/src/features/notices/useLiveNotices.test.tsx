/** The bell's connection where its code could not be fetched (docs/product.md#11.36). */
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useLiveNotices } from './useLiveNotices.ts';

const world = { up: false, fetched: 0, listening: 0 };
vi.mock('./noticesQuery.ts', () => ({ useAskAgain: () => () => undefined }));

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(world, { up: false, fetched: 0, listening: 0 });
  // Mocked for each test: a loaded module stays loaded.
  vi.resetModules();
  vi.doMock('./liveNotices.ts', () => {
    world.fetched += 1;
    if (!world.up) throw new TypeError('Failed to fetch');
    return {
      listenToNotices() {
        world.listening += 1;
        return () => {
          world.listening -= 1;
        };
      },
    };
  });
});
afterEach(() => {
  cleanup();
  look('visible');
  vi.useRealTimers();
});

const later = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
/** Resolves after this many fetches have ended. */
const fetches = (times: number) =>
  vi.waitFor(async () => {
    await act(async () => {});
    expect(world.fetched).toBe(times);
  });
function look(visibility: 'visible' | 'hidden') {
  Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true });
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
}

test('11.36 its code is fetched again while the page is visible', async () => {
  const { unmount } = renderHook(() => useLiveNotices(() => undefined));
  await fetches(1);
  world.up = true;
  await later(5000);
  await vi.waitFor(() => expect(world.listening).toBe(1));
  await later(600_000);
  expect(world.fetched).toBe(2);
  unmount();
  expect(world.listening).toBe(0);
});

test('11.36 its code is not fetched in the background, until the page is visible again', async () => {
  renderHook(() => useLiveNotices(() => undefined));
  await fetches(1);
  look('hidden');
  await later(30_000);
  const { fetched } = world;
  await later(600_000);
  expect(world.fetched).toBe(fetched);
  world.up = true;
  look('visible');
  await vi.waitFor(() => expect(world.listening).toBe(1));
});
