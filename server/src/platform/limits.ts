/**
 * Counted limits (docs/product.md#14): this many within this many seconds of product time. The database counts, so that
 * all nodes count together and a restart of a node forgets nothing. Keys name what is counted and for whom (`sign-in
 * 192.0.2.1`); the database stores only a keyed hash of them.
 *
 * Windows are fixed: the first count opens one, and it ends `windowSeconds` later for everybody with that key.
 *
 * A crowd must not wait for counting. Requests that come while a statement is on its way go together in the next one,
 * as a sum by key. Everybody gets the count as if they had been counted one after another. Where a statement finds no
 * database, those who wait for the next one are refused with it. The statement does not wait for the disk: a crash of
 * the database itself may forget the last half second of counts, and nothing else depends on them.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { isIPv4, isIPv6 } from 'node:net';
import { Problem } from './problem.ts';
import { eq, inArray, sql } from 'drizzle-orm';
import type { Limit } from './config.ts';
import { type Db, isDatabaseUnavailable, isLockTimeout, type Tx } from './db/db.ts';
import { withoutWaits } from './db/waits.ts';
import { limitCounters } from './platform.tables.ts';
import { once } from './small.ts';

interface Counted {
  /** Whether the count is within the limit, this one included. */
  readonly ok: boolean;
  /** For a refusal: seconds until the window ends. */
  readonly retryAfterSeconds: number;
}

/** What `count_limits` (limits.sql) takes to count one: a keyed hash in hex, the maximum, the seconds of the window. */
export interface Counter {
  readonly key: string;
  readonly max: number;
  readonly seconds: number;
}

export interface Limits {
  /** Counts one. Returns whether it is within the limit. */
  count(key: string, limit: Limit): Promise<Counted>;
  /** Counts one. @throws Problem too_many_requests, with the seconds to wait, if it is beyond the limit. */
  take(key: string, limit: Limit): Promise<void>;
  /** A counter for the three below, and for SQL of features that counts. */
  counter(key: string, limit: Limit): Promise<Counter>;
  /**
   * Counts one on each of several counters in a transaction, or on none of them if one is beyond its limit. Returns
   * whether they are counted. A rollback takes the counts back, so that what is counted and what it is counted for are
   * stored both or neither. Once in a transaction: two that count in another order would wait for each other.
   */
  allowsTogether(tx: Tx, counters: readonly Counter[]): Promise<boolean>;
  /** The same. @throws Problem too_many_requests beyond a limit. */
  takeTogether(tx: Tx, counters: readonly Counter[]): Promise<void>;
  /**
   * The same for many things in one statement, decided in their order. Takes the counters of each. Returns for each
   * whether it was counted.
   */
  countTogether(tx: Tx, things: readonly (readonly Counter[])[]): Promise<readonly Counted[]>;
  /** Counts one and returns whether it is within the limit, for limits that the answer must not reveal. */
  allows(key: string, limit: Limit): Promise<boolean>;
  /** Takes one count back, for what turned out to be right. */
  giveBack(key: string): Promise<void>;
  /** Forgets the key. */
  clear(key: string): Promise<void>;
  /** Removes counters whose window does not matter any more; for a sweep. Returns how many. */
  sweep(): Promise<number>;
  readonly addressBlock: typeof addressBlock;
}

/** Maximum number of counts in one statement. */
const TOGETHER_MAX = 1000;
/** The longest window that a limit may have; older counters are removed. */
const LONGEST_WINDOW_SECONDS = 31 * 86_400;

/**
 * Makes the limits. Takes the database, and a secret that stays with this database (there are so few addresses that all
 * hashes without a key could be tried).
 */
