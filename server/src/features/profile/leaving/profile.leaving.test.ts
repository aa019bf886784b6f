/** Exporting the data, and deleting the account. Numbers are those of docs/product.md#3. */
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getCurrentUserData, getUser, login } from '@fieldroom/contract/accounts';
import { bookEvent } from '@fieldroom/contract/bookings';
import { cancelEvent, publicTherapistPage } from '@fieldroom/contract/events';
import * as calls from '@fieldroom/contract/profile';
import { aSignIn, aTherapist, type BuiltAccount } from '../../../builders/accounts.builders.ts';
import { aBill } from '../../../builders/billing.builders.ts';
import { aBooking } from '../../../builders/bookings.builders.ts';
import { inRoom } from '../../../builders/clients.builders.ts';
import { anEvent } from '../../../builders/events.builders.ts';
import { aFigure } from '../../../builders/field.builders.ts';
import { holdLock } from '../../../../tests/support/locks.ts';
import { testApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { codeOf, isIn, NO_LIMITS, signIn } from '../profile.fixture.ts';
import { LEFT_OUT, SECTIONS } from './profile.export.store.ts';

let t: TestApp;
let me: BuiltAccount;
let as: { token: string };
beforeAll(async () => {
  t = await testApp({ env: NO_LIMITS });
});
afterAll(() => t.close());
beforeEach(async () => {
  // Accounts that earlier tests left to be deleted.
  await t.db.execute(sql`UPDATE accounts SET deletes_at = NULL`);
  me = await aTherapist(t.db, { language: 'de', timeZone: 'Europe/Vienna' });
  as = { token: me.token };
});

async function upload(path: string, bytes: Uint8Array, name: string): Promise<void> {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(bytes)]), name);
  const answer = await t.fetch(path, { method: 'POST', headers: { authorization: `Bearer ${me.token}` }, body: form });
  expect(answer.status).toBe(200);
}
/** One of everything. */
async function aWholePractice() {
  const photo = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#446688' } })
    .png()
    .toBuffer();
  await upload(`/api/image/profile/upload/${me.id}`, photo, 'me.png');
  await t.api(calls.savePage, { body: { slug: `whole-${me.id}`, line: 'A line', about: 'About me' } }, as);
  const past = await anEvent(t.db, { therapistId: me.id, name: 'Evening by the lake' });
  const booked = await aBooking(t.db, { eventId: past.id, firstName: 'Dóra' });
  await t.db.execute(
    sql`INSERT INTO icons (therapist_id, name, file_id, width, height)
        SELECT ${me.id}, 'Bird', id, 30, 30 FROM stored_files WHERE owner_id = ${me.id}`,
  );
  const icon = await t.db.execute<{ id: number }>(sql`SELECT id FROM icons WHERE therapist_id = ${me.id}`);
  const figure = await aFigure(t.db, { therapistId: me.id, name: 'Grandmother' });
  await t.db.execute(
    sql`UPDATE figures SET icon_type = 'CUSTOM', icon_id = ${icon.rows[0]!.id} WHERE id = ${figure.id}`,
  );
  const client = await inRoom(t.app, me);
  const bill = await aBill(t.db, { therapistId: me.id });
  return { past, booked, client, bill };
}
/** Rows of the account by table, and of tables below it. */
async function rowsLeft(): Promise<string[]> {
  const { rows } = await t.db.execute<{ name: string; column: string }>(sql`
    SELECT table_name AS name, column_name AS column FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name IN ('account_id', 'therapist_id', 'owner_id')`);
  const left: string[] = [];
  for (const { name, column } of rows) {
    const found = await t.db.execute(
      sql`SELECT FROM ${sql.identifier(name)} WHERE ${sql.identifier(column)} = ${me.id} LIMIT 1`,
    );
    if (found.rowCount! > 0) left.push(name);
  }
  return left;
}

