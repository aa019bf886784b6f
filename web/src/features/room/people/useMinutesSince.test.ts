// @vitest-environment happy-dom
/**
 * Waiting is measured by the product's clock: the browser's date may be wrong, and the product's may run at another
 * speed.
 */
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useMinutesSince } from './useMinutesSince.ts';

const server = vi.hoisted(() => ({ answer: (): unknown => null }));
vi.mock('../../../platform/api/index.ts', async (original) => ({
  ...(await original<object>()),
  api: { call: async () => server.answer() },
}));

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2001-01-01T00:00:00Z') });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('minutes pass at the speed of the product’s clock, also while the server does not answer', async () => {
  server.answer = () => ({
    clock: {
      anchorReal: '2026-11-22T10:00:00Z',
      anchorProduct: '2026-12-01T10:00:00Z',
      speed: 60,
      serverNow: '2026-11-22T10:00:05Z',
    },
    demo: null,
  });
  const { result } = renderHook(() => useMinutesSince());
  expect(result.current('2026-12-01T10:02:00Z')).toBe(0);
  await act(() => vi.advanceTimersByTimeAsync(0));
  // Five real seconds are five minutes of the product.
  expect(result.current('2026-12-01T10:02:00Z')).toBe(3);
  expect(result.current('2026-12-01T11:00:00Z')).toBe(0);
  server.answer = () => Promise.reject(new Error('offline'));
  await act(() => vi.advanceTimersByTimeAsync(30_000));
  expect(result.current('2026-12-01T10:02:00Z')).toBe(33);
});
