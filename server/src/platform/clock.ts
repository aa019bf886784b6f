/**
 * The one clock of the product (docs/product.md#2.4): business time = anchor + elapsed × speed. The database keeps it
 * and SQL reads it as `product_now()`, so that queries, jobs and all nodes agree. This is its interface for the
 * server's code.
 */
import { sql } from 'drizzle-orm';
import type { Db, Queryable } from './db/db.ts';
import { readInBatch, batchableRead } from './db/batched-reads.ts';
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
  /**
   * Product time now in milliseconds, from memory: for answers that must not cost a query. It lags behind the database
   * by the time that an answer of it takes, is never ahead, and does not go back. Call `refresh` before the first time.
   */
  moment(): number;
  /**
   * Reads the database's clock again for `moment`. `move` and `setSpeed` do so by themselves; what another process did,
   * or a machine that slept, shows after the next call.
   */
  refresh(): Promise<void>;
  describe(): Promise<ClockDescription>;
  /** Moves product time forward by this many seconds; for tests and `/dev`. */
  move(seconds: number): Promise<void>;
  /** Sets product seconds per real second from now on; time continues from its present value. */
  setSpeed(speed: number): Promise<void>;
}

/** A database whose real time is set back this far, in product milliseconds at normal speed, takes `moment` along. */
const SET_BACK_MS = 5_000;

/** In seconds, as in clock.sql. */
const elapsed = sql`${productClock.anchorProduct} + make_interval(secs =>
  extract(epoch FROM clock_timestamp() - ${productClock.anchorReal})::float8 * ${productClock.speed})`;
const READING = batchableRead<{ productMs: number; speed: number }>(sql`
  SELECT (extract(epoch FROM ${elapsed}) * 1000)::float8 AS "productMs", ${productClock.speed} AS speed FROM ${productClock}`);

/** Makes the clock. Takes the database, and the one for live rooms, whose sweeps read the clock every second. */
export function createClock(db: Db, roomDb = db): Clock {
  /** Product time as the database told it, with the process' own clock when the answer had come. */
  let told: { productMs: number; atMs: number; speed: number } | null = null;
  let latest = -Infinity;

  function moment(): number {
    if (told === null) throw new Error('the clock was not read yet');
    const now = Math.floor(told.productMs + (performance.now() - told.atMs) * told.speed);
    if (now > latest || latest - now > SET_BACK_MS * Math.max(1, told.speed)) latest = now;
    return latest;
  }

  /** One after the other: an answer from before a move must not come after it. */
  let reading: Promise<void> = Promise.resolve();
  function refresh(): Promise<void> {
    reading = reading.catch(() => {}).then(read);
    return reading;
  }
  async function read(): Promise<void> {
    const [reading] = await readInBatch(roomDb, READING);
    told = { ...reading!, atMs: performance.now() };
  }

  return {
    moment,
    refresh,

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
      await refresh();
    },

    async setSpeed(speed) {
      if (!(speed > 0 && Number.isFinite(speed))) throw new RangeError('The speed is a number above 0');
      // Calculated from the row itself, which two callers change one after another; product_now() would read the older
      // one.
      await db
        .update(productClock)
        .set({ anchorProduct: elapsed, anchorReal: sql`clock_timestamp()`, speed })
        .where(sql`${productClock.speed} <> ${speed}`);
      await refresh();
    },
  };
}
