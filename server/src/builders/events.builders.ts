/** Builders of events: for tests and the demo practice. */
import { sql } from 'drizzle-orm';
import {
  dayPlus,
  minorToPrice,
  paddedTime,
  placesOf,
  type Currency,
  type EventStatus,
  type EventType,
  type RepetitionRule,
} from '@fieldroom/contract/events';
import { instantsOf } from '../features/events/events.rules.ts';
import { searchable } from '../platform/db/search-text.ts';
import { findEvent, insertEvents, lockSeries } from '../features/events/events.store.ts';
import { dayAt } from '../features/events/events.time.ts';
import type { EventRow } from '../features/events/index.ts';
import type { Queryable } from '../platform/db/db.ts';

export interface EventWish {
  therapistId: number;
  name?: string;
  type?: EventType;
  isOnline?: boolean;
  location?: string;
  address?: string;
  description?: string;
  places?: number;
  priceMinor?: number;
  currency?: Currency;
  timeZone?: string;
  startTime?: string;
  endTime?: string;
  /** First day, counted from today in the event's zone; negative for a past one. */
  daysAhead?: number;
  /** Days of one occurrence, counted from its first day; [0, 1] is a weekend. */
  pattern?: readonly number[];
  /** Further occurrences, in days after the first. */
  further?: readonly number[];
  repetitionRule?: RepetitionRule;
  /**
   * Instead of days: begins at the next whole minute after this many minutes (negative: has begun) and lasts an hour,
   * in a zone where midnight is not near.
   */
  startsInMinutes?: number;
  /** Inner id of a picture that is already stored. */
  imageFile?: string;
  status?: EventStatus;
  cancelReason?: string;
  deleted?: boolean;
}

const MINUTE_MS = 60_000;

/** Returns the wall-clock values of an event that begins at an instant. */
function wallFrom(startsAt: Date): { day: string; startTime: string; endTime: string; timeZone: string } {
  for (const timeZone of ['UTC', 'Asia/Tokyo', 'Asia/Kolkata']) {
    const day = dayAt(startsAt, timeZone);
    const minutes = Math.round(
      (startsAt.getTime() -
        instantsOf({ dates: [day], startTime: '00:00', endTime: '00:01', timeZone }).startsAt.getTime()) /
        MINUTE_MS,
    );
    if (minutes + 60 < 24 * 60)
      return {
        day,
        timeZone,
        startTime: paddedTime(Math.floor(minutes / 60), minutes % 60),
        endTime: paddedTime(Math.floor(minutes / 60) + 1, minutes % 60),
      };
  }
  throw new Error('midnight everywhere');
}

/**
 * An event with its further occurrences. Takes database or transaction, and what the case needs. Returns the
 * occurrences in order of time.
 */
export async function aSeries(db: Queryable, wish: EventWish): Promise<EventRow[]> {
  const {
    rows: [clock],
  } = await db.execute<{ now: string }>(sql`SELECT product_now() AS now`);
  const now = new Date(clock!.now);
  const {
    name = 'An evening of constellations',
    type = 'GROUP',
    isOnline = true,
    description = 'You bring one question.',
    pattern = [0],
    further = [],
    status = 'PUBLISHED',
  } = wish;
  const { location = isOnline ? '' : 'Practice in the garden', address = isOnline ? '' : 'Gartengasse 5, 1050 Wien' } =
    wish;
  const exact =
    wish.startsInMinutes === undefined
      ? null
      : wallFrom(new Date(Math.ceil(now.getTime() / MINUTE_MS + wish.startsInMinutes) * MINUTE_MS));
  const timeZone = wish.timeZone ?? exact?.timeZone ?? 'Europe/Vienna';
  const wall = {
    timeZone,
    startTime: wish.startTime ?? exact?.startTime ?? '18:00',
    endTime: wish.endTime ?? exact?.endTime ?? '20:30',
  };
  const first = exact?.day ?? dayPlus(dayAt(now, timeZone), wish.daysAhead ?? 14);
  const rows = [0, ...further].map((days) => {
    const dates = pattern.map((offset) => dayPlus(first, days + offset));
    return {
      therapistId: wish.therapistId,
      name,
      type,
      isOnline,
      location,
      address,
      description,
      places: placesOf(type, wish.places ?? 8),
      priceMinor: wish.priceMinor ?? 4500,
      currency: wish.currency ?? ('EUR' as const),
      ...wall,
      ...instantsOf({ ...wall, dates }),
      dates,
      repetitionRule: wish.repetitionRule ?? null,
      imageFile: wish.imageFile ?? null,
      searchText: searchable(name, description, location, address),
      status,
      cancelReason: status === 'CANCELLED' ? (wish.cancelReason ?? 'It cannot take place.') : null,
      cancelledAt: status === 'CANCELLED' ? now : null,
      deletedAt: wish.deleted === true ? now : null,
    };
  });
  const [seriesId] = await insertEvents(db, rows);
  return lockSeries(db, seriesId!);
}

/** One event: `anEvent(db, { therapistId, places: 1 })`. */
export async function anEvent(db: Queryable, wish: EventWish): Promise<EventRow> {
  return (await aSeries(db, wish))[0]!;
}

/** Returns the row as it is now. */
export async function eventAgain(db: Queryable, id: number): Promise<EventRow> {
  const row = await findEvent(db, id);
  if (!row) throw new Error(`there is no event ${id}`);
  return row;
}

/** The body of `saveEvent` that would leave an event as it is. Takes the event, and values to put in their place. */
export const eventInput = (row: EventRow, change: Record<string, unknown> = {}): Record<string, unknown> => ({
  id: row.id,
  eventName: row.name,
  type: row.type,
  isOnline: row.isOnline,
  eventLocation: row.location,
  address: row.address,
  description: row.description,
  dates: row.dates,
  startTime: row.startTime,
  endTime: row.endTime,
  timeZone: row.timeZone,
  price: minorToPrice(row.priceMinor, row.currency),
  currency: row.currency,
  maximumParticipant: row.places,
  ...change,
});
