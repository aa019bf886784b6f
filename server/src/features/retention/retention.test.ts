/** What is erased when, on the product's clock. */
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { listBookings } from '@fieldroom/contract/bookings';
import { getSeat } from '@fieldroom/contract/clients';
import { getRetention, setRetention } from '@fieldroom/contract/retention';
import { aSignIn, aTherapist, type BuiltAccount } from '../../builders/accounts.builders.ts';
import { aBooking } from '../../builders/bookings.builders.ts';
import { aClient, type BuiltClient, inRoom } from '../../builders/clients.builders.ts';
import { aFigure } from '../../builders/field.builders.ts';
import { anEvent } from '../../builders/events.builders.ts';
import { runToEnd } from '../../../tests/support/schedule.ts';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';
import { accounts } from '../accounts/accounts.tables.ts';
import { bookings, bookingTokens } from '../bookings/bookings.tables.ts';
import { clients } from '../clients/clients.tables.ts';
import { attendances, liveSessions } from '../sessions/sessions.tables.ts';

const DAY = 86_400;

let t: TestApp;
let therapist: BuiltAccount;
beforeAll(async () => {
  t = await testApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  therapist = await aTherapist(t.db);
});

const attendanceNames = async () => {
  const rows = await t.db
    .select({ name: attendances.clientName })
    .from(attendances)
    .innerJoin(liveSessions, eq(liveSessions.id, attendances.liveSessionId))
    .where(eq(liveSessions.therapistId, therapist.id));
  return rows.map(({ name }) => name);
};
const clientRow = async ({ id }: BuiltClient) => (await t.db.select().from(clients).where(eq(clients.id, id)))[0];
const monthsLater = (months: number) => t.move(months * 31 * DAY);
/**
 * To two in the afternoon in Auckland: a day later it is the next day there, even if one has 25 hours, and the day
 * began when it was still yesterday in UTC.
 */
async function toAfternoonInAuckland(): Promise<void> {
  const {
    rows: [until],
  } = await t.db.execute<{ seconds: number }>(
    sql`SELECT extract(epoch FROM (date_trunc('day', product_now() AT TIME ZONE 'Pacific/Auckland') + interval '38 hours')
          AT TIME ZONE 'Pacific/Auckland' - product_now())::float8 AS seconds`,
  );
  await t.move(until!.seconds);
}

test('attendance is erased a year after the live session; the session stays with its times', async () => {
  await inRoom(t.app, therapist, { name: 'Bori' });
  await t.app.sessions.end(therapist.id, 'ended');
  await t.move(360 * DAY);
  await t.app.retention.erase();
  expect(await attendanceNames()).toEqual(['Bori']);
  await t.move(7 * DAY);
  expect((await t.app.retention.erase()).attendances).toBeGreaterThanOrEqual(1);
  expect(await attendanceNames()).toEqual([]);
  expect(await t.db.select().from(liveSessions).where(eq(liveSessions.therapistId, therapist.id))).toHaveLength(1);
});

test('a live session that still runs keeps its people, however long it runs', async () => {
  const client = await inRoom(t.app, therapist, { name: 'Bori' });
  await monthsLater(14);
  await t.app.retention.erase();
  expect([await attendanceNames(), (await clientRow(client))?.name]).toEqual([['Bori'], 'Bori']);
});

test('the therapist sets the period; each has their own', async () => {
  const other = await aTherapist(t.db);
  await inRoom(t.app, therapist, { name: 'Bori' });
  await inRoom(t.app, other, { name: 'Mihai' });
  const get = (token: string) => t.api(getRetention, {}, { token });
  expect(await get(therapist.token)).toEqual({ attendanceMonths: 12 });
  for (const { id } of [therapist, other]) await t.app.sessions.end(id, 'ended');
  expect(await t.api(setRetention, { body: { attendanceMonths: 3 } }, { token: other.token })).toEqual({
    attendanceMonths: 3,
  });
  expect(await t.api(setRetention, { body: { attendanceMonths: 1 } }, { token: other.token })).toEqual({
    attendanceMonths: 1,
  });
  expect([await get(other.token), await get(therapist.token)]).toEqual([
    { attendanceMonths: 1 },
    { attendanceMonths: 12 },
  ]);
  await monthsLater(1);
  await t.app.retention.erase();
  expect(await attendanceNames()).toEqual(['Bori']);
  const [theirs] = await t.db
    .select({ count: sql<number>`count(*)::int` })
    .from(attendances)
    .innerJoin(liveSessions, eq(liveSessions.id, attendances.liveSessionId))
    .where(eq(liveSessions.therapistId, other.id));
  expect(theirs!.count).toBe(0);
});

