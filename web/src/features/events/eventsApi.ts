/**
 * Every call that a therapist's pages make about their events and attendees, by the contract's declarations. Each
 * throws `ApiProblem`. Rules: docs/product.md#9.
 */
import {
  addAttendee as addCall,
  type Booking,
  removeAttendee as removeAttendeeCall,
  listBookings,
} from '@fieldroom/contract/bookings';
import {
  cancelEvent as cancelCall,
  deleteEvent as deleteCall,
  distinctAddresses,
  distinctNames,
  type Event,
  eventDefaults,
  type EventFilter,
  eventImage,
  eventImages,
  type eventInput,
  type EVENT_LISTS,
  latestEvent,
  myEvent,
  myEvents,
  type OwnEvent,
  previewEvent as previewCall,
  saveEvent as saveCall,
} from '@fieldroom/contract/events';
import { PAGE_SIZE_MAX } from '@fieldroom/contract/lists';
import type { BodyInputOf, ReplyOf } from '@fieldroom/contract/http';
import { inNameOrder } from '@fieldroom/contract/names';
import type * as z from 'zod/mini';
import { api, fillPath } from '../../platform/api/index.ts';
import { askClock } from '../../platform/time/askClock.ts';
import { currentLanguage } from '../../platform/i18n/app.ts';
import { storage } from '../../platform/storage.ts';

/** What `event/save` takes, before the server reads it. */
export type EventPayload = z.input<typeof eventInput>;
export type EventList = (typeof EVENT_LISTS)[number];
export type EarlierPicture = ReplyOf<typeof eventImages>[number];
export type OneEvent = ReplyOf<typeof myEvent>;
export type Announced = ReplyOf<typeof previewCall>['told'];

/** The signed-in therapist's id; the server believes its own sign-in record. */
export function ownId(): number {
  return storage.get('therapist')?.id ?? storage.get('user')?.id ?? 0;
}

/**
 * Publishes or changes an event. Returns its id (of the first occurrence for a new one) and how many people get an
 * email. Problems: at fields; `places_below_taken`, `event_cancelled`, `event_changed`.
 */
export const saveEvent = (body: EventPayload): Promise<ReplyOf<typeof saveCall>> => api.call(saveCall, { body });

/** The occurrences whose people would get an email if this were saved now. Problems: as for the save. */
export const previewEvent = async (body: EventPayload, signal?: AbortSignal): Promise<Announced> =>
  (await api.call(previewCall, { body, ...(signal ? { signal } : {}) })).told;

/**
 * A page of the therapist's own events. Takes the list, a filter, the page from 0 and its size, up to `PAGE_SIZE_MAX`.
 */
export function findMyEvents(
  list: EventList,
  filter: EventFilter,
  page: number,
  size: number,
  signal?: AbortSignal,
): Promise<ReplyOf<typeof myEvents>> {
  return api.call(myEvents, { query: { page, size }, body: { ...filter, list }, ...(signal ? { signal } : {}) });
}

/** All of one's upcoming events, on any number of pages. */
export async function findAllUpcoming(signal?: AbortSignal): Promise<OwnEvent[]> {
  const found = new Map<number, OwnEvent>();
  for (let page = 0; ; page += 1) {
    const { content, totalElements } = await findMyEvents('upcoming', {}, page, PAGE_SIZE_MAX, signal);
    for (const event of content) found.set(event.id, event);
    if (content.length === 0 || (page + 1) * PAGE_SIZE_MAX >= totalElements) return [...found.values()];
  }
}

/** One own event with its attendees and its series. */
export const getMyEvent = (eventId: number, signal?: AbortSignal): Promise<OneEvent> =>
  api.call(myEvent, { params: { eventId }, ...(signal ? { signal } : {}) });

/** Cancels: everybody booked gets an email with the reason. `later` takes all later occurrences of the series too. */
export const cancelEvent = (body: BodyInputOf<typeof cancelCall>): Promise<void> => api.call(cancelCall, { body });

/** Hides an event from public and upcoming lists. Problem: `event_has_bookings` if it was not cancelled before. */
export const deleteEvent = (id: number, deleteRepetitions = false): Promise<void> =>
  api.call(deleteCall, { params: { id }, query: { deleteRepetitions } });

/** Bookings of the therapist's own event, in the order they were made. */
export const findBookings = (eventId: number, signal?: AbortSignal): Promise<ReplyOf<typeof listBookings>> =>
  api.call(listBookings, { params: { eventId }, ...(signal ? { signal } : {}) });

/**
 * Adds somebody, who is confirmed at once and gets an email. Problems: `event_full`, `already_booked`, `event_closed`,
 * `event_cancelled`.
 */
export const addAttendee = (
  eventId: number,
  body: z.input<NonNullable<(typeof addCall)['body']>>,
): Promise<ReplyOf<typeof addCall>> => api.call(addCall, { params: { eventId }, body });

/** The attendee's full name, in the order of the language. */
export const nameOf = ({ participant }: Pick<Booking, 'participant'>): string =>
  inNameOrder(currentLanguage(), participant.name, participant.familyName).join(' ').trim();

/** Cancels one person's booking; they get an email, with the reason if there is one. */
export function removeAttendee(eventId: number, { participant }: Booking, reason?: string): Promise<void> {
  const { email, name, familyName } = participant;
  const body = { participant: { email, name, familyName }, ...(reason === undefined ? {} : { reason }) };
  return api.call(removeAttendeeCall, { params: { eventId }, body });
}

/** The therapist's earlier pictures, the latest first. */
export const findPictures = (signal?: AbortSignal): Promise<EarlierPicture[]> =>
  api.call(eventImages, signal ? { signal } : {});
/** Names of earlier events, the latest first. */
export const findNames = (signal?: AbortSignal): Promise<string[]> =>
  api.call(distinctNames, { params: { id: ownId() }, ...(signal ? { signal } : {}) });
/** Postal addresses of earlier events, the latest first. */
export const findAddresses = (signal?: AbortSignal): Promise<string[]> =>
  api.call(distinctAddresses, { params: { id: ownId() }, ...(signal ? { signal } : {}) });
/** Suggestions for a new event: the account's zone, null if it has none, and names of earlier places. */
export const findDefaults = (signal?: AbortSignal): Promise<ReplyOf<typeof eventDefaults>> =>
  api.call(eventDefaults, signal ? { signal } : {});
/** The therapist's last event; null before the first. */
export const findLatest = (signal?: AbortSignal): Promise<Event | null> =>
  api.call(latestEvent, { params: { id: ownId() }, ...(signal ? { signal } : {}) });

/** A picture of the therapist's own event, even if nobody else can see the event any more. */
export const findPicture = (eventId: number, fileName: string, signal?: AbortSignal): Promise<Blob> =>
  api.call(eventImage, { params: { eventId, fileName }, ...(signal ? { signal } : {}) });
/** The address of a public picture: a path of this site. */
export const pictureAddress = (eventId: number, fileName: string): string =>
  fillPath(eventImage.path, { eventId, fileName });

/** Fetches the product's clock, which then runs locally. Returns a function that reads it, in milliseconds. */
export const findClock = async (): Promise<() => number> => (await askClock()).now;

/** The current time of the product's clock, in milliseconds. */
export const productNow = async (): Promise<number> => (await askClock()).now();
