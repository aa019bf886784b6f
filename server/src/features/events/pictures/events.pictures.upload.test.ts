/** Uploads of pictures. Numbers are those of README.md. */
import { readdir } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as calls from '@fieldroom/contract/events';
import { PICTURE_UPLOAD } from '@fieldroom/contract/pictures';
import type { ProblemBody } from '@fieldroom/contract/problems';
import { storedFiles } from '../../../platform/platform.tables.ts';
import { aTherapist, type BuiltAccount } from '../../../builders/accounts.builders.ts';
import { anEvent, aSeries, eventAgain } from '../../../builders/events.builders.ts';
import { chaosProxy } from '../../../../tests/support/programs/chaos-proxy.ts';
import { testApp, type TestApp } from '../../../../tests/support/test-app.ts';

let t: TestApp;
let therapist: BuiltAccount;
beforeAll(async () => {
  t = await testApp({ env: { LIMIT_UPLOADS: '20/1h' } });
});
afterAll(() => t.close());
beforeEach(async () => {
  therapist = await aTherapist(t.db);
});

const made = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 120, b: 60 } } });
async function upload(
  eventId: number,
  bytes: Uint8Array,
  { token = therapist.token, name = 'picture.jpg', type = 'image/jpeg', scope = '', url = t.url } = {},
): Promise<{ status: number; body: ProblemBody & { fileName: string } }> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)], { type }), name);
  const answer = await fetch(`${url}/api/event/images/${eventId}/upload${scope && `?scope=${scope}`}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  });
  return { status: answer.status, body: (await answer.json()) as ProblemBody & { fileName: string } };
}
async function shown(eventId: number, fileName: string): Promise<Buffer> {
  const answer = await t.call(calls.eventImage, { params: { eventId: String(eventId), fileName } });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}
const stored = async () =>
  t.db.select({ id: storedFiles.id }).from(storedFiles).where(eq(storedFiles.ownerId, therapist.id));

describe('27. an upload', () => {
  test('of each format becomes a WebP of at most 1600 pixels, upright, without metadata', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id });
    const exif = {
      IFD0: { Copyright: 'Secretname', Artist: 'Secretname' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 12/1 0/1' },
    };
    const kinds = {
      jpeg: await made(3000, 1500).withExif(exif).withMetadata({ orientation: 6 }).jpeg().toBuffer(),
      png: await made(2000, 1000).withExif(exif).png().toBuffer(),
      webp: await made(400, 300).withExif(exif).webp().toBuffer(),
    };
    const sizes = { jpeg: [1200, 2400], png: [1600, 800], webp: [400, 300] };
    for (const kind of ['jpeg', 'png', 'webp'] as const) {
      // The server believes neither name nor type.
      const { status, body } = await upload(row.id, kinds[kind], {
        name: '../../evil.svg\u0000.html',
        type: 'text/html',
      });
      expect(status, kind).toBe(200);
      expect(body.fileName).toMatch(/^[0-9a-f-]{36}\.webp$/);
      const bytes = await shown(row.id, body.fileName);
      const { format, width, height, exif: left, orientation } = await sharp(bytes).metadata();
      expect([format, width, height, left, orientation], kind).toEqual(['webp', ...sizes[kind], undefined, undefined]);
      expect(bytes.includes('Secretname')).toBe(false);
    }
    expect(await stored()).toHaveLength(1);
  });

  test('applies to this occurrence, or this and later ones, depending on the scope', async () => {
    const rows = await aSeries(t.db, { therapistId: therapist.id, further: [7, 14, 21, 28] });
    const names = () =>
      Promise.all(rows.map(async ({ id }) => ((await eventAgain(t.db, id)).imageFile ?? 'none').slice(0, 36)));
    const add = async (index: number, scope: string) =>
      (await upload(rows[index]!.id, await made(10, 10).png().toBuffer(), { scope })).body.fileName.slice(0, 36);
    const one = await add(2, 'this');
    expect(await names()).toEqual(['none', 'none', one, 'none', 'none']);
    // Later ones get it whatever they had; earlier ones keep theirs.
    const later = await add(1, 'later');
    expect(await names()).toEqual(['none', later, later, later, later]);
    expect((await stored()).map(({ id }) => id)).toEqual([later]);
    const alone = await add(2, 'this');
    expect(await names()).toEqual(['none', later, alone, later, later]);
    expect((await stored()).map(({ id }) => id).toSorted()).toEqual([alone, later].toSorted());
    // Cancelled ones keep their own.
    await t.api(calls.cancelEvent, { body: { eventId: rows[3]!.id, reason: 'x' } }, { token: therapist.token });
    await t.api(calls.deleteEvent, { params: { id: String(rows[4]!.id) }, query: {} }, { token: therapist.token });
    const all = await add(0, 'later');
    expect(await names()).toEqual([all, all, all, later, later]);
    expect((await upload(rows[0]!.id, await made(10, 10).png().toBuffer(), { scope: 'all' })).body.code).toBe(
      'invalid_input',
    );
  });

  test('without a scope applies to the whole series if it is its first, otherwise to the one occurrence', async () => {
    const rows = await aSeries(t.db, { therapistId: therapist.id, further: [7, 14] });
    const names = () => Promise.all(rows.map(async ({ id }) => `${(await eventAgain(t.db, id)).imageFile}.webp`));
    const first = (await upload(rows[0]!.id, await made(10, 10).png().toBuffer())).body.fileName;
    expect(await names()).toEqual([first, first, first]);
    const another = (await upload(rows[1]!.id, await made(11, 10).png().toBuffer())).body.fileName;
    expect(await names()).toEqual([first, another, first]);
  });

  test('that is not a picture is refused, and nothing is stored', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id });
    const png = await made(50, 50).png().toBuffer();
    const bad: Record<string, Buffer> = {
      empty: Buffer.alloc(0),
      text: Buffer.from('no picture'),
      svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      gif: Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
      'signature alone': Buffer.from([0xff, 0xd8, 0xff]),
      'cut off': png.subarray(0, png.length - 20),
      'jpeg that claims to be png': Buffer.concat([png.subarray(0, 8), await made(5, 5).jpeg().toBuffer()]),
      tiff: await made(5, 5).tiff().toBuffer(),
    };
    for (const [what, bytes] of Object.entries(bad)) {
      const { status, body } = await upload(row.id, bytes);
      expect([status, body.code], what).toEqual([400, 'image_unreadable']);
    }
    expect(await stored()).toEqual([]);
    expect((await eventAgain(t.db, row.id)).imageFile).toBe(null);
  });

  test('that would take too much memory or time is refused by its header', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id });
    // The header says 65,535 × 65,535, with a checksum that fits.
    const bomb = await made(50, 50).png().toBuffer();
    bomb.writeUInt32BE(65_535, 16);
    bomb.writeUInt32BE(65_535, 20);
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
    const interlaced = (width: number, height: number) =>
      made(width, height).toColourspace('rgb16').png({ progressive: true, compressionLevel: 1 }).toBuffer();
    const tooLarge: Record<string, Buffer> = {
      '65k × 65k': bomb,
      'a line of one pixel': await made(16_001, 1).png().toBuffer(),
      'a column of one pixel': await made(1, 16_001).png().toBuffer(),
      'an interlaced PNG of 16 bits, which stands in memory as a whole': await interlaced(3700, 3700),
    };
    for (const [what, bytes] of Object.entries(tooLarge)) {
      const { status, body } = await upload(row.id, bytes);
      expect([status, body.code], what).toEqual([400, 'image_too_large']);
    }
    expect((await upload(row.id, await interlaced(1000, 1000))).status).toBe(200);
    // Read line by line, the same size costs little.
    expect(
      (await upload(row.id, await made(3700, 3700).toColourspace('rgb16').png({ compressionLevel: 1 }).toBuffer()))
        .status,
    ).toBe(200);
  });

  test('cannot hide data: a polyglot loses its other half, an animation all frames except the first', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id });
    const polyglot = Buffer.concat([
      await made(30, 30).jpeg().toBuffer(),
      Buffer.from('<script>alert(1)</script>PK\u0003\u0004'),
    ]);
    const first = await upload(row.id, polyglot);
    expect(first.status).toBe(200);
    expect((await shown(row.id, first.body.fileName)).includes('script')).toBe(false);
    const frames = await sharp(Buffer.alloc(20 * 60 * 3, 90), {
      raw: { width: 20, height: 60, channels: 3, pageHeight: 20 },
    })
      .webp({ loop: 0, delay: [100, 100, 100] })
      .toBuffer();
    const second = await upload(row.id, frames);
    expect(second.status).toBe(200);
    const { pages, height } = await sharp(await shown(row.id, second.body.fileName)).metadata();
    expect([pages ?? 1, height]).toEqual([1, 20]);
  });

  test('cut off anywhere leaves no file, no place taken, and nothing in the log but its call', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id });
    const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
    const photo = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#000', noise } })
      .png()
      .toBuffer();
    const files = async () =>
      (await readdir(t.app.config.dataDir, { recursive: true, withFileTypes: true }).catch(() => []))
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
        .toSorted();
    const before = { files: await files(), logged: t.logged.entries().length };
    const proxy = await chaosProxy(t.url);
    try {
      // In the head, in the form before the file, in the file, and before its last bytes: more uploads than one person
      // may send at once.
      for (const at of [100, 700, 70_000, 100_000, 150_000, photo.length - 10]) {
        const isCut = proxy.cutOnce(at, 'up');
        await expect(upload(row.id, photo, { name: 'Secretname.png', url: proxy.url })).rejects.toThrow();
        await isCut;
      }
    } finally {
      await proxy.close();
    }
    // Once all have ended, there is room for another.
    await expect.poll(async () => (await upload(row.id, photo, { name: 'Secretname.png' })).status).toBe(200);
    const [kept] = await stored();
    expect(await files()).toEqual([...before.files, kept!.id].toSorted());
    const lines = t.logged.entries().slice(before.logged);
    expect(lines.filter(({ level }) => Number(level) > 20)).toEqual([]);
    expect(JSON.stringify(lines)).not.toMatch(/"err"|stack|Secretname|ECONNRESET/);
  });

  test('is limited in bytes and in number, and by the files of its therapist', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id });
    const png = await made(10, 10).png().toBuffer();
    const padded = (bytes: number) => Buffer.concat([png, Buffer.alloc(bytes - png.length)]);
    expect((await upload(row.id, padded(PICTURE_UPLOAD.maxBytes))).status).toBe(200);
    const large = await upload(row.id, padded(PICTURE_UPLOAD.maxBytes + 1));
    expect([large.status, large.body.code]).toEqual([413, 'payload_too_large']);
    await t.db.insert(storedFiles).values({
      id: crypto.randomUUID(),
      ownerId: therapist.id,
      kind: 'icon',
      contentType: 'image/svg+xml',
      bytes: 200 * 1024 * 1024,
      sha256: Buffer.alloc(32),
    });
    expect((await upload(row.id, png)).body.code).toBe('quota_reached');
    // Two were counted; one that was too large was not.
    for (let n = 0; n < 18; n += 1) await upload(row.id, Buffer.from('no picture'));
    const late = await upload(row.id, png);
    expect([late.status, late.body.code]).toEqual([429, 'too_many_requests']);
  });

  test('is only for the therapist’s own event that is neither cancelled nor deleted', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id });
    const png = await made(10, 10).png().toBuffer();
    const other = await aTherapist(t.db);
    expect((await upload(row.id, png, { token: other.token })).body.code).toBe('not_found');
    expect((await upload(999_999_999, png)).body.code).toBe('not_found');
    expect((await upload((await anEvent(t.db, { therapistId: therapist.id, deleted: true })).id, png)).body.code).toBe(
      'not_found',
    );
    expect(
      (await upload((await anEvent(t.db, { therapistId: therapist.id, status: 'CANCELLED' })).id, png)).body.code,
    ).toBe('event_cancelled');
    const none = await t.fetch(`/api/event/images/${row.id}/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${therapist.token}` },
      body: new FormData(),
    });
    expect(((await none.json()) as ProblemBody).code).toMatch(/invalid_input|bad_request/);
    expect(await stored()).toEqual([]);
  });
});