test.each([0, 121, 1.5, -1, '12', null])('a period of %j months is refused', async (attendanceMonths) => {
  await expect(
    t.api(setRetention, { body: { attendanceMonths } as never }, { token: therapist.token }),
  ).rejects.toMatchObject({ code: 'invalid_input' });
});

test('people of an ended live session are deleted after a day, with name and token; until then their pages can read why', async () => {
  const seated = await inRoom(t.app, therapist, { name: 'Bori' });
  const waited = await aClient(t.app, therapist, { name: 'Mihai' });
  await t.app.sessions.end(therapist.id, 'ended');
  await t.app.retention.erase();
  await expect(t.api(getSeat, {}, { token: seated.token })).rejects.toMatchObject({ code: 'live_session_over' });
  await t.move(DAY + 60);
  await t.app.retention.erase();
  expect([await clientRow(seated), await clientRow(waited)]).toEqual([undefined, undefined]);
  await expect(t.api(getSeat, {}, { token: seated.token })).rejects.toMatchObject({ code: 'session_expired' });
  expect(await attendanceNames()).toEqual(['Bori']);
});

test('a zone that was stored before its name was refused stops no erasure', async () => {
  const other = await aTherapist(t.db);
  await t.db.update(accounts).set({ timeZone: 'PST' }).where(eq(accounts.id, other.id));
  const [odd, usual] = [await aClient(t.app, other), await aClient(t.app, therapist)];
  await t.move(2 * DAY);
  await t.app.retention.erase();
  expect([await clientRow(odd), await clientRow(usual)]).toEqual([undefined, undefined]);
});

test('someone who waited for a live session that never started is deleted when the therapist’s day is over, unless still there', async () => {
  await toAfternoonInAuckland();
  await t.db.update(accounts).set({ timeZone: 'Pacific/Auckland' }).where(eq(accounts.id, therapist.id));
  const [gone, there] = [
    await aClient(t.app, therapist, { name: 'Bori' }),
    await aClient(t.app, therapist, { name: 'Mihai' }),
  ];
  const midnight = sql`date_trunc('day', product_now() AT TIME ZONE 'Pacific/Auckland') AT TIME ZONE 'Pacific/Auckland'`;
  // Both came when this day began there; one is connected.
  await t.db
    .update(clients)
    .set({ arrivedAt: midnight as never, awaySince: midnight as never })
    .where(eq(clients.id, gone.id));
  await t.db
    .update(clients)
    .set({ arrivedAt: midnight as never, awaySince: null })
    .where(eq(clients.id, there.id));
  await t.app.retention.erase();
  expect((await clientRow(gone))?.name).toBe('Bori');
  await t.move(DAY);
  expect((await t.app.retention.erase()).waiting).toBeGreaterThanOrEqual(1);
  expect(await clientRow(gone)).toBeUndefined();
  expect((await clientRow(there))?.name).toBe('Mihai');
});

test('a person who waits late in the evening is not removed at midnight elsewhere', async () => {
  await toAfternoonInAuckland();
  await t.db.update(accounts).set({ timeZone: 'Pacific/Auckland' }).where(eq(accounts.id, therapist.id));
  const client = await aClient(t.app, therapist);
  const midnight = sql`date_trunc('day', product_now() AT TIME ZONE 'Pacific/Auckland') AT TIME ZONE 'Pacific/Auckland'`;
  // An hour of this day there; in UTC it is yesterday's.
  await t.db
    .update(clients)
    .set({ arrivedAt: midnight as never, awaySince: midnight as never })
    .where(eq(clients.id, client.id));
  await t.app.retention.erase();
  expect(await clientRow(client)).toBeDefined();
});

