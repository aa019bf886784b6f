/**
 * When something happened last, by number, roughly and for all nodes: such as when somebody acted, for what ends after
 * minutes of rest. A node writes a moment when it is much later than the one it wrote before, so that a hand that drags
 * costs a row every few seconds. A service of one node keeps them in memory.
 */
import { sql } from 'drizzle-orm';
import type { Db, Queryable } from '../db/db.ts';
import { lastTimes } from '../platform.tables.ts';

export interface LastTimes {
  /** It happened now, at a moment of product time in milliseconds. */
  set(id: number, atMs: number): void;
  /** The latest moments that any node knows, without those that nobody knows. May be too early by `everyMs`. */
  read(on: Queryable, ids: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** Forgets it on this node; for the others it ends with the sweep. */
  forget(id: number): void;
  /** Removes what no rule asks for any more; for a sweep. Where one node is alone, `set` does so now and then. */
  sweep(): Promise<void>;
}

const EVERY_MS = 15_000;
/** Longer than every rest that ends something. */
const KEPT_MS = 24 * 3_600_000;
const TIDY_EVERY_MS = 3_600_000;

/** Makes the last times of one kind, by its name. `db` is null for a service of one node. */
export function createLastTimes(name: string, db: Db | null, onFault: (error: unknown) => void): LastTimes {
  const known = new Map<number, { atMs: number; writtenMs: number }>();
  /** The moment that was set last: product time, except while nothing happens, when nothing is added either. */
  let latestMs = -Infinity;
  let tidiedMs = -Infinity;

  /** People who leave are forgotten by `forget`, but a node hears of them only while it has others of their room. */
  function tidy(): void {
    tidiedMs = latestMs;
    for (const [id, { atMs }] of known) if (atMs < latestMs - KEPT_MS) known.delete(id);
  }

  return {
    set(id, atMs) {
      latestMs = atMs;
      const writtenMs = known.get(id)?.writtenMs ?? -Infinity;
      const isDue = db !== null && atMs - writtenMs >= EVERY_MS;
      known.set(id, { atMs, writtenMs: isDue ? atMs : writtenMs });
      // Nobody sweeps a node that is alone.
      if (db === null && atMs - tidiedMs >= TIDY_EVERY_MS) tidy();
      if (!isDue) return;
      db.insert(lastTimes)
        .values({ name, id, atMs })
        .onConflictDoUpdate({
          target: [lastTimes.name, lastTimes.id],
          set: { atMs: sql`greatest(${lastTimes.atMs}, excluded.at_ms)` },
        })
        .catch((error: unknown) => {
          const mine = known.get(id);
          if (mine !== undefined) mine.writtenMs = -Infinity;
          onFault(error);
        });
    },
    async read(on, ids) {
      const found = new Map<number, number>();
      for (const id of ids) {
        const mine = known.get(id);
        if (mine !== undefined) found.set(id, mine.atMs);
      }
      if (db === null || ids.length === 0) return found;
      const rows = await on
        .select()
        .from(lastTimes)
        .where(sql`${lastTimes.name} = ${name} AND ${lastTimes.id} = ANY(${sql.param([...ids])}::bigint[])`);
      for (const { id, atMs } of rows) found.set(id, Math.max(atMs, found.get(id) ?? -Infinity));
      return found;
    },
    forget: (id) => void known.delete(id),
    async sweep() {
      tidy();
      if (db !== null)
        await db
          .delete(lastTimes)
          .where(
            sql`${lastTimes.name} = ${name} AND ${lastTimes.atMs} < extract(epoch FROM product_now()) * 1000 - ${KEPT_MS}`,
          );
    },
  };
}
