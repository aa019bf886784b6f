/**
 * Events that people book: how a therapist writes, shows, changes and cancels them. Specification `events-and-booking` 3
 * and 7, PRODUCT section 9.
 *
 * An event is one occurrence: its `dates` are the days of that one booking. Each of `repetitions` is the first day of a
 * further occurrence of the same series, bookable by itself.
 *
 * Invariants
 *  1. Wall-clock: `dates`, `startTime`, `endTime` are what a clock at the event's `timeZone` shows; instants follow from them.
 *  2. `currentParticipantsNumber` = held (hold not over) + confirmed ≤ `maximumParticipant`, whatever happens at the same time.
 *  3. `currentParticipantsInfo` is filled for the owner alone; what is sent of it on save is ignored.
 *  4. A cancelled event stays in its therapist's history; a deleted one too, but nobody else finds it.
 */
import { z } from 'zod';
import { booking } from './bookings.ts';
import {
  CURRENCIES,
  type Currency,
  EVENT_ADDRESS_MAX,
  EVENT_DATES_MAX,
  EVENT_DESCRIPTION_MAX,
  EVENT_LOCATION_MAX,
  EVENT_NAME_MAX,
  EVENT_STATUSES,
  EVENT_TYPES,
  FREQUENCY_MAX,
  isDay,
  isTimeZone,
  KEYWORD_MAX,
  OCCASIONS_MAX,
  PAGE_SIZE_MAX,
  PLACES_MAX,
  priceToMinor,
  REASON_MAX,
  REPETITION_UNITS,
} from './events.rules.ts';
import { joinLink } from './clients.ts';
import { endpoint } from './http.ts';
import { id, idInPath, line, optionalLine, paragraphs, timestamp } from './text.ts';

export * from './events.rules.ts';

export const eventType = z.enum(EVENT_TYPES);
export type EventType = z.infer<typeof eventType>;
export const eventStatus = z.enum(EVENT_STATUSES);
export type EventStatus = z.infer<typeof eventStatus>;
export const day = z.string().max(10, 'too_long').refine(isDay, 'not_a_day');
export const time = z
  .string()
  .max(5, 'too_long')
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'not_a_time');
export const timeZone = z.string().min(1, 'required').max(64, 'too_long').refine(isTimeZone, 'unknown_time_zone');
export const currency = z.enum(Object.keys(CURRENCIES) as [Currency, ...Currency[]], { error: 'unknown_currency' });
/** A decimal string; programs may send a number. */
export const price = z
  .union([z.string().max(20, 'too_long'), z.number()], { error: 'not_a_price' })
  .transform(String)
  .pipe(
    z
      .string()
      .refine((text) => !text.trim().startsWith('-'), 'price_negative')
      .refine((text) => /^\d{1,9}(\.\d{1,2})?$/.test(text.trim()), 'not_a_price'),
  );

/** How a series repeats; kept for showing, the occurrences are `repetitions`. */
export const repetitionRule = z.strictObject({
  unit: z.enum(REPETITION_UNITS),
  frequency: z.number().int('not_whole').min(1, 'too_small').max(FREQUENCY_MAX, 'too_large'),
  occasions: z.number().int('not_whole').min(1, 'too_small').max(OCCASIONS_MAX, 'too_large'),
});
export type RepetitionRule = z.infer<typeof repetitionRule>;

/** What of a series a change is for: one occurrence, or it and all later ones. */
export const eventScope = z.enum(['this', 'later']);
export type EventScope = z.infer<typeof eventScope>;

export const imageName = z.string().regex(/^[0-9a-f-]{36}\.webp$/, 'invalid_format');
export const imageRef = z.strictObject({ eventId: id, fileName: imageName });

const unique = (days: readonly string[]) => new Set(days).size === days.length;