describe('3.29 the export', () => {
  const exported = async (token = me.token) => {
    const answer = await t.call(calls.exportData, {}, { token });
    return { answer, text: await answer.text() };
  };

  test('is a file with everything of the practice, and nothing of others', async () => {
    const { booked, client } = await aWholePractice();
    const other = await aTherapist(t.db, { firstName: 'Somebodyelse' });
    const theirs = await anEvent(t.db, { therapistId: other.id, name: 'Not mine' });
    await aBooking(t.db, { eventId: theirs.id, firstName: 'Theirclient' });
    const { answer, text } = await exported();
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(answer.headers.get('content-disposition')).toMatch(
      /^attachment; filename="fieldroom-\d{4}-\d\d-\d\d\.json"$/,
    );
    const file = JSON.parse(text) as Record<string, Record<string, unknown>[]>;
    expect(Object.keys(file)).toEqual(['exportedAt', ...SECTIONS.map(({ name }) => name), 'files']);
    expect(file['account']).toMatchObject([{ id: me.id, email: me.email, slug: `whole-${me.id}` }]);
    expect(file['publicPage']).toMatchObject([{ line: 'A line', about: 'About me' }]);
    expect(file['events']).toMatchObject([{ name: 'Evening by the lake' }]);
    expect(file['bookings']).toMatchObject([{ firstName: 'Dóra', email: booked.email }]);
    expect(file['figures']).toMatchObject([{ name: 'Grandmother' }]);
    expect(file['attendances']).toMatchObject([{ clientId: client.id }]);
    expect(file['bills']).toHaveLength(1);
    expect(file['files']).toMatchObject([{ kind: 'profile picture', contentType: 'image/webp' }]);
    expect(text).not.toMatch(/Somebodyelse|Not mine|Theirclient/);
  });

  test('contains no password, token, hash or link into the room', async () => {
    const { booked, client } = await aWholePractice();
    const { text } = await exported();
    for (const secret of [
      me.token,
      me.joinLink,
      client.token,
      booked.emailToken,
      '$argon2',
      '\\\\x',
      'password',
      'tokenHash',
    ])
      expect(text, secret).not.toContain(secret);
  });

  test('is complete for any number of rows', async () => {
    const event = await anEvent(t.db, { therapistId: me.id });
    await t.db.execute(sql`
      INSERT INTO bookings (event_id, state, first_name, last_name, email, email_normalized, phone, language)
      SELECT ${event.id}, 'CANCELLED', 'P' || n, 'Q', n || '@mail.example', n || '@mail.example', '', 'en' FROM generate_series(1, 1203) n`);
    const file = JSON.parse((await exported()).text) as { bookings: { firstName: string }[] };
    expect(new Set(file.bookings.map(({ firstName }) => firstName)).size).toBe(1203);
  });

  test('is limited to three an hour', async () => {
    for (let nth = 0; nth < calls.EXPORTS_AN_HOUR; nth += 1) expect((await exported()).answer.status).toBe(200);
    expect((await exported()).answer.status).toBe(429);
    await t.move(3601);
    expect((await exported()).answer.status).toBe(200);
  });

  test('contains every table with rows of an account, or a reason why not', async () => {
    // Starts at the accounts and follows the foreign keys, plus tables that refer to a therapist without one.
    const { rows } = await t.db.execute<{ name: string }>(sql`
      WITH RECURSIVE below(name) AS (
        SELECT 'accounts'::regclass
        UNION SELECT conrelid::regclass FROM pg_constraint JOIN below ON confrelid = below.name WHERE contype = 'f')
      SELECT name::text FROM below
      UNION SELECT table_name FROM information_schema.columns
       WHERE table_schema = 'public' AND column_name IN ('account_id', 'therapist_id')`);
    const known = [...SECTIONS.map(({ table }) => table), ...Object.keys(LEFT_OUT)];
    expect(known.toSorted()).toEqual(rows.map(({ name }) => name).toSorted());
  });
});

