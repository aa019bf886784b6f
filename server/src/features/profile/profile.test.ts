/** Reading and saving a profile, on a real database. Numbers are those of docs/product.md#3. */
import sharp from 'sharp';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getCurrentUserData, getUser, login, register, verify } from '@fieldroom/contract/accounts';
import { publicTherapistPage, upcomingEvents } from '@fieldroom/contract/events';
import type { Problem } from '../../platform/problem.ts';
import * as calls from '@fieldroom/contract/profile';
import { aTherapist, type BuiltAccount } from '../../builders/accounts.builders.ts';
import { inRoom } from '../../builders/clients.builders.ts';
import { anEvent } from '../../builders/events.builders.ts';
import { holdLock } from '../../../tests/support/locks.ts';
import { COMMON_FORM, solvedCaptcha, tokenTo } from '../../../tests/support/people/practice.ts';
import { failOften } from '../../../tests/support/refused-rows.ts';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';
import { storedFiles } from '../../platform/platform.tables.ts';
import { accounts } from '../accounts/accounts.tables.ts';
import { codeOf, NO_LIMITS, refusal } from './profile.fixture.ts';
import { lockSlugs } from './profile.store.ts';

let t: TestApp;
let me: BuiltAccount;
let as: { token: string };
beforeAll(async () => {
  t = await testApp({ env: NO_LIMITS });
});
afterAll(() => t.close());
beforeEach(async () => {
  me = await aTherapist(t.db, { firstName: 'Ágnes', lastName: 'Nagy' });
  as = { token: me.token };
});

const ME = { firstName: 'Anna', lastName: 'Berg', gender: null, language: 'de', timeZone: 'Europe/Vienna' } as const;
const page = (slug: string, more = {}) => ({
  slug,
  line: 'Group work in Graz',
  about: 'I listen.\n\nAnd ask.',
  ...more,
});
let count = 0;
const freshSlug = () => `practice-${(count += 1)}`;

test('3.17 the owner reads and saves name, gender, language and time zone', async () => {
  expect(await t.api(calls.getProfile, {}, as)).toMatchObject({
    id: me.id,
    email: me.email,
    slug: me.slug,
    joinLink: me.joinLink,
    picture: null,
    pendingEmail: null,
    deletesOn: null,
    line: '',
    about: '',
  });
  expect(await t.api(calls.saveProfile, { body: ME }, as)).toMatchObject(ME);
  const user = await t.api(getCurrentUserData, {}, as);
  expect(user).toMatchObject({
    firstName: 'Anna',
    lastName: 'Berg',
    language: 'de',
    email: me.email,
    roles: ['ROLE_THERAPIST'],
  });
});

test('3.17 omitted values stay unchanged', async () => {
  await t.api(calls.saveProfile, { body: ME }, as);
  await t.api(calls.updateAccountInfo, { body: { id: me.id, firstName: 'Eva', lastName: 'Berg' } }, as);
  await t.api(calls.updateProfile, { body: { id: me.id, line: 'A line' } }, as);
  const saved = await t.api(calls.getProfile, {}, as);
  expect(saved).toMatchObject({ ...ME, firstName: 'Eva', line: 'A line', about: '', slug: me.slug });
});

test.each([
  'roles',
  'authorities',
  'email',
  'password',
  'countedSeconds',
  'balance',
  'suspendedAt',
  'joinLink',
  'deletesOn',
])('3.17 owners cannot set %s by any of the calls', async (name) => {
  const before = await t.api(calls.getProfile, {}, as);
  for (const [endpoint, body] of [
    [calls.saveProfile, ME],
    [calls.savePage, page(freshSlug())],
    [calls.updateAccountInfo, { id: me.id, firstName: 'Anna', lastName: 'Berg' }],
    [calls.updateProfile, { id: me.id, line: 'A line' }],
  ] as const)
    expect(await refusal(t.api(endpoint, { body: { ...body, [name]: 'ROLE_ADMIN' } as never }, as))).toMatchObject({
      code: 'invalid_input',
      more: { fields: [{ path: name, code: 'unknown_property' }] },
    });
  expect(await t.api(calls.getProfile, {}, as)).toEqual(before);
});

test.each([
  ['firstName', '', 'required'],
  ['firstName', 'A\u202Ena', 'unsafe_characters'],
  ['firstName', 'a'.repeat(61), 'too_long'],
  ['lastName', '\u0000', 'unsafe_characters'],
  ['gender', 'none', 'invalid_value'],
  ['language', 'fr', 'invalid_value'],
  ['timeZone', 'Mars/Olympus', 'unknown_time_zone'],
])('3.17 %s "%s" is refused at its field, and nothing is saved', async (name, value, code) => {
  const before = await t.api(calls.getProfile, {}, as);
  const problem = await refusal(t.api(calls.saveProfile, { body: { ...ME, [name]: value } as never }, as));
  expect(problem).toMatchObject({ code: 'invalid_input', more: { fields: [{ path: name, code }] } });
  expect(await t.api(calls.getProfile, {}, as)).toEqual(before);
});

