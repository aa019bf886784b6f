/**
 * Every page about a booking, rendered from real answers of the server, for each combination of the booking's state and
 * the event's state. A row names the titles of the pages; the expected buttons follow from the states.
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
 * Books a place, brings the booking and then its event into the given states. Returns the event's id, the tokens from
 * the emails, and what the browser remembers of the held place.
 */
async function bringInto(booking: BookingIs, event: EventIs) {
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
  const emailToken = /#token=([\w-]{43})/.exec((await t.emails(email)).at(-1)!.text)![1]!;
  const [entry] = await t.api(calls.listBookings, { params: { eventId: id } }, as);
  const own = await aPrivateLink(t.db, entry!.id);
  if (booking === 'confirmed' || booking === 'cancelled')
    await t.api(calls.confirmBooking, { query: { token: emailToken } }, { headers: { [calls.CONFIRM_HEADER]: '1' } });
  if (booking === 'cancelled') await t.api(calls.cancelBooking, { body: { token: own } });
  if (booking === 'declined') await t.api(calls.declineBooking, { query: { token: emailToken } });
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
  // The therapist's page also deletes right after cancelling.
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
  return { id, emailToken, own, kept: { ...hold, eventId: id, email, booked } };
}

const { held: H, email: E, private: P, state: S } = words;
type Row = readonly [booking: BookingIs, event: EventIs, held: string, email: string, own: string];
/** Titles of the page of the held place, of the page that the email links to, and of the private page. */
const TITLES: readonly Row[] = [
  ...(['published', 'moved', 'full'] as const).flatMap((event): Row[] => [
    ['held', event, H.held.title, E.ask.title, P.held.title],
    ['confirmed', event, H.ANSWERED.title, E.confirmed.title, P.confirmed.title],
    ['expired', event, H.over.title, E.late.title, P.expired.title],
    ['declined', event, H.ANSWERED.title, E.declined.title, P.declined.title],
    ['cancelled', event, H.ANSWERED.title, E.cancelled.title, P.cancelled.title],
  ]),
  // A cancelled event matters more than the state of the booking.
  ...(['cancelled', 'deleted'] as const).flatMap((event) =>
    BOOKINGS.map((booking): Row => [
      booking,
      event,
      H.event_cancelled.title,
      E.refused.event_cancelled.title,
      P.eventCancelled.title,
    ]),
  ),
  // When the event is over the hold has expired, and it is too late to book again.
  ['held', 'over', H.event_closed.title, E.refused.event_closed.title, P.closed.title],
  ['confirmed', 'over', H.ANSWERED.title, P.over.title, P.over.title],
  ['expired', 'over', H.event_closed.title, E.refused.event_closed.title, P.closed.title],
  ['declined', 'over', H.ANSWERED.title, E.declined.title, P.declined.title],
  ['cancelled', 'over', H.ANSWERED.title, E.cancelled.title, P.cancelled.title],
];

/** By state of the event: a text on its page, whether it can be booked there, and its text in the list, if listed. */
const EVENT_PAGE: Readonly<Record<EventIs, readonly [text: string, bookable: boolean, listed: string | null]>> = {
  published: ['An evening of constellations', true, 'left'],
  moved: ['An evening of constellations', true, 'left'],
  full: [S.event_full.title, false, words.places.full],
  cancelled: [S.event_cancelled.title, false, null],
  deleted: [words.unknown.title, false, null],
  over: [S.event_closed.title, false, null],
};

test('the table has a row for every combination of states', () => {
  const rows = TITLES.map(([booking, event]) => `${booking} ${event}`);
  expect(rows.toSorted()).toEqual(
    BOOKINGS.flatMap((booking) => EVENTS.map((event) => `${booking} ${event}`)).toSorted(),
  );
});

/** Matches a title, with any time in place of `{{time}}`. */
const titled = (title: string) => new RegExp(`^${title.split('{{time}}').map(RegExp.escape).join('\\d\\d:\\d\\d')}$`);
const expectTitle = (title: string) => expect.poll(() => tab.heading(), { message: title }).toMatch(titled(title));
/** Texts that invite people to book, or promise a place. */
const INVITATION = /welcome to book again|look(?:ing)? forward|place is yours/;

test.each(TITLES)('%s at an event %s', async (booking, event, heldTitle, emailTitle, ownTitle) => {
  const { id, emailToken, own, kept } = await bringInto(booking, event);
  const live = event === 'published' || event === 'moved' || event === 'full';
  const [text, bookable, listed] = EVENT_PAGE[event];
  const address = `/event/${therapist.slug}/${id}`;

  tab.remember(kept);
  await tab.open(address);
  await expectTitle(heldTitle);
  expect(tab.buttons().includes(H.resend), 'the email can be sent again').toBe(booking === 'held' && live);
  expect(tab.text().includes(E.moved), 'says that the event has moved').toBe(booking === 'held' && event === 'moved');
  if (event === 'moved' && booking === 'held') expect(tab.text()).toContain('09:15');
  tab.remember(null);

  await tab.open(`/event/confirm#token=${emailToken}`);
  await expectTitle(emailTitle);
  expect(tab.buttons().includes(E.confirm), 'can be confirmed').toBe(
    live && (booking === 'held' || booking === 'expired'),
  );
  expect(tab.buttons().includes(E.decline), 'can be declined').toBe(live && booking === 'held');
  const mayCome = booking === 'held' || booking === 'expired' || booking === 'confirmed';
  expect(tab.text().includes(E.moved), 'says that the event has moved').toBe(event === 'moved' && mayCome);
  if (!live) expect(tab.text()).not.toMatch(INVITATION);

  await tab.open(`/event/booking#token=${own}`);
  await expectTitle(ownTitle);
  const has = live && (booking === 'held' || booking === 'confirmed');
  expect(tab.buttons().includes(P.cancel), 'can be cancelled').toBe(has);
  expect(tab.buttons().filter((text) => text === P.sendLink || text === P.sendConfirm)).toEqual(
    has ? [booking === 'held' ? P.sendConfirm : P.sendLink] : [],
  );
  expect(tab.buttons().includes(words.calendar), 'has a calendar file').toBe(live && booking === 'confirmed');
  if (!live) expect(tab.text()).not.toMatch(INVITATION);

  await tab.open(address);
  await expect.poll(() => tab.text(), { message: text }).toContain(text);
  expect(tab.buttons().includes(words.card.book), 'can be booked').toBe(bookable);
  expect(tab.text()).not.toContain('holding a place');

  await tab.open(`/event/${therapist.slug}`);
  await expect.poll(() => tab.text()).toContain(listed ?? words.therapist.nothing);
});
