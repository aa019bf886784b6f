/**
 * Events that people book: how a therapist writes, shows, changes and cancels them. Rules: docs/product.md#9.
 *
 * An event is one occurrence: its `dates` are the days of one booking. Each entry of `repetitions` is the first day of
 * another occurrence of the same series, which is booked separately.
 *
 * Invariants
 *  1. Wall-clock: `dates`, `startTime`, `endTime` are what a clock at the event's `timeZone` shows; instants are
 *  calculated from them.
 *  2. `currentParticipantsNumber` = held (hold not over) + confirmed ≤ `maximumParticipant`, whatever happens at the
 *  same time.
 *  3. Only the owner gets `currentParticipantsInfo`; on save it is ignored.
 *  4. A cancelled event stays in its therapist's history; a deleted one too, but nobody else can find it.
 */
import * as z from 'zod/mini';
import { booking } from './bookings.ts';
import { endpoint } from './http.ts';
import { KEYWORD_MAX, pageOf, pageQuery } from './lists.ts';
import { PICTURE_PROBLEMS, PICTURE_UPLOAD } from './pictures.ts';
import { id, idInPath, line, optionalLine, paragraphs, timestamp } from './text.ts';
import { isTimeZone } from './text/timeZones.ts';

export const EVENT_TYPES = ['GROUP', 'ONE_ON_ONE'] as const;
/** There are no drafts: a finalised event is published (docs/product.md#9.2). */
const EVENT_STATUSES = ['PUBLISHED', 'CANCELLED'] as const;
export const REPETITION_UNITS = ['day', 'week', 'month'] as const;

export const EVENT_NAME_MAX = 120;
const EVENT_LOCATION_MAX = 120;
const EVENT_ADDRESS_MAX = 200;
const EVENT_DESCRIPTION_MAX = 10_000;
/** Days of one bookable event. */
export const EVENT_DATES_MAX = 60;
/** Occurrences of a series, the first one included. */
export const OCCASIONS_MAX = 100;
export const FREQUENCY_MAX = 52;
export const PLACES_MAX = 500;
/** Events may be planned this far ahead. */
export const YEARS_AHEAD_MAX = 5;
export const REASON_MAX = 2000;
/** Why an event or a booking is cancelled; a part of the email about it. */
export const cancelReason = paragraphs(REASON_MAX);

/** Digits after the decimal point by currency; other currencies are refused. */
export const CURRENCIES = {
  EUR: 2,
  HUF: 2,
  RON: 2,
  USD: 2,
  GBP: 2,
  CHF: 2,
  AUD: 2,
  BGN: 2,
  CAD: 2,
  CZK: 2,
  DKK: 2,
  ILS: 2,
  JPY: 0,
  NOK: 2,
  NZD: 2,
  PLN: 2,
  RSD: 2,
  SEK: 2,
  TRY: 2,
  UAH: 2,
} as const;
export type Currency = keyof typeof CURRENCIES;
/** Maximum price, in the currency's smallest unit. */
export const PRICE_MAX = 999_999_999;

/**
 * Reads a decimal string as an integer in the currency's smallest unit: `"240.5"`, EUR → 24050. Returns null if the
 * text is no amount, negative, too precise or too large.
 */
export function priceToMinor(price: string, currency: Currency): number | null {
  const parts = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(price.trim());
  if (!parts) return null;
  const digits = CURRENCIES[currency];
  const fraction = parts[2] ?? '';
  if (/[^0]/.test(fraction.slice(digits))) return null;
  const minor = Number(parts[1]) * 10 ** digits + Number(fraction.padEnd(digits, '0').slice(0, digits) || '0');
  return minor <= PRICE_MAX ? minor : null;
}