test.each([undefined, null] as const)('3.18 registering works without a gender (%s)', async (gender) => {
  const { gender: _, ...form } = COMMON_FORM;
  const email = `unsaid-${String(gender)}@mailbox.example`;
  const body = { ...form, ...(gender === undefined ? {} : { gender }), email, password: 'six quiet paper moons' };
  await t.api(register, { body: { ...body, captcha: await solvedCaptcha(t) } });
  await t.api(verify, { body: { token: await tokenTo(t, email) } });
  const { token } = await t.api(login, { body: { email, password: body.password } });
  expect(await t.api(calls.getProfile, {}, { token })).toMatchObject({ gender: null, firstName: form.firstName });
});

test('3.17 somebody else’s id gets the same answer as a missing one, and a client is not an account', async () => {
  const other = await aTherapist(t.db);
  const body = { id: other.id, firstName: 'X', lastName: 'Y' };
  expect(await codeOf(t.api(calls.updateAccountInfo, { body }, as))).toBe('not_found');
  const client = await inRoom(t.app, me);
  expect(await codeOf(t.api(calls.updateAccountInfo, { body: { ...body, id: client.id } }, client))).toBe('forbidden');
});

describe('3.19 the public page', () => {
  test('shows line and text under the slug that the owner chose', async () => {
    const slug = freshSlug();
    expect(await t.api(calls.savePage, { body: page(slug) }, as)).toMatchObject(page(slug));
    expect(await t.api(publicTherapistPage, { params: { therapistName: slug } })).toMatchObject({
      therapistName: slug,
      line: 'Group work in Graz',
      about: 'I listen.\n\nAnd ask.',
    });
  });

  test('gets a slug from the name; a taken one gets a number', async () => {
    expect(await t.api(calls.getProfile, {}, as)).toMatchObject({ proposedSlug: 'agnes-nagy' });
    await t.api(calls.savePage, { body: page('agnes-nagy') }, as);
    const other = await aTherapist(t.db, { firstName: 'Agnes', lastName: 'Nagy' });
    expect(await t.api(calls.getProfile, {}, other)).toMatchObject({ proposedSlug: 'agnes-nagy-2' });
  });

  test.each([
    'ab',
    'a'.repeat(41),
    'Anna',
    'anna berg',
    'anna/../x',
    '-anna',
    'anna-',
    'an--na',
    '12345',
    'confirm',
    'booking',
    'admin',
  ])('refuses the slug "%s"', async (slug) => {
    const problem = (await refusal(t.api(calls.savePage, { body: page(slug) }, as))) as Problem;
    expect(problem).toMatchObject({ code: 'invalid_input', more: { fields: [{ path: 'slug' }] } });
  });

  test('has a slug of its own account only; too many changes are refused', async () => {
    const other = await aTherapist(t.db);
    expect(await codeOf(t.api(calls.savePage, { body: page(other.slug) }, as))).toBe('slug_taken');
    for (let nth = 0; nth < calls.SLUG_CHANGES_A_DAY; nth += 1)
      await t.api(calls.savePage, { body: page(freshSlug()) }, as);
    expect(await codeOf(t.api(calls.savePage, { body: page(freshSlug()) }, as))).toBe('too_many_requests');
    const { slug } = await t.api(calls.getProfile, {}, as);
    // The texts alone may be saved without limit.
    expect(await codeOf(t.api(calls.savePage, { body: page(slug) }, as))).toBe(null);
  });

  test('does not count slug changes that could not be stored', async () => {
    const change = () => t.api(calls.savePage, { body: page(freshSlug()) }, as);
    await failOften(t.db, change, { table: 'former_slugs', areCountsFinal: true });
    for (let nth = 0; nth < calls.SLUG_CHANGES_A_DAY; nth += 1) await change();
    expect(await codeOf(change())).toBe('too_many_requests');
  });

  test('gives one slug to one of two who want it at the same moment', async () => {
    const other = await aTherapist(t.db);
    const slug = freshSlug();
    const lock = await holdLock(t.db, lockSlugs);
    const both = Promise.all(
      [me, other].map(({ token }) => codeOf(t.api(calls.savePage, { body: page(slug) }, { token }))),
    );
    await lock.waited(2);
    await lock.release();
    expect((await both).toSorted()).toEqual(['slug_taken', null].toSorted());
  });
});

