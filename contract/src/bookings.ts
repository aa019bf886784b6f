/**
 * Bookings of events: held, confirmed by email, cancelled. Rules: docs/product.md#9 and #13.
 *
 * States: HELD → CONFIRMED | EXPIRED | DECLINED | CANCELLED; EXPIRED → CONFIRMED (a late click, where a seat is free);
 * CONFIRMED → CANCELLED. A new attempt after an ended one is a new row. EXPIRED is decided when read.
 *
 * Invariants
 *  1. Places of held (hold not over) and confirmed bookings ≤ places of the event, at every moment, whatever happens at
 *  the same time.
 *  2. One live booking for each normalised address and occurrence.
 *  3. A booking and the email about it are written together or not at all; each email keeps its Message-ID.
 *  4. What `book` answers, and what the public reads about places afterwards, does not depend on whether the address
 *  was known; only the email tells its owner.
 *  5. Only the page behind the email confirms (header `X-Fieldroom-Confirm: 1`); opening a link changes nothing.
 */
import * as z from 'zod/mini';
import { seat } from './clients.ts';
import { endpoint, THERAPIST_HEADER } from './http.ts';
import { email, id, idInPath, language, optionalLine, paragraphs, personName, timestamp, token } from './text.ts';

const BOOKING_STATES = ['HELD', 'CONFIRMED', 'EXPIRED', 'DECLINED', 'CANCELLED'] as const;

/** How long a booking is held until it is confirmed (docs/product.md#9.7). */
export const HOLD_MINUTES = 10;
/** In an event with more places than this, unconfirmed bookings can take at most half of them. */
const HOLDS_LIMIT_FROM = 4;
/** The room of an online event can be entered this long before its start. */
export const ROOM_OPENS_MINUTES = 30;

/** How many of an event's places may be held unconfirmed at the same time. */
export function maxHeld(places: number): number {
  return places > HOLDS_LIMIT_FROM ? Math.floor(places / 2) : places;
}

/** One booking has at most this many places (docs/product.md#9.21). */
export const PLACES_OF_BOOKING_MAX = 4;

/**
 * Returns why every booking would be refused now; null if one with a single place would be accepted. Takes the event's
 * places, and how many of them are held and confirmed.
 */
export function refusesAll(places: number, held: number, confirmed: number): 'event_full' | 'event_holds_full' | null {
  if (held + confirmed >= places) return 'event_full';
  return held >= maxHeld(places) ? 'event_holds_full' : null;
}

/** The same for a booking that wants a number of places. */
export function noSeat(
  places: number,
  held: number,
  confirmed: number,
  wanted: number,
): ReturnType<typeof refusesAll> | 'too_few_places' {
  const refusal = refusesAll(places, held, confirmed);
  return refusal ?? (wanted > placesAtOnce(places, held, confirmed) ? 'too_few_places' : null);
}

/** How many places one booking can have now; 0 if none can be booked. Takes the numbers of `refusesAll`. */
export function placesAtOnce(places: number, held: number, confirmed: number): number {
  return Math.max(0, Math.min(PLACES_OF_BOOKING_MAX, places - held - confirmed, maxHeld(places) - held));
}

const placesOfBooking = z.int().check(z.gte(1, 'too_small'), z.lte(PLACES_OF_BOOKING_MAX, 'too_large'));

const bookingState = z.enum(BOOKING_STATES);
export type BookingState = z.infer<typeof bookingState>;

export const PHONE_MAX = 40;
/** Digits and what people put between them. */
const phone = optionalLine(PHONE_MAX).check(
  z.refine(
    (text) => text === '' || (/^[+()\d\s./-]+$/.test(text) && text.replace(/\D/g, '').length >= 5),
    'invalid_format',
  ),
);

/** Somebody who is to be an attendee, in the fixed spelling (docs/product.md#1.2). */
export const newAttendee = z.strictObject({
  firstName: personName,
  lastName: personName,
  email,
  phoneNumber: z._default(phone, ''),
});
export type NewAttendee = z.output<typeof newAttendee>;

/**
 * Further parts of an attendee in the list of bookings. Other programs send them back; they are accepted and ignored.
 */
const ignoredOfAttendee = {
  registrationDate: z.nullish(z.union([optionalLine(60), z.number()])),
  doubleApproval: z.nullish(z.boolean()),
};

