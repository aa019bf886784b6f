/** Clock, limits, files, jobs and database, on a real PostgreSQL. */
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { Problem } from './problem.ts';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type TestPlatform, logSpy, testPlatform } from '../../tests/support/test-app.ts';
import { copyDatabase, onDatabase } from '../../tests/support/database.ts';
import { createFolderBlobs } from './blobs/folder.ts';
import { createClock } from './clock.ts';
import { openDatabase, sqlState } from './db/db.ts';
import { createFiles } from './files/files.ts';
import { createPlatform } from './platform.ts';
import { createJobs } from './scheduling/jobs.ts';
import { addressBlock, type Counter } from './limits.ts';
import { createSecrets } from './secrets.ts';
import { once } from './small.ts';
import { limitCounters, productClock, storedFiles } from './platform.tables.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await testPlatform();
});
afterAll(() => platform.close());

describe('clock', () => {
  test('moves forward by what is asked, for SQL and code alike', async () => {
    const before = await platform.clock.now();
    await platform.clock.move(3600);
    const after = await platform.clock.now();
    const moved = (after.getTime() - before.getTime()) / 1000;
    expect(moved).toBeGreaterThanOrEqual(3600);
    expect(moved).toBeLessThan(3660);
    await platform.db.transaction(async (tx) => {
      const inside = await platform.clock.now(tx);
      expect(inside.getTime()).toBeGreaterThanOrEqual(after.getTime());
    });
  });

  test('never goes back, whatever speed it gets', async () => {
    let last = await platform.clock.now();
    for (const speed of [1000, 0.5, 60, 1]) {
      await platform.clock.setSpeed(speed);
      const now = await platform.clock.now();
      expect(now.getTime(), `at ${speed}`).toBeGreaterThanOrEqual(last.getTime());
      last = now;
    }
    await expect(platform.clock.move(-1)).rejects.toThrow(RangeError);
    await expect(platform.clock.setSpeed(0)).rejects.toThrow(RangeError);
  });

  test('memory knows the time, is never ahead of the database, and hears what others did when it asks', async () => {
    const { clock, db } = platform;
    for (const speed of [1000, 1]) {
      const readAfter = performance.now();
      await clock.setSpeed(speed);
      for (let n = 0; n < 20; n++) {
        const moment = clock.moment();
        const now = (await clock.now()).getTime();
        expect(moment).toBeLessThanOrEqual(now);
        // It lags by no more than the time that passed since it was read.
        expect(now - moment).toBeLessThan((1_000 + performance.now() - readAfter) * speed);
        expect(clock.moment()).toBeGreaterThanOrEqual(moment);
      }
    }
    const before = clock.moment();
    await Promise.all([clock.refresh(), clock.move(7200), clock.refresh()]);
    expect(clock.moment() - before).toBeGreaterThanOrEqual(7_200_000);
    // As another process does it.
    await db.execute(sql`UPDATE product_clock SET anchor_product = anchor_product + interval '1 hour'`);
    expect(clock.moment() - before).toBeLessThan(7_200_000 + 600_000);
    await clock.refresh();
    expect(clock.moment() - before).toBeGreaterThanOrEqual(10_800_000);
  });

  test('a browser reckons the same time from its description', async () => {
    await platform.clock.setSpeed(10);
    const askedAt = performance.now();
    const { anchorReal, anchorProduct, speed, serverNow } = await platform.clock.describe();
    const reckoned = Date.parse(anchorProduct) + (Date.parse(serverNow) - Date.parse(anchorReal)) * speed;
    const asked = (await platform.clock.now()).getTime();
    expect(speed).toBe(10);
    expect(asked).toBeGreaterThanOrEqual(reckoned - 20);
    expect(asked).toBeLessThan(reckoned + (1_000 + performance.now() - askedAt) * speed);
    await platform.clock.setSpeed(1);
  });

  test('counts seconds, whatever zone the database has, also over the change of clocks', async () => {
    const rolledBack = new Error('rolled back');
    const wrongBy = await new Promise<unknown>((resolve, reject) => {
      const moving = platform.db.transaction(async (tx) => {
        await tx.execute(sql`SET LOCAL timezone = 'Europe/Budapest'`);
        // 183 days, from winter to summer.
        await tx.execute(sql`
          UPDATE product_clock
             SET anchor_product = '2027-01-15T09:30Z', anchor_real = statement_timestamp() - make_interval(secs => 15811200)`);
        const { rows } = await tx.execute<{ called: number; viewed: number }>(sql`
          SELECT round(extract(epoch FROM product_now()) - reckoned)::int AS called,
                 round(extract(epoch FROM now) - reckoned)::int AS viewed
            FROM product_moment, product_clock,
                 LATERAL (SELECT extract(epoch FROM anchor_product)
                                 + extract(epoch FROM statement_timestamp()) - extract(epoch FROM anchor_real)) AS sum (reckoned)`);
        resolve(rows);
        throw rolledBack;
      });
      moving.catch((fault: unknown) => (fault === rolledBack ? undefined : reject(fault as Error)));
    });
    expect(wrongBy).toEqual([{ called: 0, viewed: 0 }]);
  });

  test('many who change it at once lose no step', async () => {
    const before = await platform.clock.now();
    await Promise.all(Array.from({ length: 20 }, () => platform.clock.move(100)));
    expect((await platform.clock.now()).getTime() - before.getTime()).toBeGreaterThanOrEqual(2_000_000);
  });

  test('setting the speed it has leaves the anchor alone', async () => {
    const [before] = await platform.db.select().from(productClock);
    await createClock(platform.db).setSpeed(1);
    expect((await platform.db.select().from(productClock))[0]).toEqual(before);
  });
});

