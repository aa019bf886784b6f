/** The list of live sessions, their details, and the email about one (docs/product.md#6.3). */
import { setRetention } from '@fieldroom/contract/retention';
import { findSessionDetails, findSessions, sendSessionEmail, type SessionFilter } from '@fieldroom/contract/sessions';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTherapistScreen } from '../../../../tests/support/people/screen.ts';
import { failOften } from '../../../../tests/support/refused-rows.ts';
import { testApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { allEmailsTo, mailboxOf } from '../../../platform/mail/mailbox.ts';
import { aTherapist, type BuiltAccount } from '../../../builders/accounts.builders.ts';
import { inRoom } from '../../../builders/clients.builders.ts';
import { aFigure } from '../../../builders/field.builders.ts';
import { aPastLiveSession } from '../../../builders/sessions.builders.ts';
import { liveSessions } from '../sessions.tables.ts';

let t: TestApp;
let therapist: BuiltAccount;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  therapist = await aTherapist(t.db, { timeZone: 'Europe/Budapest' });
});

const find = (body: SessionFilter = {}, query: Record<string, number> = {}, { token } = therapist) =>
  t.api(findSessions, { body, query }, { token });
const details = (body: SessionFilter & { id?: number } = {}, { token } = therapist) =>
  t.api(findSessionDetails, { body }, { token });
const send = (id: number, email?: string, { token } = therapist) =>
  t.api(sendSessionEmail, { body: { id, ...(email === undefined ? {} : { email }) } }, { token });
const startAt = (id: number, at: string) =>
  t.db
    .update(liveSessions)
    .set({ startedAt: new Date(at), endedAt: new Date(Date.parse(at) + 600_000) })
    .where(eq(liveSessions.id, id));

test('emails that fail do not count towards the limit of a day', async () => {
  const id = await aPastLiveSession(t.db, { therapistId: therapist.id, daysAgo: 1, minutes: 50 });
  for (const email of [therapist.email, 'supervisor@mail.example']) {
    await failOften(t.db, () => send(id, email));
    await send(id, email);
    expect(await t.emails(email)).toHaveLength(1);
  }
});

test('14.2 the answer does not reveal whether forms have sent emails to the address', async () => {
  const id = await aPastLiveSession(t.db, { therapistId: therapist.id, daysAgo: 1, minutes: 50 });
  const email = 'known.to.forms@mail.example';
  // A request for lost links sends and counts an email only if the address has a booking.
  const { addressEmails } = t.app.config.limits;
  for (let nth = 0; nth < addressEmails.max; nth++)
    expect(await t.app.limits.allows(allEmailsTo(mailboxOf(email)), addressEmails)).toBe(true);
  await send(id, email);
  expect(await t.emails(email)).toHaveLength(1);
});

test('the list has the newest first, in pages, with length and number of different clients', async () => {
  const ids = [];
  for (const daysAgo of [9, 3, 6])
    ids.push(await aPastLiveSession(t.db, { therapistId: therapist.id, daysAgo, minutes: 50, names: ['Ada', 'Béla'] }));
  const [first, second] = [await find({}, { size: 2 }), await find({}, { size: 2, page: 1 })];
  expect(first).toMatchObject({ page: 0, size: 2, totalElements: 3 });
  expect([...first.content, ...second.content].map(({ id }) => id)).toEqual([ids[1], ids[2], ids[0]]);
  expect(first.content[0]).toMatchObject({ countedSeconds: 3000, clients: 2, endReason: 'ended' });
  expect(await find({}, { page: 9 })).toMatchObject({ content: [], totalElements: 3 });
});

test('the filter uses days by the therapist’s clock, and names without case and accents', async () => {
  const make = (names: string[] = []) =>
    aPastLiveSession(t.db, { therapistId: therapist.id, daysAgo: 1, minutes: 10, names });
  const [late, early, next] = [await make(['Réka 100%']), await make(['Jonas']), await make()];
  // In Budapest the first of these is on the 2nd of March already, the last one on the 3rd.
  await startAt(late, '2026-03-01T23:30:00Z');
  await startAt(early, '2026-03-02T10:00:00Z');
  await startAt(next, '2026-03-02T23:00:00Z');
  const ids = async (filter: SessionFilter) => (await find(filter)).content.map(({ id }) => id);
  expect(await ids({ startDate: '2026-03-02', endDate: '2026-03-02' })).toEqual([early, late]);
  expect(await ids({ endDate: '2026-03-01' })).toEqual([]);
  expect(await ids({ startDate: '2026-03-03' })).toEqual([next]);
  expect(await ids({ keyword: 'reka' })).toEqual([late]);
  expect(await ids({ keyword: '100%' })).toEqual([late]);
  expect(await ids({ keyword: '%' })).toEqual([late]);
  expect(await ids({ keyword: '  ' })).toEqual([next, early, late]);
  await expect(find({ startDate: '2026-02-30' })).rejects.toMatchObject({
    code: 'invalid_input',
    more: { fields: [{ path: 'startDate', code: 'not_a_day' }] },
  });
});

