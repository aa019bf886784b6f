/**
 * Acts on a booking after it was made, and bookings that a therapist adds. Every act is one transaction: it locks the
 * event's row, marks the holds that are over, writes emails, and withdraws emails that are no longer true. The numbered
 * rules are in README.md.
 */
import type { Booking, BookingView, confirmBooking, enterBookedRoom, NewAttendee } from '@fieldroom/contract/bookings';
import { PERSON_NAME_MAX } from '@fieldroom/contract/text';
import type { ReplyOf } from '@fieldroom/contract/http';
import { Problem } from '../../platform/problem.ts';
import { normalizeEmail } from '@fieldroom/contract/text';
import type { Clock } from '../../platform/clock.ts';
import type { Limit } from '../../platform/config.ts';
import { type AfterCommit, transactionThen } from '../../platform/db/after-commit.ts';
import type { Db, Queryable, Tx } from '../../platform/db/db.ts';
import type { Limits } from '../../platform/limits.ts';
import { groupsOf } from '../../platform/small.ts';
import type { Outbox } from '../../platform/mail/outbox.ts';
import type { Turns } from '../../platform/scheduling/turns.ts';
import { hashToken, newToken } from '../../platform/tokens.ts';
import type { Clients } from '../clients/index.ts';
import type { CancelledEvents, EventChange, EventRow, Events, Inviter } from '../events/index.ts';
import { isOff, roomTimes, toBooking, toView } from './bookings.views.ts';
import { writeAgain } from './taking/bookings.known-addresses.ts';
import type { Links } from './bookings.links.ts';
import type { Notices } from './emails/bookings.email-limits.ts';
import * as store from './bookings.store.ts';
import {
  aboutBooking,
  type BookingCalendar,
  type BookingEmails,
  type BookingRow,
  type PersonActListener,
  TO_HOST,
  WITHDRAWN_AT_END,
} from './bookings.types.ts';

/** A person who enters by a booking may need a few tries. */
const ENTRIES: Limit = { max: 20, windowSeconds: 3600 };
/** Anybody with the link may have it sent to its owner; a higher limit would only fill a mailbox. */
const LINKS_SENT: Limit = { max: 3, windowSeconds: 3600 };
/** Tries that fail send nothing and may be repeated, but their number is limited: each waits for the event's lock. */
const LINK_TRIES: Limit = { max: 30, windowSeconds: 3600 };
/** Far more than anybody adds by hand. Each sends an email to an address that the therapist chooses. */
const ADDITIONS_A_DAY: Limit = { max: 500, windowSeconds: 86_400 };

export interface BookingsServiceParts {
  db: Db;
  /** Turns by event, so that a crowd that waits for one row does not take all connections. */
  turns: Turns;
  clock: Pick<Clock, 'now'>;
  events: Pick<Events, 'find' | 'lock' | 'inviter'>;
  outbox: Pick<Outbox, 'prepareWords' | 'prepareAddress' | 'withdraw' | 'states'>;
  mail: BookingEmails;
  links: Links;
  calendar: BookingCalendar;
  limits: Pick<Limits, 'take' | 'counter' | 'takeTogether'>;
  notices: Notices;
  clients: Pick<Clients, 'enterBooked'>;
  /** Called inside the transaction in which a person confirms a booking, or cancels a confirmed one. */
  personActed: PersonActListener;
}

/** People of one act whose rows and emails are written together: few statements, and little memory. */
const WRITTEN_AT_ONCE = 50;

/** The data of an act on a booking, all read under the event's lock. */
interface Standing {
  readonly booking: BookingRow;
  readonly event: EventRow;
  /** Also a therapist who has been suspended since (rule 22). */
  readonly host: Inviter;
  readonly now: Date;
}
/** A booking that the therapist ends. */
type Ending = Pick<Standing, 'booking' | 'event' | 'host'>;
interface LockedStanding extends Standing {
  readonly afterCommit: AfterCommit;
}

export type BookingsService = ReturnType<typeof createBookingsService>;