/** What `event/save` takes: the specification's payload, and what the product adds as optional parts. */
export const eventInput = z
  .strictObject({
    /** Of the event to change; null or left out: a new one. */
    id: id.nullish(),
    eventName: line(EVENT_NAME_MAX),
    type: eventType,
    isOnline: z.boolean(),
    /** Name of the place and its postal address; both empty online. */
    eventLocation: optionalLine(EVENT_LOCATION_MAX).default(''),
    address: optionalLine(EVENT_ADDRESS_MAX).default(''),
    description: paragraphs(EVENT_DESCRIPTION_MAX, { optional: true }).default(''),
    dates: z
      .array(day)
      .min(1, 'required')
      .max(EVENT_DATES_MAX, 'too_many')
      .refine(unique, 'twice')
      .transform((days) => days.toSorted()),
    repetitions: z
      .array(day)
      .max(OCCASIONS_MAX - 1, 'too_many')
      .refine(unique, 'twice')
      .transform((days) => days.toSorted())
      .default([]),
    startTime: time,
    endTime: time,
    price,
    currency,
    maximumParticipant: z
      .number({ error: 'not_a_number' })
      .int('not_whole')
      .min(1, 'too_small')
      .max(PLACES_MAX, 'too_large'),
    /** Zone of the wall-clock times; the therapist's own when left out. */
    timeZone: timeZone.optional(),
    repetitionRule: repetitionRule.nullish(),
    /** On a change: this occurrence alone (default), or this and all later ones of its series. */
    scope: eventScope.optional(),
    /** One of the therapist's earlier pictures; null takes the picture away. A new one is uploaded after the save. */
    pictureFrom: imageRef.nullish(),
    // Sent by programs as the specification's payload has them, never believed (SAFE).
    currentParticipantsInfo: z.array(z.unknown()).max(PLACES_MAX).optional(),
    currentParticipantsNumber: z.number().optional(),
    files: z.array(z.unknown()).max(20).optional(),
  })
  .superRefine((input, context) => {
    const fault = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if (input.endTime <= input.startTime) fault('endTime', 'end_before_start');
    if (priceToMinor(input.price, input.currency) === null) fault('price', 'not_a_price');
    if (input.type === 'ONE_ON_ONE' && input.maximumParticipant !== 1) fault('maximumParticipant', 'one_place');
    if (input.isOnline && (input.eventLocation !== '' || input.address !== ''))
      fault(input.eventLocation !== '' ? 'eventLocation' : 'address', 'online_has_no_place');
    if (!input.isOnline && input.eventLocation === '') fault('eventLocation', 'required');
    if (input.repetitions.some((first) => first <= input.dates[0]!)) fault('repetitions', 'not_after_first');
  });
export type EventInput = z.output<typeof eventInput>;

/** An event as the calls answer it. */
export const event = z.strictObject({
  id,
  /** The first occurrence's id; the same for all of a series. */
  seriesId: id,
  therapistId: id,
  /** Slug of the therapist's public page. */
  therapistName: z.string(),
  status: eventStatus,
  eventName: z.string(),
  type: eventType,
  isOnline: z.boolean(),
  eventLocation: z.string(),
  address: z.string(),
  description: z.string(),
  dates: z.array(z.string()),
  startTime: z.string(),
  endTime: z.string(),
  timeZone: z.string(),
  /** Instants of the first day's start and the last day's end. */
  startsOn: timestamp,
  endsOn: timestamp,
  /** Decimal string in `currency`. */
  price: z.string(),
  currency,
  maximumParticipant: z.number().int(),
  /** Held and confirmed together. */
  currentParticipantsNumber: z.number().int(),
  /** Filled for the owner alone, in answers that say so. */
  currentParticipantsInfo: z.array(booking),
  /** First days of the other occurrences of the series that can still be booked, in order. */
  repetitions: z.array(z.string()),
  repetitionRule: repetitionRule.nullable(),
  /** Names of its pictures, for `event/image/{eventId}/{fileName}`; one at most. */
  files: z.array(z.string()),
});
export type Event = z.infer<typeof event>;

