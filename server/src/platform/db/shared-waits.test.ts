/**
 * Work that several requests share has its own time to wait for the database, not that of the request that came first.
 */
import { expect, test } from 'vitest';
import { createSharedReads } from '../scheduling/shared-reads.ts';
import { createLimits } from '../limits.ts';
import { once } from '../small.ts';
import type { Db } from './db.ts';
import { currentWaits, Waits, withWaits } from './waits.ts';

/** Runs work in a request that has no time left. */
const lateRequest = <T>(work: () => T): T => withWaits(new Waits(1000, 1000), work);

test('an answer that is kept for all', async () => {
  const ask = once(async () => currentWaits());
  expect(await lateRequest(ask)).toBeNull();
});

test('a read that several share', async () => {
  const share = createSharedReads<Waits | null>();
  expect(await lateRequest(() => share('events', async () => currentWaits()))).toBeNull();
});

test('calls that are counted together', async () => {
  const seen: (Waits | null)[] = [];
  const execute = async () => {
    seen.push(currentWaits());
    throw new Error('not counted');
  };
  const limits = createLimits({ execute } as unknown as Db, async () => Buffer.alloc(32));
  await expect(lateRequest(() => limits.take('booking', { max: 1, windowSeconds: 60 }))).rejects.toThrow('not counted');
  expect(seen).toEqual([null]);
});
