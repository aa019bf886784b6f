/** What the tests of bookings share: acts of people over HTTP, their emails, and counts of an event. */
import { eq, sql } from 'drizzle-orm';
import * as calls from '@fieldroom/contract/bookings';
import { cancelEvent, dayPlus, publicEvent, saveEvent } from '@fieldroom/contract/events';
import type { ProblemCode } from '@fieldroom/contract/problems';
import { eventAgain, eventInput } from '../../builders/events.builders.ts';
import { Problem } from '../../platform/problem.ts';
import type { Language } from '@fieldroom/contract/text';
import { untilLockWaits } from '../../../tests/support/locks.ts';
import type { TestApp } from '../../../tests/support/test-app.ts';
import type { BookingRow } from './bookings.types.ts';
import { bookings } from './bookings.tables.ts';

/** Settings with which `from` is the internet address of the caller. */
export const BEHIND_PROXY = { TRUST_PROXY: '1' };

/** For tests that try many wrong links from one address and are about something else. */
export const GUESSES_UNCOUNTED = { LIMIT_WRONG_CODE: '1000000/60' };

let count = 0;
/** An address block from which no request has come yet. */
export function aNewBlock(): string {
  count += 1;
  return `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`;
}
/** A new email address. */
export const aNewEmail = (name = 'person') => `${name}-${++count}@mail.example`;

export interface PersonWish {
  firstName?: string;
  lastName?: string;
  email?: string;
  phoneNumber?: string;
  language?: Language;
  places?: number;
  from?: string;
}

type Api = Pick<TestApp, 'api' | 'call'>;

/** Books over HTTP, by default from a new internet address. */
export function book(t: Api, eventId: number, { from = aNewBlock(), ...wish }: PersonWish = {}) {
  return t.api(
    calls.bookEvent,
    {
      params: { eventId },
      body: { firstName: 'Ana', lastName: 'Pop', email: aNewEmail(), phoneNumber: '+40 721 555 123', ...wish },
    },
    { headers: { 'x-forwarded-for': from } },
  );
}
/** Asks to send the email of a hold again. */
export const resend = (t: Api, handle: string, from = aNewBlock()) =>
  t.api(calls.resendHold, { body: { handle } }, { headers: { 'x-forwarded-for': from } });
/** Corrects the address of a hold. */
export const correct = (t: Api, handle: string, email: string, from = aNewBlock()) =>
  t.api(calls.correctHold, { body: { handle, email } }, { headers: { 'x-forwarded-for': from } });
/** Confirms by the token of an email, with the header that only our page sends. */
export const confirm = (t: Api, token: string) =>
  t.api(calls.confirmBooking, { query: { token } }, { headers: { [calls.CONFIRM_HEADER]: '1' } });
/** Declines by the token of an email. */
export const decline = (t: Api, token: string) => t.api(calls.declineBooking, { query: { token } });
/** Cancels a booking by its private token. */
export const cancel = (t: Api, token: string) => t.api(calls.cancelBooking, { body: { token } });
/** Reads a booking by its private token. */
export const view = (t: Api, token: string) => t.api(calls.viewBooking, { body: { token } });
/** Reads the outcome of a hold, by its handle. */
export const lookAtHold = (t: Api, handle: string, from = aNewBlock()) =>
  t.api(calls.lookAtHold, { body: { handle } }, { headers: { 'x-forwarded-for': from } });
/** Asks to send the link of a token's booking to its address again. */
export const sendLink = (t: Api, token: string) => t.api(calls.sendBookingLink, { body: { token } });
/** Asks to send the links of all live bookings of an address to it. */
export const sendLinks = (t: Api, email: string, from = aNewBlock()) =>
  t.api(calls.sendBookingLinks, { body: { email } }, { headers: { 'x-forwarded-for': from } });
/** Reads the booking behind an email's link without confirming it. */
export const look = (t: Api, token: string) => t.api(calls.lookAtConfirmLink, { body: { token } });

