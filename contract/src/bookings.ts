/**
 * Bookings of events: held, confirmed by letter, cancelled. Specification `events-and-booking` 3, 4 and 7, PRODUCT
 * section 9, SAFE.
 *
 * States: HELD → CONFIRMED | EXPIRED | DECLINED | CANCELLED; EXPIRED → CONFIRMED (a late click, where a seat is free);
 * CONFIRMED → CANCELLED. A new attempt after an ended one is a new row. EXPIRED is decided when read.
 *
 * Invariants
 *  1. Held (hold not over) + confirmed ≤ places of the event, at every moment, whatever happens at the same time.
 *  2. One live booking for each normalised address and occurrence.
 *  3. A booking and the letter about it are written together or not at all; each letter keeps its Message-ID.
 *  4. What `book` answers, and what the public is told of places afterwards, does not depend on whether the address was known; the letter tells its owner.
 *  5. Only the page behind the letter confirms (header `X-Fieldroom-Confirm: 1`); opening a link changes nothing.
 */
import { z } from 'zod';
import { BOOKING_STATES } from './bookings.rules.ts';
import { seat } from './clients.ts';
import { endpoint } from './http.ts';
import { email, id, idInPath, language, line, optionalLine, paragraphs, timestamp, token } from './text.ts';

export * from './bookings.rules.ts';

export const bookingState = z.enum(BOOKING_STATES);
export type BookingState = z.infer<typeof bookingState>;

/** Digits and what people put between them. */
export const phone = optionalLine(40).refine(
  (text) => text === '' || (/^[+()\d\s./-]+$/.test(text) && text.replace(/\D/g, '').length >= 5),
  'invalid_format',
);

/** New participant payload (specification section 3). */
export const newParticipant = z.strictObject({
  firstName: line(60),
  lastName: line(60),
  email,
  phoneNumber: phone.default(''),
});
export type NewParticipant = z.output<typeof newParticipant>;

/** Booking entry in an event's answers; for the owner alone. */
export const booking = z.strictObject({
  id,
  participant: z.strictObject({ name: z.string(), familyName: z.string(), email: z.string(), phone: z.string() }),
  bookingDate: timestamp,
  state: bookingState,
  /** Until when it is held; null for the others. */
  heldUntil: timestamp.nullable(),
  /** Added by the therapist, not booked by the person. */
  addedByTherapist: z.boolean(),
  /** Lives in the web only (PRODUCT 9); always false on the wire. */
  doubleApproval: z.boolean(),
});
export type Booking = z.infer<typeof booking>;

/** Handle of somebody who just booked, for one act (send again, correct the address); each answer brings the next. */
export const hold = z.strictObject({
  heldUntil: timestamp,
  handle: token,
  /** Whether the hold can still be made longer by sending again or correcting; once. */
  extendable: z.boolean(),
});
export type Hold = z.infer<typeof hold>;

const eventPath = z.strictObject({ eventId: idInPath });
const tokenQuery = z.strictObject({ token: z.string().min(1, 'required').max(200, 'too_long') });
/** Tokens of our own pages travel in the body, so that no address holds them. */
const tokenBody = z.strictObject({ token: z.string().min(1, 'required').max(200, 'too_long') });

