/**
 * A PostgreSQL of this file's own is stopped at once, frozen, killed in part, used up and full, while people of a room
 * act and others book. The server lives on and keeps everybody's connection, its refusals are honest, and nothing that
 * was confirmed is lost. Nothing here assumes how long anything takes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import * as fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { getPublicConfig } from '@fieldroom/contract/accounts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/db/embedded-postgres.ts';
import { canMount, type SmallDisk, smallDisk } from '../support/programs/small-disk.ts';
import { testApp, type TestApp } from '../support/test-app.ts';
import { startTraffic, type Traffic, TRAFFIC_ENV } from '../support/people/traffic.ts';

const WAIT = { timeout: 100_000, interval: 20 };
/** Short, because faults are waited out here; long enough for statements and connections on a busy machine. */
const TIMEOUT_MS = 2000;
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** One that keeps every commit, as in use. */
interface Postgres {
  server(): EmbeddedPostgres;
  /** Whether it has ended without being asked to. */
  hasEnded(): boolean;
  /** Starts it again at the same address, if it has ended. */
  start(): Promise<void>;
  /** Its main process and those of its connections. */
  signal(name: NodeJS.Signals): void;
}

async function aPostgres(dataDir: string): Promise<Postgres> {
  let ended = true;
  let server: EmbeddedPostgres;
  async function start(): Promise<void> {
    if (!ended) return;
    server = await startEmbeddedPostgres({ dataDir, log: quiet, onCrash: () => (ended = true) });
    ended = false;
  }
  await start();
  return {
    server: () => server,
    hasEnded: () => ended,
    start,
    signal(name) {
      for (const pid of [server.pid, ...childrenOf(server.pid)]) {
        try {
          process.kill(pid, name);
        } catch {
          // It has just ended.
        }
      }
    },
  };
}

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );

let folder: string;
let postgres: Postgres;
let t: TestApp;
let traffic: Traffic;

/** A server over this PostgreSQL, with people who act and book. */
async function begin(over: Postgres): Promise<void> {
  const { connectionString } = over.server();
  const env = { ...TRAFFIC_ENV, DATABASE_TIMEOUT_MS: String(TIMEOUT_MS), DATABASE_URL: connectionString };
  t = await testApp({ env });
  traffic = await startTraffic({ db: t.db, urls: () => [t.url] });
  await traffic.goOnFor(5);
}
/** Everybody goes on, without having lost a connection or an answer. */
async function expectWell(): Promise<void> {
  await traffic.goOnFor(5);
  await traffic.settle();
  expect(traffic.lost()).toBe(0);
}
const ready = async () => (await t.fetch('/readyz')).status;

async function expectUnavailable(): Promise<void> {
  await traffic.untilRefused();
  // One that is still answered came through in time.
  const refused = await vi.waitUntil(async () => {
    const answer = await t.call(getPublicConfig);
    return answer.status === 200 ? null : answer;
  }, WAIT);
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ code: 'unavailable' });
  await vi.waitUntil(async () => (await ready()) === 503, WAIT);
  expect((await t.fetch('/healthz')).status).toBe(200);
}

afterEach(async () => {
  traffic?.stop();
  await t?.close();
});

describe.runIf(process.platform === 'linux')('PostgreSQL', () => {
  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(tmpdir(), 'fieldroom-test-postgres-'));
    // PostgreSQL does not run as root; its own user must be able to enter.
    await fs.chmod(folder, 0o755);
    postgres = await aPostgres(folder);
  });
  afterAll(async () => {
    await postgres?.server().stop();
    await fs.rm(folder, { recursive: true, force: true });
  });

  test('stopped at once, down, and started again', async () => {
    await begin(postgres);
    // An immediate shutdown: nothing under way is finished, nobody is told.
    process.kill(postgres.server().pid, 'SIGQUIT');
    await vi.waitUntil(postgres.hasEnded, WAIT);
    await expectUnavailable();
    await traffic.untilHandsMove();
    await postgres.start();
    await expectWell();
    await vi.waitUntil(async () => (await ready()) === 200, WAIT);
  });

  test('frozen for longer than anybody waits', async () => {
    await begin(postgres);
    postgres.signal('SIGSTOP');
    try {
      await expectUnavailable();
      await traffic.untilHandsMove();
    } finally {
      postgres.signal('SIGCONT');
    }
    await expectWell();
    await vi.waitUntil(async () => (await ready()) === 200, WAIT);
  });

  test('one connection’s process killed, by which all others are ended: again and again', async () => {
    await begin(postgres);
    for (let round = 0; round < 3; round++) {
      const pid = await vi.waitUntil(async () => {
        const found = t.db.execute<{ pid: number }>(sql`
          SELECT pid FROM pg_stat_activity WHERE application_name = 'fieldroom' AND pid <> pg_backend_pid() LIMIT 1`);
        return found.then(({ rows }) => rows[0]?.pid).catch(() => undefined);
      }, WAIT);
      process.kill(pid, 'SIGKILL');
      await traffic.goOnFor(3);
    }
    expect(postgres.hasEnded()).toBe(false);
    await expectWell();
  });

  test('all its connections taken by others', async () => {
    await begin(postgres);
    const taken: pg.Client[] = [];
    /** Takes one. Returns whether there was one. */
    async function take(): Promise<boolean> {
      const client = new pg.Client({ connectionString: postgres.server().connectionString });
      client.on('error', () => {});
      const isMine = await client.connect().then(
        () => true,
        () => false,
      );
      if (isMine) taken.push(client);
      return isMine;
    }
    while (await take());
    // The server's own are cut and taken too, again and again: it may be quicker now and then. For as long as it takes
    // the server to refuse everybody: a limit of its own would be the shortest here.
    let going = true;
    async function keepTaking(): Promise<void> {
      while (going) {
        await taken[0]!.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'fieldroom%'`,
        );
        while (await take());
        await passed(WAIT.interval);
      }
    }
    const taking = keepTaking();
    try {
      const refusing = expectUnavailable().then(() => traffic.untilHandsMove());
      await Promise.race([refusing, taking.then(() => refusing)]);
    } finally {
      going = false;
      await taking.finally(() => Promise.all(taken.map((client) => client.end())));
    }
    await expectWell();
  });
});

describe.runIf(process.platform === 'linux' && canMount())('a disk', () => {
  let disk: SmallDisk;
  let full: Postgres;
  beforeAll(async () => {
    disk = smallDisk(200_000);
    full = await aPostgres(disk.folder);
  });
  afterAll(async () => {
    await full?.server().stop();
    disk?.close();
  });

  test('without room for the database: nobody loses what they have, and all goes on when there is some', async () => {
    await begin(full);
    await disk.fill();
    await traffic.untilRefused();
    await vi.waitUntil(async () => (await ready()) === 503, WAIT);
    await traffic.untilHandsMove();
    await disk.free();
    // Where its log found no room either, it ends; what it had confirmed is in the log.
    await vi.waitUntil(async () => {
      await full.start();
      return (await ready()) === 200;
    }, WAIT);
    await expectWell();
  });
});