/** Makes the acts on bookings, each one transaction. Numbers of rules are those of README.md. */
export function createBookingsService({
  db,
  turns,
  clock,
  events,
  outbox,
  mail,
  links,
  calendar,
  limits,
  notices,
  clients,
  personActed,
}: BookingsServiceParts) {
  /** A transaction that waits for its turn at the event. */
  const inTurn = <T>(eventId: number, work: (tx: Tx, afterCommit: AfterCommit) => Promise<T>) =>
    turns.take(eventId, () => transactionThen(db, work));
  const withdraw = (tx: Tx, rows: readonly BookingRow[], kinds: readonly string[] = WITHDRAWN_AT_END) =>
    outbox.withdraw(tx, rows.map(aboutBooking), kinds);

  /** A new private token of each, in order. */
  async function privateTokens(tx: Tx, rows: readonly BookingRow[]): Promise<string[]> {
    const tokens = rows.map(({ id }) => ({ id, ...newToken() }));
    await store.insertTokens(
      tx,
      tokens.map(({ id, hash }) => ({ tokenHash: hash, bookingId: id, purpose: 'private' })),
    );
    return tokens.map(({ token }) => token);
  }
  const privateToken = async (tx: Tx, booking: BookingRow): Promise<string> => (await privateTokens(tx, [booking]))[0]!;

  /** Locks the event and marks the holds that are over. */
  async function lock(tx: Tx, eventId: number): Promise<{ event: EventRow; host: Inviter; now: Date }> {
    const event = await events.lock(tx, eventId);
    const host = event === null ? null : await events.inviter(event.therapistId, tx);
    if (event === null || host === null) throw new Problem('not_found');
    await store.expire(tx, eventId);
    return { event, host, now: await clock.now(tx) };
  }

  /** An act by a token. The booking is read again under the lock. Problem: `link_invalid`. */
  async function byToken<T>(
    token: string,
    purpose: store.Purpose,
    ip: string,
    act: (tx: Tx, standing: LockedStanding) => Promise<T>,
  ): Promise<T> {
    const { eventId } = await links.booking(token, purpose, ip);
    return underLock(token, purpose, eventId, act);
  }

  async function underLock<T>(
    token: string,
    purpose: store.Purpose,
    eventId: number,
    act: (tx: Tx, standing: LockedStanding) => Promise<T>,
  ): Promise<T> {
    return inTurn(eventId, async (tx, afterCommit) => {
      const locked = await lock(tx, eventId).catch(throwAsLinkInvalid);
      const booking = await store.lockByToken(tx, hashToken(token), purpose);
      if (booking === null) throw new Problem('link_invalid');
      return act(tx, { ...locked, booking, afterCommit });
    });
  }

  /** The same without a lock, only for reading. */
  async function look(token: string, purpose: store.Purpose, ip: string): Promise<Standing> {
    const booking = await links.booking(token, purpose, ip);
    const event = await events.find(booking.eventId);
    const host = event === null ? null : await events.inviter(event.therapistId);
    if (event === null || host === null) throw new Problem('link_invalid');
    return { booking, event, host, now: await clock.now() };
  }

  /** Bookings as their owner sees them. */
  async function toBookings(rows: readonly BookingRow[], on: Queryable = db): Promise<Booking[]> {
    const states = await outbox.states(on, rows.map(aboutBooking), TO_HOST);
    return rows.map((row) => toBooking(row, states.get(aboutBooking(row)) ?? null));
  }

  const confirmed = { state: 'CONFIRMED', confirmedAt: store.now, endedAt: null, endedBy: null } as const;
  const cancelled = (endedBy: 'client' | 'therapist' | 'event') =>
    ({ state: 'CANCELLED', endedAt: store.now, endedBy, sequence: store.oneMoreIfConfirmed }) as const;

  /**
   * Ends bookings for a therapist who removes a person or cancels events, and tells the people the reason. Beyond the
   * limits of a hold's address the booking ends without the email: a stranger who typed it must neither flood its owner
   * nor stop the therapist. Rule 26.
   */
  async function end(
    tx: Tx,
    endings: readonly Ending[],
    { endedBy, reason }: { endedBy: 'therapist' | 'event'; reason: string },
  ): Promise<void> {
    const told = new Set(await notices.countEnds(tx, endings));
    for (const group of groupsOf(endings, WRITTEN_AT_ONCE)) {
      const rows = group.map(({ booking }) => booking);
      const after = await store.updateBookings(tx, rows, cancelled(endedBy));
      await withdraw(tx, rows);
      const emails = group.flatMap((ending, nth) => {
        const { booking, event, host } = ending;
        const wasConfirmed = booking.state === 'CONFIRMED';
        return told.has(ending) ? [{ booking: after[nth]!, event, host, reason, wasConfirmed }] : [];
      });
      await mail.ended(tx, endedBy, emails);
    }
  }

  return {
    /**
     * Confirms by the email's token. Rules 10 to 12. Problems: `link_invalid`, `event_full`, `event_cancelled`,
     * `event_closed`, `booking_ended`, `already_booked`, `too_few_places`.
     */
    confirm: (token: string, ip: string): Promise<ReplyOf<typeof confirmBooking>> =>
      byToken(token, 'email', ip, async (tx, { booking, event, host, now, afterCommit }) => {
        if (booking.state === 'CONFIRMED')
          return { ...toView(booking, event, host, now), bookingToken: await privateToken(tx, booking) };
        if (booking.state !== 'HELD' && booking.state !== 'EXPIRED')
          throw new Problem(booking.endedBy === 'event' ? 'event_cancelled' : 'booking_ended');
        if (isOff(event)) throw new Problem('event_cancelled');
        if (event.startsAt <= now) throw new Problem('event_closed');
        if (!host.canBeMet) throw new Problem('booking_ended');
        if (booking.state === 'EXPIRED') {
          if ((await store.findLive(tx, event.id, booking.emailNormalized)) !== null)
            throw new Problem('already_booked');
          // Decoys count, as they do for the public. Otherwise the owner of an ended booking could find them.
          const free = event.places - (await store.countTaken(tx, event.id)) - (await store.countDecoys(tx, event.id));
          if (free < booking.places) throw new Problem(free > 0 ? 'too_few_places' : 'event_full');
        }
        const after = await store.updateBooking(tx, booking.id, confirmed);
        const bookingToken = await privateToken(tx, after);
        // There is nothing left to confirm.
        await withdraw(tx, [after], ['bookings.held']);
        await mail.confirmed(tx, { booking: after, event, host, privateToken: bookingToken });
        await mail.newBooking(tx, { booking: after, event, host });
        await personActed(tx, { act: 'confirmed', bookingId: after.id, therapistId: host.id }, afterCommit);
        return { ...toView(after, event, host, now), bookingToken };
      }),

    /**
     * Declines by the email's token; a second time changes nothing. Rule 13. Problems: `link_invalid`, `booking_ended`.
     */
    decline: (token: string, ip: string): Promise<void> =>
      byToken(token, 'email', ip, async (tx, { booking }) => {
        if (booking.state === 'DECLINED') return;
        if (booking.state !== 'HELD') throw new Problem('booking_ended');
        await store.updateBooking(tx, booking.id, { state: 'DECLINED', endedAt: store.now, endedBy: 'client' });
        await withdraw(tx, [booking]);
      }),

    async lookAtConfirmLink(token: string, ip: string): Promise<BookingView> {
      const { booking, event, host, now } = await look(token, 'email', ip);
      return toView(booking, event, host, now);
    },

    async view(token: string, ip: string): Promise<BookingView> {
      const { booking, event, host, now } = await look(token, 'private', ip);
      return toView(booking, event, host, now);
    },

    /**
     * Cancels a person's own booking; a second time changes nothing. Rule 14. Problems: `link_invalid`,
     * `booking_ended`, `event_closed`.
     */
    cancel: (token: string, ip: string): Promise<void> =>
      byToken(token, 'private', ip, async (tx, { booking, event, host, now, afterCommit }) => {
        if (booking.state === 'CANCELLED' && booking.endedBy === 'client') return;
        if (booking.state !== 'HELD' && booking.state !== 'CONFIRMED') throw new Problem('booking_ended');
        if (event.startsAt <= now) throw new Problem('event_closed');
        const after = await store.updateBooking(tx, booking.id, cancelled('client'));
        await withdraw(tx, [booking]);
        // The therapist does not know of a booking that was only held.
        if (booking.state !== 'CONFIRMED') return;
        await mail.cancelledByClient(tx, { booking: after, event, host });
        await personActed(tx, { act: 'cancelled', bookingId: after.id, therapistId: host.id }, afterCommit);
      }),

    /**
     * Sends the link to the booking's own address again. Rule 23. Problems: `link_invalid`, `booking_ended`,
     * `event_cancelled`, `event_closed`, `too_many_requests`.
     */
    async sendLink(token: string, ip: string): Promise<void> {
      const { id, eventId } = await links.booking(token, 'private', ip);
      await limits.take(`booking link tries ${id}`, LINK_TRIES);
      const sent = await limits.counter(`booking link ${id}`, LINKS_SENT);
      await underLock(token, 'private', eventId, async (tx, { booking, event, host, now }) => {
        await limits.takeTogether(tx, [sent]);
        if (isOff(event)) throw new Problem('event_cancelled');
        if (event.endsAt <= now) throw new Problem('event_closed');
        const { email, language, places, heldUntil } = booking;
        if (booking.state === 'CONFIRMED')
          return mail.linkAgain(tx, { booking, event, host, privateToken: await privateToken(tx, booking) });
        if (booking.state !== 'HELD' || !host.canBeMet) throw new Problem('booking_ended');
        return writeAgain(
          tx,
          { mail, outbox },
          { event, host, whom: { id, email, language, places, heldUntil: heldUntil!.toISOString() } },
        );
      });
    },

    /** The calendar file of a confirmed booking. Problems: `link_invalid`, `booking_ended`. */
    async calendarFile(token: string, ip: string): Promise<ReturnType<BookingCalendar['published']>> {
      const { booking, event, host, now } = await look(token, 'private', ip);
      if (booking.state !== 'CONFIRMED') throw new Problem('booking_ended');
      return calendar.published({
        bookingId: booking.id,
        sequence: booking.sequence,
        event,
        host,
        language: booking.language,
        at: now,
      });
    },

    /**
     * Enters the waiting room. Rule 18. Problems: `link_invalid`, `booking_ended`, `event_cancelled`, `room_not_open`,
     * `room_full`, `waiting_room_full`, `too_many_requests`.
     */
    async enter(token: string, ip: string): Promise<ReplyOf<typeof enterBookedRoom>> {
      const { booking, event, host, now } = await look(token, 'private', ip);
      if (isOff(event)) throw new Problem('event_cancelled');
      if (booking.state !== 'CONFIRMED') throw new Problem('booking_ended');
      const open = roomTimes(event);
      if (!host.canBeMet || open === null || now < open.from || now >= open.until) throw new Problem('room_not_open');
      await limits.take(`booking room ${booking.id}`, ENTRIES);
      // Companions enter with the person; the therapist sees how many people one entry stands for.
      const along = booking.places > 1 ? ` +${booking.places - 1}` : '';
      const named = [...`${booking.firstName} ${booking.lastName}`].slice(0, PERSON_NAME_MAX - along.length);
      const name = `${named.join('').trim()}${along}`;
      return clients.enterBooked({ therapistId: host.id, bookingId: booking.id, name });
    },

    /**
     * The therapist adds somebody: confirmed at once. Rule 15. Problems: `not_found`, `event_full`, `event_cancelled`,
     * `event_closed`, `already_booked`, `too_many_requests`.
     */
    async add(therapistId: number, eventId: number, person: NewAttendee): Promise<Booking> {
      await limits.take(`booking add ${therapistId}`, ADDITIONS_A_DAY);
      const emailNormalized = normalizeEmail(person.email);
      const { firstName, lastName, email, phoneNumber: phone } = person;
      return inTurn(eventId, async (tx) => {
        const { event, host, now } = await lock(tx, eventId);
        if (isOff(event)) throw new Problem('event_cancelled');
        if (event.startsAt <= now) throw new Problem('event_closed');
        const there = await store.findLive(tx, eventId, emailNormalized);
        if (there?.state === 'CONFIRMED') throw new Problem('already_booked');
        if (there === null && (await store.countTaken(tx, eventId)) >= event.places) throw new Problem('event_full');
        // The person who typed the address of a hold has not proven it; the therapist knows who it is.
        const given = { firstName, lastName, email, emailNormalized, addedByTherapist: true };
        const booking = there
          ? await store.updateBooking(tx, there.id, { ...given, ...confirmed, ...(phone === '' ? {} : { phone }) })
          : await store.insertBooking(tx, {
              ...given,
              phone,
              eventId,
              language: host.language,
              state: 'CONFIRMED',
              confirmedAt: store.now,
            });
        await withdraw(tx, [booking], ['bookings.held']);
        await notices.count(tx, [{ host, booking }]);
        await mail.added(tx, { booking, event, host, privateToken: await privateToken(tx, booking) });
        return (await toBookings([booking], tx))[0]!;
      });
    },

    /**
     * The therapist cancels one person's booking. Rule 16. Problems: `not_found`, `booking_not_found`, `event_over`.
     */
    async remove(eventId: number, email: string, reason: string): Promise<void> {
      await inTurn(eventId, async (tx) => {
        const { event, host, now } = await lock(tx, eventId);
        if (event.endsAt <= now) throw new Problem('event_over');
        const booking = await store.findLive(tx, eventId, normalizeEmail(email));
        if (booking === null) throw new Problem('booking_not_found');
        await end(tx, [{ booking, event, host }], { endedBy: 'therapist', reason });
      });
    },

    /**
     * Called inside the transaction that cancels events: all live bookings end, everybody gets an email with the
     * reason. Rule 17.
     */
    async onEventsCancelling(tx: Tx, { events: rows, reason }: CancelledEvents): Promise<void> {
      const endings: Ending[] = [];
      for (const event of rows) {
        const { host } = await lock(tx, event.id);
        for (const booking of await store.findAllLive(tx, event.id)) endings.push({ booking, event, host });
      }
      await end(tx, endings, { endedBy: 'event', reason });
    },

    /**
     * Called inside the transaction that moved events: everybody with a live booking gets the old and the new time or
     * place. Returns how many emails were written. Rule 17.
     */
    async onEventsChanging(tx: Tx, changes: readonly EventChange[]): Promise<number> {
      const moved = [];
      for (const { before, after: event } of changes) {
        const { host } = await lock(tx, event.id);
        await store.shortenHolds(tx, event.id, event.startsAt);
        await store.markMoved(tx, event.id);
        for (const booking of await store.findAllLive(tx, event.id)) moved.push({ booking, before, event, host });
      }
      // Holds that get no email keep their place too.
      const told = await notices.count(tx, moved);
      for (const group of groupsOf(told, WRITTEN_AT_ONCE)) {
        const before = group.map(({ booking }) => booking);
        const rows = await store.updateBookings(tx, before, { sequence: store.oneMoreIfConfirmed });
        const tokens = await privateTokens(tx, rows);
        await mail.eventsChanged(
          tx,
          group.map((about, nth) => ({ ...about, booking: rows[nth]!, privateToken: tokens[nth]! })),
        );
      }
      return told.length;
    },

    /** The bookings of an event, for its owner: the live ones, and those that ended with a cancelled event. */
    list: async (eventId: number): Promise<Booking[]> => toBookings(await store.readOfEvent(db, eventId)),

    /** The same of several, by event. */
    async ofEvents(eventIds: readonly number[]): Promise<Map<number, Booking[]>> {
      const all = new Map<number, Booking[]>();
      if (eventIds.length === 0) return all;
      const rows = await store.readLive(db, eventIds);
      for (const [index, booking] of (await toBookings(rows)).entries()) {
        const { eventId } = rows[index]!;
        const booked = all.get(eventId);
        if (booked) booked.push(booking);
        else all.set(eventId, [booking]);
      }
      return all;
    },
  };
}

/** The links of an event outlive it when its therapist is deleted. */
function throwAsLinkInvalid(error: unknown): never {
  throw error instanceof Problem && error.code === 'not_found' ? new Problem('link_invalid') : error;
}