test('the details show who was there and when, the field at the end, and the running session', async () => {
  const screen = await openTherapistScreen(t.url, therapist);
  await aFigure(t.db, { therapistId: therapist.id, name: 'Mother', x: 300 });
  await inRoom(t.app, therapist, { name: 'Ada' });
  const running = (await details()).content[0]!;
  expect(running).toMatchObject({ endedOn: null, endReason: null, field: null, clients: 1 });
  expect(running.attendance).toEqual([{ name: 'Ada', joinedOn: expect.any(String), leftOn: null }]);
  await t.app.sessions.end(therapist.id, 'ended');
  const { content, totalElements } = await details({ id: running.id });
  expect(totalElements).toBe(1);
  expect(content[0]).toMatchObject({
    id: running.id,
    endReason: 'ended',
    field: { handsAllowed: true, figures: [expect.objectContaining({ name: 'Mother', x: 300 })] },
    attendance: [{ name: 'Ada', leftOn: expect.any(String) }],
  });
  await screen.leave();
});

test('nobody sees another therapist’s live sessions, with any call', async () => {
  const other = await aTherapist(t.db);
  const id = await aPastLiveSession(t.db, { therapistId: other.id, daysAgo: 1, minutes: 5, names: ['Secret'] });
  expect((await find({ keyword: 'Secret' })).content).toEqual([]);
  expect((await details({ id })).content).toEqual([]);
  await expect(send(id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(send(987_654_321)).rejects.toMatchObject({ code: 'not_found' });
  expect(await t.emails(therapist.email)).toEqual([]);
});

test('erased names are missing in list, search and details', async () => {
  const id = await aPastLiveSession(t.db, { therapistId: therapist.id, daysAgo: 40, minutes: 5, names: ['Ada'] });
  await t.api(setRetention, { body: { attendanceMonths: 1 } }, therapist);
  await t.app.retention.erase();
  expect((await details({ id })).content).toMatchObject([{ clients: 0, attendance: [] }]);
  expect((await find({ keyword: 'Ada' })).content).toEqual([]);
});

test.each([
  ['en', '50 min', 'Started'],
  ['de', '50 Min.', 'Beginn'],
  ['hu', '50 perc', 'Kezdete'],
  ['ro', '50 min', 'Început'],
] as const)(
  'the email in %s has dates, length and a link that needs the sign-in, and no name',
  async (language, length, word) => {
    const own = await aTherapist(t.db, { language, timeZone: 'Europe/Budapest' });
    const id = await aPastLiveSession(t.db, { therapistId: own.id, daysAgo: 1, minutes: 110, names: ['Borbálaxq'] });
    await t.api(sendSessionEmail, { body: { id } }, own);
    const [email] = await t.emails(own.email);
    expect(email).toMatchObject({ kind: 'sessions.summary', language, replyTo: null });
    expect(email!.text).toContain(length);
    expect(email!.text).toContain(word);
    expect(email!.text).toContain(`http://fieldroom.test/app/history?session=${id}`);
    for (const text of [email!.subject, email!.text, email!.html]) {
      expect(text).not.toContain('Borbálaxq');
      expect(text).not.toContain(own.joinLink);
    }
  },
);

test('emails to another address are limited to three a day; another spelling of the own address is not another one', async () => {
  const id = await aPastLiveSession(t.db, { therapistId: therapist.id, daysAgo: 1, minutes: 5 });
  for (let nth = 0; nth < 3; nth += 1) await send(id, `colleague${nth}@mail.example`);
  await expect(send(id, 'colleague9@mail.example')).rejects.toMatchObject({ code: 'too_many_requests' });
  expect(await t.emails('colleague9@mail.example')).toEqual([]);
  await send(id);
  await send(id, therapist.email.toUpperCase());
  expect(await t.emails(therapist.email)).toHaveLength(1);
  expect(await t.emails(therapist.email.toUpperCase())).toHaveLength(1);
  await t.move(86_400);
  await send(id, 'colleague9@mail.example');
  expect(await t.emails('colleague9@mail.example')).toHaveLength(1);
});

test('many therapists together cannot fill one mailbox', async () => {
  let refused = 0;
  for (let nth = 0; nth < 5; nth += 1) {
    const one = await aTherapist(t.db);
    const id = await aPastLiveSession(t.db, { therapistId: one.id, daysAgo: 1, minutes: 5 });
    await send(id, 'target@mail.example', one).catch(() => (refused += 1));
  }
  expect(await t.emails('target@mail.example')).toHaveLength(3);
  expect(refused).toBe(2);
});
