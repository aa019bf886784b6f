/** Connections to the database while a crowd arrives. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { testPlatform, type TestPlatform } from '../../../tests/support/test-app.ts';
import { asArrival } from './arrivals.ts';
import { DatabaseUnavailable } from './db.ts';
import { LimitedPool } from './limited-pool.ts';
import { Waits, withWaits } from './waits.ts';

const MAX = 6;
const FOR_ARRIVALS = 4;
const LIMITS = { connectionMs: 20_000, lockMs: 20_000, statementMs: 20_000, answerMs: 25_000 };

let t: TestPlatform;
let pool: LimitedPool;
beforeAll(async () => void (t = await testPlatform()));
afterAll(() => t.close());
beforeEach(() => void (pool = makePool()));
afterEach(() => pool.end());

const makePool = () =>
  new LimitedPool({ connectionString: t.database.connectionString, max: MAX, limits: LIMITS, onIdleFault: () => {} });

/** People who arrive, and each keep their connection until they are let go. */
function crowd(people: number) {
  const letGo = Promise.withResolvers<void>();
  let begun = 0;
  const arrivals = Array.from({ length: people }, () =>
    asArrival(async () => {
      const client = await pool.connect();
      begun += 1;
      await letGo.promise;
      client.release();
    }),
  );
  return {
    begun: () => begun,
    async end() {
      letGo.resolve();
      await Promise.all(arrivals);
    },
  };
}

test('a crowd leaves connections to those who are there, and all of it gets its turn', async () => {
  const { begun, end } = crowd(10);
  await expect.poll(begun).toBe(FOR_ARRIVALS);
  const others = await Promise.all([pool.connect(), pool.connect()]);
  expect((await others[0].query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  for (const client of others) client.release();
  expect(begun()).toBe(FOR_ARRIVALS);
  await end();
  expect(begun()).toBe(10);
});

test.each([
  ['has no deadline', null],
  ['has no time left', new Waits(LIMITS.statementMs, LIMITS.statementMs)],
])('somebody who waits too long and %s is refused, and takes no connection later', async (_what, waits) => {
  const { begun, end } = crowd(FOR_ARRIVALS);
  await expect.poll(begun).toBe(FOR_ARRIVALS);
  const ask = () => asArrival((): Promise<unknown> => pool.query('SELECT 1'));
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const fault = (waits === null ? ask() : withWaits(waits, ask)).catch((thrown: unknown) => thrown);
  await vi.advanceTimersByTimeAsync(LIMITS.connectionMs);
  vi.useRealTimers();
  expect(await fault).toBeInstanceOf(DatabaseUnavailable);
  await end();
  const next = crowd(FOR_ARRIVALS);
  await expect.poll(next.begun).toBe(FOR_ARRIVALS);
  await next.end();
});

test('what breaks or fails while somebody arrives keeps no connection', async () => {
  for (let time = 0; time < FOR_ARRIVALS; time += 1) {
    const client = await asArrival(() => pool.connect());
    // It is not released: its user may never learn of it.
    await expect(client.query('SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toThrow('terminating');
    await expect(asArrival(() => pool.query('SELECT nothing'))).rejects.toThrow('nothing');
  }
  const next = crowd(FOR_ARRIVALS);
  await expect.poll(next.begun).toBe(FOR_ARRIVALS);
  await next.end();
});

test('a pool that ends refuses those who still wait', async () => {
  const { begun, end } = crowd(FOR_ARRIVALS);
  await expect.poll(begun).toBe(FOR_ARRIVALS);
  const fault = asArrival((): Promise<unknown> => pool.query('SELECT 1')).catch((thrown: unknown) => thrown);
  const ended = pool.end();
  await end();
  expect(await fault).toBeInstanceOf(DatabaseUnavailable);
  await ended;
  pool = makePool();
});
