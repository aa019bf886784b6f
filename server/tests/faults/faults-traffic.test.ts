/**
 * Servers are killed and stopped, Redis and the mail server fail, in the middle of hands that drag, acts, and bookings
 * under way: people come back by themselves, and nothing that was confirmed is lost or counts twice. Nothing here
 * assumes how long anything takes.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/db/db.ts';
import { createClock } from '../../src/platform/clock.ts';
import { createLog } from '../../src/platform/monitoring/log.ts';
import { type TestNode, type TestNodes, testNodes, untilWhole } from '../support/nodes.ts';
import { fakeSmtp } from '../support/programs/fake-smtp.ts';
import { hasRedis, type TestRedis, testRedis } from '../support/programs/redis.ts';
import { startTraffic, type Traffic, TRAFFIC_ENV, TRAFFIC_TEST } from '../support/people/traffic.ts';

const WAIT = { timeout: 100_000, interval: 20 };

let ground: TestNodes;
/** A way to the database that no server's end touches. */
let database: Database;
let traffic: Traffic | null = null;

async function makeGround(redisUrl: string): Promise<void> {
  ground = await testNodes(redisUrl);
  database = await openDatabase(
    {
      ...{ databaseUrl: ground.env['DATABASE_URL']!, dataDir: ground.env['DATA_DIR']! },
      ...{ databaseConnections: 4, databaseTimeoutMs: 45_000 },
    },
    createLog({ logLevel: 'silent', production: true }),
  );
}
afterEach(async () => {
  traffic?.stop();
  traffic = null;
  await database.close();
  await ground.close();
});

describe('the only server', TRAFFIC_TEST, () => {
  // Without Redis.
  beforeEach(() => makeGround(''));

  test.each(['SIGKILL', 'SIGTERM'] as const)(
    '%s: it starts again, and everybody goes on where they were',
    async (signal) => {
      let server = await ground.startProcess(TRAFFIC_ENV);
      traffic = await startTraffic({ db: database.db, urls: () => [server.url] });
      await traffic.goOnFor(5);
      // A figure is in a hand just now.
      await traffic.untilHandsMove();
      await server.stop(signal);
      if (signal === 'SIGTERM') expect(server.child.exitCode).toBe(0);
      await traffic.untilRefused();
      server = await ground.startProcess(TRAFFIC_ENV);
      await traffic.goOnFor(5);
      await traffic.takeFromHand();
      await traffic.settle();
    },
  );
});

describe('the mail server', TRAFFIC_TEST, () => {
  beforeEach(() => makeGround(''));

  test('down, slow, and cut off before its answers: bookings go on, and each email arrives in the end', async () => {
    const smtp = await fakeSmtp();
    onTestFinished(() => smtp.close());
    const mail = { SMTP_URL: smtp.url, MAIL_FROM: 'Fieldroom <room@fieldroom.test>' };
    const server = await ground.startProcess({ ...TRAFFIC_ENV, ...mail });
    traffic = await startTraffic({ db: database.db, urls: () => [server.url], smtp });
    await traffic.goOnFor(3);
    const clock = createClock(database.db);
    /** Over every pause that sending makes, until the mail server has been asked again. */
    const untilAsked = (isAsked: () => boolean) =>
      vi.waitUntil(
        async () => {
          if (!isAsked()) await clock.move(35);
          return isAsked();
        },
        { ...WAIT, interval: 2_000 },
      );
    await smtp.down();
    await untilAsked(() => server.output().includes('an email could not be sent'));
    await traffic.goOnFor(3);
    smtp.mood = 'slow';
    await smtp.up();
    await untilAsked(() => smtp.slow > 0);
    await traffic.goOnFor(3);
    // Its slow answers end with it.
    await smtp.down();
    smtp.mood = 'cut';
    await smtp.up();
    const before = smtp.received.length;
    await untilAsked(() => smtp.received.length > before);
    await traffic.goOnFor(3);
    smtp.mood = 'well';
    await traffic.settle();
    expect(traffic.lost()).toBe(0);
  });
});

describe.skipIf(!hasRedis)('two servers', TRAFFIC_TEST, () => {
  let redis: TestRedis;
  let one: TestNode;
  beforeAll(async () => {
    redis = await testRedis();
  });
  afterAll(() => redis?.stop());
  beforeEach(async () => {
    await redis.start();
    await makeGround(redis.url);
    one = await ground.start({}, TRAFFIC_ENV);
  });
  afterEach(() => redis.thaw());

  test.each(['SIGKILL', 'SIGTERM'] as const)(
    '%s of one of them: its people go on over the other, and those there have lost nothing',
    async (signal) => {
      const other = await ground.startProcess(TRAFFIC_ENV);
      let living: { url: string }[] = [other, one];
      traffic = await startTraffic({ db: database.db, urls: () => living.map(({ url }) => url) });
      await traffic.goOnFor(5);
      await traffic.untilHandsMove();
      const stopping = other.stop(signal);
      living = [one];
      await traffic.goOnFor(5);
      await stopping;
      if (signal === 'SIGTERM') expect(other.child.exitCode).toBe(0);
      await traffic.takeFromHand();
      await traffic.settle();
      expect(traffic.lost()).toBeGreaterThan(0);
    },
  );

  test.each([
    { what: 'killed, and started again', fail: () => redis.kill(), mend: () => redis.start() },
    {
      what: 'flushed',
      fail: async () => {
        const looking = redis.look();
        await looking.flushall();
        looking.disconnect();
      },
      mend: async () => {},
    },
    { what: 'frozen, and thawed', fail: async () => redis.freeze(), mend: async () => redis.thaw() },
  ])('while Redis is $what everybody goes on, and nobody loses a connection', async ({ fail, mend }) => {
    const two = await ground.start({}, TRAFFIC_ENV);
    await untilWhole(one, two);
    traffic = await startTraffic({ db: database.db, urls: () => [one.url, two.url] });
    await traffic.goOnFor(5);
    await fail();
    await traffic.goOnFor(10);
    await mend();
    await untilWhole(one, two);
    await traffic.goOnFor(5);
    // Hands of one node are seen on the other again.
    await traffic.untilHandsMove();
    await traffic.settle();
    expect(traffic.lost()).toBe(0);
    await vi.waitUntil(async () => (await one.fetch('/readyz')).status === 200, WAIT);
  });
});
