/** A failure does not stop other erasures. No database. */
import { expect, test, vi } from 'vitest';
import type { Db } from '../../platform/db/db.ts';
import { createRetention } from './index.ts';

const fault = new Error('a statement took too long');

test('one kind that cannot be erased does not stop the others, and the run fails', async () => {
  const execute = vi.fn<() => Promise<unknown>>().mockRejectedValue(fault);
  const eraseBookings = vi.fn(async () => ({ endedBookings: 1, bookingHandles: 0 }));
  const last = vi.fn(async () => ({ tokens: 1 }));
  const { scheduled } = createRetention({
    db: { execute } as unknown as Db,
    clock: { now: async () => new Date() },
    eraseBookings,
    purges: [() => Promise.reject(fault), last],
  });
  for (const { run } of scheduled) await expect(run()).rejects.toBe(fault);
  expect(execute).toHaveBeenCalledTimes(6);
  expect(eraseBookings).toHaveBeenCalledOnce();
  expect(last).toHaveBeenCalledOnce();
});