describe('3.20 a former slug', () => {
  test('leads to the page, stays its owner’s, and can be used again', async () => {
    const [first, second] = [freshSlug(), freshSlug()];
    await t.api(calls.savePage, { body: page(first) }, as);
    await anEvent(t.db, { therapistId: me.id, name: 'Evening' });
    await t.api(calls.savePage, { body: page(second) }, as);
    expect(await t.api(publicTherapistPage, { params: { therapistName: first } })).toMatchObject({
      therapistName: second,
    });
    const upcoming = await t.api(upcomingEvents, { params: { therapistName: first }, query: { page: 0, size: 10 } });
    expect(upcoming.content.map(({ therapistName }) => therapistName)).toEqual([second]);

    const other = await aTherapist(t.db);
    expect(await codeOf(t.api(calls.savePage, { body: page(first) }, { token: other.token }))).toBe('slug_taken');
    expect(await codeOf(t.api(calls.savePage, { body: page(first) }, as))).toBe(null);
    expect(await t.api(publicTherapistPage, { params: { therapistName: second } })).toMatchObject({
      therapistName: first,
    });
  });

  test('is free again after ten later ones', async () => {
    const first = freshSlug();
    await t.api(calls.savePage, { body: page(first) }, as);
    for (let nth = 0; nth <= calls.FORMER_SLUGS_MAX; nth += 1) {
      await t.move(86_400);
      await t.api(calls.savePage, { body: page(freshSlug()) }, as);
    }
    const other = await aTherapist(t.db);
    expect(await codeOf(t.api(calls.savePage, { body: page(first) }, { token: other.token }))).toBe(null);
  });
});

describe('3.21 the picture', () => {
  const photo = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#446688' } })
      .jpeg()
      .toBuffer();
  async function upload(
    bytes: Uint8Array,
    id = me.id,
  ): Promise<{ status: number; body: { picture: string; code?: string } }> {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(bytes)]), 'me.jpg');
    const answer = await t.fetch(`/api/image/profile/upload/${id}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${me.token}` },
      body: form,
    });
    return { status: answer.status, body: (await answer.json()) as { picture: string; code?: string } };
  }
  const stored = () => t.db.select({ id: storedFiles.id }).from(storedFiles).where(eq(storedFiles.ownerId, me.id));

  test('is a square of at most 512 px, visible to everybody, in the user’s data and on the public page', async () => {
    const { body } = await upload(await photo(1600, 900));
    const shown = await t.fetch(body.picture);
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp']);
    const { format, width, height } = await sharp(Buffer.from(await shown.arrayBuffer())).metadata();
    expect([format, width, height]).toEqual(['webp', 512, 512]);
    for (const { picture } of [
      await t.api(getCurrentUserData, {}, as),
      await t.api(getUser, { params: { therapistId: me.id } }),
      await t.api(publicTherapistPage, { params: { therapistName: me.slug } }),
    ])
      expect(picture).toBe(body.picture);
    const small = await t.fetch((await upload(await photo(60, 200))).body.picture);
    expect(await sharp(Buffer.from(await small.arrayBuffer())).metadata()).toMatchObject({ width: 60, height: 60 });
  });

  test('docs/product.md#9.23: is a JPEG of their size for messengers, complete in its middle', async () => {
    const face = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#204060' } })
      .composite([
        {
          input: await sharp({ create: { width: 300, height: 30, channels: 3, background: '#ff0000' } })
            .png()
            .toBuffer(),
          gravity: 'north',
        },
      ])
      .jpeg()
      .toBuffer();
    const { body } = await upload(face);
    const shared = await t.fetch(`${body.picture}&share=1`);
    expect([shared.status, shared.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
    expect(shared.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const bytes = Buffer.from(await shared.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 });
    // The upper edge is there: no part of the face is cut.
    const top = await sharp(bytes).extract({ left: 590, top: 10, width: 20, height: 20 }).toBuffer();
    expect((await sharp(top).stats()).dominant.r).toBeGreaterThan(200);
    expect((await t.fetch(`${body.picture}&share=2`)).status).toBe(400);
  });

  test('is replaced and removed with its file; two uploads at once leave one', async () => {
    const first = await upload(await photo(60, 60));
    const both = await Promise.all([upload(await photo(70, 70)), upload(await photo(80, 80))]);
    const { picture } = await t.api(getCurrentUserData, {}, as);
    expect(both.map(({ body }) => body.picture)).toContain(picture);
    expect(picture).not.toBe(first.body.picture);
    expect(await stored()).toHaveLength(1);
    await t.api(calls.removePicture, {}, as);
    expect(await stored()).toEqual([]);
    expect((await t.fetch(picture!)).status).toBe(404);
  });

  test('is unchanged by an invalid upload or another person’s call', async () => {
    expect((await upload(Buffer.from('<svg onload="x"/>'))).body.code).toBe('image_unreadable');
    const other = await aTherapist(t.db);
    expect((await upload(await photo(60, 60), other.id)).body.code).toBe('not_found');
    expect(await stored()).toEqual([]);
    for (const id of ['999999', '0', '-1', 'x', '..%2f..%2fetc'])
      expect([400, 404]).toContain((await t.fetch(`/api/image/${id}`)).status);
  });

  test('is not shown without a public page', async () => {
    const { picture } = (await upload(await photo(60, 60))).body;
    await t.db
      .update(accounts)
      .set({ deletesAt: sql`product_now() + interval '1 day'` })
      .where(eq(accounts.id, me.id));
    expect((await t.fetch(picture)).status).toBe(404);
    await t.db.update(accounts).set({ deletesAt: null }).where(eq(accounts.id, me.id));
    expect((await t.fetch(picture)).status).toBe(200);
    await t.app.accounts.suspend(me.id);
    expect((await t.fetch(picture)).status).toBe(404);
  });
});
