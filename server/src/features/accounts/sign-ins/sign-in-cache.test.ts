/** The memory of sign-ins: what is read once, and what is forgotten. */
import { expect, test } from 'vitest';
import type { Account } from '../../../access.ts';
import type { Queryable } from '../../../platform/db/db.ts';
import { createSignInCache } from './sign-in-cache.ts';

const accountOf = (id: number, tokenHash: Buffer): Account => ({
  kind: 'account',
  id,
  roles: ['ROLE_THERAPIST'],
  language: 'en',
  tokenHash,
});

/** Databases that are never queried: the test itself answers reads. */
const [db, roomDb] = [{} as Queryable, {} as Queryable];

function world() {
  const [anna, judit] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const rows = new Map<Buffer, number>([
    [anna, 1],
    [judit, 2],
  ]);
  const made = { now: 0, reads: 0, hold: Promise.resolve() };
  const reached: Queryable[] = [];
  const signIns = createSignInCache(
    async (tokenHash, from) => {
      made.reads += 1;
      reached.push(from);
      const id = rows.get(tokenHash);
      await made.hold;
      return id === undefined ? null : accountOf(id, tokenHash);
    },
    () => made.now,
  );
  const cache = { ...signIns, find: (tokenHash: Buffer, from = db) => signIns.find(tokenHash, from) };
  return { made, cache, rows, reached, anna, judit };
}

test('a sign-in is read once in two seconds of product time', async () => {
  const { made, cache, anna, judit } = world();
  expect((await cache.find(anna))?.id).toBe(1);
  expect((await cache.find(judit))?.id).toBe(2);
  made.now = 1999;
  expect((await cache.find(anna))?.id).toBe(1);
  expect(made.reads).toBe(2);
  made.now = 2000;
  await cache.find(anna);
  expect(made.reads).toBe(3);
  made.now = 1000;
  await cache.find(anna);
  expect(made.reads, 'the clock was set back').toBe(4);
});

test('a forgotten sign-in is read again; others stay cached', async () => {
  const { made, cache, rows, anna, judit } = world();
  await cache.find(anna);
  await cache.find(judit);
  rows.delete(anna);
  cache.forget(1);
  expect(await cache.find(anna)).toBeNull();
  expect((await cache.find(judit))?.id).toBe(2);
  expect(made.reads).toBe(3);
});

test('a sign-in that was read while something was forgotten is not cached', async () => {
  const { made, cache, rows, anna } = world();
  const { promise, resolve } = Promise.withResolvers<void>();
  made.hold = promise;
  const reading = cache.find(anna);
  rows.delete(anna);
  cache.forget(1);
  resolve();
  expect((await reading)?.id, 'as it was when the read began').toBe(1);
  expect(await cache.find(anna)).toBeNull();
});

test('unknown tokens take no memory: each is read', async () => {
  const { made, cache } = world();
  const stranger = Buffer.alloc(32, 9);
  expect([await cache.find(stranger), await cache.find(stranger)]).toEqual([null, null]);
  expect(made.reads).toBe(2);
});

test('it is read from the database that the caller names', async () => {
  const { cache, reached, anna, judit } = world();
  await cache.find(anna, roomDb);
  await cache.find(judit);
  await cache.find(anna);
  expect(reached[0]).toBe(roomDb);
  expect(reached[1]).toBe(db);
  expect(reached).toHaveLength(2);
});
