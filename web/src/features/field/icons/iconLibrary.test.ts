// @vitest-environment happy-dom
/** An own icon has its true size on every screen, also where the list of icons is older than the icon. */
import { cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { type IconCalls, useIconLibrary } from './iconLibrary.ts';

afterEach(cleanup);

const drawing = (width: number, height: number) =>
  new Blob([
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="${width}" height="${height}"><rect width="4" height="5"/></svg>`,
  ]);

test('somebody who was inside before the upload gets the size with the drawing', async () => {
  const calls: IconCalls = {
    list: vi.fn(async () => []),
    image: async () => drawing(33.33, 50),
    save: vi.fn(),
    remove: vi.fn(),
  };
  const { result, rerender } = renderHook(({ worn }) => useIconLibrary(calls, worn), {
    initialProps: { worn: [] as number[] },
  });
  await waitFor(() => expect(result.current.icons).toEqual([]));
  rerender({ worn: [5] });
  await waitFor(() => expect(result.current.urls.has(5)).toBe(true));
  expect(result.current.sizes.get(5)).toEqual({ width: 33.33, height: 50 });
  expect(calls.list).toHaveBeenCalledTimes(1);
});

test('the size is known from the list before any drawing has come', async () => {
  const calls: IconCalls = {
    list: async () => [{ id: 5, name: 'House', width: 50, height: 25, createdOn: '' }],
    image: () => new Promise(() => undefined),
    save: vi.fn(),
    remove: vi.fn(),
  };
  const { result } = renderHook(() => useIconLibrary(calls, [5]));
  await waitFor(() => expect(result.current.sizes.get(5)).toEqual({ width: 50, height: 25 }));
});

test('5.3 each drawing is shown as soon as it has come, and waits for no other', async () => {
  const calls: IconCalls = {
    list: async () => [],
    image: (id) => (id === 5 ? Promise.resolve(drawing(30, 30)) : new Promise(() => undefined)),
    save: vi.fn(),
    remove: vi.fn(),
  };
  const worn = [4, 5, 6];
  const { result } = renderHook(() => useIconLibrary(calls, worn));
  await waitFor(() => expect([...result.current.urls.keys()]).toEqual([5]));
});
