/**
 * The join link is its therapist's secret: nothing that anybody else gets contains it, however they came
 * (docs/product.md#4.1).
 */
import { readFile } from 'node:fs/promises';
import * as path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { getAllTherapist, login, register, reset } from '@fieldroom/contract/accounts';
import * as bookingCalls from '@fieldroom/contract/bookings';
import * as clientCalls from '@fieldroom/contract/clients';
import {
  cancelEvent,
  dayPlus,
  publicEvent,
  publicTherapistPage,
  saveEvent,
  upcomingEvents,
} from '@fieldroom/contract/events';
import { book, cancel, confirm, tokenTo } from '../../src/features/bookings/bookings.fixture.ts';
import { MIGRATIONS } from '../../src/platform/db/migrations.ts';
import { outboxEmails } from '../../src/platform/platform.tables.ts';
import { anAdmin, aTherapist, type BuiltAccount } from '../../src/builders/accounts.builders.ts';
import { aBooking } from '../../src/builders/bookings.builders.ts';
import { aClient, inRoom } from '../../src/builders/clients.builders.ts';
import { anEvent } from '../../src/builders/events.builders.ts';
import { onDatabase } from '../support/database.ts';
import { testApp, type TestApp } from '../support/test-app.ts';
import { openClientScreen, openTherapistScreen } from '../support/people/screen.ts';
import { solvedCaptcha } from '../support/people/practice.ts';

const LINK = /^([a-hjkmnp-z2-9]{4}-){3}[a-hjkmnp-z2-9]{4}$/;

let t: TestApp;
let therapist: BuiltAccount;
beforeAll(async () => {
  t = await testApp();
  therapist = await aTherapist(t.db, { firstName: 'Judit', lastName: 'Halász' });
});
afterAll(() => t.close());

const as = ({ token }: { token: string }) => ({ token });
const look = (joinLink: string) => t.api(clientCalls.lookAtJoinLink, { params: { joinLink } });
const enter = (joinLink: string, name = 'Bori') => t.api(clientCalls.enterRoom, { body: { joinLink, name } });
const problem = (code: string) => expect.objectContaining({ code });

/** A page as the browser gets it. */
const page = async (at: string) => (await t.fetch(at, { headers: { accept: 'text/html' } })).text();