/**
 * Whether the newest email about a booking has arrived. `waiting`: for its first try. `delayed`: after a failed try.
 * `sent`: the mail server has taken it. `failed`: it was given up because the mail server refused it for hours.
 */
const EMAIL_STATES = ['waiting', 'delayed', 'sent', 'failed'] as const;
export type EmailState = (typeof EMAIL_STATES)[number];

/** A booking in an event's answers; only the owner gets it. */
export const booking = z.strictObject({
  id,
  participant: z.strictObject({ name: z.string(), familyName: z.string(), email: z.string(), phone: z.string() }),
  /** For the person and those who come along. */
  places: placesOfBooking,
  bookingDate: timestamp,
  state: bookingState,
  /** Until when the place is held; null for bookings that are not held. */
  heldUntil: z.nullable(timestamp),
  /** Added by the therapist, not booked by the person. */
  addedByTherapist: z.boolean(),
  /** Null if there is no email: none was written because of the limits, or it is older than 30 days. */
  emailState: z.nullable(z.enum(EMAIL_STATES)),
  /** Exists in the web only; always false on the wire (docs/product.md#9.4). */
  doubleApproval: z.boolean(),
});
export type Booking = z.infer<typeof booking>;

/**
 * A handle lets somebody who just booked act once (send again, correct the address); each answer contains the next
 * handle.
 */
export const hold = z.strictObject({
  heldUntil: timestamp,
  handle: token,
  /** Whether sending again or correcting can still extend the hold; that works once. */
  extendable: z.boolean(),
});
export type Hold = z.infer<typeof hold>;

const eventPath = z.strictObject({ eventId: idInPath });
const tokenQuery = z.strictObject({
  token: z.string().check(z.minLength(1, 'required'), z.maxLength(200, 'too_long')),
});
/** Our own pages send tokens in the body, so that no address contains them. */
const tokenBody = z.strictObject({ token: z.string().check(z.minLength(1, 'required'), z.maxLength(200, 'too_long')) });

/** The event of a person's own booking or hold. An event that was deleted before its end counts as cancelled. */
const bookedEvent = z.strictObject({
  id,
  therapistName: z.string(),
  therapistFirstName: z.string(),
  therapistLastName: z.string(),
  eventName: z.string(),
  status: z.enum(['PUBLISHED', 'CANCELLED']),
  isOnline: z.boolean(),
  eventLocation: z.string(),
  address: z.string(),
  dates: z.array(z.string()),
  startTime: z.string(),
  endTime: z.string(),
  timeZone: z.string(),
  startsOn: timestamp,
  endsOn: timestamp,
  price: z.string(),
  currency: z.string(),
  files: z.array(z.string()),
});

/** What the pages behind an email show: the person's own booking and its event, nothing about others. */
export const bookingView = z.strictObject({
  state: bookingState,
  heldUntil: z.nullable(timestamp),
  places: placesOfBooking,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  event: bookedEvent,
  /** Product time of this answer. It tells a page at once what has begun and what is over. */
  asOf: timestamp,
  /** When the event's time or place last changed after the booking; null if they are still the booked ones. */
  movedOn: z.nullable(timestamp),
  /**
   * From when to when this booking opens the room of an online event; null if the event is offline or the booking is
   * not confirmed.
   */
  roomOpen: z.nullable(z.strictObject({ from: timestamp, until: timestamp })),
});
export type BookingView = z.infer<typeof bookingView>;

/**
 * What became of a hold, for the browser that made it. `ANSWERED`: since then the owner of the address, or the
 * therapist, has confirmed or ended a booking at this event. Which of these happened stays secret, because the address
 * is not proven here.
 */
const HOLD_STATES = ['HELD', 'ANSWERED', 'EXPIRED', 'EVENT_CANCELLED', 'EVENT_CLOSED'] as const;
export const holdView = z.strictObject({
  state: z.enum(HOLD_STATES),
  heldUntil: timestamp,
  event: bookedEvent,
  asOf: timestamp,
});
export type HoldView = z.infer<typeof holdView>;

/** Somebody who booked, as the therapist's overview shows it. */
export const latestBooking = z.strictObject({
  eventId: id,
  eventName: z.string(),
  startsOn: timestamp,
  places: placesOfBooking,
  firstName: z.string(),
  lastName: z.string(),
  state: bookingState,
  /** Until when the place is held; null for bookings that are not held. */
  heldUntil: z.nullable(timestamp),
  bookedOn: timestamp,
});
export type LatestBooking = z.infer<typeof latestBooking>;
/** Bookings that the overview shows. */
export const LATEST_BOOKINGS = 5;