test('names of people at an event that took place are erased after the same period; numbers stay', async () => {
  const { id } = await anEvent(t.db, { therapistId: therapist.id, daysAhead: 2 });
  const [one, two] = [await aBooking(t.db, { eventId: id }), await aBooking(t.db, { eventId: id })];
  const rows = () => t.db.select().from(bookings).where(eq(bookings.eventId, id));
  await monthsLater(11);
  await t.app.retention.erase();
  expect((await rows()).map(({ email }) => email)).toEqual([one.email, two.email]);
  await monthsLater(2);
  expect((await t.app.retention.erase()).attendees).toBeGreaterThanOrEqual(2);
  const erased = await rows();
  expect(erased.map(({ state }) => state)).toEqual(['CONFIRMED', 'CONFIRMED']);
  const personal = [one, two].flatMap(({ email, firstName, lastName }) => [email, firstName, lastName]);
  for (const row of erased) expect(personal.some((text) => JSON.stringify(row).includes(text))).toBe(false);
  expect(await t.db.select().from(bookingTokens).where(eq(bookingTokens.bookingId, one.id))).toEqual([]);
  expect(await t.api(listBookings, { params: { eventId: id } }, { token: await aSignIn(t.db, therapist.id) })).toEqual(
    [],
  );
});

test('the log gets the numbers of erased rows, without names, and only if there were any', async () => {
  // The tests before left something to erase.
  await runToEnd(t, 'RETENTION');
  const logged = () =>
    t.logged
      .text()
      .split('\n')
      .filter((line) => line.includes('"job":"RETENTION"'));
  const before = logged().length;
  await inRoom(t.app, therapist, { name: 'Xaveria' });
  await t.app.sessions.end(therapist.id, 'ended');
  await monthsLater(13);
  await runToEnd(t, 'RETENTION');
  await runToEnd(t, 'RETENTION');
  const lines = logged().slice(before);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/"attendances":[1-9]/);
  expect(lines.join('\n')).not.toContain('Xaveria');
  const erasedNow = await t.app.retention.erase();
  expect(erasedNow).toEqual({
    attendances: 0,
    namedFields: 0,
    lookBacks: 0,
    attendees: 0,
    clients: 0,
    waiting: 0,
    endedBookings: 0,
    bookingHandles: 0,
  });
});

test('the field kept at the end of a live session loses names and words of its figures after the period, and nothing else', async () => {
  const star = await aFigure(t.db, { therapistId: therapist.id, name: '', x: 700 });
  const relations = [{ to: star.id, kind: 'arrow', color: star.color, word: 'Ilona’s' } as const];
  const named = await aFigure(t.db, { therapistId: therapist.id, name: 'Grandmother Ilona', x: 300, relations });
  const figures = [star, named];
  await inRoom(t.app, therapist, { name: 'Bori' });
  await t.app.sessions.end(therapist.id, 'ended');
  const kept = async () => {
    const [row] = await t.db.select().from(liveSessions).where(eq(liveSessions.therapistId, therapist.id));
    return row!.fieldAtEnd!;
  };
  const before = await kept();
  expect(before.figures.map(({ id, name }) => [id, name])).toEqual(figures.map(({ id, name }) => [id, name]));
  await monthsLater(11);
  await t.app.retention.erase();
  expect(await kept()).toEqual(before);
  await monthsLater(2);
  expect((await t.app.retention.erase()).namedFields).toBe(1);
  expect(await kept()).toEqual({
    ...before,
    figures: before.figures.map((figure) => ({
      ...figure,
      name: '',
      relations: figure.relations.map((one) => ({ ...one, word: '' })),
    })),
  });
  expect((await t.app.retention.erase()).namedFields).toBe(0);
});

test('the log has the number of unverified accounts that were removed, and no names', async () => {
  const unverified = await aTherapist(t.db, { verified: false, firstName: 'Xanthippa' });
  await t.move(31 * DAY);
  await runToEnd(t, 'PURGE_LOGS');
  expect(await t.db.select().from(accounts).where(eq(accounts.id, unverified.id))).toEqual([]);
  const lines = t.logged.entries().filter(({ job }) => job === 'PURGE_LOGS');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ unverifiedAccounts: 1 });
  expect(JSON.stringify(lines)).not.toContain('Xanthippa');
});
