/**
 * A PostgreSQL of this file's own is stopped at once, frozen, killed in part, used up, locked and full, under two nodes
 * as processes, while people of rooms act over both and others book. The nodes live on and keep everybody's connection,
 * their refusals are honest, and nothing that was confirmed is lost. Nothing here assumes how long anything takes.
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
import { aTherapist } from '../../src/builders/accounts.builders.ts';
import { aBooking } from '../../src/builders/bookings.builders.ts';
import { anEvent } from '../../src/builders/events.builders.ts';
import { confirm, outcome } from '../../src/features/bookings/bookings.fixture.ts';
import { type Database, openDatabase } from '../../src/platform/db/db.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/db/embedded-postgres.ts';
import { createLog } from '../../src/platform/monitoring/log.ts';
import { METRICS_TOKEN, type TestNodes, testNodes } from '../support/nodes.ts';
import { canMount, type SmallDisk, smallDisk } from '../support/programs/small-disk.ts';
import { hasRedis, type TestRedis, testRedis } from '../support/programs/redis.ts';
import { startTraffic, type Traffic, TRAFFIC_ENV, TRAFFIC_TEST } from '../support/people/traffic.ts';

const WAIT = { timeout: 100_000, interval: 20 };
/** Short, because faults are waited out here; long enough for statements and connections on a busy machine. */
const TIMEOUT_MS = 2000;
/**
 * For so long nobody can give a sign of life while PostgreSQL is frozen: more than the 5 s after which a node counts as
 * dead.
 */
const FROZEN_MS = process.env['FIELDROOM_LONG'] === '1' ? 20_000 : 6_000;
/** Calls at once at an event that is locked. */
const CROWD = 25;
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

type Node = Awaited<ReturnType<TestNodes['startProcess']>>;

let folder: string;
let postgres: Postgres;
let redis: TestRedis;
let ground: TestNodes;
/** A way to the database that is none of the nodes'. */
let database: Database;
let nodes: Node[];
let traffic: Traffic | null = null;

/** Starts two nodes over this PostgreSQL. */
async function serve(over: Postgres): Promise<void> {
  const { connectionString } = over.server();
  redis = await testRedis();
  ground = await testNodes(redis.url);
  const own = { ...TRAFFIC_ENV, DATABASE_TIMEOUT_MS: String(TIMEOUT_MS), DATABASE_URL: connectionString };
  nodes = await Promise.all([ground.startProcess(own), ground.startProcess(own)]);
  database = await openDatabase(
    {
      ...{ databaseUrl: connectionString, dataDir: ground.env['DATA_DIR']! },
      ...{ databaseConnections: 4, databaseTimeoutMs: 45_000 },
    },
    createLog({ logLevel: 'silent', production: true }),
  );
}
async function stopServing(): Promise<void> {
  await database?.close();
  await ground?.close();
  await redis?.stop();
}

/** People who act and book over both nodes. */
async function begin(): Promise<Traffic> {
  await untilReady();
  traffic = await startTraffic({ db: database.db, urls: () => nodes.map(({ url }) => url) });
  await traffic.goOnFor(5);
  return traffic;
}
/** Everybody goes on, without having lost a connection or an answer, and each node knows the other. */
async function expectWell({ goOnFor, settle, lost }: Traffic): Promise<void> {
  await goOnFor(5);
  await settle();
  expect(lost()).toBe(0);
  await untilReady();
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  for (const { fetch, child } of nodes) {
    await vi.waitUntil(async () => /^nodes 2$/m.test(await (await fetch('/metrics', { headers })).text()), WAIT);
    expect(child.exitCode).toBeNull();
  }
}
const ready = ({ fetch }: Node) => fetch('/readyz').then(({ status }) => status);
async function untilReady(): Promise<void> {
  for (const node of nodes) await vi.waitUntil(async () => (await ready(node)) === 200, WAIT);
}

async function expectUnavailable({ untilRefused }: Traffic): Promise<void> {
  await untilRefused();
  for (const node of nodes) {
    // One that is still answered came through in time.
    const refused = await vi.waitUntil(async () => {
      const answer = await node.call(getPublicConfig);
      return answer.status === 200 ? null : answer;
    }, WAIT);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: 'unavailable' });
    await vi.waitUntil(async () => (await ready(node)) === 503, WAIT);
    expect((await node.fetch('/healthz')).status).toBe(200);
  }
}

afterEach(() => {
  traffic?.stop();
  traffic = null;
});

