/** What links and handles show, and what guessing them costs. Numbers are those of README.md. */
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as calls from '@fieldroom/contract/bookings';
import { cancelEvent, deleteEvent, saveEvent } from '@fieldroom/contract/events';
import { aBooking } from '../../builders/bookings.builders.ts';
import { anEvent } from '../../builders/events.builders.ts';
import { aTherapist, type BuiltAccount } from '../../builders/accounts.builders.ts';
import { untilLockWaits } from '../../../tests/support/locks.ts';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';
import type { EventRow } from '../events/index.ts';
import {
  aNewBlock,
  aNewEmail,
  BEHIND_PROXY,
  book,
  cancel,
  confirm,
  correct,
  decline,
  decoysOf,
  kindsTo,
  look,
  lookAtHold,
  outcome,
  resend,
  rowsOf,
  sendLink,
  sendLinks,
  tokenTo,
  view,
} from './bookings.fixture.ts';
import { createLinks } from './bookings.links.ts';
import { createLinksByAddress } from './emails/bookings.links-by-address.ts';

let t: TestApp;
let therapist: BuiltAccount;
beforeAll(async () => {
  t = await testApp({ env: BEHIND_PROXY });
});
afterAll(() => t.close());
beforeEach(async () => {
  therapist = await aTherapist(t.db);
});

const HOLD_SECONDS = calls.HOLD_MINUTES * 60;
const as = () => ({ token: therapist.token });
const event = (wish: Partial<Parameters<typeof anEvent>[1]> = {}) =>
  anEvent(t.db, { therapistId: therapist.id, ...wish });
const cancelIt = (eventId: number) => t.api(cancelEvent, { body: { eventId, reason: 'Ill' } }, as());
const deleteIt = (id: number) => t.api(deleteEvent, { params: { id }, query: { deleteRepetitions: false } }, as());
const remove = (eventId: number, email: string) =>
  t.api(calls.removeAttendee, { params: { eventId }, body: { participant: { email } } }, as());
/** Saves an event with other values, as the therapist's form does. */
const save = (
  { id, name: eventName, type, isOnline, description, dates, startTime, endTime, timeZone, currency, places }: EventRow,
  change: object,
) =>
  t.api(
    saveEvent,
    {
      body: {
        id,
        eventName,
        type,
        isOnline,
        description,
        dates,
        startTime: startTime.slice(0, 5),
        endTime: endTime.slice(0, 5),
        timeZone,
        price: '45',
        currency,
        maximumParticipant: places,
        ...change,
      },
    },
    as(),
  );
const stateOf = async (handle: string) => (await lookAtHold(t, handle)).state;

