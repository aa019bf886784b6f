/**
 * Somebody who types an address into the form learns nothing about it from anything that the public can read: rule 4 of
 * README.md. The same acts are done at two events that differ in one thing: at one of them the address is already
 * booked.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import * as calls from '@fieldroom/contract/bookings';
import { myEvent, publicEvent, saveEvent, upcomingEvents } from '@fieldroom/contract/events';
import { aBooking } from '../../../builders/bookings.builders.ts';
import { anEvent, aSeries } from '../../../builders/events.builders.ts';
import { aTherapist, type BuiltAccount } from '../../../builders/accounts.builders.ts';
import { testApp, type TestApp } from '../../../../tests/support/test-app.ts';
import {
  aNewBlock,
  aNewEmail,
  atOnce,
  BEHIND_PROXY,
  book,
  confirm,
  correct,
  countsOf,
  decline,
  decoysOf,
  outcome,
  resend,
  seen,
  tokenTo,
} from '../bookings.fixture.ts';

const HOLD_SECONDS = calls.HOLD_MINUTES * 60;
let t: TestApp;
let therapist: BuiltAccount;
beforeAll(async () => {
  t = await testApp({ env: { ...BEHIND_PROXY, DATABASE_CONNECTIONS: '16' } });
});
afterAll(() => t.close());
beforeEach(async () => {
  therapist = await aTherapist(t.db);
});
const event = (wish: Partial<Parameters<typeof anEvent>[1]> = {}) =>
  anEvent(t.db, { therapistId: therapist.id, ...wish });
const as = () => ({ token: therapist.token });
const look = (eventId: number) => seen(t, therapist.slug, eventId);
const add = (eventId: number, email = aNewEmail()) =>
  t.api(calls.addAttendee, { params: { eventId }, body: { firstName: 'Ada', lastName: 'Moll', email } }, as());
/** An event at which somebody is booked, and an attempt with their address. */
async function aDecoy(places: number) {
  const row = await event({ places });
  const { email } = await aBooking(t.db, { eventId: row.id });
  return { row, id: row.id, email, hold: await book(t, row.id, { email }) };
}

/** The possible acts of a person with the page of an event and a mailbox. */
type Act =
  | { kind: 'book'; known: boolean }
  | { kind: 'resend'; nth: number }
  | { kind: 'correct'; nth: number; known: boolean }
  | { kind: 'late' }
  | { kind: 'wait'; seconds: number };
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('book' as const), known: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('resend' as const), nth: fc.nat(5) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('correct' as const), nth: fc.nat(5), known: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'late' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      seconds: fc.constantFrom(30, 300, HOLD_SECONDS - 20, HOLD_SECONDS + 1),
    }),
  },
);

/** Everything that is visible from these acts at an event where `victim` is booked, or at one where somebody else
 * is. */
async function watched(places: number, acts: readonly Act[], booked: boolean): Promise<unknown[]> {
  const { id } = await event({ places });
  const [victim, mine] = [aNewEmail('victim'), aNewEmail('mine')];
  await aBooking(t.db, { eventId: id, email: booked ? victim : aNewEmail() });
  const handles: string[] = [];
  const shown: unknown[] = [];
  // Somebody's own booking that expired: with its email they may ask for a place at any time.
  await book(t, id, { email: mine });
  const lateToken = await tokenTo(t, mine);
  await t.move(HOLD_SECONDS + 1);
  const hold = async (ask: () => Promise<calls.Hold>) => {
    const before = (await t.clock.now()).getTime();
    const got = await ask().catch((problem: unknown) => problem as { code: string });
    if (!('handle' in got)) return shown.push(got.code);
    handles.push(got.handle);
    // In steps of the waits above, because the acts themselves take a moment each.
    return shown.push([
      got.extendable,
      Math.round((Date.parse(got.heldUntil) - before) / 10_000),
      Object.keys(got).length,
    ]);
  };
  for (const one of acts) {
    if (one.kind === 'book') await hold(() => book(t, id, { email: one.known ? victim : aNewEmail() }));
    else if (one.kind === 'resend')
      await hold(() => resend(t, handles.at(one.nth % (handles.length || 1)) ?? 'x'.repeat(43)));
    else if (one.kind === 'correct')
      await hold(() =>
        correct(t, handles.at(one.nth % (handles.length || 1)) ?? 'x'.repeat(43), one.known ? victim : aNewEmail()),
      );
    else if (one.kind === 'late') shown.push(await outcome(confirm(t, lateToken)));
    else await t.move(one.seconds);
    shown.push(await look(id));
  }
  return shown;
}