// ---- the fixed calls (docs/product.md#1.2)

export const listBookings = endpoint({
  method: 'GET',
  path: '/api/event-booking/{eventId}',
  access: 'ownEvents',
  summary:
    'The live bookings of an event, in the order they were made; of a cancelled event those that ended with it, until they are erased',
  params: eventPath,
  reply: z.array(booking),
  problems: ['not_found'],
});
export const addAttendee = endpoint({
  method: 'POST',
  path: '/api/event-booking/user/{eventId}/add',
  access: 'ownEvents',
  summary: 'The therapist adds somebody: confirmed at once, the person gets an email',
  params: eventPath,
  body: z.extend(newAttendee, ignoredOfAttendee),
  reply: booking,
  problems: ['not_found', 'event_full', 'event_cancelled', 'event_closed', 'already_booked', 'too_many_requests'],
});
/** What a person types to book. */
export const bookingInput = z.extend(newAttendee, {
  phoneNumber: phone.check(z.refine((text) => text !== '', 'required')),
  /** For the person and those who come along. */
  places: z._default(placesOfBooking, 1),
  /** Language of the page, for the emails; by default the therapist's. */
  language: z.optional(language),
});
export type BookingInput = z.output<typeof bookingInput>;
export const bookEvent = endpoint({
  method: 'POST',
  path: '/api/event-booking/user/{eventId}',
  access: 'anyoneThrottled',
  summary:
    'Books: holds 1 to 4 places for 10 minutes and sends an email to confirm; answers alike for known and unknown addresses',
  params: eventPath,
  body: bookingInput,
  reply: hold,
  problems: [
    'not_found',
    'event_full',
    'event_holds_full',
    'too_few_places',
    'event_cancelled',
    'event_closed',
    'too_many_requests',
  ],
});
export const removeAttendee = endpoint({
  method: 'POST',
  path: '/api/event-booking/user/{eventId}/delete',
  access: 'ownEvents',
  summary:
    'The therapist cancels one person’s booking of an event that is not over; the person gets an email with the reason',
  params: eventPath,
  body: z.strictObject({
    participant: z.strictObject({
      email,
      name: z.optional(optionalLine(60)),
      familyName: z.optional(optionalLine(60)),
      phone: z.optional(optionalLine(40)),
      firstName: z.optional(optionalLine(60)),
      lastName: z.optional(optionalLine(60)),
      phoneNumber: z.optional(optionalLine(40)),
      ...ignoredOfAttendee,
    }),
    reason: z.optional(paragraphs(2000, { optional: true })),
  }),
  problems: ['not_found', 'booking_not_found', 'event_over'],
});
/** Only our page's code sends it (docs/product.md#9.8). */
export const CONFIRM_HEADER = 'x-fieldroom-confirm';
export const confirmBooking = endpoint({
  method: 'GET',
  path: '/api/event-booking/confirm',
  access: 'fromOurPage',
  summary:
    'Confirms a held booking by the email’s token; opened as a page it leads to the page with the button and changes nothing',
  headers: {
    [CONFIRM_HEADER]: { required: true, description: 'Always 1. A mail scanner that opens links does not send it.' },
  },
  query: tokenQuery,
  /** `bookingToken` opens the private page. */
  reply: z.extend(bookingView, { bookingToken: token }),
  problems: [
    'link_invalid',
    'event_full',
    'too_few_places',
    'event_cancelled',
    'event_closed',
    'booking_ended',
    'already_booked',
  ],
});
export const declineBooking = endpoint({
  method: 'POST',
  path: '/api/event-booking/decline',
  access: 'token',
  summary: 'Declines a held booking by the email’s token: the place is free again',
  query: tokenQuery,
  problems: ['link_invalid', 'booking_ended'],
});

// ---- our own calls, behind the links of emails

