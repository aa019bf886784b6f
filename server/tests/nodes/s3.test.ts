/**
 * Files in an S3-compatible store instead of a shared folder
 * (docs/decisions/0027-files-in-an-s3-compatible-store.md): nodes without a common folder show each other's pictures,
 * and a store in trouble costs pictures alone.
 */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as calls from '@fieldroom/contract/field';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { aTherapist, type BuiltAccount } from '../../src/builders/accounts.builders.ts';
import { anEvent } from '../../src/builders/events.builders.ts';
import { copyDatabase } from '../support/database.ts';
import { testNodes, untilWhole } from '../support/nodes.ts';
import { aPhoto, showPicture, uploadPicture, uploadTo } from '../support/pictures.ts';
import { MAIN, NODE_FLAGS, startProcess } from '../support/programs/process.ts';
import { hasRedis, testRedis, type TestRedis } from '../support/programs/redis.ts';
import { s3Server, type S3Server } from '../support/programs/s3-server.ts';
import { testApp, type TestApp } from '../support/test-app.ts';

const COPY = fileURLToPath(new URL('../../src/copy-files.ts', import.meta.url));
const DAY_MS = 86_400_000;
const DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>';

let store: S3Server;
let picture: Buffer;
beforeAll(async () => {
  picture = await aPhoto();
});
beforeEach(async () => {
  store = await s3Server();
});
afterEach(() => store.close());

const upload = (on: Parameters<typeof uploadPicture>[0], therapist: BuiltAccount, eventId: number) =>
  uploadPicture(on, therapist, eventId, picture);
const files = () => [...store.objects.keys()].filter((key) => key.startsWith('files/'));

/** An event with a picture that came by the service's own door. */
async function pictured(t: TestApp, therapist: BuiltAccount) {
  const event = await anEvent(t.db, { therapistId: therapist.id });
  const answer = await upload(t, therapist, event.id);
  expect(answer.status).toBe(200);
  return { id: event.id, ...((await answer.json()) as { fileName: string }) };
}