describe('guessing', () => {
  test('counts wrong tries by address block, and no right ones', async () => {
    const turns: string[] = [];
    const wrong: string[] = [];
    const throttle = {
      turn: async (block: string) => void turns.push(block),
      wrong: async (block: string) => void wrong.push(block),
      stop() {},
    };
    const links = createLinks({ db: t.db, limits: t.app.limits, throttle });
    const { id } = await event();
    const { emailToken, privateToken } = await aBooking(t.db, { eventId: id });
    const { handle } = await book(t, id);
    for (const right of [
      links.booking(emailToken, 'email', '192.0.2.1'),
      links.booking(privateToken, 'private', '192.0.2.1'),
      links.handle(handle, '192.0.2.1'),
    ])
      await right;
    expect(wrong).toEqual([]);
    // A token with another purpose is as wrong as one that does not exist.
    const guesses = [
      () => links.booking(privateToken, 'email', '192.0.2.1'),
      () => links.booking('x'.repeat(43), 'private', '2001:db8::1'),
      () => links.handle(emailToken, '2001:db8::2'),
    ];
    for (const guess of guesses) expect(await outcome(guess())).toBe('link_invalid');
    expect(wrong).toEqual(['192.0.2.1', '2001:db8:0:0::/64', '2001:db8:0:0::/64']);
    expect(turns).toHaveLength(6);
  });

  test('is counted in every call with a token or a handle, together with wrong room codes and join links', async () => {
    const token = 'x'.repeat(43);
    const guesses = [
      [calls.lookAtConfirmLink, { body: { token } }],
      [calls.viewBooking, { body: { token } }],
      [calls.cancelBooking, { body: { token } }],
      [calls.sendBookingLink, { body: { token } }],
      [calls.bookingCalendar, { body: { token } }],
      [calls.enterBookedRoom, { body: { token } }],
      [calls.declineBooking, { query: { token } }],
      [calls.confirmBooking, { query: { token } }],
      [calls.lookAtHold, { body: { handle: token } }],
      [calls.resendHold, { body: { handle: token } }],
      [calls.correctHold, { body: { handle: token, email: aNewEmail() } }],
    ] as const;
    for (const [call, input] of guesses) {
      const from = aNewBlock();
      const tried = t.api(call as typeof calls.viewBooking, input as never, {
        headers: { 'x-forwarded-for': from, [calls.CONFIRM_HEADER]: '1' },
      });
      expect(await outcome(tried), call.path).toBe('link_invalid');
      expect((await t.app.limits.count(`wrong code ${from}`, { max: 1, windowSeconds: 900 })).ok, call.path).toBe(
        false,
      );
    }
  });

  test('never blocks a person with the right link', async () => {
    const { id } = await event();
    const { privateToken } = await aBooking(t.db, { eventId: id });
    const from = { headers: { 'x-forwarded-for': aNewBlock() } };
    const { max } = t.app.config.limits.wrongCode;
    for (let nth = 0; nth <= max; nth++)
      expect(await outcome(t.api(calls.viewBooking, { body: { token: 'x'.repeat(43) } }, from))).toBe('link_invalid');
    expect((await t.api(calls.viewBooking, { body: { token: privateToken } }, from)).state).toBe('CONFIRMED');
  });
});

