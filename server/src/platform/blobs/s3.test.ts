/** A bucket in trouble: what is tried again, what is refused and how, and that no key gets into a log. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { s3Server, type S3Server } from '../../../tests/support/programs/s3-server.ts';
import { logSpy, testConfig } from '../../../tests/support/test-app.ts';
import { BlobsFault, BlobsFull, BlobsUnavailable } from './blobs.ts';
import { createS3Blobs } from './s3.ts';

let server: S3Server;
beforeEach(async () => {
  server = await s3Server();
});
afterEach(() => server.close());

const bytes = Buffer.from('a picture');
/** Takes settings that differ from the right ones. */
const made = (env: Record<string, string> = {}, installation = 'this installation') =>
  createS3Blobs(testConfig({ ...server.env, ...env }).s3!, async () => installation);
/** For what fails anyway: how soon does not matter. */
const HURRIED = { S3_TIMEOUT_MS: '300' };
const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (fault: unknown) => fault as Error,
  );
/** What was asked of the store since so many calls. */
const methods = (since = 0) => server.calls.slice(since).map(({ method }) => method);

describe('tries again', () => {
  test.each(['reset', 'error', 'half'] as const)('after one %s', async (mood) => {
    const blobs = made();
    await blobs.write('files/ab/0', bytes);
    const before = server.calls.length;
    server.mood(mood, { times: 1 });
    await blobs.write('files/ab/1', bytes);
    server.mood(mood, { times: 1 });
    expect((await blobs.read('files/ab/1'))!.equals(bytes)).toBe(true);
    server.mood(mood, { times: 1 });
    await blobs.remove('files/ab/1');
    expect(methods(before)).toEqual(['PUT', 'PUT', 'GET', 'GET', 'DELETE', 'DELETE']);
    expect([...server.objects.keys()].toSorted()).toEqual(['files/ab/0', 'installation']);
    expect(blobs.failed()).toBe(0);
  });

  test('and is well again when the store is', async () => {
    const blobs = made();
    await server.down();
    expect(await faultOf(blobs.write('files/ab/1', bytes))).toBeInstanceOf(BlobsUnavailable);
    expect(await faultOf(blobs.probe())).toBeInstanceOf(BlobsUnavailable);
    await server.up();
    await blobs.probe();
    await blobs.write('files/ab/1', bytes);
    expect(blobs.failed()).toBe(2);
  });

  test('with the store’s time when the clock of this machine is wrong', async () => {
    server.aheadMs = 3_600_000;
    const blobs = made();
    await blobs.write('files/ab/1', bytes);
    // Refused once: whose bucket it is, which nobody has said yet, so it is written, and then the file.
    expect(server.calls.map(({ status }) => status)).toEqual([403, 404, 200, 200]);
    await blobs.read('files/ab/1');
    expect(server.calls).toHaveLength(5);
    // Ages are by the store's clock alone.
    for await (const some of blobs.list('files')) expect(Math.abs(some[0]!.ageMs)).toBeLessThan(1_800_000);
  });
});

describe('refuses', () => {
  test.each(['hang', 'reset', 'half', 'error', 'denied', 'unknown', 'bare'] as const)(
    'all work while the store answers by %s, and never says that there is nothing',
    async (mood) => {
      const blobs = made(mood === 'hang' ? HURRIED : {});
      server.objects.set('files/ab/1', { bytes, writtenAt: Date.now() });
      server.mood(mood);
      const works = [
        () => blobs.read('files/ab/1'),
        () => blobs.read('files/ab/2'),
        () => blobs.write('files/ab/2', bytes),
        () => blobs.remove('files/ab/1'),
        () => blobs.probe(),
      ];
      for (const work of works) {
        const fault = await faultOf(work());
        expect(fault, String(work)).toBeInstanceOf(BlobsUnavailable);
        expect(fault, String(work)).not.toBeInstanceOf(BlobsFull);
      }
      expect(blobs.failed()).toBe(works.length);
      server.mood(null);
      expect([...server.objects.keys()]).toEqual(['files/ab/1']);
    },
  );

  test('a list that breaks off: a part of it is not taken for all', async () => {
    const blobs = made();
    await blobs.write('files/ab/1', bytes);
    await blobs.write('files/ab/2', bytes);
    server.pageSize = 1;
    const pages: string[][] = [];
    const listing = (async () => {
      for await (const some of blobs.list('files')) {
        pages.push(some.map(({ name }) => name));
        server.mood('error');
      }
    })();
    expect(await faultOf(listing)).toBeInstanceOf(BlobsUnavailable);
    expect(pages).toEqual([['files/ab/1']]);
  });

  test.each(['full', 'quota'] as const)(
    'writing as on a full disk (%s), until there is room; reading goes on',
    async (mood) => {
      const blobs = made();
      await blobs.write('files/ab/1', bytes);
      server.mood(mood, { methods: ['PUT'] });
      expect(await faultOf(blobs.write('files/ab/2', bytes))).toMatchObject({ name: 'BlobsFull', code: 'EDQUOT' });
      expect(await faultOf(blobs.probe())).toBeInstanceOf(BlobsFull);
      expect((await blobs.read('files/ab/1'))!.equals(bytes)).toBe(true);
      server.mood(null);
      await blobs.probe();
      await blobs.write('files/ab/2', bytes);
    },
  );
});

