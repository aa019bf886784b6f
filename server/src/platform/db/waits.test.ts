/** The deadline that all waits of a request share, down to the limits that PostgreSQL is told. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testPlatform, type TestPlatform } from '../../../tests/support/test-app.ts';
import { DatabaseUnavailable, type Queryable } from './db.ts';
import { asOneRequest, currentWaits, Waits, withoutWaits, withWaits } from './waits.ts';

const TOTAL_MS = 15_000;

/** Real time that the test moves. */
function aTime() {
  let now = 0;
  return { now: () => now, move: (ms: number) => void (now += ms) };
}

describe('what a request has waited', () => {
  test('adds up; what runs side by side counts once', () => {
    const time = aTime();
    const waits = new Waits(1000, 0, time.now);
    const ended = waits.begin();
    time.move(100);
    const [second, third] = [waits.begin(), waits.begin()];
    time.move(100);
    ended();
    ended();
    second();
    time.move(50);
    third();
    time.move(5000);
    expect(waits.leftMs()).toBe(750);
    waits.begin();
    time.move(800);
    expect(waits.leftMs()).toBe(-50);
  });

  test('is over with the request, and left out by work that several share', async () => {
    const waits = new Waits(1000);
    const seen: (Waits | null)[] = [];
    const later = Promise.withResolvers<void>();
    let leftRunning: Promise<void> | undefined;
    await asOneRequest(waits, async () => {
      seen.push(
        currentWaits(),
        withoutWaits(() => currentWaits()),
      );
      leftRunning = later.promise.then(() => void seen.push(currentWaits()));
    });
    later.resolve();
    await leftRunning;
    expect(seen).toEqual([waits, null, null]);
    expect(currentWaits()).toBeNull();
  });

  test('ends the wait for other work, but not where that has finished or failed', async () => {
    const used = new Waits(0);
    expect(await used.inTime(Promise.withResolvers<void>().promise)).toBe(false);
    expect(await used.inTime(Promise.resolve())).toBe(true);
    expect(await used.inTime(Promise.reject(new Error('no')))).toBe(true);
  });
});

describe('the limits that PostgreSQL keeps', () => {
  let t: TestPlatform;
  beforeAll(async () => {
    // Two connections for rooms.
    t = await testPlatform({ DATABASE_TIMEOUT_MS: String(TOTAL_MS), DATABASE_CONNECTIONS: '8' });
  });
  afterAll(() => t.close());

  const limits = async (db: Queryable) => {
    const { rows } = await db.execute<{ lock: string; statement: string }>(
      sql`SELECT current_setting('lock_timeout') AS lock, current_setting('statement_timeout') AS statement`,
    );
    return rows[0]!;
  };
  const WHOLE = { lock: '10s', statement: '15s' };

  test('PostgreSQL is told when to give up a client that is gone or forgot its transaction', async () => {
    // What a session began with: over a local socket there is nothing to keep alive, and the present values are 0.
    const { rows } = await t.db.execute<{ name: string; ms: number }>(sql`
      SELECT name, reset_val::int * CASE unit WHEN 's' THEN 1000 ELSE 1 END AS ms FROM pg_settings
       WHERE name IN ('client_connection_check_interval', 'idle_in_transaction_session_timeout',
        'tcp_keepalives_idle', 'tcp_keepalives_interval', 'tcp_keepalives_count', 'tcp_user_timeout')`);
    expect(Object.fromEntries(rows.map(({ name, ms }) => [name, ms]))).toEqual({
      client_connection_check_interval: 1000,
      idle_in_transaction_session_timeout: 30_000,
      tcp_keepalives_idle: 2000,
      tcp_keepalives_interval: 1000,
      tcp_keepalives_count: 3,
      tcp_user_timeout: 5000,
    });
  });

  test('are what the request has left, and whole again for the next', async () => {
    const time = aTime();
    const waits = new Waits(TOTAL_MS, 12_000, time.now);
    expect(await withWaits(waits, () => limits(t.roomDb))).toEqual({ lock: '2s', statement: '3s' });
    expect(await limits(t.roomDb)).toEqual(WHOLE);
    expect(await withWaits(waits, () => t.roomDb.transaction(limits))).toEqual({ lock: '2s', statement: '3s' });
    expect(await limits(t.roomDb)).toEqual(WHOLE);
    expect(await withWaits(new Waits(TOTAL_MS, 0, time.now), () => limits(t.roomDb))).toEqual(WHOLE);
  });

  test('shrink by the wait for a connection', async () => {
    const time = aTime();
    const free = Promise.withResolvers<void>();
    const taken = [1, 2].map(() => {
      const has = Promise.withResolvers<void>();
      const holding = t.roomDb.transaction(async (tx) => {
        await tx.execute(sql`SELECT 1`);
        has.resolve();
        await free.promise;
      });
      return { has: has.promise, holding };
    });
    await Promise.all(taken.map(({ has }) => has));
    const asked = withWaits(new Waits(TOTAL_MS, 0, time.now), () => t.roomDb.transaction(limits));
    time.move(9000);
    free.resolve();
    expect(await asked).toEqual({ lock: '4s', statement: '6s' });
    await Promise.all(taken.map(({ holding }) => holding));
    expect(await Promise.all([limits(t.roomDb), limits(t.roomDb)])).toEqual([WHOLE, WHOLE]);
  });

  test('shrink inside a transaction too, and never to nothing', async () => {
    const time = aTime();
    const waits = new Waits(TOTAL_MS, 0, time.now);
    const seen = await withWaits(waits, () =>
      t.roomDb.transaction(async (tx) => {
        const all = [await limits(tx)];
        // The transaction waits somewhere else.
        for (const ms of [3000, 30_000]) {
          const ended = waits.begin();
          time.move(ms);
          ended();
          all.push(await limits(tx));
        }
        return all;
      }),
    );
    expect(seen).toEqual([WHOLE, { lock: '8s', statement: '12s' }, { lock: '67ms', statement: '100ms' }]);
    expect(await limits(t.roomDb)).toEqual(WHOLE);
  });

  test('are whole again after a transaction that was taken back', async () => {
    const waits = new Waits(TOTAL_MS, 14_000, () => 0);
    const failed = withWaits(waits, () => t.roomDb.transaction((tx) => tx.execute(sql`SELECT 1 / 0`)));
    await expect(failed).rejects.toMatchObject({ cause: { code: '22012' } });
    expect(await limits(t.roomDb)).toEqual(WHOLE);
  });

  test('refuse a lock, and a connection, to a request that has waited long enough', async () => {
    const free = Promise.withResolvers<void>();
    const has = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holding = has.map(({ resolve }) =>
      t.roomDb.transaction(async (tx) => {
        await tx.execute(sql`SELECT pg_advisory_xact_lock_shared(1)`);
        resolve();
        await free.promise;
      }),
    );
    await Promise.all(has.map(({ promise }) => promise));
    const spent = () => new Waits(TOTAL_MS, TOTAL_MS);
    const locked = withWaits(spent(), async () => t.db.execute(sql`SELECT pg_advisory_xact_lock(1)`));
    await expect(locked).rejects.toMatchObject({ cause: { code: '55P03' } });
    await expect(withWaits(spent(), async () => t.roomDb.execute(sql`SELECT 1`))).rejects.toMatchObject({
      cause: expect.any(DatabaseUnavailable),
    });
    free.resolve();
    await Promise.all(holding);
    // The connection that came too late was given back.
    expect(await Promise.all([limits(t.roomDb), limits(t.roomDb)])).toEqual([WHOLE, WHOLE]);
  });
});