export const eventFilter = z.strictObject({
  type: eventType.nullish(),
  /** Days between which at least one of the event's days lies. */
  startDate: day.nullish(),
  endDate: day.nullish(),
  /** Found in name, description, place and address, whatever the case and the accents; no wildcards. */
  keyword: optionalLine(KEYWORD_MAX).nullish(),
  /** At least one of the event's days is among these. */
  dates: z.array(day).max(400, 'too_many').nullish(),
  /** Drops `endDate`. */
  infiniteFuture: z.boolean().nullish(),
});
export type EventFilter = z.infer<typeof eventFilter>;

export const pageQuery = z.strictObject({
  page: z
    .string()
    .regex(/^\d{1,6}$/, 'not_a_number')
    .transform(Number)
    .default(0),
  size: z
    .string()
    .regex(/^\d{1,6}$/, 'not_a_number')
    .transform(Number)
    .pipe(z.number().min(1, 'too_small').max(PAGE_SIZE_MAX, 'too_large'))
    .default(20),
});
const pageOf = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    content: z.array(item),
    page: z.number().int(),
    size: z.number().int(),
    totalElements: z.number().int(),
  });

/** A therapist's name in addresses, the same at the door and on the public page. */
export const slug = joinLink;
const eventPath = z.strictObject({ eventId: idInPath });
const ownPath = z.strictObject({ id: idInPath });

// ---- the specification's calls

export const saveEvent = endpoint({
  method: 'POST',
  path: '/api/event/save',
  access: 'therapist, own events',
  summary:
    'Publishes a new event with its further occurrences, or changes one; booked people get a letter when time or place changes',
  body: eventInput,
  reply: z.strictObject({ id }),
  problems: ['not_found', 'event_cancelled', 'places_below_taken', 'too_many_requests'],
});
export const uploadEventImage = endpoint({
  method: 'POST',
  path: '/api/event/images/{eventId}/upload',
  access: 'therapist, own events',
  summary:
    'The event’s picture: JPEG, PNG or WebP up to 5 MB, re-encoded; for this occurrence, or for this and all later ones of its series. Where it is not said the first picture of a series is for all of it, any other for this occurrence',
  params: eventPath,
  query: z.strictObject({ scope: eventScope.optional() }),
  reply: z.strictObject({ fileName: z.string() }),
  problems: [
    'not_found',
    'event_cancelled',
    'image_unreadable',
    'payload_too_large',
    'quota_reached',
    'too_many_requests',
  ],
});
export const upcomingEvents = endpoint({
  method: 'POST',
  path: '/api/event/upcoming/{therapistName}',
  access: 'anyone, published events; the owner also the others',
  summary: 'Events of a therapist that are not over, by their public name (slug), filtered, the next first',
  params: z.strictObject({ therapistName: slug }),
  query: pageQuery,
  body: eventFilter.optional(),
  reply: pageOf(event),
  problems: ['not_found'],
});
export const cancelEvent = endpoint({
  method: 'POST',
  path: '/api/event/cancel',
  access: 'therapist, own events',
  summary:
    'Cancels an event (and, when asked, all later ones of its series): everybody with a held or confirmed booking gets a letter with the reason',
  body: z.strictObject({ eventId: id, reason: paragraphs(REASON_MAX), cancelRepetitions: z.boolean().optional() }),
  problems: ['not_found'],
});
export const deleteEvent = endpoint({
  method: 'DELETE',
  path: '/api/event/delete/{id}',
  access: 'therapist, own events',
  summary:
    'Hides an event (true: and all later ones of its series) from public and upcoming lists; it stays in the history',
  params: ownPath,
  query: z.strictObject({ deleteRepetitions: z.enum(['true', 'false']).default('false') }),
  problems: ['not_found', 'event_has_bookings'],
});
export const eventImage = endpoint({
  method: 'GET',
  path: '/api/event/image/{eventId}/{fileName}',
  access: 'anyone, published events',
  summary: 'The picture of an event',
  params: z.strictObject({ eventId: idInPath, fileName: z.string().min(1).max(1024) }),
  bytes: ['image/webp'],
  problems: ['not_found'],
});
export const eventImages = endpoint({
  method: 'GET',
  path: '/api/event/images',
  access: 'therapist, own images',
  summary: 'The therapist’s earlier pictures, the latest first, each once',
  reply: z.array(imageRef.extend({ eventName: z.string() })),
});
export const distinctAddresses = endpoint({
  method: 'GET',
  path: '/api/event/findDistinctAddressByTheripstId/{id}',
  access: 'self',
  summary: 'Addresses of the therapist’s earlier events, the latest first',
  params: ownPath,
  reply: z.array(z.string()),
});
export const distinctNames = endpoint({
  method: 'GET',
  path: '/api/event/findDistinctNameByTheripstId/{id}',
  access: 'self',
  summary: 'Names of the therapist’s earlier events, the latest first',
  params: ownPath,
  reply: z.array(z.string()),
});
export const latestEvent = endpoint({
  method: 'GET',
  path: '/api/event/findLatestByTherapistId/{id}',
  access: 'self',
  summary: 'The event that the therapist wrote last, null before the first',
  params: ownPath,
  reply: event.nullable(),
});