describe('limits', () => {
  const limit = { max: 3, windowSeconds: 60 };

  test('allows the limit and no more within the window, and says how long to wait; then again', async () => {
    for (let count = 0; count < 3; count++) expect(await platform.limits.count('a', limit)).toMatchObject({ ok: true });
    const refused = await platform.limits.count('a', limit);
    expect(refused.ok).toBe(false);
    expect(refused.retryAfterSeconds).toBeGreaterThan(0);
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(60);
    await platform.move(61);
    expect(await platform.limits.count('a', limit)).toMatchObject({ ok: true });
  });

  test('of many at once exactly the limit passes', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => platform.limits.allows('b', limit)));
    expect(answers.filter(Boolean)).toHaveLength(3);
  });

  test('counts of many keys and windows at once go together, each told the count as if it came after those before it', async () => {
    const asked = Array.from({ length: 60 }, (_, nth) => ({
      key: `together ${nth % 7}`,
      limit: { max: 4, windowSeconds: nth % 2 === 0 ? 60 : 90 },
    }));
    const statements: string[] = [];
    const { execute } = platform.db;
    platform.db.execute = ((...given: Parameters<typeof execute>) => {
      statements.push('one');
      return execute.apply(platform.db, given);
    }) as typeof execute;
    const counted = await Promise.all(
      asked.map(({ key, limit }) => platform.limits.count(`${key} ${limit.windowSeconds}`, limit)),
    ).finally(() => {
      platform.db.execute = execute;
    });
    const seen = new Map<string, number>();
    for (const [index, { key, limit }] of asked.entries()) {
      const name = `${key} ${limit.windowSeconds}`;
      const nth = (seen.get(name) ?? 0) + 1;
      seen.set(name, nth);
      expect(counted[index]!.ok, `${name}, ${nth}`).toBe(nth <= 4);
    }
    // One for each window; requests of a later turn may need a few more.
    expect(statements.length).toBeLessThan(10);
    // And the counts stay: the next one knows of them.
    expect(await platform.limits.allows('together 0 60', { max: 5, windowSeconds: 60 })).toBe(false);
    expect(await platform.limits.allows('together 0 60', { max: 100, windowSeconds: 60 })).toBe(true);
  });

  test('two nodes that count the same keys at once count each of them, and do not wait in a circle', async () => {
    await platform.db.delete(limitCounters);
    const second = await createPlatform(platform.config, {
      longRunning: false,
      log: platform.logged.log,
    });
    const third = await createPlatform(platform.config, {
      longRunning: false,
      log: platform.logged.log,
    });
    try {
      for (let round = 0; round < 10; round++) {
        const keys = Array.from({ length: 40 }, (_, nth) => `node ${nth}`);
        const orders = [keys, keys.toReversed()];
        await Promise.all(
          [second, third].map((node, index) => Promise.all(orders[index]!.map((key) => node.limits.count(key, limit)))),
        );
      }
      const rows = await platform.db.select().from(limitCounters);
      expect(rows.map(({ count }) => count)).toEqual(Array.from({ length: 40 }, () => 20));
    } finally {
      await second.close();
      await third.close();
    }
  });

  test('a fault of the statement reaches those that it counted, and the next count works', async () => {
    const { execute } = platform.db;
    platform.db.execute = (() => Promise.reject(new Error('no connection'))) as unknown as typeof execute;
    const failed = await Promise.allSettled([
      platform.limits.count('fault', limit),
      platform.limits.count('fault', limit),
    ]).finally(() => {
      platform.db.execute = execute;
    });
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await platform.limits.count('fault', { max: 1, windowSeconds: 60 })).toMatchObject({ ok: true });
  });

  test('take refuses with the seconds; giveBack and clear open again', async () => {
    for (let count = 0; count < 3; count++) await platform.limits.take('c', limit);
    const refusal = await platform.limits.take('c', limit).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Problem);
    expect(refusal).toMatchObject({ code: 'too_many_requests', more: { retryAfterSeconds: expect.any(Number) } });
    await platform.limits.giveBack('c');
    await platform.limits.giveBack('c');
    await platform.limits.take('c', limit);
    await platform.limits.clear('c');
    expect(await platform.limits.count('c', { max: 1, windowSeconds: 60 })).toMatchObject({ ok: true });
  });

  test('several are counted together in a transaction, or none of them, and its rollback takes them back', async () => {
    const { db, limits } = platform;
    const [few, many] = await Promise.all([
      limits.counter('few', { max: 2, windowSeconds: 60 }),
      limits.counter('many', limit),
    ]);
    const together = (...counters: readonly Counter[]) => db.transaction((tx) => limits.allowsTogether(tx, counters));
    const failing = db.transaction(async (tx) => {
      expect(await limits.allowsTogether(tx, [few, many])).toBe(true);
      throw new Error('not written');
    });
    await expect(failing).rejects.toThrow('not written');
    const allowed: boolean[] = [];
    for (let nth = 0; nth < 4; nth++) allowed.push(await together(few, many));
    expect(allowed).toEqual([true, true, false, false]);
    // What `few` refused was not counted on `many`.
    expect([await together(many), await together(many)]).toEqual([true, false]);
    const refusal = await db.transaction((tx) => limits.takeTogether(tx, [few, many])).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'too_many_requests', more: { retryAfterSeconds: expect.any(Number) } });
    // They count on where `count` has got to, and begin anew at the end of their window.
    expect((await limits.count('many', limit)).ok).toBe(false);
    await platform.move(60);
    expect([await together(few), await together(few), await together(few)]).toEqual([true, true, false]);
  });

  test('transactions that count the same keys in another order do not wait in a circle, with others that only count', async () => {
    const keys = Array.from({ length: 40 }, (_, nth) => `circle ${nth}`);
    const many = { max: 1000, windowSeconds: 60 };
    const counters = await Promise.all(keys.map((key) => platform.limits.counter(key, many)));
    const orders = [counters, counters.toReversed()];
    for (let round = 0; round < 10; round++)
      await Promise.all([
        ...orders.map((order) => platform.db.transaction((tx) => platform.limits.allowsTogether(tx, order))),
        ...keys.map((key) => platform.limits.count(key, many)),
      ]);
    const { rows } = await platform.db.execute(
      sql`SELECT DISTINCT count FROM limit_counters WHERE encode(key, 'hex') = ANY (${sql.param(counters.map(({ key }) => key))}::text[])`,
    );
    expect(rows).toEqual([{ count: 30 }]);
  });

  test('a list of counts is decided in its order, each as if it came alone', async () => {
    const { db, limits } = platform;
    const [own, all, other] = await Promise.all([
      limits.counter('own', { max: 1, windowSeconds: 60 }),
      limits.counter('all', { max: 2, windowSeconds: 3600 }),
      limits.counter('other', { max: 9, windowSeconds: 60 }),
    ]);
    const asked = [[own, all], [own, all], [other, all], [other, all], [other]].flatMap((counters, index) =>
      counters.map((counter) => ({ n: index + 1, ...counter })),
    );
    const { rows } = await db.execute(
      sql`SELECT n, ok, seconds_left FROM count_limits(${JSON.stringify(asked.toReversed())}::jsonb)`,
    );
    expect(rows).toEqual([
      { n: 1, ok: true, seconds_left: 0 },
      { n: 2, ok: false, seconds_left: 60 },
      { n: 3, ok: true, seconds_left: 0 },
      { n: 4, ok: false, seconds_left: 3600 },
      { n: 5, ok: true, seconds_left: 0 },
    ]);
  });

  test('the sweep waits for nobody who counts', async () => {
    await platform.limits.sweep();
    for (const key of ['counted now', 'old']) await platform.limits.count(key, limit);
    await platform.move(32 * 86_400);
    const now = (await platform.limits.counter('counted now', limit)).key;
    await platform.db.transaction(async (tx) => {
      await tx.execute(sql`SELECT FROM limit_counters WHERE key = decode(${now}, 'hex') FOR UPDATE`);
      await platform.limits.sweep();
      const left = await platform.db.select().from(limitCounters);
      expect(left.map(({ key }) => key.toString('hex'))).toEqual([now]);
    });
    expect(await platform.limits.sweep()).toBe(1);
  });

  test('keys do not stand in the database in clear', async () => {
    await platform.limits.count('sign-in 192.0.2.55', limit);
    const rows = await platform.db.select().from(limitCounters);
    expect(rows.length).toBeGreaterThan(0);
    for (const { key } of rows) {
      expect(key).toHaveLength(32);
      expect(key.toString('latin1')).not.toContain('192.0.2.55');
    }
  });

  test('old counters are swept, young ones are kept', async () => {
    await platform.limits.count('old', limit);
    await platform.move(32 * 86_400);
    await platform.limits.count('young', limit);
    expect(await platform.limits.sweep()).toBeGreaterThan(0);
    expect(await platform.db.select().from(limitCounters)).toHaveLength(1);
  });

  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:0000:0000:0000:0009', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['no address', 'no address'],
  ])('%s is counted as %s', (ip, block) => {
    expect(addressBlock(ip)).toBe(block);
  });
});