/** Writes an amount in the smallest unit as a decimal string: 24050, EUR → `"240.50"`. */
export function minorToPrice(minor: number, currency: Currency): string {
  const digits = CURRENCIES[currency];
  const text = String(minor).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** `9`, `5` → `"09:05"` (docs/product.md#1.6). */
export function paddedTime(hours: number, minutes: number): string {
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}

/** Whether a text is a calendar day, `YYYY-MM-DD`; 2027-02-29 is not one. */
export function isDay(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!parts) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Returns the number of days from one day to another, both `YYYY-MM-DD`. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}
/** Returns the day that is this many days later. */
export function dayPlus(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
/** Returns the days of an occurrence that begins on `first`: the pattern of `dates`, shifted. */
export function shiftedDates(dates: readonly string[], first: string): string[] {
  const by = daysBetween(dates[0]!, first);
  return dates.map((day) => dayPlus(day, by));
}

/** One-to-one events have one place. */
export function placesOf(type: EventType, wanted: number): number {
  return type === 'ONE_ON_ONE' ? 1 : wanted;
}

const eventType = z.enum(EVENT_TYPES);
export type EventType = z.infer<typeof eventType>;
const eventStatus = z.enum(EVENT_STATUSES);
export type EventStatus = z.infer<typeof eventStatus>;
export const day = z.string().check(z.maxLength(10, 'too_long'), z.refine(isDay, 'not_a_day'));
const time = z.string().check(z.maxLength(5, 'too_long'), z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'not_a_time'));
export const timeZone = z
  .string()
  .check(z.minLength(1, 'required'), z.maxLength(64, 'too_long'), z.refine(isTimeZone, 'unknown_time_zone'));
const currency = z.enum(Object.keys(CURRENCIES) as [Currency, ...Currency[]], { error: 'unknown_currency' });
/** A decimal string; programs may send a number. */
const price = z.pipe(
  z.pipe(
    z.union([z.string().check(z.maxLength(20, 'too_long')), z.number()], { error: 'not_a_price' }),
    z.transform(String),
  ),
  z.string().check(
    z.refine((text) => !text.trim().startsWith('-'), 'price_negative'),
    z.refine((text) => /^\d{1,9}(\.\d{1,2})?$/.test(text.trim()), 'not_a_price'),
  ),
);

/** How a series repeats. It is only shown; the occurrences are `repetitions`. */
export const repetitionRule = z.strictObject({
  unit: z.enum(REPETITION_UNITS),
  frequency: z.number().check(z.int('not_whole'), z.minimum(1, 'too_small'), z.maximum(FREQUENCY_MAX, 'too_large')),
  occasions: z.number().check(z.int('not_whole'), z.minimum(1, 'too_small'), z.maximum(OCCASIONS_MAX, 'too_large')),
});
export type RepetitionRule = z.infer<typeof repetitionRule>;

/** What a change of a series applies to: one occurrence, or this and all later ones. */
const eventScope = z.enum(['this', 'later']);
export type EventScope = z.infer<typeof eventScope>;

const imageName = z.string().check(z.regex(/^[0-9a-f-]{36}\.webp$/, 'invalid_format'));
export const imageRef = z.strictObject({ eventId: id, fileName: imageName });

const unique = (days: readonly string[]) => new Set(days).size === days.length;

/** What `event/save` takes: the payload that programs send, and optional parts that the product adds. */
export const eventInput = z
  .strictObject({
    /** The id of the event to change; null or left out for a new one. */
    id: z.nullish(id),
    eventName: line(EVENT_NAME_MAX),
    type: eventType,
    isOnline: z.boolean(),
    /** Name of the place and its postal address; both are empty for an online event. */
    eventLocation: z._default(optionalLine(EVENT_LOCATION_MAX), ''),
    address: z._default(optionalLine(EVENT_ADDRESS_MAX), ''),
    description: z._default(paragraphs(EVENT_DESCRIPTION_MAX, { optional: true }), ''),
    dates: z.pipe(
      z
        .array(day)
        .check(z.minLength(1, 'required'), z.maxLength(EVENT_DATES_MAX, 'too_many'), z.refine(unique, 'twice')),
      z.transform((days) => days.toSorted()),
    ),
    repetitions: z._default(
      z.pipe(
        z.array(day).check(z.maxLength(OCCASIONS_MAX - 1, 'too_many'), z.refine(unique, 'twice')),
        z.transform((days) => days.toSorted()),
      ),
      [],
    ),
    startTime: time,
    endTime: time,
    price,
    currency,
    maximumParticipant: z
      .number({ error: 'not_a_number' })
      .check(z.int('not_whole'), z.minimum(1, 'too_small'), z.maximum(PLACES_MAX, 'too_large')),
    /** Zone of the wall-clock times; by default the therapist's. */
    timeZone: z.optional(timeZone),
    repetitionRule: z.nullish(repetitionRule),
    /** On a change: this occurrence alone (default), or this and all later ones of its series. */
    scope: z.optional(eventScope),
    /** One of the therapist's earlier pictures; null removes the picture. A new one is uploaded after the save. */
    pictureFrom: z.nullish(imageRef),
    /**
     * The version that the caller edited: `versions[scope]` of `GET /api/me/event/{eventId}`. With it, a save is
     * refused (`event_changed`) if there is anything newer. Without it, the save always applies.
     */
    version: z.optional(z.string().check(z.maxLength(64, 'too_long'))),
    // Other programs send it; the server ignores it (docs/product.md#13.6).
    currentParticipantsInfo: z.optional(z.array(z.unknown()).check(z.maxLength(PLACES_MAX))),
    currentParticipantsNumber: z.optional(z.number()),
    files: z.optional(z.array(z.unknown()).check(z.maxLength(20))),
  })
  .check(
    z.superRefine((input, context) => {
      const fault = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
      if (input.endTime <= input.startTime) fault('endTime', 'end_before_start');
      if (priceToMinor(input.price, input.currency) === null) fault('price', 'not_a_price');
      if (input.type === 'ONE_ON_ONE' && input.maximumParticipant !== 1) fault('maximumParticipant', 'one_place');
      if (input.isOnline && (input.eventLocation !== '' || input.address !== ''))
        fault(input.eventLocation !== '' ? 'eventLocation' : 'address', 'online_has_no_place');
      if (!input.isOnline && input.eventLocation === '') fault('eventLocation', 'required');
      if (input.repetitions.some((first) => first <= input.dates[0]!)) fault('repetitions', 'not_after_first');
    }),
  );
export type EventInput = z.output<typeof eventInput>;

/** An event as the calls answer it. */
export const event = z.strictObject({
  id,
  /** Id of the first occurrence; all occurrences of a series share it. */
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
  /** Instants at which the first day starts and the last day ends. */
  startsOn: timestamp,
  endsOn: timestamp,
  /** Decimal string in `currency`. */
  price: z.string(),
  currency,
  maximumParticipant: z.int(),
  /** Places of held and confirmed bookings. */
  currentParticipantsNumber: z.int(),
  /** Only for the owner, in answers that say so. */
  currentParticipantsInfo: z.array(booking),
  /** First days of the other occurrences of the series that can still be booked, in order. */
  repetitions: z.array(z.string()),
  repetitionRule: z.nullable(repetitionRule),
  /** Names of its pictures, for `event/image/{eventId}/{fileName}`; at most one. */
  files: z.array(z.string()),
});
export type Event = z.infer<typeof event>;

export const eventFilter = z.strictObject({
  type: z.nullish(eventType),
  /** Days between which at least one of the event's days lies. */
  startDate: z.nullish(day),
  endDate: z.nullish(day),
  /** Found in name, description, place and address, ignoring case and accents; there are no wildcards. */
  keyword: z.nullish(optionalLine(KEYWORD_MAX)),
  /** At least one of the event's days is among these. */
  dates: z.nullish(z.array(day).check(z.maxLength(400, 'too_many'))),
  /** The same filter without `endDate`. */
  infiniteFuture: z.nullish(z.boolean()),
});
export type EventFilter = z.infer<typeof eventFilter>;

/** A therapist's name in the addresses of the public pages. The join link of the room is another text (`joinLink`). */
export const slug = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{1,62}$/, 'invalid_format'));
const eventPath = z.strictObject({ eventId: idInPath });
const ownPath = z.strictObject({ id: idInPath });