describe('24 the outcome of a hold', () => {
  async function aHold(eventId: number) {
    const email = aNewEmail();
    const { handle, heldUntil } = await book(t, eventId, { email });
    return { email, handle, heldUntil, token: await tokenTo(t, email) };
  }

  test('is reported by its handle, until the handle is used', async () => {
    const { id } = await event();
    const { handle, heldUntil } = await aHold(id);
    expect(await lookAtHold(t, handle)).toMatchObject({
      state: 'HELD',
      heldUntil,
      event: { id, status: 'PUBLISHED', therapistName: therapist.slug },
    });
    const next = await resend(t, handle);
    expect(await outcome(lookAtHold(t, handle))).toBe('link_invalid');
    expect(await lookAtHold(t, next.handle)).toMatchObject({ state: 'HELD', heldUntil: next.heldUntil });
    await t.move(HOLD_SECONDS + 1);
    expect(await stateOf(next.handle)).toBe('EXPIRED');
  });

  test('follows every answer, on any device: confirmed, declined, cancelled, by the therapist', async () => {
    const { id } = await event({ places: 20 });
    const answers: ((hold: Awaited<ReturnType<typeof aHold>>) => Promise<unknown>)[] = [
      ({ token }) => confirm(t, token),
      ({ token }) => decline(t, token),
      async ({ token }) => cancel(t, (await confirm(t, token)).bookingToken),
      ({ email }) => remove(id, email),
      ({ email }) =>
        t.api(calls.addAttendee, { params: { eventId: id }, body: { firstName: 'A', lastName: 'B', email } }, as()),
    ];
    for (const answer of answers) {
      const hold = await aHold(id);
      await answer(hold);
      expect(await stateOf(hold.handle)).toBe('ANSWERED');
    }
  });

  test('stays answered when the email is sent again', async () => {
    const { id } = await event();
    const hold = await aHold(id);
    await confirm(t, hold.token);
    const { handle } = await resend(t, hold.handle);
    expect(await stateOf(handle)).toBe('ANSWERED');
  });

  test('is the event’s state first: cancelled, even if deleted right after; begun', async () => {
    const [one, two] = [await event(), await event({ startsInMinutes: 5 })];
    const [cancelled, answered, begun] = [await aHold(one.id), await aHold(one.id), await aHold(two.id)];
    await confirm(t, answered.token);
    await cancelIt(one.id);
    for (const { handle } of [cancelled, answered])
      expect(await lookAtHold(t, handle)).toMatchObject({ state: 'EVENT_CANCELLED', event: { status: 'CANCELLED' } });
    await deleteIt(one.id);
    for (const { handle } of [cancelled, answered])
      expect(await lookAtHold(t, handle)).toMatchObject({ state: 'EVENT_CANCELLED', event: { status: 'CANCELLED' } });
    expect(await outcome(resend(t, cancelled.handle))).toBe('booking_ended');
    await t.move(6 * 60);
    expect(await stateOf(begun.handle)).toBe('EVENT_CLOSED');
  });

  // Compares two addresses: one that was free when the stranger typed it, and one that was booked.
  test.each(['new', 'booked'] as const)('4 does not reveal whether an address is %s', async (which) => {
    const { id } = await event({ places: 20 });
    const email = aNewEmail();
    if (which === 'booked') await aBooking(t.db, { eventId: id, email });
    const [first, second] = [await book(t, id, { email }), await book(t, id, { email })];
    const shapes = [await lookAtHold(t, first.handle), await lookAtHold(t, second.handle)];
    expect(shapes.map(({ state }) => state)).toEqual(['HELD', 'HELD']);
    expect(await decoysOf(t, id)).toBe(which === 'new' ? 1 : 2);
    // A correction ends a hold if there is one; neither handle may show it.
    const corrected = await correct(t, first.handle, aNewEmail());
    expect(await outcome(lookAtHold(t, first.handle))).toBe('link_invalid');
    expect(await stateOf(second.handle)).toBe('HELD');
    expect(await stateOf(corrected.handle)).toBe('HELD');
    const back = await correct(t, corrected.handle, email);
    expect(await stateOf(back.handle)).toBe('HELD');
    await t.move(HOLD_SECONDS * 2 + 1);
    expect(await stateOf(second.handle)).toBe('EXPIRED');
    expect(await stateOf(back.handle)).toBe('EXPIRED');
  });
});

describe('1 a hold ends with the start of its event', () => {
  test('from the beginning, and when it is extended', async () => {
    const row = await event({ startsInMinutes: 7 });
    const email = aNewEmail();
    const hold = await book(t, row.id, { email });
    expect(hold.heldUntil).toBe(row.startsAt.toISOString());
    expect(await look(t, await tokenTo(t, email))).toMatchObject({ state: 'HELD', heldUntil: hold.heldUntil });
    expect((await resend(t, hold.handle)).heldUntil).toBe(hold.heldUntil);
    await t.move((row.startsAt.getTime() - (await t.clock.now()).getTime()) / 1000 + 1);
    expect(await outcome(confirm(t, await tokenTo(t, email)))).toBe('event_closed');
    expect(await look(t, await tokenTo(t, email))).toMatchObject({ state: 'EXPIRED' });
  });

  test('also when it is moved to within the ten minutes, for holds and decoys alike', async () => {
    const [row, soon] = [await event(), await event({ startsInMinutes: 5 })];
    const known = await aBooking(t.db, { eventId: row.id });
    const email = aNewEmail();
    const [hold, decoy] = [await book(t, row.id, { email }), await book(t, row.id, { email: known.email })];
    const { dates, startTime, endTime, timeZone } = soon;
    await save(row, { dates, startTime: startTime.slice(0, 5), endTime: endTime.slice(0, 5), timeZone });
    const start = soon.startsAt.toISOString();
    for (const { handle } of [hold, decoy])
      expect(await lookAtHold(t, handle)).toMatchObject({ state: 'HELD', heldUntil: start });
    expect((await rowsOf(t, row.id)).find((booking) => booking.email === email)).toMatchObject({
      state: 'HELD',
      heldUntil: soon.startsAt,
    });
    const moved = (await t.emails(email)).at(-1)!;
    expect(moved.text).toContain(`until ${startTime.slice(0, 5)} (`);
  });
});