test('is in no public page, no public answer, no email and no calendar file', async () => {
  const event = await anEvent(t.db, { therapistId: therapist.id, startsInMinutes: 20 });
  const { slug } = therapist;
  const seen: string[] = [];
  const keep = (what: unknown) => void seen.push(typeof what === 'string' ? what : JSON.stringify(what));
  keep(await page(`/event/${slug}`));
  keep(await page(`/event/${slug}/${event.id}`));
  keep(await t.api(upcomingEvents, { params: { therapistName: slug } }));
  keep(await t.api(publicTherapistPage, { params: { therapistName: slug } }));
  keep(await t.api(publicEvent, { params: { therapistName: slug, eventId: String(event.id) } }));
  keep(await t.api(publicEvent, { params: { therapistName: slug, eventId: String(event.id) } }, as(therapist)));
  // All emails in a booking's life: held, confirmed, moved, cancelled by the person and by the therapist.
  keep(await book(t, event.id, { email: 'one@mail.example' }));
  const emailToken = await tokenTo(t, 'one@mail.example');
  keep(await t.api(bookingCalls.lookAtConfirmLink, { body: { token: emailToken } }));
  keep(await confirm(t, emailToken));
  const privateToken = await tokenTo(t, 'one@mail.example');
  keep(await t.api(bookingCalls.viewBooking, { body: { token: privateToken } }));
  keep(await t.api(bookingCalls.enterBookedRoom, { body: { token: privateToken } }));
  const file = await t.fetch('/api/public/booking/calendar', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: privateToken }),
  });
  expect(file.status).toBe(200);
  keep(await file.text());
  const { name: eventName, type, isOnline, description, dates, timeZone, currency, places } = event;
  await t.api(
    saveEvent,
    {
      body: {
        id: event.id,
        eventName,
        type,
        isOnline,
        description,
        // A week later: at any hour of the day that is ahead.
        dates: dates.map((day) => dayPlus(day, 7)),
        startTime: '18:00',
        endTime: '19:30',
        timeZone,
        price: '45',
        currency,
        maximumParticipant: places,
      },
    },
    as(therapist),
  );
  await cancel(t, privateToken);
  await aBooking(t.db, { eventId: event.id });
  await t.api(cancelEvent, { body: { eventId: event.id, reason: 'The house is closed.' } }, as(therapist));
  keep(await page(`/event/${slug}/${event.id}`));
  // All emails of an account.
  await t.api(reset, { query: { email: therapist.email } });
  await t.api(register, {
    body: {
      firstName: 'Judit',
      lastName: 'Halász',
      email: therapist.email,
      password: 'seven blue kettles',
      gender: 'female',
      language: 'en',
      licenseAccepted: true,
      dataAccepted: true,
      captcha: await solvedCaptcha(t),
    },
  });
  await t.app.bookings.idle();
  const emails = await t.db.select().from(outboxEmails);
  expect(new Set(emails.map(({ kind }) => kind)).size).toBeGreaterThan(5);
  for (const { subject, text, html, attachments } of emails) {
    const files = await Promise.all(attachments.map((attachment) => t.app.outbox.bytesOf(attachment)));
    seen.push(subject, text, html, ...files.map(String));
  }
  expect(emails.some(({ attachments }) => attachments.length > 0)).toBe(true);
  expect(seen.filter((text) => text.includes(slug)).length).toBeGreaterThan(5);
  for (const text of seen) expect(text.toLowerCase()).not.toContain(therapist.joinLink);
  // The public name opens no room.
  await expect(look(slug)).rejects.toEqual(problem('join_link_unknown'));
  await expect(enter(slug)).rejects.toEqual(problem('join_link_unknown'));
});

test('is shown to people who came by it, and never to people who came by code or booking, nor to an operator', async () => {
  const mine = await aTherapist(t.db);
  const { code } = await t.api(clientCalls.openRoom, {}, as(mine));
  const screen = await openTherapistScreen(t.url, mine);
  const byLink = await enter(mine.joinLink);
  expect(byLink.client.therapist.joinLink).toBe(mine.joinLink);
  const event = await anEvent(t.db, { therapistId: mine.id, startsInMinutes: 10 });
  const byCode = await t.api(clientCalls.enterRoom, { body: { code: code!, name: 'By code' } });
  const byBooking = await t.api(bookingCalls.enterBookedRoom, {
    body: { token: (await aBooking(t.db, { eventId: event.id })).privateToken },
  });
  for (const seat of [byCode, byBooking]) {
    const told: unknown[] = [seat];
    const own = await openClientScreen(
      t.url,
      { id: seat.client.id, token: seat.token, therapistId: mine.id },
      { room: false },
    );
    told.push(await t.api(clientCalls.getSeat, {}, as(seat)));
    await t.api(clientCalls.admit, { body: { clientIds: [seat.client.id] } }, as(mine));
    told.push(await own.next('ADMISSION'), await t.api(clientCalls.getSeat, {}, as(seat)));
    told.push(await t.api(clientCalls.getActiveClients, { params: { therapistId: mine.id }, body: {} }, as(seat)));
    expect(JSON.stringify(told)).not.toContain(mine.joinLink);
    expect((told.at(-2) as clientCalls.Seat).client.therapist.joinLink).toBe('');
    await own.leave();
  }
  expect(JSON.stringify(await t.api(getAllTherapist, {}, as(await anAdmin(t.db))))).not.toContain(mine.joinLink);
  expect((await t.api(login, { body: { email: mine.email, password: mine.password } })).user).toMatchObject({
    slug: mine.slug,
    joinLink: mine.joinLink,
  });
  await screen.leave();
});