// ---- the fixed calls (docs/product.md#1.2)

export const saveEvent = endpoint({
  method: 'POST',
  path: '/api/event/save',
  access: 'ownEvents',
  summary:
    'Publishes a new event with its further occurrences, or changes one; booked people get an email when time or place changes. With scope `later`, the later occurrences take over what differs from the stored event and keep the rest',
  body: eventInput,
  reply: z.strictObject({
    id,
    /** How many people get an email about the new time or place. */
    emails: z.int(),
  }),
  problems: ['not_found', 'event_cancelled', 'event_changed', 'places_below_taken', 'too_many_requests'],
});
/**
 * Large enough for an event that a program sends back as it got it: the longest description and 500 attendees
 * (`currentParticipantsInfo`).
 */
export const EVENT_BODY_BYTES_MAX = 256 * 1024;

/**
 * A heading as Markdown writes it (`# Words`), which some people are used to; null for any other line. Takes a trimmed
 * line.
 */
export const headingIn = (line: string): string | null => /^#{1,6} (\S.*)$/u.exec(line)?.[1] ?? null;

/** Removes Markdown's marks of emphasis from a line, which would otherwise be shown. Takes and returns plain text. */
export function withoutMarks(line: string): string {
  const parts = line.split('**');
  // A mark without a partner is ordinary text.
  return parts.length % 2 === 1 ? parts.join('') : line;
}

