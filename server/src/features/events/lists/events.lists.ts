/** Decides what is shown of events, and to whom. */
import { placesAtOnce, refusesAll, type Booking } from '@fieldroom/contract/bookings';
import type {
  Event,
  eventDefaults,
  EventFilter,
  eventImages,
  myEvent,
  myEvents,
  publicEvent,
  publicTherapistPage,
  upcomingEvents,
} from '@fieldroom/contract/events';
import type { ReplyOf } from '@fieldroom/contract/http';
import { Problem } from '../../../platform/problem.ts';
import type { Db } from '../../../platform/db/db.ts';
import { fileNameOf, takenForAll, toEvent, toOwnEvent, toPublicHost } from '../events.views.ts';
import * as lists from './events.lists.store.ts';
import { patternOf } from '../../../platform/db/search-text.ts';
import { joinedVersion } from '../events.rules.ts';
import * as store from '../events.store.ts';

/** Live bookings by event. Events without any may be left out. */
export type BookingsOf = (eventIds: readonly number[]) => Promise<ReadonlyMap<number, readonly Booking[]>>;
export interface Page {
  readonly page: number;
  readonly size: number;
}

export type EventLists = ReturnType<typeof createEventLists>;

/** Makes the lists of events and single events as answers. `bookingsOf` reads the attendees for the owner. */
export function createEventLists({ db, bookingsOf }: { db: Db; bookingsOf: BookingsOf }) {
  const wanted = (
    { type, startDate, endDate, keyword, dates, infiniteFuture }: EventFilter,
    { page, size }: Page,
  ): lists.Wanted => ({
    type: type ?? null,
    startDate: startDate ?? null,
    endDate: infiniteFuture === true ? null : (endDate ?? null),
    // Without chosen days, every day matches.
    dates: dates && dates.length > 0 ? dates : null,
    pattern: patternOf(keyword),
    limit: size,
    offset: page * size,
  });

  /** Reads by a slug, or by the one that the account has now if it had this one before (docs/product.md#3.20). */
  async function bySlug<T>(slug: string, read: (slug: string) => Promise<T | null>): Promise<T> {
    const found = await read(slug);
    if (found !== null) return found;
    const next = await store.findSlugAfter(db, slug);
    const again = next === null ? null : await read(next);
    if (again === null) throw new Problem('not_found');
    return again;
  }

  return {
    /** The therapist of a public page, by slug. Problem: `not_found`, also for somebody who is not verified or
     * suspended. */
    async host(therapistName: string): Promise<ReplyOf<typeof publicTherapistPage>> {
      return toPublicHost(await bySlug(therapistName, (slug) => store.findHostByName(db, slug)));
    },

    /**
     * Events that are not over, the next one first. With `ownerId`, for the owner, cancelled events and attendees too.
     */
    async upcoming(
      therapistName: string,
      filter: EventFilter,
      page: Page,
      ownerId: number | null,
    ): Promise<ReplyOf<typeof upcomingEvents>> {
      const listed = await bySlug(therapistName, (slug) => lists.readUpcoming(db, slug, ownerId, wanted(filter, page)));
      const attendees = ownerId === null ? null : await bookingsOf(listed.events.map(({ id }) => id));
      return {
        content: listed.events.map((row) => toEvent(row, attendees && (attendees.get(row.id) ?? []))),
        ...page,
        totalElements: listed.total,
      };
    },

    async mine(
      therapistId: number,
      list: lists.EventList,
      filter: EventFilter,
      page: Page,
    ): Promise<ReplyOf<typeof myEvents>> {
      const { events, total } = await lists.readOwnList(db, therapistId, list, wanted(filter, page));
      return { content: events.map((row) => toOwnEvent(row)), ...page, totalElements: total };
    },

    /** One event with its attendees, for its owner. The gate has checked the owner. */
    async own(eventId: number): Promise<ReplyOf<typeof myEvent>> {
      const row = await lists.findShown(db, eventId);
      if (row === null) throw new Problem('not_found');
      const [series, attendees] = await Promise.all([lists.readSeries(db, row.seriesId), bookingsOf([eventId])]);
      const later = series.slice(series.findIndex(({ id }) => id === eventId) + 1).map(({ id }) => id);
      return {
        event: toOwnEvent(row, attendees.get(eventId)),
        series: series.map(({ id, dates, startsAt, endsAt, held, confirmed, people }) => ({
          id,
          dates,
          startsOn: startsAt.toISOString(),
          endsOn: endsAt.toISOString(),
          held,
          confirmed,
          people,
        })),
        versions: {
          this: joinedVersion([row.version]),
          later: joinedVersion([row.version, ...(await store.readVersions(db, later))]),
        },
      };
    },

    /** Suggestions for a new event. */
    async defaults(therapistId: number): Promise<ReplyOf<typeof eventDefaults>> {
      const [timeZone, locations] = await Promise.all([
        store.readTimeZone(db, therapistId),
        store.distinctLocations(db, therapistId),
      ]);
      // An account that was registered without a zone has UTC.
      return { timeZone: timeZone === 'UTC' ? null : timeZone, locations };
    },

    /**
     * An event's public form. Problem: `not_found` for a deleted one, under another slug, or of somebody without a
     * public page.
     */
    async publicEvent(therapistName: string, eventId: number): Promise<ReplyOf<typeof publicEvent>> {
      const row = await lists.findShown(db, eventId);
      if (row === null || row.deleted || !row.hostIsPublic) throw new Problem('not_found');
      if (row.therapistName !== therapistName && (await store.findSlugAfter(db, therapistName)) !== row.therapistName)
        throw new Problem('not_found');
      const [host, series] = await Promise.all([
        store.findHost(db, row.therapistId),
        lists.readSeries(db, row.seriesId),
      ]);
      if (host === null) throw new Problem('not_found');
      const bookable =
        row.status === 'CANCELLED'
          ? 'event_cancelled'
          : row.begun
            ? 'event_closed'
            : (refusesAll(row.places, row.held + row.decoys, row.confirmed) ?? 'yes');
      return {
        host: toPublicHost(host),
        event: toEvent(row, null),
        others: series
          .filter(({ id, begun }) => id !== eventId && !begun)
          .map((one) => ({ id: one.id, dates: one.dates, freePlaces: one.places - takenForAll(one) })),
        placesAtOnce: bookable === 'yes' ? placesAtOnce(row.places, row.held + row.decoys, row.confirmed) : 0,
        bookable,
      };
    },

    distinctNames: (therapistId: number) => store.distinctNames(db, therapistId),
    distinctAddresses: (therapistId: number) => store.distinctAddresses(db, therapistId),

    async latest(therapistId: number): Promise<Event | null> {
      const id = await store.findLatest(db, therapistId);
      const row = id === null ? null : await lists.findShown(db, id);
      return row === null ? null : toEvent(row, []);
    },

    async pictures(therapistId: number): Promise<ReplyOf<typeof eventImages>> {
      return (await store.readPictures(db, therapistId)).map(({ eventId, imageFile, eventName }) => ({
        eventId,
        fileName: fileNameOf(imageFile),
        eventName,
      }));
    },
  };
}
