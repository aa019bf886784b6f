/** Queries that were requested before the page that draws them was loaded. */
import { QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { askAhead, forgetAskedAhead } from './askedAhead.ts';
import { createQueryClient } from './queryClient.ts';

afterEach(() => {
  forgetAskedAhead();
  vi.useRealTimers();
});

/** A query that was requested ahead. `draw` returns how often it has been requested, once nothing is on its way. */
async function askedAhead() {
  const client = createQueryClient();
  const ask = vi.fn(async () => 'Evening circle');
  const query = { queryKey: ['next'], queryFn: ask };
  await askAhead(client, [query]);
  const draw = async () => {
    const stop = new QueryObserver(client, query).subscribe(() => {});
    await vi.waitFor(() => expect(client.isFetching()).toBe(0));
    stop();
    return ask.mock.calls.length;
  };
  return { client, draw };
}

test('the page that draws it does not request it again, however many parts it has', async () => {
  const { draw } = await askedAhead();
  expect([await draw(), await draw()]).toEqual([1, 1]);
});

test('an answer that the cache drops while nothing draws it waits for the page, and is dropped with the page', async () => {
  const client = createQueryClient();
  await askAhead(client, [{ queryKey: ['form'], queryFn: async () => 'blank', gcTime: 0 } as { queryKey: string[] }]);
  await new Promise((resolve) => void setTimeout(resolve));
  expect(client.getQueryData(['form'])).toBe('blank');
  forgetAskedAhead();
  await vi.waitFor(() => expect(client.getQueryCache().find({ queryKey: ['form'] })).toBeUndefined());
});

test('it is requested again once that page has gone', async () => {
  const { draw } = await askedAhead();
  forgetAskedAhead();
  expect(await draw()).toBe(2);
});

test('it is requested again after ten seconds, and after a change', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const { client, draw } = await askedAhead();
  vi.setSystemTime(Date.now() + 9_999);
  expect(await draw()).toBe(1);
  vi.setSystemTime(Date.now() + 1);
  expect(await draw()).toBe(2);
  await client.invalidateQueries({ queryKey: ['next'] });
  expect(await draw()).toBe(3);
});
