/**
 * Files in a real S3-compatible store, which nobody of this project wrote
 * (docs/decisions/0027-files-in-an-s3-compatible-store.md): OpenStack Swift. `s3.test.ts` has what no real store does
 * on request.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { aTherapist, type BuiltAccount } from '../../src/builders/accounts.builders.ts';
import { anEvent } from '../../src/builders/events.builders.ts';
import { BlobsFault } from '../../src/platform/blobs/blobs.ts';
import { createS3Blobs } from '../../src/platform/blobs/s3.ts';
import { namesIn, type Place, testBlobs } from '../support/blobs-contract.ts';
import { aPhoto, showPicture, uploadPicture } from '../support/pictures.ts';
import { noSwift, swift, type Swift } from '../support/programs/swift.ts';
import { logSpy, testApp, testConfig, type TestApp } from '../support/test-app.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const bytes = Buffer.from('a picture');

describe.skipIf(noSwift !== null)(`OpenStack Swift${noSwift === null ? '' : ` (left out: ${noSwift})`}`, () => {
  let store: Swift;
  beforeAll(async () => {
    // More than one page.
    store = await swift({ pageSize: 2 });
  });
  afterAll(() => store?.close());
  afterEach(async () => {
    vi.useRealTimers();
    await store.up();
    await store.quota(null);
  });

  /** A part of the bucket that is empty. */
  const ownPart = () => ({ ...store.env, S3_PREFIX: `part/${randomUUID()}` });
  /** Takes settings that differ from the right ones. */
  const made = (env: Record<string, string>) => createS3Blobs(testConfig(env).s3!, async () => 'this installation');

  describe('is a place for blobs, which', () => {
    testBlobs(async (): Promise<Place> => {
      const env = ownPart();
      return {
        blobs: made(env),
        writeAged: (name, content, ageMs) => store.writeAged(`${env.S3_PREFIX}/${name}`, content, ageMs),
        leave: async () => {},
      };
    });
  });

  describe('at the start', () => {
    /** Returns what an operator reads; null if the node starts. */
    const opened = (env: Record<string, string>, spy = logSpy()) =>
      made(env)
        .open(spy.log)
        .then(
          () => null,
          (fault: unknown) => fault as Error,
        );

    test('all works, and leaves nothing but the name of the installation', async () => {
      const spy = logSpy();
      const env = ownPart();
      expect(await opened(env, spy)).toBeNull();
      expect(spy.entries()).toEqual([]);
      expect(await namesIn(made(env), 'probe')).toEqual([]);
      expect(String(await made(env).read('installation'))).toBe('this installation');
    });

    const WRONG: [string, (url: string) => Record<string, string>, RegExp][] = [
      ['a wrong secret key', () => ({ S3_SECRET_KEY: 'not-the-right-one' }), /S3_SECRET_KEY/],
      // Swift does not say which of the two is wrong.
      ['an unknown access key', () => ({ S3_ACCESS_KEY: 'nobody' }), /S3_ACCESS_KEY/],
      ['a wrong region', () => ({ S3_REGION: 'elsewhere' }), /S3_REGION/],
      ['a bucket that is not there', () => ({ S3_BUCKET: 'another-bucket' }), /S3_BUCKET/],
      ['a bucket that cannot be', () => ({ S3_BUCKET: 'Another_Bucket' }), /S3_BUCKET/],
      // Takes the path for a bucket.
      ['an address with a path', (url) => ({ S3_URL: `${url}/s3-api` }), /S3_URL/],
    ];
    test.each(WRONG)('a sentence says what is wrong: %s', async (_name, wrong, sentence) => {
      const given = wrong(store.env['S3_URL']!);
      const fault = await opened({ ...ownPart(), ...given });
      expect(fault).toBeInstanceOf(BlobsFault);
      expect(fault!.message).toMatch(sentence);
      for (const secret of [store.env['S3_SECRET_KEY']!, ...Object.values(given)])
        expect(fault!.message).not.toContain(secret);
    });

    test.each(['account', 'container', 'object', 'proxy'] as const)(
      'the node starts while the store is in trouble: no %s server',
      async (kind) => {
        const env = ownPart();
        expect(await opened(env)).toBeNull();
        await store.down(kind);
        const spy = logSpy();
        expect(await opened(env, spy)).toBeNull();
        expect(spy.entries().map(({ level }) => level)).toEqual([40]);
        await store.up();
        expect(await opened(env)).toBeNull();
      },
    );

    test('the node starts while the bucket has no room, and says so', async () => {
      const env = ownPart();
      expect(await opened(env)).toBeNull();
      await store.quota(1);
      const spy = logSpy();
      expect(await opened(env, spy)).toBeNull();
      expect(spy.text()).toContain('no room left');
    });
  });

  test.each([-20, 20])('the clock of this machine may be %i minutes off', async (minutes) => {
    const env = ownPart();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * MINUTE_MS });
    const blobs = made(env);
    await blobs.write('files/ab/1', bytes);
    expect((await blobs.read('files/ab/1'))!.equals(bytes)).toBe(true);
    // Ages are by the store's clock alone.
    for await (const some of blobs.list('files')) expect(Math.abs(some[0]!.ageMs)).toBeLessThan(10 * MINUTE_MS);
    expect(blobs.failed()).toBe(0);
  });

  describe('one node', () => {
    let t: TestApp;
    let env: ReturnType<typeof ownPart>;
    let therapist: BuiltAccount;
    let photo: Buffer;
    beforeAll(async () => {
      photo = await aPhoto();
      env = ownPart();
      t = await testApp({ env });
      therapist = await aTherapist(t.db);
    });
    afterAll(() => t?.close());

    const storage = async () => {
      const { parts } = (await (await t.fetch('/readyz')).json()) as { parts: Record<string, string> };
      return parts['storage'];
    };
    const anUpload = async () => {
      const { id } = await anEvent(t.db, { therapistId: therapist.id });
      const answer = await uploadPicture(t, therapist, id, photo);
      return { id, answer };
    };
    const pictured = async () => {
      const { id, answer } = await anUpload();
      expect(answer.status).toBe(200);
      return { id, ...((await answer.json()) as { fileName: string }) };
    };

    test.each(['proxy', 'object', 'container'] as const)(
      'pictures are away while the store has no %s server, and back with it',
      async (kind) => {
        const { id, fileName } = await pictured();
        const before = await (await showPicture(t, id, fileName)).bytes();
        expect(await storage()).toBe('ok');
        const known = await namesIn(t.app.blobs, 'files');
        await store.down(kind);
        const { answer } = await anUpload();
        for (const refused of [await showPicture(t, id, fileName), answer]) {
          expect(refused.status).toBe(503);
          expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
        }
        expect(await storage()).toBe('failed');
        await store.up();
        await expect.poll(storage).toBe('ok');
        expect(await (await showPicture(t, id, fileName)).bytes()).toEqual(before);
        expect(await namesIn(t.app.blobs, 'files')).toEqual(known);
      },
    );

    test('507 and not ready while the bucket’s quota is used up', async () => {
      const { id, fileName } = await pictured();
      await store.quota(1);
      expect((await anUpload()).answer.status).toBe(507);
      expect(await storage()).toBe('failed');
      expect((await showPicture(t, id, fileName)).status).toBe(200);
      await store.quota(null);
      await expect.poll(storage).toBe('ok');
      await pictured();
    });

    test('the sweep removes what no row names and is old, and nothing else', async () => {
      const { id, fileName } = await pictured();
      const known = await namesIn(t.app.blobs, 'files');
      const uuid = randomUUID();
      const old = `files/${uuid.slice(0, 2)}/${uuid}`;
      await store.writeAged(`${env.S3_PREFIX}/${old}`, bytes, 2 * DAY_MS);
      expect(await namesIn(t.app.blobs, 'files')).toEqual([...known, old].toSorted());
      expect(await t.app.files.sweep()).toBe(1);
      expect(await namesIn(t.app.blobs, 'files')).toEqual(known);
      expect((await showPicture(t, id, fileName)).status).toBe(200);
    });
  });
});