// ---- our own

export const EVENT_LISTS = ['upcoming', 'past', 'cancelled'] as const;
/** One of the therapist's own events, with what only its owner sees. */
export const ownEvent = event.extend({
  held: z.number().int(),
  confirmed: z.number().int(),
  deleted: z.boolean(),
  cancelReason: z.string().nullable(),
});
export type OwnEvent = z.infer<typeof ownEvent>;

export const myEvents = endpoint({
  method: 'POST',
  path: '/api/me/events',
  access: 'therapist',
  summary:
    'The therapist’s own events: upcoming (the next first), past or cancelled (the last first); the attendees are not in it',
  query: pageQuery,
  body: eventFilter.extend({ list: z.enum(EVENT_LISTS).default('upcoming') }),
  reply: pageOf(ownEvent),
});
export const myEvent = endpoint({
  method: 'GET',
  path: '/api/me/event/{eventId}',
  access: 'therapist, own events',
  summary: 'One of the therapist’s own events with its attendees and the occurrences of its series',
  params: eventPath,
  reply: z.strictObject({
    event: ownEvent,
    /** All occurrences of the series that are neither cancelled nor deleted, in order, this one included. */
    series: z.array(
      z.strictObject({
        id,
        dates: z.array(z.string()),
        startsOn: timestamp,
        held: z.number().int(),
        confirmed: z.number().int(),
      }),
    ),
  }),
  problems: ['not_found'],
});
/** Who invites: the head of the public pages. */
export const publicHost = z.strictObject({
  id,
  therapistName: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  picture: z.string().nullable(),
});
export type PublicHost = z.infer<typeof publicHost>;
export const publicTherapistPage = endpoint({
  method: 'GET',
  path: '/api/public/events/{therapistName}',
  access: 'anyone',
  summary: 'A therapist’s public page by its slug; the events come from `event/upcoming`',
  params: z.strictObject({ therapistName: slug }),
  reply: publicHost,
  problems: ['not_found'],
});
export const publicEvent = endpoint({
  method: 'GET',
  path: '/api/public/event/{therapistName}/{eventId}',
  access: 'anyone',
  summary: 'An event’s public page; a cancelled one says so, a deleted one is not found',
  params: z.strictObject({ therapistName: slug, eventId: idInPath }),
  reply: z.strictObject({
    host: publicHost,
    event,
    /** The other occurrences that can still be booked, in order. */
    others: z.array(z.strictObject({ id, dates: z.array(z.string()), freePlaces: z.number().int() })),
    /** Whether a booking would be taken now, else why not. */
    bookable: z.enum(['yes', 'event_full', 'event_holds_full', 'event_closed', 'event_cancelled']),
  }),
  problems: ['not_found'],
});