describe('17 moved', () => {
  test('is shown behind every link of people who booked before, not of those who booked later', async () => {
    const row = await event();
    const [confirmed, held, late] = [
      await aBooking(t.db, { eventId: row.id }),
      await aBooking(t.db, { eventId: row.id, state: 'HELD' }),
      await aBooking(t.db, { eventId: row.id, state: 'EXPIRED', minutesAgo: 20 }),
    ];
    expect((await view(t, confirmed.privateToken)).movedOn).toBeNull();
    await save(row, { startTime: '09:00', endTime: '10:00' });
    const later = await aBooking(t.db, { eventId: row.id });
    expect((await look(t, late.emailToken)).movedOn).toEqual(expect.any(String));
    expect((await view(t, confirmed.privateToken)).movedOn).toEqual(expect.any(String));
    expect((await look(t, held.emailToken)).movedOn).toEqual(expect.any(String));
    expect((await view(t, later.privateToken)).movedOn).toBeNull();
  });
});

describe('14 a person’s own booking of an event that was deleted', () => {
  test('before its end it does not take place; after that it did', async () => {
    const [one, two] = [await event({ startsInMinutes: 1 }), await event({ startsInMinutes: 1 })];
    const [before, after] = [
      await aBooking(t.db, { eventId: one.id, state: 'DECLINED' }),
      await aBooking(t.db, { eventId: two.id, state: 'DECLINED' }),
    ];
    await deleteIt(one.id);
    await t.move(2 * 3600);
    await deleteIt(two.id);
    expect((await view(t, before.privateToken)).event.status).toBe('CANCELLED');
    expect((await view(t, after.privateToken)).event.status).toBe('PUBLISHED');
  });
});

