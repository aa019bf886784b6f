/** Types that the modules of bookings share. */
import type { Language } from '@fieldroom/contract/text';
import type { AfterCommit } from '../../platform/db/after-commit.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Attachment, NewEmail } from '../../platform/mail/outbox.ts';
import type { EventRow, Host } from '../events/index.ts';
import type { bookings } from './bookings.tables.ts';

export type BookingRow = typeof bookings.$inferSelect;
/** The person an email goes to. */
export type Addressee = Pick<BookingRow, 'id' | 'firstName' | 'lastName' | 'email' | 'language'>;
/** The same without a name. */
export type Recipient = Pick<Addressee, 'email' | 'language'>;

/**
 * Called inside the transaction in which a person confirms a booking or cancels a confirmed one, not for acts of the
 * therapist.
 */
export type PersonActListener = (
  tx: Tx,
  told: { readonly act: 'confirmed' | 'cancelled'; readonly bookingId: number; readonly therapistId: number },
  afterCommit: AfterCommit,
) => Promise<void>;

interface About {
  readonly booking: Addressee & Pick<BookingRow, 'places' | 'sequence' | 'heldUntil'>;
  readonly event: EventRow;
  readonly host: Host;
}

/** A booking that its therapist has just ended. */
export interface EndedBooking extends About {
  readonly reason: string;
  readonly wasConfirmed: boolean;
}

/** A live booking whose event has just changed. */
export interface ChangedBooking extends About {
  /** The event as it was. */
  readonly before: EventRow;
  readonly privateToken: string;
  readonly booking: About['booking'] & Pick<BookingRow, 'state'>;
}

/** A live booking with a token that was just made: of the page that confirms a hold, or of the private one. */
export interface LinkedBooking extends About {
  readonly token: string;
  readonly purpose: 'email' | 'private';
}

/**
 * The emails of bookings. Each is in its recipient's language, as HTML and text. Its neutral subject says nothing of
 * therapy. `about: "booking <id>"` finds it again when it has to be withdrawn. Links carry their token in the fragment:
 * `/event/confirm#token=…` (confirm or decline), `/event/booking#token=…` (private).
 */
export interface BookingEmails {
  /**
   * To confirm or decline. Only composed: the statement that takes the place writes it and fills `about`. Apart from
   * address and language it holds nothing of the person, so that people who book together share its words. `heldUntil`,
   * on the product clock, is named in the email, so the row has to get the same.
   */
  heldEmail(given: {
    event: EventRow;
    host: Host;
    to: Recipient;
    places: number;
    token: string;
    heldUntil: Date;
  }): NewEmail;
  /**
   * Somebody, most likely the person, tried to book again: they have the place already. Composed like the first one.
   */
  alreadyBookedEmail(given: { event: EventRow; host: Host; to: Recipient; places: number; token: string }): NewEmail;
  /** To the person, with calendar file and private link. */
  confirmed(tx: Tx, given: About & { privateToken: string }): Promise<void>;
  /** To the therapist: somebody has booked. */
  newBooking(tx: Tx, given: About): Promise<void>;
  /** To the person whom the therapist added, with calendar file and private link. */
  added(tx: Tx, given: About & { privateToken: string }): Promise<void>;
  /** To a confirmed person who asked for the private link again. */
  linkAgain(tx: Tx, given: About & { privateToken: string }): Promise<void>;
  /**
   * To an address that somebody typed: all its live bookings, each with its link. Takes at least one; it is written in
   * the language of the latest.
   */
  links(tx: Tx, found: readonly LinkedBooking[]): Promise<void>;
  /** To the person who cancelled (with METHOD:CANCEL) and to the therapist. */
  cancelledByClient(tx: Tx, given: About): Promise<void>;
  /**
   * To each person whose booking ended, because the therapist removed it or cancelled the event. With the reason if
   * there is one, and METHOD:CANCEL if the booking was confirmed.
   */
  ended(tx: Tx, endedBy: 'therapist' | 'event', all: readonly EndedBooking[]): Promise<void>;
  /**
   * To each person of changed events: time or place has changed. Says what it was and what it is; with a calendar file
   * with a higher SEQUENCE if the booking was confirmed.
   */
  eventsChanged(tx: Tx, all: readonly ChangedBooking[]): Promise<void>;
}

/** The subject of an email about a booking, for the outbox. */
export const aboutBooking = ({ id }: Pick<Addressee, 'id'>): string => `booking ${id}`;
/** Kinds of emails about a booking that go to the therapist. */
export const TO_HOST = ['bookings.newBooking', 'bookings.bookingCancelled'] as const;

/** Kinds of emails that must not leave after their booking has ended (invariant 3 of the contract). */
export const WITHDRAWN_AT_END = [
  'bookings.held',
  'bookings.confirmed',
  'bookings.added',
  'bookings.alreadyBooked',
  'bookings.eventChanged',
  'bookings.linkAgain',
  // Only for emails about one booking; one about several stays, and the page behind a link shows the outcome of its
  // booking.
  'bookings.links',
] as const;

/**
 * The data of a calendar file. `sequence` is already raised for this file; `at` is the product time of its making
 * (DTSTAMP).
 */
interface CalendarGiven {
  readonly bookingId: number;
  readonly sequence: number;
  readonly event: EventRow;
  readonly host: Host;
  readonly language: Language;
  readonly at: Date;
}

/** The calendar files of one booking (RFC 5545, 5546): one entry per day, UIDs that never change. */
export interface BookingCalendar {
  /**
   * METHOD:PUBLISH with all days. Takes in `before` the event before a change; its days that are gone are listed as
   * cancelled.
   */
  published(given: CalendarGiven & { readonly before?: EventRow }): Attachment;
  /** METHOD:CANCEL, one file per day. */
  cancelled(given: CalendarGiven): Attachment[];
}
