/** What every place for bytes does: a folder, and a bucket of an S3-compatible store. */
import { mkdtemp, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { s3Server, type S3Server } from '../../../tests/support/programs/s3-server.ts';
import { testConfig } from '../../../tests/support/test-app.ts';
import type { Blobs } from './blobs.ts';
import { createFolderBlobs } from './folder.ts';
import { createS3Blobs } from './s3.ts';

/** A place, and what a test does behind its back. */
interface Place {
  readonly blobs: Blobs;
  /** Makes a blob older than it is. */
  age(name: string, ms: number): Promise<void>;
  leave(): Promise<void>;
}

async function folder(): Promise<Place> {
  const root = await mkdtemp(path.join(tmpdir(), 'fieldroom-test-blobs-'));
  return {
    blobs: createFolderBlobs(root),
    async age(name, ms) {
      const then = new Date(Date.now() - ms);
      await utimes(path.join(root, name), then, then);
    },
    leave: () => rm(root, { recursive: true }),
  };
}

const bucket = (prefix: string) => async (): Promise<Place> => {
  const server: S3Server = await s3Server();
  // More than one page.
  server.pageSize = 2;
  const { s3 } = testConfig({ ...server.env, S3_PREFIX: prefix });
  return {
    blobs: createS3Blobs(s3!, async () => 'this installation'),
    async age(name, ms) {
      server.objects.get(`${s3!.prefix}${name}`)!.writtenAt -= ms;
    },
    leave: () => server.close(),
  };
};

describe.each([
  ['a folder', folder],
  ['a bucket', bucket('')],
  ['a part of a bucket', bucket('a/part')],
])('%s', (_name, make) => {
  let place: Place;
  beforeEach(async () => {
    place = await make();
  });
  afterEach(() => place.leave());

  async function names(of: string): Promise<string[]> {
    const all: string[] = [];
    for await (const some of place.blobs.list(of)) all.push(...some.map(({ name }) => name));
    return all.toSorted();
  }

  test('gives back what was written, byte by byte, and nothing for another name', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, n) => (n * 31) % 256));
    await place.blobs.write('files/ab/abc', bytes);
    expect((await place.blobs.read('files/ab/abc'))!.equals(bytes)).toBe(true);
    // A part of a larger piece of memory, as small buffers of Node are.
    await place.blobs.write('files/ab/abd', bytes.subarray(1000, 1010));
    expect((await place.blobs.read('files/ab/abd'))!.equals(bytes.subarray(1000, 1010))).toBe(true);
    await place.blobs.write('files/ab/empty', new Uint8Array());
    expect(await place.blobs.read('files/ab/empty')).toHaveLength(0);
    expect(await place.blobs.read('files/ab/abe')).toBeNull();
    expect(await place.blobs.read('files/cd/abc')).toBeNull();
  });

  test('a name that is written again has the new bytes', async () => {
    await place.blobs.write('web/app.js', Buffer.from('a longer text'));
    await place.blobs.write('web/app.js', Buffer.from('short'));
    expect(String(await place.blobs.read('web/app.js'))).toBe('short');
    expect(await names('web')).toEqual(['web/app.js']);
  });

  test('lists a folder with those below it, however many there are, and no other', async () => {
    expect(await names('files')).toEqual([]);
    const all = ['files/ab/1', 'files/ab/2', 'files/cd/1', 'files/cd/2', 'files/cd/3'];
    for (const name of [...all, 'filesystem/1', 'web/app.js']) await place.blobs.write(name, Buffer.from(name));
    expect(await names('files')).toEqual(all);
  });

  test('knows how old a blob is', async () => {
    await place.blobs.write('files/ab/old', Buffer.from('old'));
    await place.blobs.write('files/ab/new', Buffer.from('new'));
    await place.age('files/ab/old', 7 * 86_400_000);
    const ages: Record<string, number> = {};
    for await (const some of place.blobs.list('files')) for (const { name, ageMs } of some) ages[name] = ageMs;
    const DAY_MS = 86_400_000;
    expect(ages['files/ab/old']! / DAY_MS).toBeGreaterThan(6.9);
    expect(ages['files/ab/old']! / DAY_MS).toBeLessThan(7.9);
    expect(ages['files/ab/new']! / DAY_MS).toBeLessThan(0.9);
  });

  test('removes one, also if it is not there', async () => {
    await place.blobs.write('files/ab/1', Buffer.from('1'));
    await place.blobs.write('files/ab/2', Buffer.from('2'));
    await place.blobs.remove('files/ab/1');
    await place.blobs.remove('files/ab/1');
    expect(await place.blobs.read('files/ab/1')).toBeNull();
    expect(await names('files')).toEqual(['files/ab/2']);
  });

  test('a name never leads out of the place', async () => {
    for (const name of ['../files/1', 'files/../../1', '/files/1', 'files//1', 'files/', '', '.', 'files/.hidden']) {
      await expect(async () => place.blobs.write(name, Buffer.from('1')), name).rejects.toThrow('no name');
      await expect(async () => place.blobs.read(name), name).rejects.toThrow('no name');
      await expect(async () => place.blobs.remove(name), name).rejects.toThrow('no name');
    }
  });

  test('a probe leaves nothing among the files', async () => {
    await place.blobs.probe();
    expect(await names('files')).toEqual([]);
  });
});
