/** Bookings over HTTP. Numbers are those of README.md. */
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as calls from '@fieldroom/contract/bookings';
import { cancelEvent, myEvent, saveEvent, upcomingEvents } from '@fieldroom/contract/events';
import { enterRoom, getSeat } from '@fieldroom/contract/clients';
import { aBooking } from '../../builders/bookings.builders.ts';
import { aTherapist, type BuiltAccount } from '../../builders/accounts.builders.ts';
import { anEvent, aSeries } from '../../builders/events.builders.ts';
import { untilLockWaits } from '../../../tests/support/locks.ts';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';
import { openTherapistScreen } from '../../../tests/support/people/screen.ts';
import { accounts } from '../accounts/accounts.tables.ts';
import { events } from '../events/events.tables.ts';
import {
  aNewBlock,
  aNewEmail,
  BEHIND_PROXY,
  book,
  cancel,
  confirm,
  correct,
  countsOf,
  decline,
  fields,
  GUESSES_UNCOUNTED,
  kindsTo,
  look,
  outcome,
  resend,
  rowOf,
  rowsOf,
  tokenTo,
  view,
} from './bookings.fixture.ts';
import { bookingHandles, bookingTokens } from './bookings.tables.ts';

let t: TestApp;
let therapist: BuiltAccount;
const HOLD_SECONDS = calls.HOLD_MINUTES * 60;
beforeAll(async () => {
  t = await testApp({ env: { ...BEHIND_PROXY, ...GUESSES_UNCOUNTED } });
});
afterAll(() => t.close());
beforeEach(async () => {
  therapist = await aTherapist(t.db, { firstName: 'Judit', lastName: 'Halász' });
});

const event = (wish: Partial<Parameters<typeof anEvent>[1]> = {}) =>
  anEvent(t.db, { therapistId: therapist.id, ...wish });
const as = () => ({ token: therapist.token });
const list = (eventId: number) => t.api(calls.listBookings, { params: { eventId } }, as());
const add = (eventId: number, body: Record<string, unknown> = {}) =>
  t.api(
    calls.addAttendee,
    { params: { eventId }, body: { firstName: 'Ada', lastName: 'Moll', email: aNewEmail(), ...body } as never },
    as(),
  );
const remove = (eventId: number, email: string, reason?: string) =>
  t.api(
    calls.removeAttendee,
    { params: { eventId }, body: { participant: { email }, ...(reason === undefined ? {} : { reason }) } },
    as(),
  );
const enter = (token: string) => t.api(calls.enterBookedRoom, { body: { token } });
const states = async (eventId: number) => (await rowsOf(t, eventId)).map(({ state }) => state);
/** A person who holds a place, and the token of their email. */
async function aHolder(eventId: number, wish: Parameters<typeof book>[2] = {}) {
  const email = wish.email ?? aNewEmail();
  const hold = await book(t, eventId, { ...wish, email });
  return { email, ...hold, token: await tokenTo(t, email) };
}

