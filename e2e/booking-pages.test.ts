/**
 * Every page about a booking in every state, drawn from the real answers of the server: what became of the booking
 * times what became of its event. A row names what each page shows; its buttons follow from that alone.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as calls from '@fieldroom/contract/bookings';
import { cancelEvent, deleteEvent, saveEvent } from '@fieldroom/contract/events';
import { aBooking, aPrivateLink } from '../server/src/builders/bookings.builders.ts';
import { anEvent } from '../server/src/builders/events.builders.ts';
import { aTherapist, type BuiltAccount } from '../server/src/builders/accounts.builders.ts';
import { testApp, type TestApp } from '../server/tests/support/test-app.ts';
import words from '../web/src/locales/en/booking.json' with { type: 'json' };
import { openTab, type Tab } from '../web/src/features/bookings/testing/tab.testing.ts';

const ENOUGH = '1000000/60';
let t: TestApp;
let tab: Tab;
let therapist: BuiltAccount;
beforeAll(async () => {
  t = await testApp({ env: { LIMIT_BOOKING: ENOUGH, LIMIT_OPEN_HOLDS: ENOUGH } });
  tab = await openTab(t.url);
});
afterAll(async () => {
  await tab.close();
  await t.close();
});
beforeEach(async () => {
  therapist = await aTherapist(t.db, { firstName: 'Judit' });
});

const BOOKINGS = ['held', 'confirmed', 'expired', 'declined', 'cancelled'] as const;
const EVENTS = ['published', 'moved', 'full', 'cancelled', 'deleted', 'over'] as const;
type BookingIs = (typeof BOOKINGS)[number];
type EventIs = (typeof EVENTS)[number];
const HOLD_SECONDS = calls.HOLD_MINUTES * 60;

/**
 * Somebody books, answers, and then something becomes of the event. Out: what this person and this browser have in
 * hand.
 */
async function happen(booking: BookingIs, event: EventIs) {
  const as = { token: therapist.token };
  const row = await anEvent(t.db, {
    therapistId: therapist.id,
    places: event === 'full' ? 1 : 4,
    isOnline: false,
    ...(event === 'over' ? { startsInMinutes: 30 } : {}),
  });
  const {
    id,
    name: eventName,
    type,
    isOnline,
    description,
    dates,
    startTime,
    endTime,
    timeZone,
    currency,
    places,
    location: eventLocation,
    address,
  } = row;
  const email = `${booking}-${event}@mail.example`;
  const hold = await t.api(calls.bookEvent, {
    params: { eventId: id },
    body: { firstName: 'Ana', lastName: 'Pop', email, phoneNumber: '+40 721 555 123', language: 'en' },
  });
  const letter = /#token=([\w-]{43})/.exec((await t.emails(email)).at(-1)!.text)![1]!;
  const [entry] = await t.api(calls.listBookings, { params: { eventId: id } }, as);
  const own = await aPrivateLink(t.db, entry!.id);
  if (booking === 'confirmed' || booking === 'cancelled')
    await t.api(calls.confirmBooking, { query: { token: letter } }, { headers: { [calls.CONFIRM_HEADER]: '1' } });
  if (booking === 'cancelled') await t.api(calls.cancelBooking, { body: { token: own } });
  if (booking === 'declined') await t.api(calls.declineBooking, { query: { token: letter } });
  if (booking === 'expired') await t.move(HOLD_SECONDS + 1);

  if (event === 'moved') {
    const changed = {
      id,
      eventName,
      type,
      isOnline,
      description,
      dates,
      startTime: '09:15',
      endTime: '10:00',
      timeZone,
      eventLocation,
      address,
      price: '45',
      currency,
      maximumParticipant: places,
    };
    await t.api(saveEvent, { body: changed }, as);
  }
  if (event === 'full' && booking !== 'held' && booking !== 'confirmed') await aBooking(t.db, { eventId: id });
  if (event === 'cancelled' || event === 'deleted')
    await t.api(cancelEvent, { body: { eventId: id, reason: 'Ill' } }, as);
  // As the therapist's own page does it: right after.
  if (event === 'deleted') await t.api(deleteEvent, { params: { id }, query: { deleteRepetitions: 'false' } }, as);
  if (event === 'over') await t.move(2 * 3600);
  const booked = JSON.stringify([
    dates,
    startTime.slice(0, 5),
    endTime.slice(0, 5),
    timeZone,
    isOnline,
    eventLocation,
    address,
  ]);
  return { id, letter, own, kept: { ...hold, eventId: id, email, booked } };
}

