// @vitest-environment happy-dom
/** An own icon has its true size on every screen, even if the list of icons is older than the icon. */
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { type IconCalls, useIconLibrary } from './iconLibrary.ts';

afterEach(cleanup);

const drawing = (width: number, height: number) =>
  new Blob([
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9" width="${width}" height="${height}"><rect width="4" height="5"/></svg>`,
  ]);

test('people who were in the room before the upload get the size with the drawing', async () => {
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

test('the list provides the sizes before any drawing has arrived', async () => {
  const calls: IconCalls = {
    list: async () => [{ id: 5, name: 'House', width: 50, height: 25, createdOn: '' }],
    image: () => new Promise(() => undefined),
    save: vi.fn(),
    remove: vi.fn(),
  };
  const { result } = renderHook(() => useIconLibrary(calls, [5]));
  await waitFor(() => expect(result.current.sizes.get(5)).toEqual({ width: 50, height: 25 }));
});

test('5.3 each drawing is shown as soon as it arrives, without waiting for others', async () => {
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

test('11.36 a list and a drawing that could not be fetched are fetched again; until then nobody reads that there are none', async () => {
  const house = { id: 5, name: 'House', width: 50, height: 25, createdOn: '' };
  const failsOnce = <T>(then: T) => vi.fn(async () => then).mockRejectedValueOnce(new Error('offline'));
  const calls: IconCalls = {
    list: failsOnce([house]),
    image: failsOnce(drawing(50, 25)),
    save: vi.fn(),
    remove: vi.fn(),
  };
  const { result } = renderHook(() => useIconLibrary(calls, [5]));
  await waitFor(() => expect(calls.image).toHaveBeenCalledTimes(1));
  await act(async () => {});
  expect(result.current.icons).toBeNull();
  act(() => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(result.current.urls.has(5)).toBe(true));
  expect(result.current.icons).toEqual([house]);
});

test('a drawing of a deleted icon is not requested again', async () => {
  const calls: IconCalls = {
    list: async () => [],
    image: vi.fn().mockRejectedValue({ code: 'not_found' }),
    save: vi.fn(),
    remove: vi.fn(),
  };
  renderHook(() => useIconLibrary(calls, [5]));
  await waitFor(() => expect(calls.image).toHaveBeenCalledTimes(1));
  await act(async () => {});
  act(() => void window.dispatchEvent(new Event('online')));
  expect(calls.image).toHaveBeenCalledTimes(1);
});

test('the answer to an older request for the list does not overwrite a newer one', async () => {
  const icon = (id: number) => ({ id, name: `${id}`, width: 50, height: 25, createdOn: '' });
  const answers: ((icons: ReturnType<typeof icon>[]) => void)[] = [];
  const calls: IconCalls = {
    list: () => new Promise((resolve) => answers.push(resolve)),
    image: () => new Promise(() => undefined),
    save: vi.fn(),
    remove: vi.fn(),
  };
  const { result } = renderHook(() => useIconLibrary(calls, []));
  act(() => result.current.refresh());
  await act(async () => answers[1]?.([icon(1), icon(2)]));
  await act(async () => answers[0]?.([icon(1)]));
  expect(result.current.icons?.map(({ id }) => id)).toEqual([1, 2]);
});
