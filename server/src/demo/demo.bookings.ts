/**
 * Attendees of the demo practice's events: confirmed, held for the next ten minutes, added by the therapist, cancelled;
 * and one full event.
 */
import type { Language } from '@fieldroom/contract/text';
import type { DemoEvents } from './demo.events.ts';
import type { Queryable } from '../platform/db/db.ts';
import { aBooking, type BookingWish } from '../builders/bookings.builders.ts';

type DemoPerson = readonly [firstName: string, lastName: string, language: Language, phone: string];

const HANNA: DemoPerson = ['Hanna', 'Weber', 'de', '+43 660 555 0142'];
const REKA: DemoPerson = ['Réka', 'Balogh', 'hu', '+36 30 555 0178'];
const STEFAN: DemoPerson = ['Ștefan', 'Munteanu', 'ro', '+40 721 555 016'];
const JONAS: DemoPerson = ['Jonas', 'Lindner', 'de', '+49 151 555 0193'];
const IOANA: DemoPerson = ['Ioana', 'Popescu', 'ro', '+40 745 555 082'];
const LEVENTE: DemoPerson = ['Levente', 'Szűcs', 'hu', ''];
const CLARE: DemoPerson = ['Clare', 'Whitfield', 'en', '+44 7700 900 461'];
const MIRELA: DemoPerson = ['Mirela', 'Ionescu', 'ro', '+40 733 555 027'];

const DAY = 24 * 60;

/** Books. Takes database or transaction, and the events that were written. */
export async function fillDemoBookings(
  db: Queryable,
  { evenings, weekend, talks, full, past, cancelled }: DemoEvents,
): Promise<void> {
  const books = async (
    eventId: number,
    [firstName, lastName, language, phone]: DemoPerson,
    daysAgo: number,
    wish: Partial<BookingWish> = {},
  ) => {
    await aBooking(db, {
      eventId,
      firstName,
      lastName,
      language,
      phone,
      email: `${plain(firstName)}.${plain(lastName)}@mail.example`,
      minutesAgo: daysAgo * DAY,
      ...wish,
    });
  };
  const [first, second] = evenings;
  await books(first!.id, HANNA, 9);
  await books(first!.id, REKA, 8.4);
  await books(first!.id, STEFAN, 6.1);
  await books(first!.id, LEVENTE, 5.5, { addedByTherapist: true });
  await books(first!.id, JONAS, 2.2);
  await books(first!.id, CLARE, 4, { state: 'CANCELLED' });
  await books(second!.id, HANNA, 3.3);
  await books(second!.id, IOANA, 0.7);
  for (const [nth, person] of [JONAS, MIRELA, CLARE, REKA].entries()) await books(weekend.id, person, 11 - 2.3 * nth);
  // Somebody who is just about to open the email.
  await books(weekend.id, STEFAN, 0, { state: 'HELD' });
  await books(talks[1]!.id, IOANA, 1.6);
  for (const [nth, person] of [CLARE, HANNA, LEVENTE, MIRELA].entries()) await books(full.id, person, 7 - 1.4 * nth);
  for (const [nth, person] of [REKA, JONAS, IOANA, STEFAN, MIRELA, HANNA].entries())
    await books(past.id, person, 30 - 2 * nth);
  for (const person of [HANNA, CLARE]) await books(cancelled.id, person, 10, { state: 'CANCELLED', endedBy: 'event' });
}

/** `Szűcs` → `szucs`. */
const plain = (name: string) =>
  name
    .normalize('NFKD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase();
