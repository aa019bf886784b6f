/**
 * Every call that a therapist's pages make about their events and attendees, by the contract's declarations. Each throws
 * `ApiProblem`. Specification `events-and-booking` 7, PRODUCT section 9.
 */
import {
  type NewParticipant,
  addParticipant as addCall,
  deleteParticipant as deleteParticipantCall,
  listBookings,
} from '@fieldroom/contract/bookings';
import {
  cancelEvent as cancelCall,
  deleteEvent as deleteCall,
  distinctAddresses,
  distinctNames,
  type Event,
  type EventFilter,
  eventImage,
  eventImages,
  type eventInput,
  type EVENT_LISTS,
  latestEvent,
  type EventScope,
  myEvent,
  myEvents,
  type OwnEvent,
  PAGE_SIZE_MAX,
  saveEvent as saveCall,
} from '@fieldroom/contract/events';
import { getPublicConfig } from '@fieldroom/contract/accounts';
import type { BodyInputOf, ReplyOf } from '@fieldroom/contract/http';
import type { z } from 'zod';
import { api, ApiProblem, fillPath } from '../../platform/api/index.ts';
import { storage } from '../../platform/storage.ts';
import { sendPicture, type UploadOptions } from './upload.ts';

/** What `event/save` takes, before the server reads it. */
export type EventPayload = z.input<typeof eventInput>;
export type EventList = (typeof EVENT_LISTS)[number];
export type EarlierPicture = ReplyOf<typeof eventImages>[number];
export type OneEvent = ReplyOf<typeof myEvent>;

/** The signed-in therapist's id; the server believes its own sign-in record. */
export function ownId(): number {
  return storage.get('therapist')?.id ?? storage.get('user')?.id ?? 0;
}

/** Publishes or changes an event. Out: its id (of the first occurrence for a new one). Problems: at fields; `places_below_taken`, `event_cancelled`. */
export const saveEvent = async (body: EventPayload): Promise<number> => (await api.call(saveCall, { body })).id;

/** Gives an event its picture, as `sendPicture` does. */
export async function uploadPicture(
  eventId: number,
  picture: File,
  scope: EventScope,
  options: UploadOptions = {},
): Promise<{ fileName: string }> {
  try {
    return await sendPicture(eventId, picture, scope, options);
  } catch (fault) {
    // An ended sign-in is heard where calls are made; the upload goes past it, so it is asked there once more.
    if (fault instanceof ApiProblem && (fault.code === 'session_expired' || fault.code === 'not_signed_in'))
      await getMyEvent(eventId);
    throw fault;
  }
}

/** A page of one's own events. In: which list, filter, page from 0, size up to `PAGE_SIZE_MAX`. */
export function findMyEvents(
  list: EventList,
  filter: EventFilter,
  page: number,
  size: number,
  signal?: AbortSignal,
): Promise<ReplyOf<typeof myEvents>> {
  return api.call(myEvents, { query: { page, size }, body: { ...filter, list }, ...(signal ? { signal } : {}) });
}

/** All of one's upcoming events, however many pages they are. */
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

/** Cancels: everybody booked gets a letter with the reason. `later` takes all later occurrences of the series too. */
export const cancelEvent = (body: BodyInputOf<typeof cancelCall>): Promise<void> => api.call(cancelCall, { body });

/** Hides an event from public and upcoming lists. Problem: `event_has_bookings` where it was not cancelled before. */
export const deleteEvent = (id: number, deleteRepetitions = false): Promise<void> =>
  api.call(deleteCall, { params: { id }, query: { deleteRepetitions } });

/** Bookings of one's own event, in the order they were made. */
export const findBookings = (eventId: number, signal?: AbortSignal): Promise<ReplyOf<typeof listBookings>> =>
  api.call(listBookings, { params: { eventId }, ...(signal ? { signal } : {}) });

/** Adds somebody, who is confirmed at once and gets a letter. Problems: `event_full`, `already_booked`, `event_closed`, `event_cancelled`. */
export const addParticipant = (
  eventId: number,
  body: z.input<NonNullable<(typeof addCall)['body']>>,
): Promise<ReplyOf<typeof addCall>> => api.call(addCall, { params: { eventId }, body });
export type { NewParticipant };

/** Cancels one person's booking; they get a letter with the reason. */
export const deleteParticipant = (eventId: number, body: BodyInputOf<typeof deleteParticipantCall>): Promise<void> =>
  api.call(deleteParticipantCall, { params: { eventId }, body });

/** The therapist's earlier pictures, the latest first. */
export const findPictures = (signal?: AbortSignal): Promise<EarlierPicture[]> =>
  api.call(eventImages, signal ? { signal } : {});
/** Names of earlier events, the latest first. */
export const findNames = (signal?: AbortSignal): Promise<string[]> =>
  api.call(distinctNames, { params: { id: ownId() }, ...(signal ? { signal } : {}) });
/** Postal addresses of earlier events, the latest first. */
export const findAddresses = (signal?: AbortSignal): Promise<string[]> =>
  api.call(distinctAddresses, { params: { id: ownId() }, ...(signal ? { signal } : {}) });
/** What the therapist wrote last; null before the first. */
export const findLatest = (signal?: AbortSignal): Promise<Event | null> =>
  api.call(latestEvent, { params: { id: ownId() }, ...(signal ? { signal } : {}) });

/** Where a picture is shown from: a path of this very site. */
export const pictureAddress = (eventId: number, fileName: string): string =>
  fillPath(eventImage.path, { eventId, fileName });

/** What the product's clock shows now (PRODUCT 2, "one clock"), in milliseconds. */
export async function productNow(signal?: AbortSignal): Promise<number> {
  const { clock } = await api.call(getPublicConfig, signal ? { signal } : {});
  return Date.parse(clock.anchorProduct) + (Date.parse(clock.serverNow) - Date.parse(clock.anchorReal)) * clock.speed;
}