/** Width and height in px of the picture that messengers show beside a link. */
export const SHARE_SIZE = { width: 1200, height: 630 } as const;

/** A description in one line, for search engines and messengers: without the marks of headings and lists. */
export const inOneLine = (description: string): string =>
  description
    .split('\n')
    .map((line) => {
      const text = withoutMarks(line).replace(/\s+/gu, ' ').trim();
      return headingIn(text) ?? text.replace(/^[-*•·–] (?=\S)/u, '');
    })
    .filter((line) => line !== '')
    .join(' ');

export const uploadEventImage = endpoint({
  method: 'POST',
  path: '/api/event/images/{eventId}/upload',
  access: 'ownEvents',
  summary:
    'The event’s picture: JPEG, PNG or WebP up to 5 MB, re-encoded; for this occurrence, or for this and all later ones of its series. Where it is not said the first picture of a series is for all of it, any other for this occurrence',
  params: eventPath,
  upload: PICTURE_UPLOAD,
  query: z.strictObject({ scope: z.optional(eventScope) }),
  reply: z.strictObject({ fileName: z.string() }),
  problems: ['not_found', 'event_cancelled', ...PICTURE_PROBLEMS],
});
export const upcomingEvents = endpoint({
  method: 'POST',
  path: '/api/event/upcoming/{therapistName}',
  access: 'publishedOrOwn',
  summary: 'Events of a therapist that are not over, by their public name (slug), filtered, the next first',
  params: z.strictObject({ therapistName: slug }),
  query: pageQuery,
  body: z.optional(eventFilter),
  reply: pageOf(event),
  problems: ['not_found'],
});
export const cancelEvent = endpoint({
  method: 'POST',
  path: '/api/event/cancel',
  access: 'ownEvents',
  summary:
    'Cancels an event that is not over (and, when asked, all later ones of its series): everybody with a held or confirmed booking gets an email with the reason',
  body: z.strictObject({ eventId: id, reason: cancelReason, cancelRepetitions: z.optional(z.boolean()) }),
  problems: ['not_found', 'event_over'],
});
export const deleteEvent = endpoint({
  method: 'DELETE',
  path: '/api/event/delete/{id}',
  access: 'ownEvents',
  summary:
    'Hides an event (true: and all later ones of its series) from public and upcoming lists; it stays in the history',
  params: ownPath,
  query: z.strictObject({ deleteRepetitions: z._default(z.enum(['true', 'false']), 'false') }),
  problems: ['not_found', 'event_has_bookings', 'event_over'],
});
export const eventImage = endpoint({
  method: 'GET',
  path: '/api/event/image/{eventId}/{fileName}',
  access: 'published',
  summary:
    'The picture of an event; with the ending .jpg instead of .webp as a JPEG of 1200 × 630 px, for messengers (docs/product.md#9.23)',
  params: z.strictObject({ eventId: idInPath, fileName: z.string().check(z.minLength(1), z.maxLength(1024)) }),
  bytes: ['image/webp', 'image/jpeg'],
  problems: ['not_found', 'too_many_requests'],
});
export const eventImages = endpoint({
  method: 'GET',
  path: '/api/event/images',
  access: 'ownImages',
  summary: 'The therapist’s earlier pictures, the latest first, each once',
  reply: z.array(z.extend(imageRef, { eventName: z.string() })),
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
  summary: 'The event that the therapist wrote last; null before the first one',
  params: ownPath,
  reply: z.nullable(event),
});