describe('28 the links of an address', () => {
  const tokensIn = (text: string, page: string) =>
    [...text.matchAll(new RegExp(`/event/${page}#token=([\\w-]{43})`, 'g'))].map(([, token]) => token!);

  test('are sent in one email with all live bookings, the next event first; each link opens its booking', async () => {
    const email = aNewEmail();
    const [later, next, asked] = [
      await event({ daysAhead: 9 }),
      await event({ daysAhead: 3 }),
      await event({ daysAhead: 5 }),
    ];
    await aBooking(t.db, { eventId: later.id, email, language: 'en' });
    await aBooking(t.db, { eventId: next.id, email, language: 'en' });
    await aBooking(t.db, { eventId: asked.id, email, state: 'HELD', language: 'de' });
    // It contains nothing that has ended, was cancelled or is over, and nothing of other people.
    const [ended, off, over] = [await event(), await event(), await event({ daysAhead: -2 })];
    await aBooking(t.db, { eventId: ended.id, email, state: 'CANCELLED' });
    await aBooking(t.db, { eventId: over.id, email });
    await aBooking(t.db, { eventId: next.id });
    await aBooking(t.db, { eventId: off.id, email });
    await cancelIt(off.id);
    const before = (await t.emails(email)).length;

    expect(await sendLinks(t, `  ${email.toUpperCase()} `)).toBeUndefined();
    await t.app.bookings.idle();
    const written = (await t.emails(email)).slice(before);
    expect(written.map(({ kind, language, subject }) => ({ kind, language, subject }))).toEqual([
      { kind: 'bookings.links', language: 'de', subject: 'Die Links zu Ihren Buchungen' },
    ]);
    const { text } = written[0]!;
    const own = tokensIn(text, 'booking');
    const shown = await Promise.all(own.map((token) => view(t, token)));
    expect(shown.map(({ event: { id }, state }) => [id, state])).toEqual([
      [next.id, 'CONFIRMED'],
      [later.id, 'CONFIRMED'],
    ]);
    const toConfirm = tokensIn(text, 'confirm');
    expect(toConfirm).toHaveLength(1);
    expect(await look(t, toConfirm[0]!)).toMatchObject({ state: 'HELD', event: { id: asked.id } });
    expect(await rowsOf(t, asked.id)).toMatchObject([{ state: 'HELD' }]);
  });

  test('are not sent for a booking that ends at the same moment', async () => {
    const email = aNewEmail();
    const [ending, staying] = [await event({ daysAhead: 3 }), await event({ daysAhead: 5 })];
    const ended = await aBooking(t.db, { eventId: ending.id, email });
    await aBooking(t.db, { eventId: staying.id, email });
    await t.db.transaction(async (tx) => {
      await t.app.events.lock(tx, ending.id);
      await sendLinks(t, email);
      await untilLockWaits(t.db, 1);
      await tx.execute(sql`UPDATE bookings SET state = 'CANCELLED' WHERE id = ${ended.id}`);
    });
    await t.app.bookings.idle();
    const [links, ...more] = await t.emails(email);
    expect(more).toEqual([]);
    const tokens = tokensIn(links!.text, 'booking');
    expect(tokens).toHaveLength(1);
    expect((await view(t, tokens[0]!)).event.id).toBe(staying.id);
  });

  test('wait only for the first of their events, and lock none while waiting', async () => {
    const email = aNewEmail();
    const [first, second] = [await event({ daysAhead: 5 }), await event({ daysAhead: 3 })];
    for (const { id } of [first, second]) await aBooking(t.db, { eventId: id, email });
    const locked: [id: number, noWait: boolean | undefined][] = [];
    const works: Promise<void>[] = [];
    const { limits, config, events } = t.app;
    const send = createLinksByAddress({
      ...{ db: t.db, limits, config },
      events: {
        inviter: events.inviter,
        lock(tx, id, how) {
          locked.push([id, how?.noWait]);
          return events.lock(tx, id, how);
        },
      },
      mail: { links: async () => {} },
      unprovenLimits: { allows: async () => true },
      afterAnswer: { add: (work) => works.push(work()) > 0, idle: async () => {}, stop: async () => {} },
    });
    await send(email, '10.8.8.8');
    await Promise.all(works);
    expect(locked).toEqual([
      [first.id, false],
      [second.id, true],
    ]);
    await t.db.transaction(async (tx) => {
      await events.lock(tx, second.id);
      await send(email, '10.8.8.8');
      await expect(works.at(-1)).rejects.toMatchObject({ cause: { code: '55P03' } });
    });
  });

  test('get the same answer for an unknown address, which receives nothing', async () => {
    const email = aNewEmail();
    expect(await sendLinks(t, email)).toBeUndefined();
    expect(await kindsTo(t, email)).toEqual([]);
    expect(await outcome(sendLinks(t, 'no address'))).toBe('invalid_input');
  });

  test('docs/product.md#14.2 are sent three times a day to an address, and the answer stays the same', async () => {
    const { id } = await event();
    const { email } = await aBooking(t.db, { eventId: id });
    for (let nth = 0; nth < 5; nth++) expect(await sendLinks(t, email)).toBeUndefined();
    expect(await kindsTo(t, email)).toEqual(['links', 'links', 'links']);
    await t.move(86_401);
    await sendLinks(t, email);
    expect(await kindsTo(t, email)).toHaveLength(4);
  });

  test('docs/product.md#14.1 have the limit of bookings for one address block', async () => {
    const from = aNewBlock();
    const { max } = t.app.config.limits.booking;
    for (let nth = 0; nth < max; nth++) await sendLinks(t, aNewEmail(), from);
    expect(await outcome(sendLinks(t, aNewEmail(), from))).toBe('too_many_requests');
  });

  test('22 of a suspended therapist include only confirmed bookings', async () => {
    const email = aNewEmail();
    const [confirmed, held] = [await event(), await event()];
    await aBooking(t.db, { eventId: confirmed.id, email });
    await aBooking(t.db, { eventId: held.id, email, state: 'HELD' });
    await t.app.accounts.suspend(therapist.id);
    await sendLinks(t, email);
    await t.app.bookings.idle();
    const { text } = (await t.emails(email)).at(-1)!;
    expect([tokensIn(text, 'booking').length, tokensIn(text, 'confirm').length]).toEqual([1, 0]);
  });
});