test('renewed: the old one is invalid; people who are in or wait stay, and do not learn the new one', async () => {
  const mine = await aTherapist(t.db);
  const inside = await inRoom(t.app, mine);
  const waiting = await aClient(t.app, mine);
  const screen = await openTherapistScreen(t.url, mine);
  const { joinLink } = await t.api(clientCalls.renewJoinLink, {}, as(mine));
  expect(joinLink).toMatch(LINK);
  expect(joinLink).not.toBe(mine.joinLink);
  await screen.next('REFRESH_ADMIN', ({ contents }) => contents.what === 'room');
  expect((await t.api(clientCalls.getRoom, {}, as(mine))).joinLink).toBe(joinLink);
  await expect(look(mine.joinLink)).rejects.toEqual(problem('join_link_unknown'));
  await expect(enter(mine.joinLink)).rejects.toEqual(problem('join_link_unknown'));
  for (const [client, state] of [
    [inside, 'in'],
    [waiting, 'waiting'],
  ] as const) {
    const seat = await t.api(clientCalls.getSeat, {}, as(client));
    expect(seat.state).toBe(state);
    expect(JSON.stringify(seat)).not.toContain(joinLink);
    // Each goes back to where it came from, also with the page loaded again.
    expect(seat.client.therapist.joinLink).toBe(mine.joinLink);
  }
  expect((await enter(joinLink)).state).toBe('waiting');
  await screen.leave();
});

test('the migration keeps every public address and gives each account a different link; only the demo keeps one text', async () => {
  const { connectionString } = inject('postgres');
  const name = `migration_${process.pid}`;
  const admin = new pg.Client({ connectionString });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  const client = new pg.Client({ connectionString: onDatabase(connectionString, name) });
  try {
    await client.connect();
    const { entries } = JSON.parse(await readFile(path.join(MIGRATIONS, 'meta/_journal.json'), 'utf8')) as {
      entries: { tag: string }[];
    };
    // All of them in one transaction, as the start of the server does.
    const apply = async (tags: readonly { tag: string }[]) => {
      await client.query('BEGIN');
      for (const { tag } of tags) {
        const statements = await readFile(path.join(MIGRATIONS, `${tag}.sql`), 'utf8');
        for (const statement of statements.split('--> statement-breakpoint')) await client.query(statement);
      }
      await client.query('COMMIT');
    };
    const at = entries.findIndex(({ tag }) => tag.endsWith('_join_links'));
    await apply(entries.slice(0, at));
    await client.query(`INSERT INTO accounts (email, email_normalized, password_hash, first_name, last_name, gender, language, roles, join_link)
      SELECT e, e, 'x', 'A', 'B', 'female', 'en', ARRAY['ROLE_THERAPIST'], l
        FROM (SELECT 'p' || n || '@x.example', 'anna-' || n FROM generate_series(1, 200) n UNION ALL VALUES ('anna@demo.example', 'anna'), ('olga@practice.example', 'olga')) AS given(e, l)`);
    await apply(entries.slice(at));
    const { rows } = await client.query<{ email: string; slug: string; join_link: string }>(
      'SELECT email, slug, join_link FROM accounts ORDER BY id',
    );
    expect(rows.map(({ slug }) => slug)).toEqual([
      ...Array.from({ length: 200 }, (_, n) => `anna-${n + 1}`),
      'anna',
      'olga',
    ]);
    expect(rows.filter(({ slug, join_link }) => slug === join_link).map(({ email }) => email)).toEqual([
      'anna@demo.example',
    ]);
    const links = rows.filter(({ email }) => email !== 'anna@demo.example').map(({ join_link }) => join_link);
    expect(new Set(links).size).toBe(201);
    for (const link of links) expect(link).toMatch(LINK);
    // Every place of a link uses all random bytes: no place is the same everywhere.
    for (const place of [0, 5, 10, 18]) expect(new Set(links.map((link) => link[place])).size).toBeGreaterThan(20);
  } finally {
    await client.end();
    await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await admin.end();
  }
});
