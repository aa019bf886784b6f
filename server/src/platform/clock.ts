/**
 * The one clock of the product (docs/product.md#2.4): business time = anchor + elapsed × speed. The database keeps it
 * and SQL reads it as `product_now()`, so that queries, jobs and all nodes agree. This is its interface for the
 * server's code.
 */
import { sql } from 'drizzle-orm';
import type { Db, Queryable } from './db/db.ts';
import { productClock } from './platform.tables.ts';

interface ClockDescription {
  /** Real time at the anchor. */
  anchorReal: string;
  /** Product time at the anchor. */
  anchorProduct: string;
  /** Product seconds per real second. */
  speed: number;
  /**
   * Real time of the database at this answer. A browser corrects its own clock by it: product = anchorProduct + (real −
   * anchorReal) × speed.
   */
  serverNow: string;
}

export interface Clock {
  /** Product time now. Inside a transaction pass it, so that its connection is used. */
  now(on?: Queryable): Promise<Date>;
  describe(): Promise<ClockDescription>;
  /** Moves product time forward by this many seconds; for tests and `/dev`. */
  move(seconds: number): Promise<void>;
  /** Sets product seconds per real second from now on; time continues from its present value. */
  setSpeed(speed: number): Promise<void>;
}

/** Makes the clock. Takes the database. */
export function createClock(db: Db): Clock {
  const elapsed = sql`${productClock.anchorProduct} + (clock_timestamp() - ${productClock.anchorReal}) * ${productClock.speed}`;
  return {
    async now(on = db) {
      const { rows } = await on.execute<{ now: string }>(sql`SELECT product_now() AS now`);
      return new Date(rows[0]!.now);
    },

    async describe() {
      const [row] = await db
        .select({ clock: productClock, serverNow: sql<string>`clock_timestamp()` })
        .from(productClock);
      const { clock, serverNow } = row!;
      return {
        anchorReal: clock.anchorReal.toISOString(),
        anchorProduct: clock.anchorProduct.toISOString(),
        speed: clock.speed,
        serverNow: new Date(serverNow).toISOString(),
      };
    },

    async move(seconds) {
      if (!(seconds >= 0 && Number.isFinite(seconds))) throw new RangeError('Product time only goes forward');
      await db
        .update(productClock)
        .set({ anchorProduct: sql`${productClock.anchorProduct} + make_interval(secs => ${seconds})` });
    },

    async setSpeed(speed) {
      if (!(speed > 0 && Number.isFinite(speed))) throw new RangeError('The speed is a number above 0');
      // Calculated from the row itself, which two callers change one after another; product_now() would read the older
      // one.
      await db
        .update(productClock)
        .set({ anchorProduct: elapsed, anchorReal: sql`clock_timestamp()`, speed })
        .where(sql`${productClock.speed} <> ${speed}`);
    },
  };
}