describe('4 somebody who watches', () => {
  test('sees the same whether the address is booked or not, whatever they do', { timeout: 180_000 }, async () => {
    // Time advances only by the waits: the machine's time for the acts must not differ between the two.
    onTestFinished(() => t.clock.setSpeed(1));
    await t.clock.setSpeed(0.001);
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(2, 3, 6, 9),
        fc.array(act, { minLength: 2, maxLength: 7 }),
        async (places, acts) => {
          expect(await watched(places, acts, true)).toEqual(await watched(places, acts, false));
        },
      ),
      { numRuns: process.env['FIELDROOM_LONG'] === '1' ? 400 : 25 },
    );
  });

  test('sees an attempt with a known address take a place, for as long as a hold would', async () => {
    const { id, hold } = await aDecoy(2);
    expect(await look(id)).toEqual({ taken: 2, bookable: 'event_full' });
    // The shared read (rule 5) refuses it as if the event were really full: that counts against no limit.
    const from = aNewBlock();
    for (let nth = 0; nth < 8; nth++) expect(await outcome(book(t, id, { from }))).toBe('event_full');
    const again = await resend(t, hold.handle);
    expect(await look(id)).toEqual({ taken: 2, bookable: 'event_full' });
    await t.move(HOLD_SECONDS - 60);
    expect(Date.parse(again.heldUntil)).toBeGreaterThan((await t.clock.now()).getTime());
    expect(await outcome(book(t, id))).toBe('event_full');
    await t.move(61);
    expect(await look(id)).toEqual({ taken: 1, bookable: 'yes' });
    await book(t, id);
  });

  test('sees it counted in the list, the other days of a series and the half of the places', async () => {
    const [row, sibling] = await aSeries(t.db, { therapistId: therapist.id, places: 5, further: [7] });
    const { id } = row!;
    const { email } = await aBooking(t.db, { eventId: id });
    await book(t, id, { email });
    const { content } = await t.api(upcomingEvents, { params: { therapistName: therapist.slug } });
    expect(content.map(({ currentParticipantsNumber }) => currentParticipantsNumber)).toEqual([2, 0]);
    expect(
      (await t.api(publicEvent, { params: { therapistName: therapist.slug, eventId: sibling!.id } })).others,
    ).toMatchObject([{ id, freePlaces: 3 }]);
    await book(t, id);
    expect(await outcome(book(t, id))).toBe('event_holds_full');
    expect(await look(id)).toEqual({ taken: 3, bookable: 'event_holds_full' });
  });

  test('keeps the place when correcting the address, even if the event has become full', async () => {
    const { id, hold } = await aDecoy(2);
    const email = aNewEmail();
    await correct(t, hold.handle, email);
    expect([await countsOf(t, id), await decoysOf(t, id)]).toEqual([{ held: 1, confirmed: 1 }, 0]);
    expect((await confirm(t, await tokenTo(t, email))).state).toBe('CONFIRMED');
  });

  test('cannot take a place that looks taken by a late click', async () => {
    const { id } = await event({ places: 2 });
    const [victim, mine] = [aNewEmail(), aNewEmail()];
    await book(t, id, { email: mine });
    const token = await tokenTo(t, mine);
    await t.move(HOLD_SECONDS + 1);
    await aBooking(t.db, { eventId: id, email: victim });
    await book(t, id, { email: victim });
    expect(await outcome(confirm(t, token))).toBe('event_full');
    await t.move(HOLD_SECONDS + 1);
    expect(await outcome(confirm(t, token))).toBe('done');
  });

  test('sees many simultaneous tries with known and unknown addresses take at most all places', async () => {
    const { id } = await event({ places: 4 });
    const { email } = await aBooking(t.db, { eventId: id });
    const got = await atOnce(
      t,
      id,
      Array.from({ length: 20 }, (_, nth) => () => book(t, id, nth % 2 === 0 ? { email } : {})),
    );
    expect(got.filter((code) => code === 'done')).toHaveLength(3);
    const { held, confirmed } = await countsOf(t, id);
    expect(held + confirmed + (await decoysOf(t, id))).toBe(4);
  });
});