describe('23 the link again', () => {
  test('is sent to the booking’s own address, three times an hour', async () => {
    const { id } = await event();
    const mine = await aBooking(t.db, { eventId: id, language: 'de' });
    await sendLink(t, mine.privateToken);
    expect(await kindsTo(t, mine.email)).toEqual(['linkAgain']);
    expect((await t.emails(mine.email))[0]).toMatchObject({ language: 'de', subject: 'Der Link zu Ihrer Buchung' });
    expect(await view(t, await tokenTo(t, mine.email))).toMatchObject({ state: 'CONFIRMED', email: mine.email });
    for (let nth = 1; nth < 3; nth++) await sendLink(t, mine.privateToken);
    expect(await outcome(sendLink(t, mine.privateToken))).toBe('too_many_requests');
    expect(await kindsTo(t, mine.email)).toHaveLength(3);
    await t.move(3601);
    await sendLink(t, mine.privateToken);
  });

  test('of a hold is the one to confirm', async () => {
    const { id } = await event();
    const held = await aBooking(t.db, { eventId: id, state: 'HELD' });
    await sendLink(t, held.privateToken);
    expect(await kindsTo(t, held.email)).toEqual(['held']);
    expect((await confirm(t, await tokenTo(t, held.email))).state).toBe('CONFIRMED');
  });

  test('is not sent if the booking cannot be used any more', async () => {
    const [row, off, over] = [await event(), await event(), await event({ daysAhead: -1 })];
    const [ended, gone, past] = [
      await aBooking(t.db, { eventId: row.id, state: 'CANCELLED' }),
      await aBooking(t.db, { eventId: off.id }),
      await aBooking(t.db, { eventId: over.id }),
    ];
    await cancelIt(off.id);
    expect(await outcome(sendLink(t, ended.privateToken))).toBe('booking_ended');
    expect(await outcome(sendLink(t, gone.privateToken))).toBe('event_cancelled');
    expect(await outcome(sendLink(t, past.privateToken))).toBe('event_closed');
    expect(await outcome(sendLink(t, ended.emailToken))).toBe('link_invalid');
    // They send nothing, but their number is limited.
    for (let nth = 1; nth < 30; nth++) expect(await outcome(sendLink(t, ended.privateToken))).toBe('booking_ended');
    expect(await outcome(sendLink(t, ended.privateToken))).toBe('too_many_requests');
    for (const { email } of [ended, past]) expect(await t.emails(email)).toEqual([]);
  });

  test('is withdrawn when the booking ends before it is sent', async () => {
    const smtp = await testApp({
      env: { ...BEHIND_PROXY, SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'room@fieldroom.test' },
    });
    try {
      const { id: therapistId } = await aTherapist(smtp.db);
      const { id } = await anEvent(smtp.db, { therapistId });
      const mine = await aBooking(smtp.db, { eventId: id });
      await sendLink(smtp, mine.privateToken);
      await cancel(smtp, mine.privateToken);
      expect(await kindsTo(smtp, mine.email)).toEqual(['cancelledByClient']);
    } finally {
      await smtp.close();
    }
  });
});