const { held: H, letter: L, private: P, state: S } = words;
type Row = readonly [booking: BookingIs, event: EventIs, held: string, letter: string, own: string];
/** Titles of the held page, of the page behind the letter, and of the private page. */
const TITLES: readonly Row[] = [
  ...(['published', 'moved', 'full'] as const).flatMap((event): Row[] => [
    ['held', event, H.held.title, L.ask.title, P.held.title],
    ['confirmed', event, H.ANSWERED.title, L.confirmed.title, P.confirmed.title],
    ['expired', event, H.over.title, L.late.title, P.expired.title],
    ['declined', event, H.ANSWERED.title, L.declined.title, P.declined.title],
    ['cancelled', event, H.ANSWERED.title, L.cancelled.title, P.cancelled.title],
  ]),
  // The event comes first: there is nothing to come to, whatever became of the booking.
  ...(['cancelled', 'deleted'] as const).flatMap((event) =>
    BOOKINGS.map((booking): Row => [
      booking,
      event,
      H.event_cancelled.title,
      L.refused.event_cancelled.title,
      P.eventCancelled.title,
    ]),
  ),
  // By then a hold has run out, and it is too late for it.
  ['held', 'over', H.event_closed.title, L.refused.event_closed.title, P.closed.title],
  ['confirmed', 'over', H.ANSWERED.title, P.over.title, P.over.title],
  ['expired', 'over', H.event_closed.title, L.refused.event_closed.title, P.closed.title],
  ['declined', 'over', H.ANSWERED.title, L.declined.title, P.declined.title],
  ['cancelled', 'over', H.ANSWERED.title, L.cancelled.title, P.cancelled.title],
];

/**
 * What the event's own page says, whether it can be booked there, and what the therapist's list says of it; null
 * where it is not listed.
 */
const EVENT_SAYS: Readonly<Record<EventIs, readonly [says: string, bookable: boolean, listed: string | null]>> = {
  published: ['An evening of constellations', true, 'left'],
  moved: ['An evening of constellations', true, 'left'],
  full: [S.event_full.title, false, words.places.full],
  cancelled: [S.event_cancelled.title, false, null],
  deleted: [words.unknown.title, false, null],
  over: [S.event_closed.title, false, null],
};

test('a row for every booking at every event', () => {
  const rows = TITLES.map(([booking, event]) => `${booking} ${event}`);
  expect(rows.toSorted()).toEqual(
    BOOKINGS.flatMap((booking) => EVENTS.map((event) => `${booking} ${event}`)).toSorted(),
  );
});

/** A title with its times, where it has some. */
const titled = (title: string) =>
  new RegExp(`^${title.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace('{{time}}', '\\d\\d:\\d\\d')}$`);
const settled = (title: string) => expect.poll(() => tab.heading(), { message: title }).toMatch(titled(title));
/** Words that invite to book, or promise a place. */
const INVITES = /welcome to book again|looking forward|place is yours/;

test.each(TITLES)('%s at an event %s', async (booking, event, heldTitle, letterTitle, ownTitle) => {
  const { id, letter, own, kept } = await happen(booking, event);
  const live = event === 'published' || event === 'moved' || event === 'full';
  const [says, bookable, listed] = EVENT_SAYS[event];
  const address = `/event/${therapist.slug}/${id}`;

  tab.remember(kept);
  await tab.open(address);
  await settled(heldTitle);
  expect(tab.buttons().includes(H.resend), 'the letter can be sent again').toBe(booking === 'held' && live);
  expect(tab.text().includes(L.moved), 'told that it was moved').toBe(booking === 'held' && event === 'moved');
  if (event === 'moved' && booking === 'held') expect(tab.text()).toContain('09:15');
  tab.remember(null);

  await tab.open(`/event/confirm#token=${letter}`);
  await settled(letterTitle);
  expect(tab.buttons().includes(L.confirm), 'can be confirmed').toBe(
    live && (booking === 'held' || booking === 'expired'),
  );
  expect(tab.buttons().includes(L.decline), 'can be declined').toBe(live && booking === 'held');
  const mayCome = booking === 'held' || booking === 'expired' || booking === 'confirmed';
  expect(tab.text().includes(L.moved), 'told that it was moved').toBe(event === 'moved' && mayCome);
  if (!live) expect(tab.text()).not.toMatch(INVITES);

  await tab.open(`/event/booking#token=${own}`);
  await settled(ownTitle);
  const has = live && (booking === 'held' || booking === 'confirmed');
  expect(tab.buttons().includes(P.cancel), 'can be cancelled').toBe(has);
  expect(tab.buttons().filter((text) => text === P.sendLink || text === P.sendConfirm)).toEqual(
    has ? [booking === 'held' ? P.sendConfirm : P.sendLink] : [],
  );
  expect(tab.buttons().includes(words.calendar), 'has a calendar file').toBe(live && booking === 'confirmed');
  if (!live) expect(tab.text()).not.toMatch(INVITES);

  await tab.open(address);
  await expect.poll(() => tab.text(), { message: says }).toContain(says);
  expect(tab.buttons().includes(words.card.book), 'can be booked').toBe(bookable);
  expect(tab.text()).not.toContain('holding a place');

  await tab.open(`/event/${therapist.slug}`);
  await expect.poll(() => tab.text()).toContain(listed ?? words.therapist.nothing);
});