describe('4 the therapist', () => {
  const own = async (eventId: number) => (await t.api(myEvent, { params: { eventId } }, as())).event;

  test('sees no trace of it in lists and numbers, and can give the place away', async () => {
    const { row, id, hold } = await aDecoy(2);
    expect(await t.api(calls.listBookings, { params: { eventId: id } }, as())).toHaveLength(1);
    expect(await own(id)).toMatchObject({
      held: 0,
      confirmed: 1,
      currentParticipantsNumber: 1,
      currentParticipantsInfo: [expect.anything()],
    });
    const { content } = await t.api(upcomingEvents, { params: { therapistName: therapist.slug } }, as());
    expect(content[0]).toMatchObject({ currentParticipantsNumber: 1 });
    await add(id);
    // Nobody sees more places than there are, and the person who typed the address finds no place to keep.
    expect(await look(id)).toEqual({ taken: 2, bookable: 'event_full' });
    expect(await outcome(correct(t, hold.handle, aNewEmail()))).toBe('event_full');
    expect(await outcome(add(id))).toBe('event_full');
    expect(await countsOf(t, id)).toEqual({ held: 0, confirmed: 2 });
    expect(row.places).toBe(2);
  });

  test('can remove places that only look taken', async () => {
    const { row, id } = await aDecoy(4);
    await t.api(
      saveEvent,
      {
        body: {
          id,
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
    expect(await look(id)).toEqual({ taken: 1, bookable: 'event_full' });
  });

  test('cannot take a real hold away: it can be confirmed whatever else looks taken', async () => {
    const { id, email } = await aDecoy(5);
    const mine = aNewEmail();
    await book(t, id, { email: mine });
    for (let nth = 0; nth < 3; nth++) await add(id);
    expect(await countsOf(t, id)).toEqual({ held: 1, confirmed: 4 });
    expect((await confirm(t, await tokenTo(t, mine))).state).toBe('CONFIRMED');
    expect(await outcome(book(t, id, { email }))).toBe('event_full');
  });
});

describe('6 the email to a known address', () => {
  test('is in the outbox when the answer arrives, and its link works', async () => {
    const { id } = await event({ places: 9 });
    const [held, booked] = [aNewEmail('held'), aNewEmail('booked')];
    await aBooking(t.db, { eventId: id, email: booked, language: 'hu' });
    await book(t, id, { email: held, language: 'de' });
    await t.move(60);
    // No act waits for this: an email not written now would be lost with the process.
    const kinds = async (email: string) =>
      (await t.emails(email)).map(({ kind, language }) => [kind.replace('bookings.', ''), language]);
    const decoy = await book(t, id, { email: held.toUpperCase(), language: 'en' });
    expect(await kinds(held)).toEqual([
      ['held', 'de'],
      ['held', 'de'],
    ]);
    await book(t, id, { email: booked, language: 'en' });
    expect(await kinds(booked)).toEqual([['alreadyBooked', 'hu']]);
    await resend(t, decoy.handle);
    expect(await kinds(held)).toHaveLength(3);
    const other = await book(t, id);
    await correct(t, other.handle, booked);
    expect(await kinds(booked)).toHaveLength(2);
    const emails = (await t.emails(held)).map(({ text }) => text.replace(/#token=[\w-]+/, ''));
    expect(new Set(emails).size).toBe(1);
    expect((await confirm(t, await tokenTo(t, held))).state).toBe('CONFIRMED');
  });

  test('matches the state of the booking, even if the person confirmed or left in between', async () => {
    for (const answer of [confirm, decline]) {
      const { id } = await event({ places: 9 });
      const email = aNewEmail();
      await book(t, id, { email });
      const token = await tokenTo(t, email);
      expect(await atOnce(t, id, [() => answer(t, token), () => book(t, id, { email })], 2)).toEqual(['done', 'done']);
      await t.app.bookings.idle();
      // Whichever came first, the last email is right.
      const last = (await t.emails(email)).at(-1)!.kind;
      const { held, confirmed } = await countsOf(t, id);
      expect([[held, confirmed], last]).toEqual(
        answer === confirm ? [[0, 1], expect.stringMatching(/alreadyBooked|confirmed/)] : [[held, 0], 'bookings.held'],
      );
    }
  });
});