export function createLimits(db: Db, secret: () => Promise<Buffer>): Limits {
  // As a key object: from bytes, one would be made each time, at six times the cost of the hash.
  const known = once(async (): Promise<KeyObject> => createSecretKey(await secret()));
  const hash = async (key: string) => {
    return createHmac('sha256', await known())
      .update(`limit ${key}`)
      .digest();
  };

  const windowEnd = (seconds: number) => sql`${limitCounters.windowStart} + make_interval(secs => ${seconds})`;
  const secondsLeft = (seconds: number) =>
    sql<number>`greatest(1, ceil(extract(epoch FROM ${windowEnd(seconds)} - product_now())))::int`;

  /**
   * Adds to many counters of one window at once. Takes keyed hashes (hex) and the number for each. Returns the values
   * of the counters, by hash.
   */
  async function add(
    windowSeconds: number,
    asked: ReadonlyMap<string, number>,
  ): Promise<Map<string, { count: number; left: number }>> {
    const over = sql`${windowEnd(windowSeconds)} <= product_now()`;
    // The row's lock counts two at once one after another; in the order of their keys nobody waits in a circle.
    const { rows } = await db.execute<{ key: string; count: number; left: number }>(sql`
      WITH without_waiting_for_disk AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
      INSERT INTO ${limitCounters} (key, window_start, count)
      SELECT decode(asked.key, 'hex'), product_now(), asked.times
        FROM without_waiting_for_disk,
          unnest(${sql.param([...asked.keys()])}::text[], ${sql.param([...asked.values()])}::int[]) AS asked(key, times)
       ORDER BY 1
      ON CONFLICT (key) DO UPDATE SET
        window_start = CASE WHEN ${over} THEN excluded.window_start ELSE ${limitCounters.windowStart} END,
        -- Stays below the type's maximum, whatever a flood does.
        count = CASE WHEN ${over} THEN excluded.count ELSE least(${limitCounters.count} + excluded.count, 1000000000) END
      RETURNING encode(key, 'hex') AS key, count, ${secondsLeft(windowSeconds)} AS left`);
    return new Map(rows.map(({ key, count, left }) => [key, { count, left }]));
  }

  interface Asked {
    readonly key: string;
    readonly max: number;
    readonly resolve: (counted: Counted) => void;
    readonly reject: (fault: unknown) => void;
  }
  /** Requests to be counted, by seconds of the window; there is an entry while a statement of it is on its way. */
  const waiting = new Map<number, Asked[]>();

  async function countAll(windowSeconds: number): Promise<void> {
    for (;;) {
      const now = waiting.get(windowSeconds)!.splice(0, TOGETHER_MAX);
      if (now.length === 0) break;
      const times = new Map<string, number>();
      for (const { key } of now) times.set(key, (times.get(key) ?? 0) + 1);
      try {
        const counted = await add(windowSeconds, times);
        for (const { key, max, resolve } of now) {
          // The first to ask was the first to be counted.
          const behind = times.get(key)! - 1;
          times.set(key, behind);
          const { count, left } = counted.get(key)!;
          resolve({ ok: count - behind <= max, retryAfterSeconds: left });
        }
      } catch (fault) {
        for (const { reject } of now) reject(fault);
        // Those behind them would wait as long, for the same reason; a locked counter may be none of theirs.
        if (isDatabaseUnavailable(fault) && !isLockTimeout(fault))
          for (const { reject } of waiting.get(windowSeconds)!.splice(0)) reject(fault);
      }
    }
    waiting.delete(windowSeconds);
  }

  async function count(name: string, { max, windowSeconds }: Limit): Promise<Counted> {
    const key = (await hash(name)).toString('hex');
    return new Promise((resolve, reject) => {
      const asked = { key, max, resolve, reject };
      const others = waiting.get(windowSeconds);
      if (others) others.push(asked);
      else {
        waiting.set(windowSeconds, [asked]);
        // At the end of this turn, so that requests of the same turn go together.
        setImmediate(() => void withoutWaits(() => countAll(windowSeconds)));
      }
    });
  }

  const countTogether: Limits['countTogether'] = async (tx, things) => {
    if (things.length === 0) return [];
    const asked = JSON.stringify(things.flatMap((counters, n) => counters.map((one) => ({ n, ...one }))));
    const { rows } = await tx.execute<{ ok: boolean; left: number }>(
      sql`SELECT ok, seconds_left AS left FROM count_limits(${asked}::jsonb) ORDER BY n`,
    );
    return rows.map(({ ok, left }) => ({ ok, retryAfterSeconds: left }));
  };

  return {
    count,
    addressBlock,

    async take(key, limit) {
      const { ok, retryAfterSeconds } = await count(key, limit);
      if (!ok) throw new Problem('too_many_requests', { retryAfterSeconds });
    },

    async counter(key, { max, windowSeconds }) {
      return { key: (await hash(key)).toString('hex'), max, seconds: windowSeconds };
    },

    countTogether,

    allowsTogether: async (tx, counters) => (await countTogether(tx, [counters]))[0]!.ok,

    async takeTogether(tx, counters) {
      const { ok, retryAfterSeconds } = (await countTogether(tx, [counters]))[0]!;
      if (!ok) throw new Problem('too_many_requests', { retryAfterSeconds });
    },

    allows: async (key, limit) => (await count(key, limit)).ok,

    async giveBack(key) {
      await db
        .update(limitCounters)
        .set({ count: sql`greatest(0, ${limitCounters.count} - 1)` })
        .where(eq(limitCounters.key, await hash(key)));
    },

    async clear(key) {
      await db.delete(limitCounters).where(eq(limitCounters.key, await hash(key)));
    },

    async sweep() {
      // Counters that are locked now are left for the next time: counting locks in another order.
      const old = db
        .select({ key: limitCounters.key })
        .from(limitCounters)
        .where(sql`${windowEnd(LONGEST_WINDOW_SECONDS)} < product_now()`)
        .for('update', { skipLocked: true });
      const { rowCount } = await db.delete(limitCounters).where(inArray(limitCounters.key, old));
      return rowCount ?? 0;
    },
  };
}

/**
 * The block that counts as one caller: an IPv4 address, or the /64 network of an IPv6 address (a home gets at least
 * that many). Takes an address as the socket gives it. Returns the block's text; what is not an address is returned as
 * it is.
 */
export function addressBlock(ip: string | undefined): string {
  // Behind a proxy the address is gone together with the peer.
  if (ip === undefined) return 'unknown';
  if (isIPv4(ip)) return ip;
  const bare = ip.split('%')[0]!;
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(bare)?.[1];
  if (mapped !== undefined && isIPv4(mapped)) return mapped;
  if (!isIPv6(bare)) return bare;
  // The URL parser writes every IPv6 address in its one canonical form.
  const canonical = new URL(`http://[${bare}]/`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const groups =
    tail === undefined ? front : [...front, ...Array<string>(8 - front.length - back.length).fill('0'), ...back];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