describe('3.27 deleting the account', () => {
  const ask = (password = me.password, token = me.token) =>
    t.api(calls.deleteAccount, { body: { password } }, { token });
  const DAYS = calls.DELETION_DAYS * 86_400;
  const kinds = async () => (await t.emails(me.email)).map(({ kind }) => kind.replace('profile.', ''));

  test('needs the password, waits fourteen days, signs other devices out, and is announced by email', async () => {
    const elsewhere = await aSignIn(t.db, me.id);
    expect(await codeOf(ask('not the password'))).toBe('current_password_wrong');
    const now = await t.clock.now();
    const { deletesOn } = await ask();
    expect(Math.round((Date.parse(deletesOn) - now.getTime()) / 1000)).toBeGreaterThanOrEqual(DAYS);
    expect(Math.round((Date.parse(deletesOn) - now.getTime()) / 1000)).toBeLessThan(DAYS + 60);
    expect([await isIn(t, me.token), await isIn(t, elsewhere)]).toEqual([true, false]);
    expect(await t.api(getCurrentUserData, {}, as)).toMatchObject({ deletesOn });
    expect(await kinds()).toEqual(['deletionAsked']);
    const day = new Intl.DateTimeFormat('de', { dateStyle: 'long', timeZone: 'Europe/Vienna' }).format(
      new Date(deletesOn),
    );
    expect((await t.emails(me.email))[0]!.text).toContain(day);
    // A repetition keeps the first day.
    await t.move(3600);
    expect(await ask()).toEqual({ deletesOn });
  });

  test('until then signing in works and offers to keep the account, which restores everything', async () => {
    const event = await anEvent(t.db, { therapistId: me.id });
    await ask();
    const { user, token } = await t.api(login, { body: { email: me.email, password: me.password } });
    expect(user.deletesOn).not.toBe(null);
    expect(await codeOf(t.api(publicTherapistPage, { params: { therapistName: me.slug } }))).toBe('not_found');
    expect(await codeOf(t.api(getUser, { params: { therapistId: me.id } }))).toBe('not_found');
    const person = {
      firstName: 'Réka',
      lastName: 'Oláh',
      email: 'reka@mail.example',
      phoneNumber: '+36 1 234',
      language: 'en',
    };
    const book = () => t.call(bookEvent, { params: { eventId: event.id }, body: person as never });
    expect((await book()).status).toBe(404);
    await t.api(calls.keepAccount, {}, { token });
    expect((await t.api(getCurrentUserData, {}, { token })).deletesOn).toBe(null);
    expect(await codeOf(t.api(publicTherapistPage, { params: { therapistName: me.slug } }))).toBe(null);
    expect((await book()).status).toBe(200);
    expect(await kinds()).toEqual(['deletionAsked', 'deletionTakenBack']);
    await t.move(DAYS + 1);
    expect(await t.app.profile.deleteDue()).toBe(0);
    expect(await rowsLeft()).toContain('events');
  });

  test('is refused while people are booked, until their event is cancelled', async () => {
    const event = await anEvent(t.db, { therapistId: me.id });
    await aBooking(t.db, { eventId: event.id });
    expect(await codeOf(ask())).toBe('account_has_bookings');
    expect((await t.api(getCurrentUserData, {}, as)).deletesOn).toBe(null);
    await t.api(cancelEvent, { body: { eventId: event.id, reason: 'I am moving away' } as never }, as);
    expect(await codeOf(ask())).toBe(null);
  });

  test('leaves only the bills after fourteen days', async () => {
    const { booked, bill } = await aWholePractice();
    await t.db.execute(
      sql`UPDATE events SET starts_at = starts_at - interval '90 days', ends_at = ends_at - interval '90 days' WHERE therapist_id = ${me.id}`,
    );
    await ask();
    await t.move(DAYS - 5);
    expect(await t.app.profile.deleteDue()).toBe(0);
    await t.move(10);
    // A due account counts as deleted even before the sweep.
    expect(await isIn(t, me.token)).toBe(false);
    expect(await codeOf(signIn(t, me))).toBe('invalid_credentials');
    expect(await t.app.profile.deleteDue()).toBe(1);
    expect(await rowsLeft()).toEqual(['bills']);
    expect((await t.db.execute(sql`SELECT FROM bookings WHERE id = ${booked.id}`)).rowCount).toBe(0);
    expect((await t.db.execute(sql`SELECT FROM accounts WHERE id = ${me.id}`)).rowCount).toBe(0);
    expect((await t.db.execute(sql`SELECT FROM bills WHERE id = ${bill}`)).rowCount).toBe(1);
    expect(await kinds()).toContain('deleted');
    expect(await t.app.profile.deleteDue()).toBe(0);
    expect(t.logged.text()).not.toContain('could not be deleted');
  });

  test('cancels places booked at the last moment, with an email', async () => {
    const event = await anEvent(t.db, { therapistId: me.id, daysAhead: 60 });
    await ask();
    const late = await aBooking(t.db, { eventId: event.id });
    await t.move(DAYS + 1);
    expect(await t.app.profile.deleteDue()).toBe(1);
    expect((await t.emails(late.email)).at(-1)!.text).toContain('Ich biete hier keine Veranstaltungen mehr an.');
  });

  test('continues with others if one account fails, and the sweep counts as failed', async () => {
    await ask();
    const other = await aTherapist(t.db);
    await t.db.execute(
      sql`UPDATE accounts SET deletes_at = product_now() - make_interval(mins => CASE id WHEN ${me.id} THEN 2 ELSE 1 END)
           WHERE id IN (${me.id}, ${other.id})`,
    );
    await t.db.execute(sql`
      CREATE FUNCTION kept_by_test() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'kept'; END $$`);
    await t.db.execute(
      sql.raw(`CREATE TRIGGER kept BEFORE DELETE ON accounts FOR EACH ROW WHEN (OLD.id = ${me.id})
        EXECUTE FUNCTION kept_by_test()`),
    );
    try {
      await expect(t.app.profile.deleteDue()).rejects.toThrow();
      const left = await t.db.execute(sql`SELECT id FROM accounts WHERE id IN (${me.id}, ${other.id})`);
      expect(left.rows).toEqual([{ id: me.id }]);
    } finally {
      await t.db.execute(sql`DROP FUNCTION kept_by_test CASCADE`);
    }
    expect(await t.app.profile.deleteDue()).toBe(1);
  });

  test('cannot be cancelled once it is due, even by a call that was on its way', async () => {
    await aFigure(t.db, { therapistId: me.id });
    await ask();
    const lock = await holdLock(t.db, (tx) => tx.execute(sql`SELECT FROM accounts WHERE id = ${me.id} FOR UPDATE`));
    const kept = codeOf(t.api(calls.keepAccount, {}, as));
    await lock.waited(1);
    await t.move(DAYS + 1);
    const swept = t.app.profile.deleteDue();
    await lock.waited(2);
    await lock.release();
    expect([await kept, await swept]).toEqual(['session_expired', 1]);
    expect(await rowsLeft()).toEqual([]);
  });

  test('leaves nobody signed in to a deleted account, even with a sign-in at the same moment', async () => {
    await ask();
    const lock = await holdLock(t.db, (tx) => tx.execute(sql`SELECT FROM accounts WHERE id = ${me.id} FOR UPDATE`));
    const entering = signIn(t, me);
    await lock.waited(1);
    await t.move(DAYS + 1);
    const swept = t.app.profile.deleteDue();
    await lock.waited(2);
    await lock.release();
    expect(await swept).toBe(1);
    // Whichever call came first, the sign-in was deleted with the account.
    expect(await isIn(t, await entering)).toBe(false);
    expect(await codeOf(signIn(t, me))).toBe('invalid_credentials');
    expect(await rowsLeft()).toEqual([]);
  });
});