describe('one node', () => {
  let t: TestApp;
  let therapist: BuiltAccount;
  beforeEach(async () => {
    t = await testApp({ env: store.env });
    therapist = await aTherapist(t.db);
  });
  afterEach(() => t.close());

  test('a picture lies in the bucket alone, under its inner id', async () => {
    const { id, fileName } = await pictured(t, therapist);
    const fileId = fileName.replace('.webp', '');
    expect(files()).toEqual([`files/${fileId.slice(0, 2)}/${fileId}`]);
    const onDisk = await readdir(t.app.config.dataDir, { recursive: true });
    expect(onDisk.filter((name) => name.includes(fileId))).toEqual([]);
    const answer = await showPicture(t, id, fileName);
    expect(answer.status).toBe(200);
    const shown = Buffer.from(await answer.arrayBuffer());
    expect(shown.equals(store.objects.get(files()[0]!)!.bytes)).toBe(true);
  });

  test('while the store is away an upload is refused, and nothing of it stays', async () => {
    const event = await anEvent(t.db, { therapistId: therapist.id });
    await store.down();
    const refused = await upload(t, therapist, event.id);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: 'unavailable' });
    const { rows } = await t.db.execute(sql`SELECT 1 FROM stored_files`);
    expect(rows).toEqual([]);
    await store.up();
    expect(files()).toEqual([]);
    expect((await upload(t, therapist, event.id)).status).toBe(200);
    expect(files()).toHaveLength(1);
  });

  test('while the store hangs, uploads hold no transaction: no connection to the database, no lock of the room', async () => {
    const { token, id } = therapist;
    const event = await anEvent(t.db, { therapistId: id });
    store.mood('hang', { methods: ['PUT'] });
    const starts = [
      () => upload(t, therapist, event.id),
      () => uploadTo(t, therapist, `/api/template/image/upload/${id}`, picture),
      () => uploadTo(t, therapist, `/api/image/profile/upload/${id}`, picture),
      () => t.call(calls.saveIcon, { body: { name: 'Tree', image: DRAWING } }, { token }),
    ];
    const waiting = () => store.calls.filter(({ method, status }) => method === 'PUT' && status === 0).length;
    const uploads: Promise<Response>[] = [];
    let answered = 0;
    for (const start of starts) {
      const one = start();
      void one.then(() => (answered += 1));
      uploads.push(one);
      // One after the other: the HTTP client may put two that begin at once on one connection, behind each other.
      await expect.poll(waiting).toBe(uploads.length);
    }
    const open = async () => {
      const { rows } = await t.db.execute<{ begun: string }>(
        sql`SELECT pid || ' ' || xact_start AS begun FROM pg_stat_activity
          WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
      );
      return rows.map(({ begun }) => begun);
    };
    // Whatever else is in a transaction at that moment ends; the uploads still wait.
    const before = await open();
    const stillOpen = async () => (await open()).filter((begun) => before.includes(begun));
    await expect.poll(stillOpen).toEqual([]);
    expect(answered).toBe(0);
    expect((await t.call(calls.allIcons, { params: { therapistId: id } }, { token })).status).toBe(200);
    await store.down();
    expect((await Promise.all(uploads)).map(({ status }) => status)).toEqual(uploads.map(() => 503));
  });

  test.each(['reset', 'error', 'denied', 'half'] as const)(
    'a picture that the store does not give out (%s) is away for now, not unknown',
    async (mood) => {
      const { id, fileName } = await pictured(t, therapist);
      store.mood(mood);
      const refused = await showPicture(t, id, fileName);
      expect(refused.status).toBe(503);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused.headers.get('cache-control')).toBe('no-store');
      store.mood(null);
      expect((await showPicture(t, id, fileName)).status).toBe(200);
    },
  );

  test('a lost object and a changed one are served by nobody', async () => {
    const { id, fileName } = await pictured(t, therapist);
    const [key] = files();
    const before = store.objects.get(key!)!;
    store.objects.set(key!, { ...before, bytes: Buffer.from('something else') });
    expect((await showPicture(t, id, fileName)).status).toBe(404);
    store.objects.delete(key!);
    expect((await showPicture(t, id, fileName)).status).toBe(404);
    store.objects.set(key!, before);
    expect((await showPicture(t, id, fileName)).status).toBe(200);
  });

  test('507 and not ready while the store is full', async () => {
    const event = await anEvent(t.db, { therapistId: therapist.id });
    const storage = async () => {
      const { parts } = (await (await t.fetch('/readyz')).json()) as { parts: Record<string, string> };
      return parts['storage'];
    };
    store.mood('full', { methods: ['PUT'] });
    const refused = await upload(t, therapist, event.id);
    expect(refused.status).toBe(507);
    expect(await refused.json()).toMatchObject({ code: 'storage_full' });
    expect(await storage()).toBe('failed');
    store.mood(null);
    await expect.poll(storage).toBe('ok');
    expect((await upload(t, therapist, event.id)).status).toBe(200);
  });

  test('the sweep removes what no row names and is old, and nothing else', async () => {
    const { fileName } = await pictured(t, therapist);
    const kept = `files/${fileName.slice(0, 2)}/${fileName.replace('.webp', '')}`;
    const written = [1, 2].map(() =>
      t.app.files.write(t.db, { ownerId: therapist.id, kind: 'icon', contentType: 'image/svg+xml', bytes: picture }),
    );
    const [old, young] = (await Promise.all(written)).map(({ id }) => `files/${id.slice(0, 2)}/${id}`);
    store.objects.set('files/of-somebody-else', { bytes: picture, writtenAt: 0 });
    store.objects.set('elsewhere/old', { bytes: picture, writtenAt: 0 });
    for (const key of [kept, old!]) store.objects.get(key)!.writtenAt -= 2 * DAY_MS;
    store.pageSize = 1;
    expect(await t.app.files.sweep()).toBe(1);
    expect([...store.objects.keys()].toSorted()).toEqual(
      [kept, young!, 'files/of-somebody-else', 'elsewhere/old', 'installation'].toSorted(),
    );
  });

  test('no key, no signature and no picture gets into the log', async () => {
    const { id, fileName } = await pictured(t, therapist);
    for (const mood of ['reset', 'error', 'denied'] as const) {
      store.mood(mood);
      await showPicture(t, id, fileName);
      await upload(t, therapist, id);
      await t.app.files.sweep().catch((error: unknown) => t.logged.log.error({ err: error }, 'a sweep failed'));
      await t.fetch('/readyz');
    }
    const text = t.logged.text();
    expect(text).toContain('the file store could not serve a call');
    for (const secret of [store.accessKey, store.secretKey, 'AWS4-HMAC-SHA256', 'Signature='])
      expect(text).not.toContain(secret);
  });
});

describe.skipIf(!hasRedis)('two nodes without a common folder', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await testRedis();
  });
  afterAll(() => redis?.stop());

  test('show each other’s pictures, and one goes on when the other is gone', async () => {
    const ground = await testNodes(redis.url);
    const folders = await mkdtemp(path.join(tmpdir(), 'fieldroom-test-folders-'));
    try {
      const [one, two] = await Promise.all(
        ['one', 'two'].map(async (name) => {
          await mkdir(path.join(folders, name));
          return ground.start({}, { ...store.env, DATA_DIR: path.join(folders, name) });
        }),
      );
      await untilWhole(one!, two!);
      const therapist = await aTherapist(one!.app.db);
      const event = await anEvent(one!.app.db, { therapistId: therapist.id });
      const { fileName } = (await (await upload(one!, therapist, event.id)).json()) as { fileName: string };
      const [here, there] = await Promise.all([one!, two!].map((node) => showPicture(node, event.id, fileName)));
      expect([here!.status, there!.status]).toEqual([200, 200]);
      expect(await there!.text()).toBe(await here!.text());
      await one!.close();
      expect((await showPicture(two!, event.id, fileName)).status).toBe(200);
      expect(await two!.app.files.sweep()).toBe(0);
      expect(files()).toHaveLength(1);
    } finally {
      await ground.close();
      await rm(folders, { recursive: true, force: true });
    }
  });
});

describe('the programs', () => {
  test('copy files from the folder to the bucket and back, and again for what is new', async () => {
    const t = await testApp();
    const env = {
      ...store.env,
      ...{ DATABASE_URL: t.app.database.connectionString, DATA_DIR: t.app.config.dataDir, LOG_LEVEL: 'error' },
      ...{ DATABASE_CONNECTIONS: '4', DATABASE_TIMEOUT_MS: '45000' },
    };
    /** Returns what the program says at its end. */
    const copy = async (direction: string, more: Record<string, string> = {}) => {
      const started = startProcess(process.execPath, [...NODE_FLAGS, COPY, direction], { env: { ...env, ...more } });
      const code = await new Promise((resolve) => {
        started.child.on('close', resolve);
      });
      return [code, started.output().trim().split('\n').at(-1)];
    };
    const elsewhere = await mkdtemp(path.join(tmpdir(), 'fieldroom-test-copies-'));
    try {
      const therapist = await aTherapist(t.db);
      const first = await pictured(t, therapist);
      expect(await copy('to-s3')).toEqual([0, 'Files copied: 1. Already there: 0.']);
      await pictured(t, therapist);
      // What is in the bucket and not in the folder is none of its concern.
      const alien = 'files/ff/ffffffff-ffff-4fff-8fff-ffffffffffff';
      store.objects.set(alien, [...store.objects.values()][0]!);
      expect(await copy('to-s3')).toEqual([0, 'Files copied: 1. Already there: 1.']);
      store.objects.delete(alien);
      expect(files()).toHaveLength(2);
      expect(await copy('to-folder', { DATA_DIR: elsewhere })).toEqual([0, 'Files copied: 2. Already there: 0.']);
      const names = (await readdir(path.join(elsewhere, 'files'), { recursive: true })).map((name) =>
        path.basename(name),
      );
      expect(names).toContain(first.fileName.replace('.webp', ''));
      expect(await copy('sideways')).toEqual([1, expect.stringContaining('to-folder')]);
      // A fault of the machine is a sentence too, and no stack.
      const file = path.join(elsewhere, 'a-file');
      await writeFile(file, '');
      expect(await copy('to-folder', { DATA_DIR: path.join(file, 'below') })).toEqual([
        1,
        expect.stringMatching(/^A file lies where .* DATA_DIR\.$/),
      ]);
    } finally {
      await t.close();
      await rm(elsewhere, { recursive: true, force: true });
    }
  });

  test('a start with a key that may do nothing ends with one sentence', async () => {
    const database = await copyDatabase(inject('postgres'));
    const dataDir = await mkdtemp(path.join(tmpdir(), 'fieldroom-test-start-'));
    store.mood('denied');
    const started = startProcess(process.execPath, [...NODE_FLAGS, MAIN], {
      env: {
        ...store.env,
        ...{ DATABASE_URL: database.connectionString, DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', DEMO: '0' },
        ...{ LOG_LEVEL: 'error', DATABASE_TIMEOUT_MS: '45000' },
      },
    });
    try {
      const code = await new Promise((resolve) => {
        started.child.on('close', resolve);
      });
      expect(code).toBe(1);
      expect(started.output()).toMatch(/^The file store denies access .*s3:PutObject.*$/m);
      expect(started.output()).not.toMatch(/^ +at /m);
      for (const secret of [store.accessKey, store.secretKey]) expect(started.output()).not.toContain(secret);
    } finally {
      await started.stop('SIGKILL');
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
