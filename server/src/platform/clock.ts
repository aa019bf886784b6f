/**
 * The one clock of the product (docs/product.md#2.4): business time = anchor + elapsed × speed, kept in the database
 * and read by SQL as `product_now()`, so that queries, jobs and all nodes agree. Here is what the server's code asks of
 * it.
 */
import { sql } from 'drizzle-orm';
import type { Db, Queryable } from './db/db.ts';
import { productClock } from './platform.tables.ts';

interface ClockDescription {
  /** Real time at the anchor. */
  anchorReal: string;
  /** Product time at the anchor. */
  anchorProduct: string;
  /** Product seconds a real second. */
  speed: number;
  /**
   * Real time of the database at this answer, by which a browser corrects its own clock: product = anchorProduct +
   * (real − anchorReal) × speed.
   */
  serverNow: string;
}

export interface Clock {
  /** Product time now. Within a transaction hand it over, so that its connection is used. */
  now(on?: Queryable): Promise<Date>;
  describe(): Promise<ClockDescription>;
  /** Moves product time forward by this many seconds; for tests and `/dev`. */
  move(seconds: number): Promise<void>;
  /** Product seconds a real second from now on; time goes on from where it is. */
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
      // Reckoned from the row itself, which two movers see one after the other; product_now() would read the older one.
      await db
        .update(productClock)
        .set({ anchorProduct: elapsed, anchorReal: sql`clock_timestamp()`, speed })
        .where(sql`${productClock.speed} <> ${speed}`);
    },
  };
}
