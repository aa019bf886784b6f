/** Pictures of events. Numbers are those of README.md. */
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as calls from '@fieldroom/contract/events';
import { Problem } from '../../../platform/problem.ts';
import { aTherapist, type BuiltAccount } from '../../../builders/accounts.builders.ts';
import { anEvent, aSeries, eventAgain, eventInput, type EventWish } from '../../../builders/events.builders.ts';
import { untilLockWaits } from '../../../../tests/support/locks.ts';
import { testApp, type TestApp } from '../../../../tests/support/test-app.ts';

let t: TestApp;
let therapist: BuiltAccount;
let other: BuiltAccount;
beforeAll(async () => {
  t = await testApp({ env: { LIMIT_UPLOADS: '100000/60' } });
});
afterAll(() => t.close());
beforeEach(async () => {
  therapist = await aTherapist(t.db);
  other = await aTherapist(t.db);
});

const code = (act: Promise<unknown>) =>
  act.then(
    () => 'ok',
    (error: unknown) => {
      if (error instanceof Problem) return error.code;
      throw error;
    },
  );
const image = (eventId: number, fileName: string, token: string | null = null) =>
  t.call(calls.eventImage, { params: { eventId: String(eventId), fileName } }, { token });
const stored = async (ownerId: number, bytes: Buffer) => {
  const written = await t.app.files.write(t.db, { ownerId, kind: 'event picture', contentType: 'image/webp', bytes });
  return t.db.transaction((tx) => t.app.files.put(tx, written));
};
/** A picture in the form in which an upload stores it. */
const kept = async (ownerId = therapist.id) => (await stored(ownerId, Buffer.from('RIFF....WEBP picture'))).id;
const pictured = async (wish: Partial<EventWish> = {}) =>
  anEvent(t.db, { therapistId: therapist.id, imageFile: await kept(), ...wish });
const isKept = async (id: string) => (await t.app.files.read(id)) !== null;
const save = (body: Record<string, unknown>, token = therapist.token) =>
  t.api(calls.saveEvent, { body: body as never }, { token });

