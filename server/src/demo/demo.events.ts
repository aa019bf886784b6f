/**
 * The events of the demo practice: of both kinds, online and in Vienna, future, full, past and cancelled. Days are
 * calculated from today.
 */
import { dayPlus } from '@fieldroom/contract/events';
import type { LandscapeName } from './demo.pictures.ts';
import type { EventRow } from '../features/events/index.ts';
import type { Queryable } from '../platform/db/db.ts';
import { anEvent, aSeries } from '../builders/events.builders.ts';

export const DEMO_ZONE = 'Europe/Vienna';

/** The demo's events by what they show; bookings adds the attendees. */
export interface DemoEvents {
  /** Eight evenings, once a week. */
  readonly evenings: readonly EventRow[];
  readonly weekend: EventRow;
  /** One-to-one, five times to choose from. */
  readonly talks: readonly EventRow[];
  /** Four places, all of which are taken. */
  readonly full: EventRow;
  readonly past: EventRow;
  readonly cancelled: EventRow;
}

/** Which landscape each of them has. */
const DEMO_PICTURES = {
  evenings: 'evening',
  weekend: 'river',
  talks: 'meadow',
  full: 'morning',
  past: 'meadow',
  cancelled: 'meadow',
} as const satisfies Record<keyof DemoEvents, LandscapeName>;

/** Days until a weekday (0 is Sunday), at least this many from today. */
function daysUntil(today: string, weekday: number, least: number): number {
  const from = new Date(`${dayPlus(today, least)}T00:00:00Z`).getUTCDay();
  return least + ((weekday - from + 7) % 7);
}

/**
 * Writes the events. Takes database or transaction, the therapist, today (`YYYY-MM-DD`), and the inner ids of the
 * landscapes. Returns what was written.
 */
export async function fillDemoEvents(
  db: Queryable,
  {
    therapistId,
    today,
    pictures,
  }: { therapistId: number; today: string; pictures: Readonly<Record<LandscapeName, string>> },
): Promise<DemoEvents> {
  const one = (which: keyof DemoEvents) => ({
    therapistId,
    timeZone: DEMO_ZONE,
    imageFile: pictures[DEMO_PICTURES[which]],
  });
  return {
    evenings: await aSeries(db, {
      ...one('evenings'),
      name: 'An evening of constellations',
      description:
        'Two hours and a half for one or two questions of the group.\n\nYou can come with a question of your own, or to stand for others. Nothing is recorded, and what is said stays with us.\n\nYou need a computer or a tablet and a room where nobody walks in.',
      daysAhead: daysUntil(today, 4, 3),
      further: [7, 14, 21, 28, 35, 42, 49],
      repetitionRule: { unit: 'week', frequency: 1, occasions: 8 },
      startTime: '18:00',
      endTime: '20:30',
      places: 8,
      priceMinor: 4500,
    }),
    weekend: await anEvent(db, {
      ...one('weekend'),
      name: 'Where we come from: a weekend of family constellations',
      description:
        'Two unhurried days in a small group.\n\n09:30 Arriving, and a short round\n10:15 Two constellations, with time in between\n13:00 A long lunch break\n14:30 Two more constellations and a closing round\n\nTea, coffee and fruit are there all day.',
      isOnline: false,
      location: 'Studio by the river',
      address: 'Uferweg 3, 1020 Wien',
      daysAhead: daysUntil(today, 6, 20),
      pattern: [0, 1],
      startTime: '09:30',
      endTime: '17:00',
      places: 12,
      priceMinor: 24_000,
    }),
    talks: await aSeries(db, {
      ...one('talks'),
      name: 'A conversation for the two of us',
      description: 'Fifty minutes to look at what you bring, and to see whether working together is right for you.',
      type: 'ONE_ON_ONE',
      daysAhead: daysUntil(today, 2, 2),
      further: [1, 7, 8, 14],
      startTime: '10:00',
      endTime: '10:50',
      priceMinor: 7000,
    }),
    full: await anEvent(db, {
      ...one('full'),
      name: 'Finding your place: a day for four',
      description:
        'A slow, well-held Saturday. You bring one question; together we place it on the field, look at it, and let something move.',
      daysAhead: daysUntil(today, 6, 8),
      startTime: '09:30',
      endTime: '16:00',
      places: 4,
      priceMinor: 12_000,
    }),
    past: await anEvent(db, {
      ...one('past'),
      name: 'What carries us',
      description: 'An afternoon about strength that was handed down.',
      isOnline: false,
      location: 'Practice in the garden',
      address: 'Gartengasse 5, 1050 Wien',
      daysAhead: -12,
      startTime: '14:00',
      endTime: '18:00',
      places: 10,
      priceMinor: 8000,
    }),
    cancelled: await anEvent(db, {
      ...one('cancelled'),
      name: 'A circle in the open air',
      description: 'Under the old trees, in any weather but storm.',
      isOnline: false,
      location: 'Meadow behind the chapel',
      address: 'Am Himmel 1, 1190 Wien',
      // A day of a weekend, as the reason says, on which she has nothing else.
      daysAhead: daysUntil(today, 0, 9),
      startTime: '15:00',
      endTime: '18:00',
      places: 10,
      priceMinor: 3000,
      status: 'CANCELLED',
      cancelReason: 'A storm is forecast for the whole weekend. I am sorry, and I hope to see you in spring.',
    }),
  };
}
