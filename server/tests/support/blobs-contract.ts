/** What every place for bytes does (server/src/platform/blobs/blobs.ts), as tests that run on each of them. */
import { randomBytes } from 'node:crypto';
import { PICTURE_UPLOAD } from '@fieldroom/contract/pictures';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Blobs } from '../../src/platform/blobs/blobs.ts';

const DAY_MS = 86_400_000;

/** A place, and what a test does behind its back. */
export interface Place {
  readonly blobs: Blobs;
  /** Writes a blob as if that was so long ago. */
  writeAged(name: string, bytes: Uint8Array, ageMs: number): Promise<void>;
  leave(): Promise<void>;
}

/** Returns all names in a folder and below it, sorted. */
export async function namesIn(blobs: Blobs, folder: string): Promise<string[]> {
  const all: string[] = [];
  for await (const some of blobs.list(folder)) all.push(...some.map(({ name }) => name));
  return all.toSorted();
}

/** Declares the tests. Each makes an empty place of its own. */
export function testBlobs(make: () => Promise<Place>): void {
  let place: Place;
  beforeEach(async () => {
    place = await make();
  });
  afterEach(() => place.leave());

  const names = (folder: string) => namesIn(place.blobs, folder);

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

  test('takes the largest picture, and names with every sign that a name may have', async () => {
    const large = randomBytes(PICTURE_UPLOAD.maxBytes);
    await place.blobs.write('files/ab/large', large);
    expect((await place.blobs.read('files/ab/large'))!.equals(large)).toBe(true);
    const all = ['-a/_b', 'A.b/_..c', 'assets/index-Xy_9.1.js', '_/-', 'a..b', '0'].map((name) => `web/${name}`);
    for (const name of all) await place.blobs.write(name, Buffer.from(name));
    for (const name of all) expect(String(await place.blobs.read(name))).toBe(name);
    expect(await names('web')).toEqual(all.toSorted());
    for (const name of all) await place.blobs.remove(name);
    expect(await names('web')).toEqual([]);
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
    await place.writeAged('files/ab/old', Buffer.from('old'), 7 * DAY_MS);
    await place.blobs.write('files/ab/new', Buffer.from('new'));
    const ages: Record<string, number> = {};
    for await (const some of place.blobs.list('files')) for (const { name, ageMs } of some) ages[name] = ageMs;
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
}
