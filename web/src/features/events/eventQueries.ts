/**
 * What the pages of events fetch, and under which key it is cached. Keys begin with the therapist's id, so that nobody
 * sees another person's data. `queryClient.invalidateQueries({ queryKey: eventQueries.lists() })` fetches the lists
 * again after a change.
 */
import type { EventFilter, OwnEvent } from '@fieldroom/contract/events';
import { PAGE_SIZE_MAX } from '@fieldroom/contract/lists';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { CHANGES_WITH_NEWS } from '../../platform/fetching/news.ts';
import {
  type EventList,
  type EventPayload,
  findAddresses,
  findAllUpcoming,
  findBookings,
  findClock,
  findDefaults,
  findLatest,
  findMyEvents,
  findNames,
  findPicture,
  findPictures,
  getMyEvent,
  ownId,
  previewEvent,
  productNow,
} from './eventsApi.ts';

/** Events on one page of the list. */
export const PAGE_SIZE = 20;

/** A form starts from the current state, never from what was fetched for an earlier one. */
const FRESH = { gcTime: 0 } as const;

/** Other people book and cancel: the shown data is fetched again when the page gets the focus, and with each notice. */
const LIVE = { refetchOnWindowFocus: true, meta: CHANGES_WITH_NEWS } as const;

/** Optional data of a form. */
const orNone = <T>(asked: Promise<T[]>): Promise<T[]> => asked.catch((): T[] => []);

/** All own events with a day between two days, in any state, in order. */
async function findBetween(
  filter: EventFilter,
  startDate: string,
  endDate: string,
  signal: AbortSignal,
): Promise<OwnEvent[]> {
  const span = { ...filter, startDate, endDate, dates: null, infiniteFuture: null };
  const found = new Map<number, OwnEvent>();
  for (const which of ['upcoming', 'past', 'cancelled'] as const) {
    for (let page = 0; ; page += 1) {
      const { content, totalElements } = await findMyEvents(which, span, page, PAGE_SIZE_MAX, signal);
      for (const event of content) found.set(event.id, event);
      if (content.length === 0 || (page + 1) * PAGE_SIZE_MAX >= totalElements) break;
    }
  }
  return [...found.values()].toSorted((a, b) => Date.parse(a.startsOn) - Date.parse(b.startsOn) || a.id - b.id);
}

export const eventQueries = {
  all: () => ['events', ownId()] as const,
  /** Lists and calendar: everything that a change of an event may affect. */
  lists: () => [...eventQueries.all(), 'lists'] as const,

  /**
   * A page of a list. The previous one is shown until the next answer, so that nothing flickers while somebody types.
   */
  page: (list: EventList, filter: EventFilter, page: number) =>
    queryOptions({
      queryKey: [...eventQueries.lists(), 'page', list, filter, page],
      queryFn: async ({ signal }) => {
        const [found, clock] = await Promise.all([findMyEvents(list, filter, page, PAGE_SIZE, signal), findClock()]);
        return { ...found, clock };
      },
      placeholderData: keepPreviousData,
      ...LIVE,
    }),

  /** The events between two days. The calendar applies the filter's own days. */
  between: ({ type = null, keyword = null }: EventFilter, from: string, to: string) =>
    queryOptions({
      queryKey: [...eventQueries.lists(), 'between', from, to, type, keyword],
      queryFn: ({ signal }) => findBetween({ type, keyword }, from, to, signal),
      ...LIVE,
    }),

  /** The therapist's last published event; null before the first one. */
  latest: () =>
    queryOptions({ queryKey: [...eventQueries.lists(), 'latest'], queryFn: ({ signal }) => findLatest(signal) }),

  /** One event in its current state, for the form that edits it. */
  edited: (eventId: number) =>
    queryOptions({
      queryKey: [...eventQueries.all(), 'edited', eventId],
      queryFn: async ({ signal }) => {
        const [event, now] = await Promise.all([getMyEvent(eventId, signal), productNow()]);
        return { ...event, now };
      },
      ...FRESH,
    }),

  /** One event, its bookings, and the product's clock. */
  attendees: (eventId: number) =>
    queryOptions({
      queryKey: [...eventQueries.all(), 'attendees', eventId],
      queryFn: async ({ signal }) => {
        const [event, bookings, clock] = await Promise.all([
          getMyEvent(eventId, signal),
          findBookings(eventId, signal),
          findClock(),
        ]);
        return { ...event, bookings, clock };
      },
      refetchOnWindowFocus: true,
      ...FRESH,
    }),

  /** The start of a new event: the last one, the copied one, and the account's defaults. */
  start: (copied: number | undefined) =>
    queryOptions({
      queryKey: [...eventQueries.all(), 'start', copied ?? null],
      queryFn: async ({ signal }) => {
        const [latest, earlier, defaults, now] = await Promise.all([
          findLatest(signal),
          copied === undefined ? null : getMyEvent(copied, signal),
          findDefaults(signal),
          productNow(),
        ]);
        return { latest, earlier: earlier?.event ?? null, defaults, now };
      },
      ...FRESH,
    }),

  /** Suggestions for the form, which works without any of them. */
  suggestions: () =>
    queryOptions({
      queryKey: [...eventQueries.all(), 'suggestions'],
      queryFn: async ({ signal }) => {
        const [names, addresses, pictures, upcoming] = await Promise.all([
          orNone(findNames(signal)),
          orNone(findAddresses(signal)),
          orNone(findPictures(signal)),
          orNone(findAllUpcoming(signal)),
        ]);
        return { names, addresses, pictures, upcoming };
      },
      ...FRESH,
    }),

  /** The account's zone and the names of earlier places. */
  defaults: () =>
    queryOptions({
      queryKey: [...eventQueries.all(), 'defaults'],
      queryFn: ({ signal }) => findDefaults(signal),
      ...FRESH,
    }),

  /** A picture of the therapist's own. Its bytes never change under its name, and are kept while it is shown. */
  ownPicture: (eventId: number, fileName: string) =>
    queryOptions({
      queryKey: [...eventQueries.all(), 'ownPicture', eventId, fileName],
      queryFn: ({ signal }) => findPicture(eventId, fileName, signal),
      staleTime: Infinity,
      ...FRESH,
    }),

  /** Who would get an email if this change were saved now. */
  announced: (payload: EventPayload | null) =>
    queryOptions({
      queryKey: [...eventQueries.all(), 'announced', JSON.stringify(payload)],
      queryFn: ({ signal }) => previewEvent(payload as EventPayload, signal),
      ...FRESH,
    }),
};
