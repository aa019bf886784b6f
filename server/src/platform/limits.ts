/**
 * Counted limits (SAFE, "Limits"): so many within so many seconds of product time, counted in the database, so that all
 * nodes count together and a restart forgets nothing. Keys name what is counted and for whom (`sign-in 192.0.2.1`); in
 * the database stands only a keyed hash of them.
 *
 * Windows are fixed: the first count opens one, and it ends `windowSeconds` later for everybody with that key.
 */
import { createHmac } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import { Problem } from '@fieldroom/contract/problems';
import { eq, sql } from 'drizzle-orm';
import type { Limit } from './config.ts';
import type { Db } from './db/db.ts';
import { limitCounters } from './platform.tables.ts';

export interface Counted {
  /** Within the limit, this one included. */
  readonly ok: boolean;
  /** Seconds until the window ends; 0 where nothing was counted yet. */
  readonly retryAfterSeconds: number;
}

export interface Limits {
  /** Counts one and tells whether it is within the limit. */
  count(key: string, limit: Limit): Promise<Counted>;
  /** Counts one. @throws Problem too_many_requests with the seconds to wait when it is beyond the limit. */
  take(key: string, limit: Limit): Promise<void>;
  /** Counts one and tells whether it is within the limit, for limits whose answer must not show. */
  allows(key: string, limit: Limit): Promise<boolean>;
  /** Whether one more would be within the limit; counts nothing. */
  peek(key: string, limit: Limit): Promise<Counted>;
  /** Takes one count back, for what turned out right. */
  giveBack(key: string): Promise<void>;
  /** Forgets the key. */
  clear(key: string): Promise<void>;
  /** Removes counters whose window can't matter any more; for a sweep. Out: how many. */
  sweep(): Promise<number>;
  readonly addressBlock: typeof addressBlock;
}

/** The longest window a limit may have; what is older is swept. */
const LONGEST_WINDOW_SECONDS = 31 * 86_400;

/**
 * Makes the limits. In: the database, and a secret that stays with this database (an address has so few values that a
 * hash without a key could be tried out).
 */
export function createLimits(db: Db, secret: () => Promise<Buffer>): Limits {
  let known: Promise<Buffer> | undefined;
  const hash = async (key: string) => {
    known ??= secret().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return createHmac('sha256', await known).update(`limit ${key}`).digest();
  };

  const windowEnd = (seconds: number) => sql`${limitCounters.windowStart} + make_interval(secs => ${seconds})`;
  const secondsLeft = (seconds: number) => sql<number>`greatest(1, ceil(extract(epoch FROM ${windowEnd(seconds)} - product_now())))::int`;

  async function count(key: string, { max, windowSeconds }: Limit): Promise<Counted> {
    // One statement: two at once are counted one after the other by the row's lock.
    const over = sql`${windowEnd(windowSeconds)} <= product_now()`;
    const [row] = await db
      .insert(limitCounters)
      .values({ key: await hash(key), windowStart: sql`product_now()`, count: 1 })
      .onConflictDoUpdate({
        target: limitCounters.key,
        set: {
          windowStart: sql`CASE WHEN ${over} THEN product_now() ELSE ${limitCounters.windowStart} END`,
          // Held below the type's end, whatever a flood does.
          count: sql`CASE WHEN ${over} THEN 1 ELSE least(${limitCounters.count} + 1, 1000000000) END`,
        },
      })
      .returning({ count: limitCounters.count, left: secondsLeft(windowSeconds) });
    return { ok: row!.count <= max, retryAfterSeconds: row!.left };
  }

  return {
    count,
    addressBlock,

    async take(key, limit) {
      const { ok, retryAfterSeconds } = await count(key, limit);
      if (!ok) throw new Problem('too_many_requests', { retryAfterSeconds });
    },

    allows: async (key, limit) => (await count(key, limit)).ok,

    async peek(key, { max, windowSeconds }) {
      const [row] = await db
        .select({ count: limitCounters.count, left: secondsLeft(windowSeconds), over: sql<boolean>`${windowEnd(windowSeconds)} <= product_now()` })
        .from(limitCounters)
        .where(eq(limitCounters.key, await hash(key)));
      if (row === undefined || row.over) return { ok: true, retryAfterSeconds: 0 };
      return { ok: row.count < max, retryAfterSeconds: row.left };
    },

    async giveBack(key) {
      await db.update(limitCounters).set({ count: sql`greatest(0, ${limitCounters.count} - 1)` }).where(eq(limitCounters.key, await hash(key)));
    },

    async clear(key) {
      await db.delete(limitCounters).where(eq(limitCounters.key, await hash(key)));
    },

    async sweep() {
      const { rowCount } = await db.delete(limitCounters).where(sql`${windowEnd(LONGEST_WINDOW_SECONDS)} < product_now()`);
      return rowCount ?? 0;
    },
  };
}

/**
 * Who is counted as one: an IPv4 address, or the /64 network of an IPv6 address (a home gets at least that many).
 * In: an address as the socket gives it. Out: the block's text; what is no address comes back as it is.
 */
export function addressBlock(ip: string): string {
  const bare = ip.split('%')[0]!;
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(bare)?.[1];
  if (mapped !== undefined && isIPv4(mapped)) return mapped;
  if (isIPv4(bare) || !isIPv6(bare)) return bare;
  // The URL parser writes every IPv6 address in its one canonical form.
  const canonical = new URL(`http://[${bare}]/`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups = tail === undefined ? front : [...front, ...Array<string>(8 - front.length - back.length).fill('0'), ...back];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