describe('secrets', () => {
  test('stay the same for everybody who asks, also after a restart; each name has its own', async () => {
    const [first, again] = await Promise.all([platform.secrets.get('one'), createSecrets(platform.db).get('one')]);
    expect(first).toHaveLength(32);
    expect(again).toEqual(first);
    expect(await platform.secrets.get('other')).not.toEqual(first);
  });

  test('asking again helps where the first asking failed', async () => {
    let works = false;
    const ask = once(() => (works ? Promise.resolve(7) : Promise.reject(new Error('no database'))));
    await expect(ask()).rejects.toThrow('no database');
    works = true;
    expect(await ask()).toBe(7);
    works = false;
    expect(await ask()).toBe(7);
  });
});

describe('files', () => {
  const bytes = Buffer.from('a drawing');
  const aFile = (ownerId = 1, wish: Partial<{ bytes: Buffer }> = {}) => ({
    ownerId,
    kind: 'icon',
    contentType: 'image/svg+xml',
    bytes,
    ...wish,
  });
  /** Stores a file with its row, as an upload does. */
  const stored = async (files = platform.files, file = aFile()) => {
    const written = await files.write(platform.db, file);
    return platform.db.transaction((tx) => files.put(tx, written));
  };
  const folder = () => path.join(platform.config.dataDir, 'files');
  const onDisk = () =>
    readdirSync(folder(), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));

  test('what is put comes back, and nobody else may read the file', async () => {
    const { id } = await stored();
    expect(await platform.files.get(id)).toEqual({ id, ...aFile() });
    expect(await platform.files.read(id)).toEqual(bytes);
    expect(statSync(onDisk()[0]!).mode & 0o077).toBe(0);
  });

  test.each(['../../../etc/passwd', '..', '', 'x', '00000000-0000-4000-8000-000000000000'])(
    '%j is no file',
    async (id) => {
      expect(await platform.files.get(id)).toBeNull();
    },
  );

  test('bytes that changed on disk are not given out', async () => {
    const { id } = await stored();
    writeFileSync(path.join(folder(), id.slice(0, 2), id), 'something else');
    expect(await platform.files.get(id)).toBeNull();
  });

  test('the quota holds, also for two at once', async () => {
    const small = createFiles(platform.db, { blobs: createFolderBlobs(platform.config.dataDir), ownerBytes: 25 });
    // All are written before the first one has its row.
    const written = await Promise.all([1, 2, 3, 4].map(() => small.write(platform.db, aFile(77))));
    const answers = await Promise.allSettled(
      written.map((file) => platform.db.transaction((tx) => small.put(tx, file))),
    );
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'quota_reached' });
    const before = onDisk().length;
    await expect(small.write(platform.db, aFile(77))).rejects.toMatchObject({ code: 'quota_reached' });
    expect(onDisk()).toHaveLength(before);
    await expect(stored(small, aFile(78))).resolves.toBeDefined();
  });

  test('the sweep removes what no row names, and only when it is old', async () => {
    const kept = await stored();
    const removed = await stored();
    await platform.db.transaction((tx) => platform.files.remove(tx, removed.id));
    await platform.db
      .transaction(async (tx) => {
        await platform.files.put(tx, await platform.files.write(tx, aFile()));
        throw new Error('taken back');
      })
      .catch(() => {});
    // What a crash left, and what is not ours.
    writeFileSync(path.join(folder(), kept.id.slice(0, 2), `${kept.id}.part`), 'half');
    writeFileSync(path.join(folder(), kept.id.slice(0, 2), 'of-somebody-else'), 'whole');
    const rows = (await platform.db.select().from(storedFiles)).length;
    expect(await platform.files.sweep()).toBe(0);
    for (const file of onDisk()) utimesSync(file, new Date(0), new Date(0));
    await platform.files.sweep();
    // A file for each row, and the one that is not ours.
    expect(onDisk()).toHaveLength(rows + 1);
    const names = onDisk().map((file) => path.basename(file));
    expect(names).toContain('of-somebody-else');
    expect(names).not.toContain(`${kept.id}.part`);
    expect(await platform.files.get(kept.id)).not.toBeNull();
    expect(await platform.files.get(removed.id)).toBeNull();
    expect(await platform.db.select().from(storedFiles)).toHaveLength(rows);
  });
});