/** What the pages behind a letter show: the person's own booking and its event, nothing about others. */
export const bookingView = z.strictObject({
  state: bookingState,
  heldUntil: timestamp.nullable(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  event: z.strictObject({
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
  }),
  /** From when to when the room of an online event can be entered by this booking; null offline or when it is not confirmed. */
  roomOpen: z.strictObject({ from: timestamp, until: timestamp }).nullable(),
});
export type BookingView = z.infer<typeof bookingView>;

// ---- the specification's calls

export const listBookings = endpoint({
  method: 'GET',
  path: '/api/event-booking/{eventId}',
  access: 'therapist, own events',
  summary: 'The live bookings of an event, in the order they were made',
  params: eventPath,
  reply: z.array(booking),
  problems: ['not_found'],
});
export const addParticipant = endpoint({
  method: 'POST',
  path: '/api/event-booking/user/{eventId}/add',
  access: 'therapist, own events',
  summary: 'The therapist adds somebody: confirmed at once, the person gets a letter',
  params: eventPath,
  body: newParticipant,
  reply: booking,
  problems: ['not_found', 'event_full', 'event_cancelled', 'event_closed', 'already_booked', 'too_many_requests'],
});
export const bookEvent = endpoint({
  method: 'POST',
  path: '/api/event-booking/user/{eventId}',
  access: 'anyone, throttled',
  summary:
    'Books: holds a place for 10 minutes and sends a letter to confirm; answers alike for known and unknown addresses',
  params: eventPath,
  body: newParticipant.extend({
    phoneNumber: phone.refine((text) => text !== '', 'required'),
    /** Language of the page, for the letters; the therapist's when left out. */
    language: language.optional(),
  }),
  reply: hold,
  problems: ['not_found', 'event_full', 'event_holds_full', 'event_cancelled', 'event_closed', 'too_many_requests'],
});
export const deleteParticipant = endpoint({
  method: 'POST',
  path: '/api/event-booking/user/{eventId}/delete',
  access: 'therapist, own events',
  summary: 'The therapist cancels one person’s booking, who gets a letter with the reason',
  params: eventPath,
  body: z.strictObject({
    participant: z.strictObject({
      email,
      name: optionalLine(60).optional(),
      familyName: optionalLine(60).optional(),
      phone: optionalLine(40).optional(),
      firstName: optionalLine(60).optional(),
      lastName: optionalLine(60).optional(),
      phoneNumber: optionalLine(40).optional(),
    }),
    reason: paragraphs(2000, { optional: true }).optional(),
  }),
  problems: ['not_found', 'booking_not_found'],
});
/** Only our page's code sends it (SAFE). */
export const CONFIRM_HEADER = 'x-fieldroom-confirm';
export const confirmBooking = endpoint({
  method: 'GET',
  path: '/api/event-booking/confirm',
  access: 'token, only from our page',
  summary:
    'Confirms a held booking by the letter’s token; opened as a page it leads to the page with the button and changes nothing',
  query: tokenQuery,
  /** `bookingToken` opens the private page. */
  reply: bookingView.extend({ bookingToken: token }),
  problems: ['link_invalid', 'event_full', 'event_cancelled', 'event_closed', 'booking_ended', 'already_booked'],
});
export const declineBooking = endpoint({
  method: 'POST',
  path: '/api/event-booking/decline',
  access: 'token',
  summary: 'Declines a held booking by the letter’s token: the place is free again',
  query: tokenQuery,
  problems: ['link_invalid', 'booking_ended'],
});

// ---- our own, behind the letter's links

export const resendHold = endpoint({
  method: 'POST',
  path: '/api/public/booking/resend',
  access: 'anyone, throttled',
  summary: 'Sends the letter of a hold again; makes the hold longer once',
  body: z.strictObject({ handle: token }),
  reply: hold,
  problems: ['link_invalid', 'booking_ended', 'too_many_requests'],
});
export const correctHold = endpoint({
  method: 'POST',
  path: '/api/public/booking/correct',
  access: 'anyone, throttled',
  summary: 'Corrects the address of a hold and writes there; makes the hold longer once',
  body: z.strictObject({ handle: token, email }),
  reply: hold,
  problems: ['link_invalid', 'booking_ended', 'event_full', 'event_holds_full', 'too_many_requests'],
});
export const lookAtLetter = endpoint({
  method: 'POST',
  path: '/api/public/booking/look',
  access: 'token',
  summary: 'What a letter’s link to confirm or decline is about; changes nothing',
  body: tokenBody,
  reply: bookingView,
  problems: ['link_invalid'],
});
export const viewBooking = endpoint({
  method: 'POST',
  path: '/api/public/booking/view',
  access: 'token',
  summary: 'One’s own booking behind its private link',
  body: tokenBody,
  reply: bookingView,
  problems: ['link_invalid'],
});
export const cancelBooking = endpoint({
  method: 'POST',
  path: '/api/public/booking/cancel',
  access: 'token',
  summary: 'Cancels one’s own booking; the therapist is told',
  body: tokenBody,
  problems: ['link_invalid', 'booking_ended', 'event_closed'],
});
export const bookingCalendar = endpoint({
  method: 'POST',
  path: '/api/public/booking/calendar',
  access: 'token',
  summary: 'The calendar file of one’s own booking',
  body: tokenBody,
  bytes: ['text/calendar'],
  problems: ['link_invalid', 'booking_ended'],
});
export const enterBookedRoom = endpoint({
  method: 'POST',
  path: '/api/public/booking/enter',
  access: 'token',
  summary:
    'To the waiting room of an online event, from 30 minutes before until the end, under the booked name and marked as booked',
  body: tokenBody,
  reply: seat.extend({ token }),
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

// ---- contact (specification 7: support/contact)

export const contact = endpoint({
  method: 'POST',
  path: '/api/support/contact',
  access: 'anyone, throttled',
  summary:
    'A message to the therapist of the header X-Therapist-Id, whose names must match, or to the operator without it',
  body: z.strictObject({
    email,
    message: paragraphs(5000),
    firstName: optionalLine(60).default(''),
    lastName: optionalLine(60).default(''),
  }),
  problems: ['therapist_mismatch', 'too_many_requests'],
});
