/** Barriers for races: locks that a test holds until enough statements of its database wait for them. */
import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Db, Queryable, Tx } from '../../src/platform/db/db.ts';

/** Statements of this database that wait for a lock at this moment. */
export async function lockWaits(db: Queryable): Promise<number> {
  const { rows } = await db.execute<{ waiting: number }>(
    sql`SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]!.waiting;
}

/** Resolves once at least this many statements wait for a lock; fails the test after a minute. */
export async function untilLockWaits(db: Queryable, least: number): Promise<void> {
  await expect.poll(() => lockWaits(db), { timeout: 60_000, interval: 10 }).toBeGreaterThanOrEqual(least);
}

export interface HeldLock {
  /** Resolves once at least this many statements wait for a lock. */
  waited(least: number): Promise<void>;
  /** Ends the transaction that holds it. */
  release(): Promise<void>;
}

/** Takes locks in a transaction of its own and holds them. Takes what locks. Resolves when it has them. */
export async function holdLock(db: Db, take: (tx: Tx) => Promise<unknown>): Promise<HeldLock> {
  const taken = Promise.withResolvers<void>();
  const done = Promise.withResolvers<void>();
  const holding = db.transaction(async (tx) => {
    await take(tx);
    taken.resolve();
    await done.promise;
  });
  holding.catch(taken.reject);
  await taken.promise;
  return {
    waited: (least) => untilLockWaits(db, least),
    async release() {
      done.resolve();
      await holding;
    },
  };
}