/** A therapist who has signed in. */
type Caller = { readonly token: string };
/** Moves an occurrence and all later ones by a day. Returns the outcome. */
export async function moveSeries(t: TestApp, { token }: Caller, eventId: number): Promise<'done' | ProblemCode> {
  const row = await eventAgain(t.db, eventId);
  const body = eventInput(row, { dates: row.dates.map((day) => dayPlus(day, 1)), scope: 'later' });
  return outcome(t.api(saveEvent, { body: body as never }, { token }));
}
/** Cancels an occurrence and all later ones. Returns the outcome. */
export const cancelSeries = (t: TestApp, { token }: Caller, eventId: number): Promise<'done' | ProblemCode> =>
  outcome(t.api(cancelEvent, { body: { eventId, reason: 'Ill.', cancelRepetitions: true } }, { token }));

/** `done`, or the code of the problem, with its fields if it has any. Other faults fail the test. */
export async function outcome(act: Promise<unknown>): Promise<'done' | ProblemCode> {
  const caught = await act.then(
    () => 'done' as const,
    (error: unknown) => error,
  );
  if (caught === 'done') return 'done';
  if (!(caught instanceof Problem) || caught.code === 'unknown_fault') throw caught;
  return caught.code;
}
/** The faulty fields that a problem names, as `path code`; `done` if the act succeeds. */
export const fields = async (act: Promise<unknown>): Promise<string[]> =>
  act.then(
    () => ['done'],
    (error: unknown) => ((error as Problem).more.fields ?? []).map(({ path, code }) => `${path} ${code}`),
  );

/** Kinds of the emails to an address, once those that follow an answer are written. */
export async function kindsTo(t: TestApp, email: string): Promise<string[]> {
  await t.app.bookings.idle();
  return (await t.emails(email)).map(({ kind }) => kind.replace('bookings.', ''));
}
/** The token in the newest email to an address. */
export async function tokenTo(t: TestApp, email: string): Promise<string> {
  await t.app.bookings.idle();
  const found = /#token=([\w-]{43})/.exec((await t.emails(email)).at(-1)?.text ?? '');
  if (found === null) throw new Error('there is no email with a token');
  return found[1]!;
}

/** The row of a booking, which must exist. */
export async function rowOf(t: Pick<TestApp, 'db'>, id: number): Promise<BookingRow> {
  const [row] = await t.db.select().from(bookings).where(eq(bookings.id, id));
  return row!;
}
/** The rows of an event's bookings, in the order of their ids. */
export const rowsOf = (t: Pick<TestApp, 'db'>, eventId: number): Promise<BookingRow[]> =>
  t.db.select().from(bookings).where(eq(bookings.eventId, eventId)).orderBy(bookings.id);
/** Held and confirmed places of an event at this moment, as the database counts them. */
export async function countsOf(t: Pick<TestApp, 'db'>, eventId: number): Promise<{ held: number; confirmed: number }> {
  const { rows } = await t.db.execute<{ held: number; confirmed: number }>(
    sql`SELECT held, confirmed FROM booking_counts(${eventId})`,
  );
  return rows[0]!;
}

/** The number of decoys. */
export async function decoysOf(t: Pick<TestApp, 'db'>, eventId: number): Promise<number> {
  const { rows } = await t.db.execute<{ decoys: number }>(sql`SELECT decoys FROM booking_counts(${eventId})`);
  return rows[0]!.decoys;
}
/** How many places are taken and whether the event can be booked, as the public reads it. */
export async function seen(
  t: Api,
  therapistName: string,
  eventId: number,
): Promise<{ taken: number; bookable: string }> {
  const { event, bookable } = await t.api(publicEvent, { params: { therapistName, eventId } });
  return { taken: event.currentParticipantsNumber, bookable };
}

/**
 * Runs acts that all wait for the event's locked row, so that they happen at the same time. Returns their outcomes in
 * order.
 */
export async function atOnce(
  t: TestApp,
  eventId: number,
  acts: readonly (() => Promise<unknown>)[],
  waiting = 1,
): Promise<('done' | ProblemCode)[]> {
  let running: Promise<'done' | ProblemCode>[] = [];
  await t.db.transaction(async (tx) => {
    await t.app.events.lock(tx, eventId);
    running = acts.map((act) => outcome(act()));
    // Their faults are checked below.
    for (const one of running) one.catch(() => {});
    await untilLockWaits(t.db, waiting);
  });
  return Promise.all(running);
}
