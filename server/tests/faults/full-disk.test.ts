/**
 * No room left to write: /readyz says so, uploads are refused while rooms and bookings go on, and all is well as soon
 * as there is room again.
 */
import { readdir } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { aTherapist } from '../../src/builders/accounts.builders.ts';
import { anEvent } from '../../src/builders/events.builders.ts';
import { type Database, openDatabase } from '../../src/platform/db/db.ts';
import { createLog } from '../../src/platform/monitoring/log.ts';
import { type TestNodes, testNodes } from '../support/nodes.ts';
import { startTraffic, type Traffic, TRAFFIC_ENV, TRAFFIC_TEST } from '../support/people/traffic.ts';
import { testApp, type TestApp } from '../support/test-app.ts';
import { canMount, smallDisk, type SmallDisk } from '../support/programs/small-disk.ts';

let t: Pick<TestApp, 'fetch'>;
const storage = async () => {
  const answer = await t.fetch('/readyz');
  const { parts } = (await answer.json()) as { parts: Record<string, string> };
  return [answer.status, parts.storage];
};

describe.runIf(canMount())('of uploads', TRAFFIC_TEST, () => {
  let disk: SmallDisk;
  let ground: TestNodes;
  let database: Database;
  let traffic: Traffic | null = null;
  beforeEach(async () => {
    disk = smallDisk(600);
    ground = await testNodes('');
    const databaseUrl = ground.env['DATABASE_URL']!;
    database = await openDatabase(
      { databaseUrl, dataDir: disk.folder, databaseConnections: 4, databaseTimeoutMs: 45_000 },
      createLog({ logLevel: 'silent', production: true }),
    );
  });
  afterEach(async () => {
    traffic?.stop();
    await database.close();
    await ground.close();
    disk.close();
  });

  test('507 and not ready until there is room; nothing half written stays, rooms and bookings go on', async () => {
    const server = await ground.startProcess({ ...TRAFFIC_ENV, DATA_DIR: disk.folder });
    t = server;
    traffic = await startTraffic({ db: database.db, urls: () => [server.url] });
    const therapist = await aTherapist(database.db);
    const event = await anEvent(database.db, { therapistId: therapist.id });
    const picture = await sharp({
      create: { width: 800, height: 600, channels: 3, background: { r: 200, g: 120, b: 60 } },
    })
      .jpeg()
      .toBuffer();
    const upload = () => {
      const form = new FormData();
      form.set('file', new Blob([new Uint8Array(picture)], { type: 'image/jpeg' }), 'picture.jpg');
      return t.fetch(`/api/event/images/${event.id}/upload`, {
        method: 'POST',
        headers: { authorization: `Bearer ${therapist.token}` },
        body: form,
      });
    };
    expect(await storage()).toEqual([200, 'ok']);
    await disk.fill();
    expect(await storage()).toEqual([503, 'failed']);
    const refused = await upload();
    expect(refused.status).toBe(507);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: 'storage_full' });
    expect((await readdir(disk.folder, { recursive: true })).filter((name) => name.endsWith('.part'))).toEqual([]);
    expect(server.output()).toContain('there is no room left to write');
    await traffic.goOnFor(5);
    await disk.free();
    expect(await storage()).toEqual([200, 'ok']);
    expect((await upload()).status).toBe(200);
    await traffic.goOnFor(5);
    await traffic.settle();
    expect(traffic.lost()).toBe(0);
  });
});

test('of the database: not ready from the first statement that found none until one finds some', async () => {
  const app = await testApp();
  onTestFinished(() => app.close());
  t = app;
  const { db } = app;
  // Every act that makes a table fails as it does on a full disk.
  await db.execute(
    sql`CREATE FUNCTION no_room() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$`,
  );
  await db.execute(
    sql`CREATE EVENT TRIGGER no_room ON ddl_command_start WHEN TAG IN ('CREATE TABLE', 'CREATE TABLE AS') EXECUTE FUNCTION no_room()`,
  );
  expect(await storage()).toEqual([200, 'ok']);
  await expect(db.execute(sql`CREATE TABLE more (a int)`)).rejects.toThrow();
  expect(await storage()).toEqual([503, 'failed']);
  expect(await storage()).toEqual([503, 'failed']);
  await db.execute(sql`DROP EVENT TRIGGER no_room`);
  expect(await storage()).toEqual([200, 'ok']);
});