export const lookAtHold = endpoint({
  method: 'POST',
  path: '/api/public/booking/hold',
  access: 'token',
  summary: 'What became of a hold, by its latest handle; answers alike for known and unknown addresses',
  body: z.strictObject({ handle: token }),
  reply: holdView,
  problems: ['link_invalid'],
});
export const resendHold = endpoint({
  method: 'POST',
  path: '/api/public/booking/resend',
  access: 'anyoneThrottled',
  summary: 'Sends the email of a hold again; extends the hold once',
  body: z.strictObject({ handle: token }),
  reply: hold,
  problems: ['link_invalid', 'booking_ended', 'too_many_requests'],
});
export const correctHold = endpoint({
  method: 'POST',
  path: '/api/public/booking/correct',
  access: 'anyoneThrottled',
  summary: 'Corrects the address of a hold and sends the email there; extends the hold once',
  body: z.strictObject({ handle: token, email }),
  reply: hold,
  problems: ['link_invalid', 'booking_ended', 'event_full', 'event_holds_full', 'too_few_places', 'too_many_requests'],
});
export const lookAtConfirmLink = endpoint({
  method: 'POST',
  path: '/api/public/booking/look',
  access: 'token',
  summary: 'What an email’s link to confirm or decline is about; changes nothing',
  body: tokenBody,
  reply: bookingView,
  problems: ['link_invalid'],
});
export const viewBooking = endpoint({
  method: 'POST',
  path: '/api/public/booking/view',
  access: 'token',
  summary: 'A booking, by its private link',
  body: tokenBody,
  reply: bookingView,
  problems: ['link_invalid'],
});
export const cancelBooking = endpoint({
  method: 'POST',
  path: '/api/public/booking/cancel',
  access: 'token',
  summary: 'Cancels a booking by its private link; the therapist gets an email',
  body: tokenBody,
  problems: ['link_invalid', 'booking_ended', 'event_closed'],
});
export const sendBookingLink = endpoint({
  method: 'POST',
  path: '/api/public/booking/link',
  access: 'token',
  summary: 'Sends the link again to the booking’s address: the private one, or for a hold the one to confirm',
  body: tokenBody,
  problems: ['link_invalid', 'booking_ended', 'event_cancelled', 'event_closed', 'too_many_requests'],
});
/** A form that anybody may send; only the owner of the address learns the result. */
export const bookingLinksInput = z.strictObject({ email });
export const sendBookingLinks = endpoint({
  method: 'POST',
  path: '/api/public/booking/links',
  access: 'anyoneThrottled',
  summary:
    'Sends an address the links of its live bookings, in one email; answers alike for known and unknown addresses',
  body: bookingLinksInput,
  problems: ['too_many_requests'],
});
export const bookingCalendar = endpoint({
  method: 'POST',
  path: '/api/public/booking/calendar',
  access: 'token',
  summary: 'The calendar file of a booking, by its private link',
  body: tokenBody,
  bytes: ['text/calendar'],
  problems: ['link_invalid', 'booking_ended'],
});
export const enterBookedRoom = endpoint({
  method: 'POST',
  path: '/api/public/booking/enter',
  access: 'token',
  summary:
    'Enters the waiting room of an online event, from 30 minutes before its start until its end, under the booked name and marked as booked',
  body: tokenBody,
  reply: z.extend(seat, { token }),
  problems: [
    'link_invalid',
    'booking_ended',
    'event_cancelled',
    'room_not_open',
    'room_full',
    'waiting_room_full',
    'too_many_requests',
  ],
});

export const getLatestBookings = endpoint({
  method: 'GET',
  path: '/api/me/latest-bookings',
  access: 'therapist',
  summary: 'Who held or confirmed a place at the therapist’s events last, the newest first',
  reply: z.array(latestBooking),
});

// ---- contact form (docs/product.md#9.16)

export const CONTACT_MESSAGE_MAX = 5000;
export const contactInput = z.strictObject({
  email,
  message: paragraphs(CONTACT_MESSAGE_MAX),
  firstName: z._default(optionalLine(60), ''),
  lastName: z._default(optionalLine(60), ''),
});
export const contact = endpoint({
  method: 'POST',
  path: '/api/support/contact',
  access: 'anyoneThrottled',
  summary:
    'Sends a message to the therapist in the header X-Therapist-Id, whose names must match; without the header to the operator',
  headers: {
    [THERAPIST_HEADER]: {
      required: false,
      description: 'The id of the therapist who gets the message; the operator without it.',
    },
  },
  body: contactInput,
  problems: ['therapist_mismatch', 'too_many_requests'],
});
