import { onlineManager, QueryObserver } from '@tanstack/react-query';
import { expect, test, vi } from 'vitest';
import { ApiProblem } from '../api/index.ts';
import { type Logged, passLogsTo } from '../log/log.ts';
import { createQueryClient, queryClient } from './queryClient.ts';
import { forgetPerson, storage } from '../storage.ts';

test('signing out empties the cache: the next person on this browser finds nothing of the previous one', () => {
  queryClient.setQueryData(['events', 7, 'lists'], ['Evening circle']);
  forgetPerson(storage);
  expect(queryClient.getQueryCache().getAll()).toEqual([]);
});

test('11.36 what failed without a connection is fetched again when it is back; what is shown stays', async () => {
  const client = createQueryClient();
  client.mount();
  const failing = vi.fn(() => Promise.reject(new Error('offline')));
  const shown = vi.fn(() => Promise.resolve('Evening circle'));
  const stops = [
    new QueryObserver(client, { queryKey: ['failing'], queryFn: failing }).subscribe(() => {}),
    new QueryObserver(client, { queryKey: ['shown'], queryFn: shown }).subscribe(() => {}),
  ];
  await vi.waitFor(() => expect(client.getQueryState(['failing'])?.status).toBe('error'));
  await vi.waitFor(() => expect(client.getQueryData(['shown'])).toBe('Evening circle'));
  onlineManager.setOnline(false);
  failing.mockResolvedValue('here' as never);
  onlineManager.setOnline(true);
  await vi.waitFor(() => expect(client.getQueryData(['failing'])).toBe('here'));
  expect(shown).toHaveBeenCalledTimes(1);
  for (const stop of stops) stop();
  client.unmount();
});

test('12.10 faults of calls are logged; refusals are answers', async () => {
  const logged: Logged[] = [];
  passLogsTo((one) => void logged.push(one));
  // Entries that other tests left.
  logged.length = 0;
  const client = createQueryClient();
  const ask = (fault: Error) =>
    client.fetchQuery({ queryKey: [String(fault)], queryFn: () => Promise.reject(fault) }).catch(() => undefined);
  await ask(new ApiProblem('not_found', { status: 404 }));
  await ask(new ApiProblem('offline'));
  const ours = new ApiProblem('unknown_fault', { status: 500, reference: 'a1B2c3D4e5F6' });
  await ask(ours);
  expect(logged).toEqual([{ level: 'Error', event: 'A call failed', fault: ours }]);
});