describe('jobs', () => {
  test('a sweep never runs twice at once, its faults are logged, and it can be run by hand', async () => {
    const spy = logSpy();
    const jobs = createJobs({ log: spy.log });
    let at = 0;
    let most = 0;
    let runs = 0;
    const enough = Promise.withResolvers<void>();
    jobs.every(0.005, 'test.sweep', async () => {
      most = Math.max(most, ++at);
      await platform.db.execute(sql`SELECT 1`);
      at -= 1;
      if (++runs === 4) enough.resolve();
      throw new Error('as always');
    });
    await expect(jobs.runNow('test.sweep')).rejects.toThrow('as always');
    jobs.start();
    await enough.promise;
    await jobs.stop();
    expect(most).toBe(1);
    expect(spy.text()).toContain('a sweep failed');
    // Three by itself, the last of them while it stopped; what was run by hand throws.
    expect(jobs.failed()).toBeGreaterThanOrEqual(2);
    expect(jobs.failing()).toBe(1);
    const after = runs;
    await expect(jobs.check()).rejects.toThrow();
    expect(runs).toBe(after);
    await expect(jobs.runNow('no.sweep')).rejects.toThrow();
  });

  test('a sweep that failed counts as failing until it succeeds, beside the failures of other work', async () => {
    const jobs = createJobs({ log: logSpy().log });
    let runs = 0;
    const repaired = Promise.withResolvers<void>();
    jobs.every(0.005, 'test.repaired', async () => {
      if (++runs === 1) throw new Error('once');
      if (runs === 3) repaired.resolve();
    });
    jobs.start();
    await expect.poll(jobs.failed).toBe(1);
    await repaired.promise;
    await jobs.stop();
    jobs.noteFailure();
    expect([jobs.failed(), jobs.failing()]).toEqual([2, 0]);
  });

  test('sweeps of one interval begin in the same turn, whenever they were added, so that their reads go together', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const jobs = createJobs({ log: logSpy().log });
      const begun: string[] = [];
      const add = (seconds: number, name: string) => jobs.every(seconds, name, async () => begun.push(name));
      add(1, 'first');
      add(2, 'rare');
      jobs.start();
      vi.advanceTimersByTime(300);
      add(1, 'late');
      vi.advanceTimersByTime(700);
      expect(begun).toEqual(['first', 'late']);
      await jobs.stop();
      vi.advanceTimersByTime(5_000);
      expect(begun).toEqual(['first', 'late']);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('database', () => {
  test('big integers are numbers, times of columns are Dates, faults tell SQLSTATE and constraint', async () => {
    const { rows } = await platform.db.execute<{ big: number }>(sql`SELECT 9007199254740991::bigint AS big`);
    expect(rows[0]!.big).toBe(9_007_199_254_740_991);
    const [clock] = await platform.db.select().from(productClock);
    expect(clock!.anchorReal).toBeInstanceOf(Date);
    const error = await platform.db
      .insert(productClock)
      .values({ id: 2, anchorReal: new Date(), anchorProduct: new Date(), speed: 1 })
      .catch((fault: unknown) => fault);
    expect(sqlState(error)).toBe('23514');
    expect(sqlState(new Error('x'))).toBeNull();
    const spy = logSpy();
    spy.log.error({ err: error }, 'failed');
    expect(spy.text()).toContain('23514');
    expect(spy.text()).not.toContain(clock!.anchorReal.getFullYear() + '-');
  });

  test('two nodes that start together on an empty database migrate it once', async () => {
    const { connectionString } = inject('postgres');
    const name = `empty_${process.pid}`;
    const admin = new pg.Client({ connectionString });
    await admin.connect();
    await admin.query(`CREATE DATABASE ${name}`);
    const config = {
      databaseUrl: onDatabase(connectionString, name),
      dataDir: platform.config.dataDir,
      databaseConnections: 2,
    };
    const spy = logSpy();
    const nodes = await Promise.all([openDatabase(config, spy.log), openDatabase(config, spy.log)]);
    expect(spy.entries().filter(({ msg }) => msg === 'migrations applied')).toHaveLength(1);
    await Promise.all(nodes.map((node) => node.close()));
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.end();
  });

  test('sessions keep UTC where the database has a zone of its own', async () => {
    const copy = await copyDatabase(inject('postgres'));
    const client = new pg.Client({ connectionString: copy.connectionString });
    await client.connect();
    await client.query(`ALTER DATABASE ${client.escapeIdentifier(client.database!)} SET timezone = 'Europe/Budapest'`);
    await client.end();
    const database = await openDatabase(
      { databaseUrl: copy.connectionString, dataDir: '.', databaseConnections: 2 },
      logSpy().log,
    );
    expect((await database.db.execute(sql`SHOW timezone`)).rows).toEqual([{ TimeZone: 'UTC' }]);
    await database.close();
    await copy.drop();
  });

  test('a database of a newer version is left alone', async () => {
    const copy = await copyDatabase(inject('postgres'));
    const client = new pg.Client({ connectionString: copy.connectionString });
    await client.connect();
    await client.query(
      "INSERT INTO drizzle.__drizzle_migrations (hash, created_at) SELECT 'newer', 9999999999999 FROM generate_series(1, 50)",
    );
    await client.end();
    await expect(
      openDatabase({ databaseUrl: copy.connectionString, dataDir: '.', databaseConnections: 2 }, logSpy().log),
    ).rejects.toThrow(/newer version/);
    await copy.drop();
  });

  test('a server that cannot be reached is reported in a sentence without the address', async () => {
    const fault = await openDatabase(
      { databaseUrl: 'postgresql://secret-user:secret-word@127.0.0.1:1/none', dataDir: '.', databaseConnections: 2 },
      logSpy().log,
    ).catch((error: Error) => error);
    expect((fault as Error).message).toMatch(/can't be reached|cannot be reached/);
    expect((fault as Error).message).not.toContain('secret');
  });
});