describe('booking', () => {
  test('1, 6 holds a place for ten minutes, sends an email to the address, and is confirmed through it', async () => {
    const { id } = await event();
    const email = aNewEmail();
    const before = await t.clock.now();
    const hold = await book(t, id, { email, language: 'hu' });
    const heldUntil = Date.parse(hold.heldUntil);
    expect(heldUntil - before.getTime()).toBeGreaterThanOrEqual(HOLD_SECONDS * 1000 - 1);
    expect(heldUntil - (await t.clock.now()).getTime()).toBeLessThanOrEqual(HOLD_SECONDS * 1000);
    expect(Object.keys(hold).toSorted()).toEqual(['extendable', 'handle', 'heldUntil']);
    const [row] = await rowsOf(t, id);
    expect(row).toMatchObject({
      state: 'HELD',
      email,
      language: 'hu',
      extended: false,
      addedByTherapist: false,
      heldUntil: new Date(heldUntil),
    });
    const [sentEmail] = await t.emails(email);
    expect(sentEmail).toMatchObject({ kind: 'bookings.held', language: 'hu', about: `booking ${row!.id}`, to: email });
    expect(await countsOf(t, id)).toEqual({ held: 1, confirmed: 0 });

    const token = await tokenTo(t, email);
    expect(await look(t, token)).toMatchObject({
      state: 'HELD',
      heldUntil: hold.heldUntil,
      email,
      roomOpen: null,
      event: { id, therapistName: therapist.slug, therapistLastName: 'Halász' },
    });
    const { bookingToken, ...confirmed } = await confirm(t, token);
    expect(confirmed).toMatchObject({ state: 'CONFIRMED', heldUntil: null, roomOpen: { from: expect.any(String) } });
    expect(await view(t, bookingToken)).toEqual({ ...confirmed, asOf: expect.any(String) });
    expect(await view(t, await tokenTo(t, email))).toEqual({ ...confirmed, asOf: expect.any(String) });
    expect(await kindsTo(t, email)).toEqual(['held', 'confirmed']);
    const [told] = await t.emails(therapist.email);
    expect(told).toMatchObject({ kind: 'bookings.newBooking', replyTo: email });
    expect(await list(id)).toEqual([
      {
        id: row!.id,
        places: 1,
        participant: { name: 'Ana', familyName: 'Pop', email, phone: '+40 721 555 123' },
        bookingDate: row!.createdAt.toISOString(),
        state: 'CONFIRMED',
        heldUntil: null,
        addedByTherapist: false,
        emailState: 'sent',
        doubleApproval: false,
      },
    ]);
  });

  test('1 an expired hold holds nothing, whether or not its row was marked', async () => {
    const { id } = await event({ places: 1 });
    const first = await aHolder(id);
    expect(await outcome(book(t, id))).toBe('event_full');
    await t.move(HOLD_SECONDS - 60);
    expect(await outcome(book(t, id))).toBe('event_full');
    await t.move(61);
    expect(await countsOf(t, id)).toEqual({ held: 0, confirmed: 0 });
    expect(await look(t, first.token)).toMatchObject({ state: 'EXPIRED', heldUntil: null });
    expect(await list(id)).toEqual([]);
    expect(await states(id)).toEqual(['HELD']);
    await book(t, id);
    expect(await states(id)).toEqual(['EXPIRED', 'HELD']);
  });

  test('1 the same person can take a new place after the hold expires', async () => {
    const { id } = await event();
    const { email } = await aHolder(id);
    await t.move(HOLD_SECONDS + 1);
    await book(t, id, { email });
    expect(await states(id)).toEqual(['EXPIRED', 'HELD']);
    expect(await kindsTo(t, email)).toEqual(['held', 'held']);
  });

  test('2 a bad request in a crowd does not affect the others', async () => {
    const [one, two] = [await event(), await event()];
    const asked = [
      ...Array.from({ length: 4 }, () => book(t, one.id)),
      book(t, 987_654),
      ...Array.from({ length: 4 }, () => book(t, two.id)),
      book(t, one.id, { email: '"a b"@mail.example' }),
    ];
    const got = await Promise.all(asked.map((act) => outcome(act)));
    expect(got.filter((code) => code === 'done')).toHaveLength(8);
    expect(got[4]).toBe('not_found');
    expect(got[9]).toBe('invalid_input');
  });

  test('3 is refused if the event is missing, deleted, cancelled, begun, or its therapist has no public page', async () => {
    const suspended = await aTherapist(t.db, { suspended: true });
    const unverified = await aTherapist(t.db, { verified: false });
    expect(await outcome(book(t, 999_999))).toBe('not_found');
    expect(await outcome(book(t, (await event({ deleted: true })).id))).toBe('not_found');
    expect(await outcome(book(t, (await event({ status: 'CANCELLED' })).id))).toBe('event_cancelled');
    expect(await outcome(book(t, (await event({ daysAhead: -1 })).id))).toBe('event_closed');
    expect(await outcome(book(t, (await anEvent(t.db, { therapistId: suspended.id })).id))).toBe('not_found');
    expect(await outcome(book(t, (await anEvent(t.db, { therapistId: unverified.id })).id))).toBe('not_found');
    const soon = await event({ startsInMinutes: 5 });
    await book(t, soon.id);
    await t.move(6 * 60);
    expect(await outcome(book(t, soon.id))).toBe('event_closed');
  });

  test('3 counts places and half of them as the contract does, for every kind of event', async () => {
    for (const places of [1, 2, 4, 5, 6, 7, 9]) {
      for (const confirmed of [0, 1, 3, places - 1, places]) {
        if (confirmed > places || confirmed < 0) continue;
        const { id } = await event({ places, type: places === 1 ? 'ONE_ON_ONE' : 'GROUP' });
        for (let nth = 0; nth < confirmed; nth++) await aBooking(t.db, { eventId: id });
        for (let held = 0; ; held++) {
          const wanted = calls.refusesAll(places, held, confirmed);
          expect(await outcome(book(t, id)), `${places} places, ${held} held, ${confirmed} confirmed`).toBe(
            wanted ?? 'done',
          );
          if (wanted !== null) break;
        }
        expect((await countsOf(t, id)).held).toBe(Math.min(calls.maxHeld(places), places - confirmed));
      }
    }
  });

  test('4 allows one live booking per person, however the address is spelled; a known address gets the same answer', async () => {
    const { id } = await event();
    const email = aNewEmail('Kata');
    const first = await book(t, id, { email });
    const again = await book(t, id, { email: email.toUpperCase() });
    expect(Object.keys(again)).toEqual(Object.keys(first));
    expect(again.extendable).toBe(true);
    expect(again.handle).not.toBe(first.handle);
    expect(await countsOf(t, id)).toEqual({ held: 1, confirmed: 0 });
    expect(await kindsTo(t, email)).toEqual(['held', 'held']);
    const [before, after] = await t.emails(email);
    expect([before!.about, before!.subject]).toEqual([after!.about, after!.subject]);
    await confirm(t, await tokenTo(t, email));
    const third = await book(t, id, { email });
    expect(Object.keys(third)).toEqual(Object.keys(first));
    expect(await kindsTo(t, email)).toEqual(['held', 'held', 'confirmed', 'alreadyBooked']);
    expect(await view(t, await tokenTo(t, email))).toMatchObject({ state: 'CONFIRMED' });
  });

  test('4 does not differ in status, headers or shape of the answer', async () => {
    const { id } = await event();
    const known = aNewEmail();
    await aBooking(t.db, { eventId: id, email: known });
    const answers = [];
    for (const email of [known, aNewEmail()]) {
      const answer = await t.call(
        calls.bookEvent,
        { params: { eventId: id }, body: { firstName: 'A', lastName: 'B', email, phoneNumber: '12345' } },
        { headers: { 'x-forwarded-for': aNewBlock() } },
      );
      const body = (await answer.json()) as Record<string, unknown>;
      const headers = [...answer.headers].filter(
        ([name]) => !['date', 'x-request-id', 'content-length'].includes(name),
      );
      answers.push({
        status: answer.status,
        headers,
        length: answer.headers.get('content-length'),
        shape: Object.entries(body).map(([key, value]) => [key, typeof value, String(value).length]),
      });
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(
      (
        await t.db.select().from(bookingHandles).where(eq(bookingHandles.eventId, id)).orderBy(bookingHandles.createdAt)
      ).map(({ bookingId }) => bookingId === null),
    ).toEqual([true, false]);
  });

  test('4, 5 a full event refuses known and unknown addresses alike, and informs the owner of a known one', async () => {
    const { id } = await event({ places: 2 });
    const { email } = await aBooking(t.db, { eventId: id });
    const held = await aHolder(id);
    // The second and third time by the shared read.
    for (let nth = 0; nth < 3; nth++) {
      const refusals = [];
      for (const person of [email, held.email, aNewEmail()]) {
        const answer = await t.call(
          calls.bookEvent,
          { params: { eventId: id }, body: { firstName: 'A', lastName: 'B', email: person, phoneNumber: '12345' } },
          { headers: { 'x-forwarded-for': aNewBlock() } },
        );
        refusals.push([answer.status, await answer.text()]);
      }
      expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
    }
    // Three a day to an address and event; the first one was sent when the place was taken.
    expect(await kindsTo(t, email)).toEqual(['alreadyBooked', 'alreadyBooked', 'alreadyBooked']);
    expect(await kindsTo(t, held.email)).toEqual(['held', 'held', 'held']);
  });

  test('5 nobody gets "full" after a place became free', async () => {
    const { id } = await event({ places: 1 });
    for (let nth = 0; nth < 5; nth++) {
      const { email } = await aHolder(id);
      expect(await outcome(book(t, id))).toBe('event_full');
      expect(await outcome(book(t, id))).toBe('event_full');
      await remove(id, email);
    }
    await book(t, id);
  });

  test('6 the email describes the event at the time of the booking, after all earlier changes', async () => {
    const { id } = await event({ name: 'First name' });
    await book(t, id);
    await t.db
      .update(events)
      .set({ name: 'Second name', updatedAt: sql`product_now()` })
      .where(eq(events.id, id));
    const second = await aHolder(id);
    expect((await t.emails(second.email))[0]!.text).toContain('Second name');
    await t.db.update(accounts).set({ firstName: 'Renamed' }).where(eq(accounts.id, therapist.id));
    const third = await aHolder(id);
    expect((await t.emails(third.email))[0]!.text).toContain('Renamed');
  });

  test('6 people who are served together each get their own email with their own link', async () => {
    const [one, two] = [await event({ places: 30 }), await event({ places: 30 })];
    const asked = Array.from({ length: 16 }, (_, nth) => ({
      id: nth % 2 === 0 ? one.id : two.id,
      email: aNewEmail(),
      language: (['en', 'de', 'hu', 'ro'] as const)[nth % 4]!,
    }));
    await Promise.all(asked.map(({ id, ...person }) => book(t, id, person)));
    for (const { id, email, language } of asked) {
      const [sentEmail, ...more] = await t.emails(email);
      expect(more).toEqual([]);
      const links = [
        ...sentEmail!.text.matchAll(/#token=([\w-]{43})/g),
        ...sentEmail!.html.matchAll(/#token=([\w-]{43})/g),
      ].map(([, token]) => token);
      expect([new Set(links).size, sentEmail!.language]).toEqual([1, language]);
      expect(await look(t, links[0]!)).toMatchObject({ email, event: { id } });
    }
  });

  test('6 emails are in the language of the page, or the therapist’s', async () => {
    const german = await aTherapist(t.db, { language: 'de' });
    const { id } = await anEvent(t.db, { therapistId: german.id });
    const [one, two] = [await aHolder(id), await aHolder(id, { language: 'ro' })];
    expect((await t.emails(one.email))[0]!.language).toBe('de');
    expect((await t.emails(two.email))[0]!.language).toBe('ro');
  });
});

describe('7 limits', () => {
  test('five bookings in ten minutes from one address block, with three open at a time', async () => {
    const from = aNewBlock();
    const { id } = await event({ places: 40 });
    for (let nth = 0; nth < 3; nth++) await book(t, id, { from });
    const refused = await book(t, id, { from }).catch((problem: unknown) => problem);
    expect(refused).toMatchObject({ code: 'too_many_requests', more: { retryAfterSeconds: HOLD_SECONDS } });
    expect((await countsOf(t, id)).held).toBe(3);
    await book(t, id, {});
    await t.move(HOLD_SECONDS + 1);
    for (let nth = 0; nth < 3; nth++) await book(t, id, { from });
  });

  test('the count of bookings is by block, whatever their outcome', async () => {
    const from = aNewBlock();
    const [one, two] = [await event(), await event()];
    for (let nth = 0; nth < 5; nth++) await outcome(book(t, one.id, { from }));
    const refused = await book(t, two.id, { from }).catch((problem: unknown) => problem);
    expect(refused).toMatchObject({ code: 'too_many_requests', more: { retryAfterSeconds: expect.any(Number) } });
    expect((await countsOf(t, two.id)).held).toBe(0);
  });

  test('attempts with a known address count as open holds too, and simultaneous attempts are counted one after the other', async () => {
    const from = aNewBlock();
    const all = await Promise.all(Array.from({ length: 5 }, () => event()));
    const email = aNewEmail();
    await aBooking(t.db, { eventId: all[0]!.id, email });
    const got = await Promise.all(all.map(({ id }) => outcome(book(t, id, { from, email }))));
    expect(got.toSorted()).toEqual(['done', 'done', 'done', 'too_many_requests', 'too_many_requests']);
  });

  test('a fourth email to one address about one event is not sent; answer and place are as usual', async () => {
    const { id } = await event({ places: 30 });
    const email = aNewEmail();
    const shapes = [];
    for (let nth = 0; nth < 5; nth++) {
      shapes.push(Object.keys(await book(t, id, { email })).join());
      await t.move(HOLD_SECONDS + 1);
    }
    expect(new Set(shapes).size).toBe(1);
    expect(await kindsTo(t, email)).toEqual(['held', 'held', 'held']);
    await book(t, id, { email });
    expect((await countsOf(t, id)).held).toBe(1);
    // Each event counts separately; a day later the count starts again.
    expect(await kindsTo(t, (await aHolder((await event()).id, {})).email)).toEqual(['held']);
    await t.move(86_400);
    await book(t, id, { email });
    expect(await kindsTo(t, email)).toHaveLength(4);
  });

  test('ten emails a day to one address, for all events together', async () => {
    const email = aNewEmail();
    for (let nth = 0; nth < 12; nth++) await book(t, (await event()).id, { email });
    expect(await kindsTo(t, email)).toHaveLength(10);
  });

  test('variants of an address are one mailbox for the emails, but different people', async () => {
    const { id } = await event({ places: 10 });
    const [local, domain] = aNewEmail().split('@') as [string, string];
    const variants = ['', '+a', '+b', '+c', '+d'].map((tag) => `${local}${tag}@${domain}`);
    for (const email of variants) await book(t, id, { email });
    expect(await countsOf(t, id)).toMatchObject({ held: 5 });
    expect(await Promise.all(variants.map((email) => kindsTo(t, email)))).toEqual([
      ['held'],
      ['held'],
      ['held'],
      [],
      [],
    ]);
  });

  test('refused attempts do not use up emails', async () => {
    const { id } = await event({ places: 1 });
    const other = await aHolder(id);
    const email = aNewEmail();
    // First before it is known to be full, then after.
    expect(await Promise.all(Array.from({ length: 6 }, () => outcome(book(t, id, { email }))))).toEqual(
      Array.from({ length: 6 }, () => 'event_full'),
    );
    expect(await outcome(book(t, id, { email }))).toBe('event_full');
    await decline(t, other.token);
    await book(t, id, { email });
    expect(await kindsTo(t, email)).toEqual(['held']);
  });
});

describe('8 sending again', () => {
  test('works once per handle; only the first time extends the hold', async () => {
    const { id } = await event();
    const { email, handle, heldUntil } = await aHolder(id);
    await t.move(300);
    const second = await resend(t, handle);
    expect(Date.parse(second.heldUntil) - Date.parse(heldUntil)).toBeGreaterThanOrEqual(300_000);
    expect(second).toMatchObject({ extendable: false });
    expect((await rowsOf(t, id))[0]).toMatchObject({
      state: 'HELD',
      extended: true,
      heldUntil: new Date(second.heldUntil),
    });
    expect(await kindsTo(t, email)).toEqual(['held', 'held']);
    expect(await outcome(resend(t, handle))).toBe('link_invalid');
    const third = await resend(t, second.handle);
    expect(third.heldUntil).toBe(second.heldUntil);
    // Three emails a day: the fourth is not written, and the answer does not reveal it.
    const fourth = await resend(t, third.handle);
    expect(Object.keys(fourth)).toEqual(Object.keys(second));
    expect(await kindsTo(t, email)).toHaveLength(3);
    await confirm(t, await tokenTo(t, email));
  });

  test('is refused after the hold is over, and for an invalid handle', async () => {
    const { id } = await event();
    const { handle } = await aHolder(id);
    await t.move(HOLD_SECONDS + 1);
    expect(await outcome(resend(t, handle))).toBe('booking_ended');
    expect(await outcome(correct(t, handle, aNewEmail()))).toBe('booking_ended');
    expect(await outcome(resend(t, 'x'.repeat(43)))).toBe('link_invalid');
  });

  test('gives the same answer for a known address, an answered email and an open one', async () => {
    const { id } = await event();
    const known = aNewEmail();
    await aBooking(t.db, { eventId: id, email: known });
    const decoy = await book(t, id, { email: known });
    const open = await aHolder(id);
    const [confirmed, declined] = [await aHolder(id), await aHolder(id)];
    await confirm(t, confirmed.token);
    await decline(t, declined.token);
    await t.move(60);
    const answers = [];
    for (const { handle } of [decoy, open, confirmed, declined]) answers.push(await resend(t, handle));
    for (const answer of answers) {
      expect(answer.extendable).toBe(false);
      expect(Math.abs(Date.parse(answer.heldUntil) - Date.parse(answers[0]!.heldUntil))).toBeLessThan(30_000);
    }
    expect(await kindsTo(t, known)).toEqual(['alreadyBooked', 'alreadyBooked']);
    expect(await kindsTo(t, open.email)).toEqual(['held', 'held']);
    expect(await kindsTo(t, confirmed.email)).toEqual(['held', 'confirmed', 'alreadyBooked']);
    expect(await kindsTo(t, declined.email)).toEqual(['held']);
    expect(await states(id)).toEqual(['CONFIRMED', 'HELD', 'CONFIRMED', 'DECLINED']);
  });

  test('five times in ten minutes from one address block', async () => {
    const from = aNewBlock();
    for (let nth = 0; nth < 5; nth++) expect(await outcome(resend(t, 'x'.repeat(43), from))).toBe('link_invalid');
    expect(await outcome(resend(t, 'x'.repeat(43), from))).toBe('too_many_requests');
    expect(await outcome(correct(t, 'x'.repeat(43), aNewEmail(), from))).toBe('too_many_requests');
  });
});

describe('9 correcting the address', () => {
  test('keeps the place, sends the email to the new address, and ends the first token', async () => {
    const { id } = await event({ places: 1 });
    const first = await aHolder(id, { email: aNewEmail('mistyped') });
    const email = aNewEmail('right');
    await t.move(120);
    const hold = await correct(t, first.handle, email);
    expect(hold.extendable).toBe(false);
    expect(Date.parse(hold.heldUntil) - Date.parse(first.heldUntil)).toBeGreaterThanOrEqual(120_000);
    expect(await countsOf(t, id)).toEqual({ held: 1, confirmed: 0 });
    expect(await outcome(look(t, first.token))).toBe('link_invalid');
    expect(await outcome(confirm(t, first.token))).toBe('link_invalid');
    expect(await outcome(correct(t, first.handle, email))).toBe('link_invalid');
    expect(await kindsTo(t, email)).toEqual(['held']);
    expect(await confirm(t, await tokenTo(t, email))).toMatchObject({ state: 'CONFIRMED', email, firstName: 'Ana' });
    // Later ones do not extend the hold.
    const { id: other } = await event();
    const again = await aHolder(other);
    await t.move(60);
    const longer = await correct(t, again.handle, aNewEmail());
    await t.move(60);
    expect((await correct(t, longer.handle, aNewEmail())).heldUntil).toBe(longer.heldUntil);
    expect((await countsOf(t, other)).held).toBe(1);
  });

  test('to a known address gives the same answer, informs its owner, and ends the first hold', async () => {
    const { id } = await event();
    const known = aNewEmail();
    await aBooking(t.db, { eventId: id, email: known });
    const first = await aHolder(id);
    const [toKnown, toNew] = [
      await correct(t, first.handle, known),
      await correct(t, (await aHolder(id)).handle, aNewEmail()),
    ];
    expect(Object.keys(toKnown)).toEqual(Object.keys(toNew));
    expect(await kindsTo(t, known)).toEqual(['alreadyBooked']);
    expect(await countsOf(t, id)).toEqual({ held: 1, confirmed: 1 });
    // Then from there to an unknown address.
    const email = aNewEmail();
    await correct(t, toKnown.handle, email);
    expect(await kindsTo(t, email)).toEqual(['held']);
    expect(await countsOf(t, id)).toEqual({ held: 2, confirmed: 1 });
  });

  test('takes a free place if there was none to keep; if refused, nothing changes', async () => {
    const { id } = await event({ places: 1 });
    const holder = await aHolder(id);
    await decline(t, holder.token);
    const other = await aHolder(id);
    const late = aNewEmail();
    expect(await outcome(correct(t, holder.handle, late))).toBe('event_full');
    expect(await states(id)).toEqual(['DECLINED', 'HELD']);
    expect(await kindsTo(t, late)).toEqual([]);
    await remove(id, other.email);
    // The refusal did not use up the handle.
    await correct(t, holder.handle, late);
    expect(await kindsTo(t, late)).toEqual(['held']);
  });
});

describe('10–12 confirming', () => {
  test('12 repeated changes nothing, and gives a new private token', async () => {
    const { id } = await event();
    const { email, token } = await aHolder(id);
    const first = await confirm(t, token);
    const row = await rowsOf(t, id);
    const second = await confirm(t, token);
    expect(second.bookingToken).not.toBe(first.bookingToken);
    expect({ ...second, bookingToken: '', asOf: '' }).toEqual({ ...first, bookingToken: '', asOf: '' });
    expect(await rowsOf(t, id)).toEqual(row);
    expect(await kindsTo(t, email)).toEqual(['held', 'confirmed']);
    for (const { bookingToken } of [first, second])
      expect(await view(t, bookingToken)).toMatchObject({ state: 'CONFIRMED' });
  });

  test('11 late: works if a place is free, otherwise event_full', async () => {
    const { id } = await event({ places: 2 });
    const [one, two] = [await aHolder(id), await aHolder(id)];
    await t.move(HOLD_SECONDS + 1);
    const third = await aHolder(id);
    expect((await confirm(t, one.token)).state).toBe('CONFIRMED');
    expect((await rowsOf(t, id))[0]).toMatchObject({ state: 'CONFIRMED', endedAt: null, endedBy: null });
    expect(await outcome(confirm(t, two.token))).toBe('event_full');
    await decline(t, third.token);
    expect((await confirm(t, two.token)).state).toBe('CONFIRMED');
    expect(await kindsTo(t, two.email)).toEqual(['held', 'confirmed']);
  });

  test('11 late: also if expired holds are not marked yet and places were removed since', async () => {
    const row = await event({ places: 2 });
    const [one, two] = [await aHolder(row.id), await aHolder(row.id)];
    await t.move(HOLD_SECONDS + 1);
    await t.api(
      saveEvent,
      {
        body: {
          id: row.id,
          eventName: row.name,
          type: row.type,
          isOnline: row.isOnline,
          description: row.description,
          dates: row.dates,
          startTime: row.startTime,
          endTime: row.endTime,
          timeZone: row.timeZone,
          price: '45',
          currency: row.currency,
          maximumParticipant: 1,
        },
      },
      as(),
    );
    expect(await states(row.id)).toEqual(['HELD', 'HELD']);
    expect((await confirm(t, one.token)).state).toBe('CONFIRMED');
    expect(await outcome(confirm(t, two.token))).toBe('event_full');
    expect(await countsOf(t, row.id)).toEqual({ held: 0, confirmed: 1 });
  });

  test('11 late: is refused if the same person has another live booking', async () => {
    const { id } = await event();
    const first = await aHolder(id);
    await t.move(HOLD_SECONDS + 1);
    const again = await aHolder(id, { email: first.email });
    expect(again.token).not.toBe(first.token);
    expect(await outcome(confirm(t, first.token))).toBe('already_booked');
    await confirm(t, again.token);
    expect(await outcome(confirm(t, first.token))).toBe('already_booked');
  });

  test('11 late: can exceed half of the places', async () => {
    const { id } = await event({ places: 6 });
    const late = [await aHolder(id), await aHolder(id), await aHolder(id)];
    await t.move(HOLD_SECONDS + 1);
    for (let nth = 0; nth < 3; nth++) await book(t, id);
    for (const { token } of late) await confirm(t, token);
    expect(await countsOf(t, id)).toEqual({ held: 3, confirmed: 3 });
  });

  test('11 is refused after declining or cancelling, and once the event has begun or is cancelled', async () => {
    const { id } = await event({ startsInMinutes: 8 });
    const [declined, cancelled, open] = [await aHolder(id), await aHolder(id), await aHolder(id)];
    await decline(t, declined.token);
    await remove(id, cancelled.email);
    expect(await outcome(confirm(t, declined.token))).toBe('booking_ended');
    expect(await outcome(confirm(t, cancelled.token))).toBe('booking_ended');
    await t.move(9 * 60);
    expect(await outcome(confirm(t, open.token))).toBe('event_closed');
    const other = await event();
    const there = await aHolder(other.id);
    await t.api(cancelEvent, { body: { eventId: other.id, reason: 'Ill' } }, as());
    expect(await outcome(confirm(t, there.token))).toBe('event_cancelled');
    expect(await outcome(confirm(t, 'x'.repeat(43)))).toBe('link_invalid');
    expect(await outcome(confirm(t, 'short'))).toBe('link_invalid');
  });

  test('10 a token has one purpose', async () => {
    const { id } = await event();
    const { emailToken, privateToken } = await aBooking(t.db, { eventId: id });
    for (const act of [
      () => confirm(t, privateToken),
      () => decline(t, privateToken),
      () => look(t, privateToken),
      () => view(t, emailToken),
      () => cancel(t, emailToken),
      () => enter(emailToken),
    ])
      expect(await outcome(act())).toBe('link_invalid');
    expect(await states(id)).toEqual(['CONFIRMED']);
  });
});

test('13 declining frees the place; a repetition changes nothing; an ended hold cannot be declined', async () => {
  const { id } = await event({ places: 1 });
  const { token, email } = await aHolder(id);
  await decline(t, token);
  await decline(t, token);
  expect((await rowsOf(t, id))[0]).toMatchObject({ state: 'DECLINED', endedBy: 'client' });
  const next = await aHolder(id);
  await confirm(t, next.token);
  expect(await outcome(decline(t, next.token))).toBe('booking_ended');
  await remove(id, next.email);
  const late = await aHolder(id);
  await t.move(HOLD_SECONDS + 1);
  expect(await outcome(decline(t, late.token))).toBe('booking_ended');
  expect(await kindsTo(t, email)).toEqual(['held']);
});

describe('14 cancelling a booking as its owner', () => {
  test('frees the place and sends an email to both, with a higher sequence; a repetition changes nothing', async () => {
    const { id } = await event({ places: 1 });
    const mine = await aBooking(t.db, { eventId: id });
    await cancel(t, mine.privateToken);
    await cancel(t, mine.privateToken);
    expect(await rowOf(t, mine.id)).toMatchObject({ state: 'CANCELLED', endedBy: 'client', sequence: 1 });
    expect(await kindsTo(t, mine.email)).toEqual(['cancelledByClient']);
    expect(await kindsTo(t, therapist.email)).toEqual(['bookingCancelled']);
    expect((await t.emails(mine.email))[0]!.attachments).toHaveLength(1);
    expect(await view(t, mine.privateToken)).toMatchObject({ state: 'CANCELLED', roomOpen: null });
    await book(t, id);
  });

  test('is refused for bookings ended by others and once the event has begun; a hold ends without emails', async () => {
    const { id } = await event({ startsInMinutes: 5 });
    const [deleted, expired, held, confirmed] = [
      await aBooking(t.db, { eventId: id }),
      await aBooking(t.db, { eventId: id, state: 'EXPIRED', minutesAgo: 20 }),
      await aBooking(t.db, { eventId: id, state: 'HELD' }),
      await aBooking(t.db, { eventId: id }),
    ];
    await remove(id, deleted.email);
    expect(await outcome(cancel(t, deleted.privateToken))).toBe('booking_ended');
    expect(await outcome(cancel(t, expired.privateToken))).toBe('booking_ended');
    await cancel(t, held.privateToken);
    expect(await kindsTo(t, held.email)).toEqual([]);
    await t.move(6 * 60);
    expect(await outcome(cancel(t, confirmed.privateToken))).toBe('event_closed');
  });
});

describe('15 the therapist adds', () => {
  test('a participant who is confirmed at once, with an email and a private link', async () => {
    const { id } = await event();
    const email = aNewEmail();
    const booking = await add(id, { email });
    expect(booking).toMatchObject({
      state: 'CONFIRMED',
      addedByTherapist: true,
      heldUntil: null,
      participant: { name: 'Ada', familyName: 'Moll', email, phone: '' },
    });
    expect(await list(id)).toEqual([booking]);
    expect(await kindsTo(t, email)).toEqual(['added']);
    expect(await kindsTo(t, therapist.email)).toEqual([]);
    expect(await view(t, await tokenTo(t, email))).toMatchObject({ state: 'CONFIRMED', firstName: 'Ada' });
    expect(await outcome(add(id, { email: email.toUpperCase() }))).toBe('already_booked');
  });

  test('an open hold of the address becomes the booking, with the therapist’s names', async () => {
    const { id } = await event({ places: 1 });
    const { email, token } = await aHolder(id, { firstName: 'Wrong', phoneNumber: '123456' });
    expect(await add(id, { email })).toMatchObject({
      participant: { name: 'Ada', phone: '123456' },
      state: 'CONFIRMED',
    });
    expect(await states(id)).toEqual(['CONFIRMED']);
    expect((await confirm(t, token)).state).toBe('CONFIRMED');
    expect(await kindsTo(t, email)).toEqual(['held', 'added']);
  });

  test('within the number of places; the half does not limit the therapist', async () => {
    const { id } = await event({ places: 5 });
    for (let nth = 0; nth < 2; nth++) await book(t, id);
    for (let nth = 0; nth < 3; nth++) await add(id);
    expect(await outcome(add(id))).toBe('event_full');
    await t.move(HOLD_SECONDS + 1);
    await add(id);
    expect(await outcome(add((await event({ status: 'CANCELLED' })).id))).toBe('event_cancelled');
    expect(await outcome(add((await event({ daysAhead: -1 })).id))).toBe('event_closed');
  });

  test('up to the daily limit', async () => {
    const { id } = await event();
    await t.app.limits.count(`booking add ${therapist.id}`, { max: 1, windowSeconds: 86_400 });
    await t.db.execute(sql`UPDATE limit_counters SET count = 500 WHERE count = 1`);
    expect(await outcome(add(id))).toBe('too_many_requests');
  });
});

test('15, 16 accepts a participant in the form of the list of bookings', async () => {
  const { id } = await event();
  const participant = {
    firstName: 'Ada',
    lastName: 'Moll',
    email: aNewEmail(),
    phoneNumber: '+43 660 1234567',
    registrationDate: '11/22/2026 3:04 PM',
    doubleApproval: false,
  };
  expect(await add(id, participant)).toMatchObject({
    participant: { email: participant.email },
    state: 'CONFIRMED',
    doubleApproval: false,
  });
  await t.api(calls.removeAttendee, { params: { eventId: id }, body: { participant, reason: 'A double.' } }, as());
  expect(await states(id)).toEqual(['CANCELLED']);
  expect(await fields(add(id, { ...participant, shoeSize: 44 }))).toEqual(['shoeSize unknown_property']);
});

test('16 removing ends the live booking of that address, and only its owner gets an email, with the reason', async () => {
  const { id } = await event();
  const [one, other] = [await aBooking(t.db, { eventId: id }), await aBooking(t.db, { eventId: id })];
  await remove(id, one.email.toUpperCase(), 'Please come another time.');
  expect(await rowOf(t, one.id)).toMatchObject({ state: 'CANCELLED', endedBy: 'therapist', sequence: 1 });
  expect((await t.emails(one.email))[0]!.text).toContain('Please come another time.');
  expect(await t.emails(other.email)).toEqual([]);
  expect(await outcome(remove(id, one.email))).toBe('booking_not_found');
  expect(await outcome(remove(id, aNewEmail()))).toBe('booking_not_found');
  const held = await aHolder(id);
  await remove(id, held.email);
  expect(await kindsTo(t, held.email)).toEqual(['held', 'cancelledByTherapist']);
  expect((await t.emails(held.email))[1]!.attachments).toEqual([]);
  expect(await list(id)).toHaveLength(1);
});

test('16 is refused once the event is over, but not while it runs', async () => {
  const running = await event({ daysAhead: -1, pattern: [0, 3] });
  const drops = await aBooking(t.db, { eventId: running.id });
  await remove(running.id, drops.email);
  expect(await kindsTo(t, drops.email)).toEqual(['cancelledByTherapist']);
  const over = await event({ daysAhead: -1 });
  const was = await aBooking(t.db, { eventId: over.id });
  expect(await outcome(remove(over.id, was.email))).toBe('event_over');
  expect(await kindsTo(t, was.email)).toEqual([]);
  expect(await list(over.id)).toMatchObject([{ state: 'CONFIRMED' }]);
});

test('17 only people who were booked at the cancellation stay in the therapist’s list until the data is erased', async () => {
  const { id } = await event();
  const [one, held] = [await aBooking(t.db, { eventId: id }), await aBooking(t.db, { eventId: id, state: 'HELD' })];
  for (const state of ['DECLINED', 'CANCELLED', 'EXPIRED'] as const) await aBooking(t.db, { eventId: id, state });
  await t.api(cancelEvent, { body: { eventId: id, reason: 'Ill.' } }, as());
  expect(await list(id)).toMatchObject([
    { id: one.id, state: 'CANCELLED', participant: { email: one.email } },
    { id: held.id, state: 'CANCELLED', heldUntil: null },
  ]);
  await t.db.execute(sql`UPDATE bookings SET erased_at = product_now() WHERE id = ${one.id}`);
  expect(await list(id)).toMatchObject([{ id: held.id }]);
});

describe('17 the event', () => {
  const cancelIt = (eventId: number, cancelRepetitions = false) =>
    t.api(cancelEvent, { body: { eventId, reason: 'The house is closed.', cancelRepetitions } }, as());

  test('is cancelled: all live bookings end, everybody gets the reason, with a calendar file for those who had one', async () => {
    const [first, second, third] = await aSeries(t.db, { therapistId: therapist.id, further: [7, 14] });
    const [confirmed, held, over, declined] = [
      await aBooking(t.db, { eventId: second!.id }),
      await aBooking(t.db, { eventId: second!.id, state: 'HELD' }),
      await aBooking(t.db, { eventId: second!.id, state: 'HELD', minutesLeft: -1 }),
      await aBooking(t.db, { eventId: second!.id, state: 'DECLINED' }),
    ];
    const [before, later] = [
      await aBooking(t.db, { eventId: first!.id }),
      await aBooking(t.db, { eventId: third!.id }),
    ];
    await cancelIt(second!.id, true);
    const ended = [];
    for (const { id } of [confirmed, held, over, declined, before, later]) ended.push((await rowOf(t, id)).state);
    expect(ended).toEqual(['CANCELLED', 'CANCELLED', 'EXPIRED', 'DECLINED', 'CONFIRMED', 'CANCELLED']);
    expect(await rowOf(t, confirmed.id)).toMatchObject({ endedBy: 'event', sequence: 1 });
    for (const [{ email }, files] of [
      [confirmed, 1],
      [held, 0],
      [later, 1],
    ] as const) {
      const [sentEmail, ...more] = await t.emails(email);
      expect([sentEmail!.kind, more.length, sentEmail!.attachments.length]).toEqual([
        'bookings.eventCancelled',
        0,
        files,
      ]);
      expect(sentEmail!.text).toContain('The house is closed.');
    }
    for (const { email } of [over, declined, before]) expect(await t.emails(email)).toEqual([]);
    expect(await view(t, confirmed.privateToken)).toMatchObject({ state: 'CANCELLED', event: { status: 'CANCELLED' } });
  });

  test('is moved: everybody with a live booking gets an email, in the transaction that moved it', async () => {
    const row = await event();
    const [confirmed, held, ended] = [
      await aBooking(t.db, { eventId: row.id }),
      await aBooking(t.db, { eventId: row.id, state: 'HELD' }),
      await aBooking(t.db, { eventId: row.id, state: 'CANCELLED' }),
    ];
    const input = {
      id: row.id,
      eventName: row.name,
      type: row.type,
      isOnline: row.isOnline,
      description: row.description,
      dates: row.dates,
      startTime: '11:00',
      endTime: '12:00',
      timeZone: row.timeZone,
      price: '45',
      currency: row.currency,
      maximumParticipant: row.places,
    };
    await t.api(saveEvent, { body: input }, as());
    expect(await kindsTo(t, confirmed.email)).toEqual(['eventChanged']);
    expect(await kindsTo(t, held.email)).toEqual(['eventChanged']);
    expect(await kindsTo(t, ended.email)).toEqual([]);
    expect(await rowOf(t, confirmed.id)).toMatchObject({ sequence: 1 });
    expect((await t.emails(confirmed.email))[0]!.attachments).toHaveLength(1);
    expect(await view(t, await tokenTo(t, held.email))).toMatchObject({ state: 'HELD', event: { startTime: '11:00' } });
    expect(await outcome(t.api(saveEvent, { body: { ...input, maximumParticipant: 1, type: 'GROUP' } }, as()))).toBe(
      'places_below_taken',
    );
  });
});

describe('18 the room', () => {
  test('opens from 30 minutes before until the end; the person waits under the booked name, marked, and is never admitted automatically', async () => {
    const { id } = await event({ startsInMinutes: 60 });
    const mine = await aBooking(t.db, { eventId: id, firstName: 'Réka', lastName: 'Oláh' });
    expect(await outcome(enter(mine.privateToken))).toBe('room_not_open');
    await t.move(31 * 60);
    // People with the link are admitted at once now.
    const screen = await openTherapistScreen(t.url, therapist);
    await t.app.clients.setAdmission(therapist.id, 'open');
    expect(await t.api(enterRoom, { body: { joinLink: therapist.joinLink, name: 'By link' } })).toMatchObject({
      state: 'in',
    });
    const seat = await enter(mine.privateToken);
    expect(seat).toMatchObject({ state: 'waiting', client: { name: 'Réka Oláh' } });
    expect(await t.api(getSeat, {}, { token: seat.token })).toMatchObject({ state: 'waiting' });
    expect((await t.app.clients.roomState(therapist.id)).waiting).toMatchObject([{ name: 'Réka Oláh', by: 'booking' }]);
    await screen.leave();
    await t.move(91 * 60);
    expect(await outcome(enter(mine.privateToken))).toBe('room_not_open');
  });

  test('stays closed if offline, unconfirmed or cancelled, and limits the tries per hour', async () => {
    const offline = await event({ isOnline: false, startsInMinutes: 10 });
    const online = await event({ startsInMinutes: 10 });
    expect(await outcome(enter((await aBooking(t.db, { eventId: offline.id })).privateToken))).toBe('room_not_open');
    expect(await outcome(enter((await aBooking(t.db, { eventId: online.id, state: 'HELD' })).privateToken))).toBe(
      'booking_ended',
    );
    const long = await aBooking(t.db, { eventId: online.id, firstName: 'Ä'.repeat(60), lastName: 'Ö'.repeat(60) });
    expect((await enter(long.privateToken)).client.name).toBe('Ä'.repeat(60));
    for (let nth = 1; nth < 20; nth++) await outcome(enter(long.privateToken));
    expect(await outcome(enter(long.privateToken))).toBe('too_many_requests');
    await t.api(cancelEvent, { body: { eventId: online.id, reason: 'x' } }, as());
    expect(await outcome(enter(long.privateToken))).toBe('event_cancelled');
  });
});

describe('22 a suspended therapist', () => {
  const suspend = () =>
    t.db
      .update(accounts)
      .set({ suspendedAt: sql`product_now()` })
      .where(eq(accounts.id, therapist.id));

  test('keeps bookings usable: people see, keep, cancel and decline them', async () => {
    const { id } = await event({ startsInMinutes: 20 });
    const [stays, leaves, held] = [
      await aBooking(t.db, { eventId: id }),
      await aBooking(t.db, { eventId: id }),
      await aHolder(id),
    ];
    await suspend();
    expect(await view(t, stays.privateToken)).toMatchObject({
      state: 'CONFIRMED',
      roomOpen: null,
      event: { id, status: 'PUBLISHED', therapistLastName: 'Halász' },
    });
    expect((await t.call(calls.bookingCalendar, { body: { token: stays.privateToken } })).status).toBe(200);
    await cancel(t, leaves.privateToken);
    expect(await kindsTo(t, leaves.email)).toEqual(['cancelledByClient']);
    expect(await look(t, held.token)).toMatchObject({ state: 'HELD' });
    await decline(t, held.token);
    expect(await states(id)).toEqual(['CONFIRMED', 'CANCELLED', 'DECLINED']);
  });

  test('gets no new ones, and nobody can enter their waiting room', async () => {
    const { id } = await event({ startsInMinutes: 20 });
    const [mine, held, late] = [
      await aBooking(t.db, { eventId: id }),
      await aHolder(id),
      await aBooking(t.db, { eventId: id, state: 'EXPIRED', minutesAgo: 20 }),
    ];
    await suspend();
    for (const token of [held.token, late.emailToken]) expect(await outcome(confirm(t, token))).toBe('booking_ended');
    expect(await outcome(enter(mine.privateToken))).toBe('room_not_open');
    expect(await states(id)).toEqual(['CONFIRMED', 'HELD', 'EXPIRED']);
    await t.db.update(accounts).set({ suspendedAt: null }).where(eq(accounts.id, therapist.id));
    expect((await confirm(t, held.token)).state).toBe('CONFIRMED');
    expect(await enter(mine.privateToken)).toMatchObject({ state: 'waiting' });
  });
});

describe('19 opening a link', () => {
  const path = (token: string) => `/api/event-booking/confirm?token=${token}`;
  const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  test('redirects a browser to the page, with the token in the fragment, and changes nothing', async () => {
    const { id } = await event();
    const { token } = await aHolder(id);
    const before = await rowsOf(t, id);
    const answer = await t.fetch(path(token), { headers: asBrowser });
    expect([
      answer.status,
      answer.headers.get('location'),
      answer.headers.get('referrer-policy'),
      answer.headers.get('cache-control'),
    ]).toEqual([303, `/event/confirm#token=${token}`, 'no-referrer', 'no-store']);
    for (const headers of [
      { ...asBrowser, purpose: 'prefetch' },
      { ...asBrowser, 'sec-purpose': 'prefetch;prerender' },
    ])
      expect((await t.fetch(path(token), { headers })).status).toBe(303);
    for (const headers of [
      {},
      { accept: '*/*' },
      { accept: 'application/json' },
      { [calls.CONFIRM_HEADER]: '0' },
      { [calls.CONFIRM_HEADER]: '' },
      { ...asBrowser, [calls.CONFIRM_HEADER]: '0' },
    ]) {
      const refused = await t.fetch(path(token), { headers: headers as Record<string, string> });
      expect([refused.status, refused.headers.get('content-type')]).toEqual([403, 'application/problem+json']);
    }
    for (const method of ['HEAD', 'OPTIONS', 'POST', 'PUT'])
      expect((await t.fetch(path(token), { method, headers: { [calls.CONFIRM_HEADER]: '1' } })).status).toBe(405);
    expect((await t.fetch(`/api/event-booking/decline?token=${token}`)).status).toBe(405);
    expect(await rowsOf(t, id)).toEqual(before);
    // Nothing else from the caller becomes part of the address.
    for (const wrong of ['%0d%0aset-cookie:a=b', '//evil.example', '"><script>', 'a&token=b', ''])
      expect((await t.fetch(path(wrong), { headers: asBrowser })).headers.get('location')).toBe('/event/confirm');
  });

  test('needs a header that other sites cannot send; no log contains tokens', async () => {
    const { id } = await event();
    const { token, handle, email } = await aHolder(id);
    const answer = await t.fetch(path(token), {
      method: 'OPTIONS',
      headers: {
        origin: 'https://evil.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': calls.CONFIRM_HEADER,
      },
    });
    expect(answer.headers.get('access-control-allow-origin')).toBe(null);
    const { bookingToken } = await confirm(t, token);
    await view(t, bookingToken);
    await outcome(resend(t, handle));
    for (const secret of [token, handle, bookingToken, email]) expect(t.logged.text()).not.toContain(secret);
  });
});

test('20 emails that became untrue before they were sent are withdrawn', async () => {
  const waiting = await testApp({
    env: { ...BEHIND_PROXY, SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'room@fieldroom.test' },
  });
  try {
    // None is sent while the test looks.
    await waiting.db.execute(
      sql`CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.not_before := 'infinity'; RETURN NEW; END $$`,
    );
    await waiting.db.execute(
      sql`CREATE TRIGGER wait BEFORE INSERT ON outbox_emails FOR EACH ROW EXECUTE FUNCTION wait()`,
    );
    const owner = await aTherapist(waiting.db);
    const { id } = await anEvent(waiting.db, { therapistId: owner.id });
    const emails = [
      aNewEmail('declines'),
      aNewEmail('deleted'),
      aNewEmail('cancels'),
      aNewEmail('corrects'),
      aNewEmail('confirms'),
    ] as const;
    const holds = [];
    for (const email of emails) {
      const hold = await book(waiting, id, { email }).catch(() => null);
      // Half of the places may be held: the first ones are confirmed before the others are made.
      holds.push({ hold, token: hold && (await tokenTo(waiting, email)) });
      if (email === emails[2]) await confirm(waiting, holds[2]!.token!);
    }
    const left = async (email: string) => (await waiting.emails(email)).map(({ kind }) => kind);
    expect(await left(emails[0])).toEqual(['bookings.held']);
    await decline(waiting, holds[0]!.token!);
    expect(await left(emails[0])).toEqual([]);
    await waiting.api(
      calls.removeAttendee,
      { params: { eventId: id }, body: { participant: { email: emails[1] } } },
      { token: owner.token },
    );
    expect(await left(emails[1])).toEqual(['bookings.cancelledByTherapist']);
    // It can no longer be sent again once it is confirmed.
    expect(await left(emails[2])).toEqual(['bookings.confirmed']);
    await cancel(waiting, await tokenTo(waiting, emails[2]));
    expect(await left(emails[2])).toEqual(['bookings.cancelledByClient']);
    await correct(waiting, holds[3]!.hold!.handle, aNewEmail());
    expect(await left(emails[3])).toEqual([]);
    // An expired one may still be confirmed late.
    await waiting.move(HOLD_SECONDS + 1);
    await book(waiting, id);
    expect(await left(emails[4])).toEqual(['bookings.held']);
    expect((await confirm(waiting, holds[4]!.token!)).state).toBe('CONFIRMED');
  } finally {
    await waiting.close();
  }
});

test('21 a late confirmation during the erasure of its data gets the answer for an unknown link', async () => {
  const { id } = await event({ daysAhead: 90 });
  const { token } = await aHolder(id);
  await t.move(HOLD_SECONDS + 1);
  await t.db.execute(sql`UPDATE bookings SET state = 'EXPIRED', ended_at = held_until, ended_by = 'time'
    WHERE event_id = ${id}`);
  let confirming: Promise<string>;
  await t.db.transaction(async (tx) => {
    await tx.execute(sql`UPDATE bookings SET email = '', email_normalized = '', erased_at = product_now()
      WHERE event_id = ${id}`);
    confirming = outcome(confirm(t, token));
    await untilLockWaits(t.db, 1);
  });
  expect(await confirming!).toBe('link_invalid');
});

test('21 a booking locked by an act is erased in the next run, the others now', async () => {
  const { id } = await event({ daysAhead: 90 });
  const [busy, other] = [await aHolder(id), await aHolder(id)];
  for (const { token } of [busy, other]) await decline(t, token);
  await t.move(86_400 * 31);
  const erased = async () => (await rowsOf(t, id)).map(({ erasedAt }) => erasedAt !== null);
  await t.db.transaction(async (tx) => {
    const first = (await rowsOf(t, id))[0]!;
    await tx.execute(sql`SELECT FROM bookings WHERE id = ${first.id} FOR UPDATE`);
    await t.app.bookings.eraseOutdated();
    expect(await erased()).toEqual([false, true]);
  });
  await t.app.bookings.eraseOutdated();
  expect(await erased()).toEqual([true, true]);
});

test('21 ended bookings lose personal data after 30 days, handles are removed after a day; numbers stay', async () => {
  const { id } = await event({ daysAhead: 90 });
  const declined = await aHolder(id);
  const expired = await aHolder(id);
  const confirmed = await aBooking(t.db, { eventId: id });
  const cancelled = await aBooking(t.db, { eventId: id });
  await decline(t, declined.token);
  await cancel(t, cancelled.privateToken);
  await t.app.bookings.eraseOutdated();
  expect(await t.db.select().from(bookingHandles).where(eq(bookingHandles.eventId, id))).toHaveLength(2);
  await t.move(86_400 * 2);
  await t.app.bookings.eraseOutdated();
  expect(await t.db.select().from(bookingHandles).where(eq(bookingHandles.eventId, id))).toEqual([]);
  expect((await rowsOf(t, id)).every(({ email }) => email !== '')).toBe(true);
  await t.move(86_400 * 29);
  await t.app.bookings.eraseOutdated();
  const rows = await rowsOf(t, id);
  for (const row of rows) {
    const kept = row.id === confirmed.id;
    expect(
      [row.firstName, row.lastName, row.email, row.emailNormalized, row.phone].every((text) => (text !== '') === kept),
      row.state,
    ).toBe(true);
    expect(row.erasedAt === null).toBe(kept);
  }
  expect(rows.map(({ state }) => state)).toEqual(['DECLINED', 'EXPIRED', 'CONFIRMED', 'CANCELLED']);
  for (const token of [declined.token, expired.token]) expect(await outcome(look(t, token))).toBe('link_invalid');
  expect(await t.db.select().from(bookingTokens).where(eq(bookingTokens.bookingId, cancelled.id))).toEqual([]);
  expect(await view(t, confirmed.privateToken)).toMatchObject({ state: 'CONFIRMED' });
});

describe('lists', () => {
  test('are only for the owner, live bookings in the order they were made; public answers contain only numbers', async () => {
    const row = await event();
    const [one, two] = [
      await aBooking(t.db, { eventId: row.id, minutesAgo: 20 }),
      await aBooking(t.db, { eventId: row.id, state: 'HELD', minutesAgo: 1 }),
    ];
    await aBooking(t.db, { eventId: row.id, state: 'CANCELLED' });
    expect((await list(row.id)).map(({ id, state, heldUntil }) => [id, state, heldUntil !== null])).toEqual([
      [one.id, 'CONFIRMED', false],
      [two.id, 'HELD', true],
    ]);
    expect(
      (await t.api(myEvent, { params: { eventId: row.id } }, as())).event.currentParticipantsInfo.map(({ id }) => id),
    ).toEqual([one.id, two.id]);
    const answer = await t.api(upcomingEvents, { params: { therapistName: therapist.slug } });
    expect(answer.content[0]).toMatchObject({ currentParticipantsNumber: 2, currentParticipantsInfo: [] });
    const own = await t.api(upcomingEvents, { params: { therapistName: therapist.slug } }, as());
    expect(own.content[0]!.currentParticipantsInfo.map(({ id }) => id)).toEqual([one.id, two.id]);
    const stranger = await aTherapist(t.db);
    for (const act of [
      () => t.api(calls.listBookings, { params: { eventId: row.id } }, { token: stranger.token }),
      () =>
        t.api(
          calls.addAttendee,
          { params: { eventId: row.id }, body: { firstName: 'A', lastName: 'B', email: aNewEmail() } },
          { token: stranger.token },
        ),
      () =>
        t.api(
          calls.removeAttendee,
          { params: { eventId: row.id }, body: { participant: { email: one.email } } },
          { token: stranger.token },
        ),
    ])
      expect(await outcome(act())).toBe('not_found');
  });

  test('the calendar file of a booking, for its owner', async () => {
    const { id } = await event();
    const [mine, held] = [await aBooking(t.db, { eventId: id }), await aBooking(t.db, { eventId: id, state: 'HELD' })];
    const answer = await t.call(calls.bookingCalendar, { body: { token: mine.privateToken } });
    expect([
      answer.status,
      answer.headers.get('content-type')?.split(';')[0],
      answer.headers.get('content-disposition'),
    ]).toEqual([200, 'text/calendar', 'attachment; filename="appointment.ics"']);
    expect(await answer.text()).toContain('METHOD:PUBLISH');
    expect(await outcome(t.api(calls.bookingCalendar, { body: { token: held.privateToken } }))).toBe('booking_ended');
    expect(await outcome(t.api(calls.bookingCalendar, { body: { token: mine.emailToken } }))).toBe('link_invalid');
  });
});

test('refuses names, addresses and numbers that could add headers or lines at their field, and stores nothing', async () => {
  const { id } = await event();
  const before = (await t.emails()).length;
  for (const [wish, fault] of [
    [{ firstName: 'Ana\r\nBcc: all@mail.example' }, 'firstName unsafe_characters'],
    [{ lastName: 'Pop\u0000' }, 'lastName unsafe_characters'],
    [{ lastName: 'left\u202Eright' }, 'lastName unsafe_characters'],
    [{ firstName: 'x'.repeat(61) }, 'firstName too_long'],
    [{ firstName: 'x'.repeat(60_000) }, 'firstName too_long'],
    [{ firstName: ' ' }, 'firstName required'],
    [{ email: 'a@mail.example\r\nBcc: b@mail.example' }, 'email invalid_format'],
    [{ email: 'a@mail.example, b@mail.example' }, 'email invalid_format'],
    [{ email: 'A <a@mail.example>' }, 'email invalid_format'],
    [{ email: `${'a'.repeat(250)}@mail.example` }, 'email too_long'],
    [{ phoneNumber: '12345\r\n' }, 'phoneNumber unsafe_characters'],
    [{ phoneNumber: 'call me' }, 'phoneNumber invalid_format'],
    [{ phoneNumber: '' }, 'phoneNumber required'],
    [{ language: 'fr' as never }, 'language invalid_value'],
  ] as const) {
    const got = await fields(book(t, id, wish));
    expect(got, JSON.stringify(wish).slice(0, 60)).toContain(fault);
  }
  expect(await rowsOf(t, id)).toEqual([]);
  expect((await t.emails()).length).toBe(before);
  // Unusual but harmless values are accepted.
  await book(t, id, {
    firstName: "Anne-Marie O'Neill <b>",
    lastName: 'Ő'.repeat(60),
    email: "o'neill+test@mail.example",
  });
});