describe('at the start', () => {
  const opened = (blobs: ReturnType<typeof made>, spy = logSpy()) => faultOf(blobs.open(spy.log));

  test('tries all that is done later, and leaves nothing but its name', async () => {
    expect(await opened(made())).toBeNull();
    expect(new Set(methods())).toEqual(new Set(['GET', 'PUT', 'DELETE']));
    expect([...server.objects.keys()]).toEqual(['installation']);
    expect(String(server.objects.get('installation')!.bytes)).toBe('this installation');
    expect(await opened(made())).toBeNull();
  });

  const WRONG: [string, Record<string, string>, RegExp][] = [
    ['a wrong secret key', { S3_SECRET_KEY: 'not-the-right-one' }, /signature.*S3_ACCESS_KEY.*S3_SECRET_KEY/],
    ['an unknown access key', { S3_ACCESS_KEY: 'NOBODY' }, /S3_ACCESS_KEY/],
    ['a wrong region', { S3_REGION: 'elsewhere' }, /S3_REGION/],
    ['a bucket that is not there', { S3_BUCKET: 'another-bucket' }, /S3_BUCKET.*S3_URL/],
  ];
  test.each(WRONG)('says in a sentence what is wrong: %s', async (_name, env, sentence) => {
    const fault = await opened(made(env));
    expect(fault).toBeInstanceOf(BlobsFault);
    expect(fault!.message).toMatch(sentence);
    expect(fault!.message).not.toContain('\n');
    for (const secret of [server.accessKey, server.secretKey, ...Object.values(env)])
      expect(fault!.message).not.toContain(secret);
    expect(server.objects.size).toBe(0);
  });

  test.each(['GET', 'PUT', 'DELETE'])('says which permissions are needed when %s is denied', async (method) => {
    server.mood('denied', { methods: [method] });
    const fault = await opened(made());
    expect(fault).toBeInstanceOf(BlobsFault);
    expect(fault!.message).toMatch(/denies access.*s3:PutObject.*s3:ListBucket/);
  });

  test('does not stop for a store that is away or full', async () => {
    const spy = logSpy();
    for (const mood of ['full', 'quota'] as const) {
      server.mood(mood, { methods: ['PUT'] });
      expect(await opened(made(), spy)).toBeNull();
    }
    await server.down();
    expect(await opened(made(), spy)).toBeNull();
    expect(spy.entries().map(({ level }) => level)).toEqual([40, 40, 40]);
  });

  test('does not stop when a bucket that has our name is said to be missing, but when a bucket may be missing', async () => {
    server.mood('unknown', { methods: ['PUT'] });
    expect(await opened(made())).toBeInstanceOf(BlobsFault);
    server.mood(null);
    expect(await opened(made())).toBeNull();
    const spy = logSpy();
    server.mood('unknown', { methods: ['PUT'] });
    expect(await opened(made(), spy)).toBeNull();
    expect(spy.entries().map(({ level }) => level)).toEqual([40]);
    server.mood('unknown');
    expect(await opened(made())).toBeInstanceOf(BlobsFault);
  });

  test('stops when the files are of another installation, and removes none of them later', async () => {
    const first = made();
    await first.open(logSpy().log);
    await first.write('files/ab/1', bytes);
    const second = made({}, 'another installation');
    expect((await opened(second))!.message).toMatch(/another installation.*S3_PREFIX/);
    expect(await faultOf(second.list('files')[Symbol.asyncIterator]().next())).toBeInstanceOf(BlobsFault);
    // It would be removed by the first one's sweep.
    expect(await faultOf(second.write('files/ab/2', bytes))).toBeInstanceOf(BlobsFault);
    expect([...server.objects.keys()].toSorted()).toEqual(['files/ab/1', 'installation']);
    const beside = made({ S3_PREFIX: 'beside' }, 'another installation');
    expect(await opened(beside)).toBeNull();
    expect(await opened(first)).toBeNull();
  });

  test('whoever loses the bucket later touches nothing from then on', async () => {
    const owner = made();
    await owner.open(logSpy().log);
    await owner.write('files/ab/1', bytes);
    // Both found no name when they started at once, and the other one wrote its own last.
    server.objects.set('installation', { bytes: Buffer.from('another installation'), writtenAt: Date.now() });
    expect(await faultOf(owner.list('files')[Symbol.asyncIterator]().next())).toBeInstanceOf(BlobsFault);
    expect(await faultOf(owner.write('files/ab/2', bytes))).toBeInstanceOf(BlobsFault);
    expect(await faultOf(owner.probe())).toBeInstanceOf(BlobsFault);
    expect([...server.objects.keys()].toSorted()).toEqual(['files/ab/1', 'installation']);
  });
});

test('neither faults nor logs have keys or signatures', async () => {
  const spy = logSpy();
  const wrong = made({ S3_SECRET_KEY: 'not-the-right-one' });
  const right = made(HURRIED);
  const faults = [await faultOf(wrong.write('files/ab/1', bytes)), await faultOf(wrong.read('files/ab/1'))];
  for (const mood of ['hang', 'reset', 'denied'] as const) {
    server.mood(mood);
    faults.push(await faultOf(right.write('files/ab/1', bytes)), await faultOf(right.probe()));
  }
  await server.down();
  faults.push(await faultOf(right.read('files/ab/1')));
  await right.open(spy.log);
  for (const fault of faults) {
    expect(fault).toBeInstanceOf(BlobsUnavailable);
    spy.log.warn({ err: fault }, 'as a call logs it');
  }
  const text = spy.text() + faults.map(String).join('\n');
  for (const secret of [server.accessKey, server.secretKey, 'not-the-right-one', 'AWS4-HMAC-SHA256', 'a picture'])
    expect(text).not.toContain(secret);
  expect(text).toContain('SignatureDoesNotMatch');
});