describe('25. a picture is shown', () => {
  test('to everybody, with its own fixed type, for as long as they like', async () => {
    const row = await pictured();
    const { files } = (
      await t.api(calls.publicEvent, { params: { therapistName: therapist.slug, eventId: String(row.id) } })
    ).event;
    expect(files).toEqual([`${row.imageFile}.webp`]);
    const answer = await image(row.id, files[0]!);
    expect(answer.status).toBe(200);
    expect(
      Object.fromEntries(
        ['content-type', 'cache-control', 'x-content-type-options', 'cross-origin-resource-policy'].map((name) => [
          name,
          answer.headers.get(name),
        ]),
      ),
    ).toEqual({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
    expect(await answer.text()).toBe('RIFF....WEBP picture');
    const cancelled = await pictured({ status: 'CANCELLED' });
    expect((await image(cancelled.id, `${cancelled.imageFile}.webp`)).status).toBe(200);
  });

  test('docs/product.md#9.23: to messengers as a JPEG of their size, cut from its middle', async () => {
    const drawn = await sharp({ create: { width: 1700, height: 600, channels: 4, background: '#336699' } })
      .webp()
      .toBuffer();
    const { id } = await stored(therapist.id, drawn);
    const row = await anEvent(t.db, { therapistId: therapist.id, imageFile: id });
    const answer = await image(row.id, `${id}.jpg`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(await sharp(Buffer.from(await answer.arrayBuffer())).metadata()).toMatchObject({
      format: 'jpeg',
      width: 1200,
      height: 630,
    });
    const deleted = await anEvent(t.db, { therapistId: therapist.id, imageFile: id, deleted: true });
    expect((await image(deleted.id, `${id}.jpg`)).status).toBe(404);
    // In the form it has one name.
    const asked = eventInput(row, { pictureFrom: { eventId: row.id, fileName: `${id}.jpg` } });
    expect(await code(save(asked))).toBe('invalid_input');
  });

  test('docs/product.md#9.23: an event without one has its landscape for messengers, as long as the event is public', async () => {
    const row = await anEvent(t.db, { therapistId: therapist.id, name: 'Evening by the fire' });
    const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());
    const answer = await image(row.id, 'landscape.jpg');
    expect(
      ['content-type', 'cross-origin-resource-policy', 'cache-control'].map((name) => answer.headers.get(name)),
    ).toEqual(['image/jpeg', 'cross-origin', 'public, max-age=86400']);
    const bytes = await bytesOf(answer);
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
    // Sky above, hills below: the landscape was drawn in its colours.
    const meanOf = async (top: number) =>
      (await sharp(await sharp(bytes).extract({ left: 0, top, width: 1200, height: 60 }).toBuffer()).stats()).channels
        .map(({ mean }) => mean)
        .reduce((sum, mean) => sum + mean, 0);
    expect(await meanOf(0)).toBeGreaterThan((await meanOf(550)) + 150);
    const other = await anEvent(t.db, { therapistId: therapist.id, name: 'Morning at the sea' });
    expect((await bytesOf(await image(other.id, 'landscape.jpg'))).equals(bytes)).toBe(false);

    const deleted = await anEvent(t.db, { therapistId: therapist.id, deleted: true });
    expect((await image(deleted.id, 'landscape.jpg', therapist.token)).status).toBe(404);
    await t.app.accounts.suspend(therapist.id);
    expect((await image(row.id, 'landscape.jpg')).status).toBe(404);
    expect((await image(999_999, 'landscape.jpg')).status).toBe(404);
  });

  test('of a deleted event only to its owner, and never cached', async () => {
    const row = await pictured({ deleted: true });
    const name = `${row.imageFile}.webp`;
    for (const token of [null, other.token]) expect((await image(row.id, name, token)).status).toBe(404);
    const own = await image(row.id, name, therapist.token);
    expect([own.status, own.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  });

  test('only under its own event and name; a name is never a path', async () => {
    const row = await pictured();
    const id = row.imageFile!;
    const another = await pictured();
    const names = [
      `${another.imageFile}.webp`,
      id,
      `${id}.png`,
      `${id.toUpperCase()}.webp`,
      `${id}.webp.webp`,
      `../${id}.webp`,
      `..\\${id}.webp`,
      '../../../../etc/passwd',
      `%2e%2e/${id}.webp`,
      `${id}.webp\u0000`,
      '\u0000',
      `${id}%00.webp`,
      '.',
      '..',
      ' ',
      'x'.repeat(1024),
      `${crypto.randomUUID()}.webp`,
      '-'.repeat(36) + '.webp',
    ];
    for (const name of names) {
      const answer = await t.fetch(`/api/event/image/${row.id}/${encodeURIComponent(name).replaceAll('.', '%2E')}`);
      expect([answer.status, ((await answer.json()) as { code: string }).code], name).toEqual([404, 'not_found']);
    }
    expect((await t.fetch(`/api/event/image/${row.id}/${'x'.repeat(1025)}`)).status).toBe(400);
    expect((await image(999_999_999, `${id}.webp`)).status).toBe(404);
    expect((await image(row.id, `${id}.webp`)).status).toBe(200);
  });

  test('unless its bytes differ from those stored', async () => {
    const row = await pictured();
    await t.db.execute(sql`UPDATE stored_files SET sha256 = '\\x00' WHERE id = ${row.imageFile}`);
    expect((await image(row.id, `${row.imageFile}.webp`)).status).toBe(404);
  });
});

describe('26. earlier pictures', () => {
  test('are listed once each, the latest first, only for their owner', async () => {
    const imageFile = await kept();
    const [first] = await aSeries(t.db, { therapistId: therapist.id, name: 'Series', imageFile, further: [7] });
    const later = await pictured({ name: 'Later' });
    const gone = await pictured({ name: 'Gone', deleted: true });
    await pictured({ therapistId: other.id, imageFile: await kept(other.id) });
    const images = await t.api(calls.eventImages, {}, { token: therapist.token });
    expect(images).toEqual([
      { eventId: gone.id, fileName: `${gone.imageFile}.webp`, eventName: 'Gone' },
      { eventId: later.id, fileName: `${later.imageFile}.webp`, eventName: 'Later' },
      { eventId: first!.id + 1, fileName: `${imageFile}.webp`, eventName: 'Series' },
    ]);
  });

  test('can be used for a new event and for a change, and removed; unused ones are deleted', async () => {
    const row = await pictured();
    const pictureFrom = { eventId: row.id, fileName: `${row.imageFile}.webp` };
    const { id } = await save(eventInput(row, { id: undefined, pictureFrom }));
    expect((await eventAgain(t.db, id)).imageFile).toBe(row.imageFile);
    await save(eventInput(row, { pictureFrom: null }));
    expect((await eventAgain(t.db, row.id)).imageFile).toBe(null);
    expect(await isKept(row.imageFile!)).toBe(true);
    await save(eventInput(await eventAgain(t.db, id), { eventName: 'Without a word of pictures' }));
    expect((await eventAgain(t.db, id)).imageFile).toBe(row.imageFile);
    await save(eventInput(await eventAgain(t.db, id), { pictureFrom: null }));
    expect(await isKept(row.imageFile!)).toBe(false);
  });

  test('belong to their therapist, and to the event in their address', async () => {
    const [row, another] = [await pictured(), await pictured()];
    const foreign = await pictured({ therapistId: other.id, imageFile: await kept(other.id) });
    for (const pictureFrom of [
      { eventId: foreign.id, fileName: `${foreign.imageFile}.webp` },
      { eventId: another.id, fileName: `${row.imageFile}.webp` },
      { eventId: row.id, fileName: `${crypto.randomUUID()}.webp` },
    ]) {
      const refused = await save(eventInput(row, { pictureFrom })).then(
        () => null,
        (error: Problem) => error,
      );
      expect([refused?.code, refused?.more.fields]).toEqual([
        'invalid_input',
        [{ path: 'pictureFrom', code: 'unknown' }],
      ]);
    }
    expect((await eventAgain(t.db, row.id)).imageFile).toBe(row.imageFile);
    expect(await code(save(eventInput(foreign, { pictureFrom: null })))).toBe('not_found');
  });

  test('used and removed at the same moment leave no event with a missing picture', async () => {
    for (let round = 0; round < 5; round += 1) {
      const row = await pictured();
      const acts = await t.db.transaction(async (tx) => {
        await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended('event pictures', ${therapist.id}))`);
        const both = [
          save(eventInput(row, { pictureFrom: null })),
          save(eventInput(row, { id: undefined, pictureFrom: { eventId: row.id, fileName: `${row.imageFile}.webp` } })),
        ].map((act) => act.catch((error: Problem) => error));
        await untilLockWaits(t.db, 2);
        return both;
      });
      await Promise.all(acts);
      const { rows } = await t.db.execute(
        sql`SELECT 1 FROM events e LEFT JOIN stored_files f ON f.id = e.image_file WHERE e.image_file IS NOT NULL AND e.therapist_id = ${therapist.id} AND f.id IS NULL`,
      );
      expect(rows).toEqual([]);
    }
  });
});