// ---- our own calls

export const EVENT_LISTS = ['upcoming', 'past', 'cancelled'] as const;
/** One of the therapist's own events, with what only its owner sees. */
export const ownEvent = z.extend(event, {
  held: z.int(),
  confirmed: z.int(),
  deleted: z.boolean(),
  cancelReason: z.nullable(z.string()),
});
export type OwnEvent = z.infer<typeof ownEvent>;

export const myEvents = endpoint({
  method: 'POST',
  path: '/api/me/events',
  access: 'therapist',
  summary:
    'The therapist’s own events: upcoming (the next first), past or cancelled (the last first); the attendees are not in it',
  query: pageQuery,
  body: z.extend(eventFilter, { list: z._default(z.enum(EVENT_LISTS), 'upcoming') }),
  reply: pageOf(ownEvent),
});
export const myEvent = endpoint({
  method: 'GET',
  path: '/api/me/event/{eventId}',
  access: 'ownEvents',
  summary: 'One of the therapist’s own events with its attendees and the occurrences of its series',
  params: eventPath,
  reply: z.strictObject({
    event: ownEvent,
    /** All occurrences of the series that are neither cancelled nor deleted, in order, including this one. */
    series: z.array(
      z.strictObject({
        id,
        dates: z.array(z.string()),
        startsOn: timestamp,
        endsOn: timestamp,
        held: z.int(),
        confirmed: z.int(),
        /** How many have a booking, whatever number of places: each gets the emails. */
        people: z.int(),
      }),
    ),
    /** The versions that a save of this event edits, by its scope; for `version` of the save. */
    versions: z.strictObject({ this: z.string(), later: z.string() }),
  }),
  problems: ['not_found'],
});
export const previewEvent = endpoint({
  method: 'POST',
  path: '/api/me/event/preview',
  access: 'ownEvents',
  summary: 'Who would get an email if this change were saved now; changes nothing',
  body: eventInput,
  reply: z.strictObject({
    /**
     * The occurrences whose time or place would change, in order, with their present days and how many people have a
     * held or a confirmed booking, whatever number of places.
     */
    told: z.array(z.strictObject({ id, dates: z.array(z.string()), held: z.int(), confirmed: z.int() })),
  }),
  problems: ['not_found', 'event_cancelled', 'event_changed'],
});
export const eventDefaults = endpoint({
  method: 'GET',
  path: '/api/me/event-defaults',
  access: 'therapist',
  summary:
    'What helps to write a new event: the account’s time zone, and the names of earlier places, the latest first',
  reply: z.strictObject({
    /** Null if the account never got one. */
    timeZone: z.nullable(z.string()),
    locations: z.array(z.string()),
  }),
});
/** The therapist who invites: the head of the public pages. */
export const publicHost = z.strictObject({
  id,
  therapistName: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  picture: z.nullable(z.string()),
  /** Under the name; may be empty. */
  line: z.string(),
  /** The text about the therapist; may be empty. */
  about: z.string(),
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
    others: z.array(z.strictObject({ id, dates: z.array(z.string()), freePlaces: z.int() })),
    /** Whether a booking would be accepted now, or why not. */
    /** How many places one booking can have now; 0 if none can be booked. */
    placesAtOnce: z.int(),
    bookable: z.enum(['yes', 'event_full', 'event_holds_full', 'event_closed', 'event_cancelled']),
  }),
  problems: ['not_found'],
});