describe.runIf(process.platform === 'linux' && hasRedis)('PostgreSQL', TRAFFIC_TEST, () => {
  beforeAll(async () => {
    folder = await fs.mkdtemp(path.join(tmpdir(), 'fieldroom-test-postgres-'));
    // PostgreSQL does not run as root; its own user must be able to enter.
    await fs.chmod(folder, 0o755);
    postgres = await aPostgres(folder);
    await serve(postgres);
  });
  afterAll(async () => {
    await stopServing();
    await postgres?.server().stop();
    await fs.rm(folder, { recursive: true, force: true });
  });

  test('stopped at once, down, and started again', async () => {
    const people = await begin();
    // An immediate shutdown: nothing under way is finished, nobody is told.
    process.kill(postgres.server().pid, 'SIGQUIT');
    await vi.waitUntil(postgres.hasEnded, WAIT);
    await expectUnavailable(people);
    await people.untilHandsMove();
    await postgres.start();
    await expectWell(people);
  });

  test('frozen for longer than anybody waits, and than a node may be silent', async () => {
    const people = await begin();
    postgres.signal('SIGSTOP');
    const frozenAt = performance.now();
    try {
      await expectUnavailable(people);
      await vi.waitUntil(() => performance.now() - frozenAt > FROZEN_MS, WAIT);
      await people.untilRefused();
      await people.untilHandsMove();
    } finally {
      postgres.signal('SIGCONT');
    }
    await expectWell(people);
  });

  test('one connection’s process killed, by which all others are ended: again and again', async () => {
    const people = await begin();
    for (let round = 0; round < 3; round++) {
      const pid = await vi.waitUntil(async () => {
        const found = database.db.execute<{ pid: number }>(sql`
          SELECT pid FROM pg_stat_activity WHERE application_name = 'fieldroom' AND pid <> pg_backend_pid() LIMIT 1`);
        return found.then(({ rows }) => rows[0]?.pid).catch(() => undefined);
      }, WAIT);
      process.kill(pid, 'SIGKILL');
      await people.goOnFor(3);
    }
    expect(postgres.hasEnded()).toBe(false);
    await expectWell(people);
  });

  test('all its connections taken by others', async () => {
    const people = await begin();
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
    // The nodes' own are cut and taken too, again and again: they may be quicker now and then. For as long as it takes
    // the nodes to refuse everybody: a limit of its own would be the shortest here.
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
      const refusing = expectUnavailable(people).then(() => people.untilHandsMove());
      await Promise.race([refusing, taking.then(() => refusing)]);
    } finally {
      going = false;
      await taking.finally(() => Promise.all(taken.map((client) => client.end())));
    }
    await expectWell(people);
  });

  test('the row of an event that somebody locks: a crowd there is refused, all else goes on, and no place is lost', async () => {
    const people = await begin();
    const { db } = database;
    const { id: crowded } = await anEvent(db, { therapistId: (await aTherapist(db)).id, places: 30 });
    const { emailToken } = await aBooking(db, { eventId: crowded, state: 'HELD' });
    const locker = new pg.Client({ connectionString: postgres.server().connectionString });
    await locker.connect();
    let pressing = true;
    const told: string[] = [];
    async function press(n: number): Promise<void> {
      while (pressing) told.push(await outcome(confirm(nodes[n % nodes.length]!, emailToken)));
    }
    try {
      await locker.query('BEGIN');
      await locker.query('SELECT 1 FROM events WHERE id = ANY ($1) FOR UPDATE', [[crowded, people.eventId()]]);
      const crowd = Promise.all(Array.from({ length: CROWD }, (_, n) => press(n)));
      crowd.catch(() => {});
      await people.untilBookingRefused();
      await vi.waitUntil(() => told.length >= CROWD, WAIT);
      await people.actsGoOnFor(10);
      for (const node of nodes) await vi.waitUntil(async () => (await node.call(getPublicConfig)).status === 200, WAIT);
      pressing = false;
      await crowd;
      expect(new Set(told)).toEqual(new Set(['unavailable']));
    } finally {
      pressing = false;
      await locker.end();
    }
    await vi.waitUntil(async () => (await outcome(confirm(nodes[0]!, emailToken))) === 'done', WAIT);
    await expectWell(people);
  });
});

describe.runIf(process.platform === 'linux' && hasRedis && canMount())('a disk', TRAFFIC_TEST, () => {
  let disk: SmallDisk;
  let full: Postgres;
  beforeAll(async () => {
    disk = smallDisk(200_000);
    full = await aPostgres(disk.folder);
    await serve(full);
  });
  afterAll(async () => {
    await stopServing();
    await full?.server().stop();
    disk?.close();
  });

  test('without room for the database: nobody loses what they have, and all goes on when there is some', async () => {
    const people = await begin();
    await disk.fill();
    await people.untilRefused();
    for (const node of nodes) await vi.waitUntil(async () => (await ready(node)) === 503, WAIT);
    await people.untilHandsMove();
    await disk.free();
    // Where its log found no room either, it ends; what it had confirmed is in the log.
    await vi.waitUntil(async () => {
      await full.start();
      return (await Promise.all(nodes.map(ready))).every((status) => status === 200);
    }, WAIT);
    await expectWell(people);
  });
});
