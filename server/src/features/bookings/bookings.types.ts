/** What the parts of bookings agree on among themselves. */
import type { Language } from '@fieldroom/contract/text';
import type { Tx } from '../../platform/db/db.ts';
import type { Attachment, NewLetter } from '../../platform/mail/outbox.ts';
import type { EventRow, Host } from '../events/index.ts';
import type { bookings } from './bookings.tables.ts';

export type BookingRow = typeof bookings.$inferSelect;
/** Whom a letter addresses. */
export type Addressee = Pick<BookingRow, 'id' | 'firstName' | 'lastName' | 'email' | 'language'>;
/** Whom it addresses without a name. */
export type Recipient = Pick<Addressee, 'email' | 'language'>;

interface About {
  readonly booking: Addressee & Pick<BookingRow, 'sequence'>;
  readonly event: EventRow;
  readonly host: Host;
}

/**
 * The letters of bookings. Each goes out in the recipient's language (the therapist's in theirs), as HTML and text, with a
 * neutral subject that does not say therapy, and `about: "booking <id>"`, by which those that became untrue are withdrawn.
 * Links carry their token in the fragment: `/event/confirm#token=…` (confirm or decline), `/event/booking#token=…` (private).
 */
export interface BookingMail {
  /**
   * To confirm or decline, as a letter not yet written: the statement that takes the seat writes it too, and fills `about`.
   * Beside its address and language nothing of the person stands in it: those who book together share its words.
   * In: until when the place is held, by the product's clock; the letter names it, so the row has to get the same.
   */
  heldLetter(given: { event: EventRow; host: Host; to: Recipient; token: string; heldUntil: Date }): NewLetter;
  /** Somebody, most likely the person themself, tried to book again: the place is theirs already. As unwritten and as impersonal as the first. */
  alreadyBookedLetter(given: { event: EventRow; host: Host; to: Recipient; token: string }): NewLetter;
  /** To the person, with calendar file and private link. */
  confirmed(tx: Tx, given: About & { privateToken: string }): Promise<void>;
  /** To the therapist: somebody has booked. */
  newBooking(tx: Tx, given: About): Promise<void>;
  /** To the person whom the therapist added, with calendar file and private link. */
  added(tx: Tx, given: About & { privateToken: string }): Promise<void>;
  /** To the person who cancelled (with METHOD:CANCEL) and to the therapist. */
  cancelledByClient(tx: Tx, given: About): Promise<void>;
  /** To the person alone, with the reason where one was given, METHOD:CANCEL when it was confirmed. */
  cancelledByTherapist(tx: Tx, given: About & { reason: string; wasConfirmed: boolean }): Promise<void>;
  /** To the person: the event does not take place, with the reason, METHOD:CANCEL when it was confirmed. */
  eventCancelled(tx: Tx, given: About & { reason: string; wasConfirmed: boolean }): Promise<void>;
  /** To the person: time or place has changed; what it was and what it is, the calendar file with a higher SEQUENCE when it was confirmed. */
  eventChanged(tx: Tx, given: About & { before: EventRow; privateToken: string; wasConfirmed: boolean }): Promise<void>;
}

/** Kinds of letters that must not go out after their booking has ended (rule 3 of the contract). */
export const WITHDRAWN_AT_END = [
  'bookings.held',
  'bookings.confirmed',
  'bookings.added',
  'bookings.alreadyBooked',
  'bookings.eventChanged',
] as const;

/** What a calendar file is made of. In: sequence already raised for this file; `at` product time of its making (DTSTAMP). */
interface CalendarGiven {
  readonly bookingId: number;
  readonly sequence: number;
  readonly event: EventRow;
  readonly host: Host;
  readonly language: Language;
  readonly at: Date;
}

/** The calendar files of one booking (RFC 5545, 5546): one entry a day, UIDs that never change. */
export interface BookingCalendar {
  /** METHOD:PUBLISH with what stands. In: `before` the event before a change, whose days that are no more are listed as cancelled. */
  published(given: CalendarGiven & { readonly before?: EventRow }): Attachment;
  /** METHOD:CANCEL, one file a day. */
  cancelled(given: CalendarGiven): Attachment[];
}
