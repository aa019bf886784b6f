/**
 * What becomes of bookings: confirmed, declined, cancelled, added, shown. Every act is one transaction that locks the event's
 * row first and marks the holds that are over; letters are written in it, and those that it made untrue withdrawn.
 * The numbered rules are in README.md.
 */
import type {
  Booking,
  BookingView,
  confirmBooking,
  enterBookedRoom,
  NewParticipant,
} from '@fieldroom/contract/bookings';
import { PERSON_NAME_MAX } from '@fieldroom/contract/text';
import type { ReplyOf } from '@fieldroom/contract/http';
import { Problem } from '@fieldroom/contract/problems';
import { normalizeEmail } from '@fieldroom/contract/text';
import type { Clock } from '../../platform/clock.ts';
import type { Limit } from '../../platform/config.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { Limits } from '../../platform/limits.ts';
import type { Outbox } from '../../platform/mail/outbox.ts';
import { hashToken, newToken } from '../accounts/index.ts';
import type { Clients } from '../clients/index.ts';
import type { EventChange, EventRow, Events, Inviter } from '../events/index.ts';
import { roomTimes, toBooking, toView } from './bookings.answers.ts';
import * as store from './bookings.store.ts';
import { type BookingCalendar, type BookingMail, type BookingRow, WITHDRAWN_AT_END } from './bookings.types.ts';

/** Who comes by a booking may lose the way a few times. */
const ENTRIES: Limit = { max: 20, windowSeconds: 3600 };
/** Far beyond what anybody adds by hand; each sends a letter to an address of the therapist's choice. */
const ADDITIONS_A_DAY: Limit = { max: 500, windowSeconds: 86_400 };

export interface BookingsServiceParts {
  db: Db;
  clock: Pick<Clock, 'now'>;
  events: Pick<Events, 'find' | 'lock' | 'inviter'>;
  outbox: Pick<Outbox, 'withdraw'>;
  mail: BookingMail;
  calendar: BookingCalendar;
  limits: Pick<Limits, 'take'>;
  clients: Pick<Clients, 'enterBooked'>;
}

/** What an act on a booking works with, all read under the event's lock. */
interface Standing {
  readonly booking: BookingRow;
  readonly event: EventRow;
  /** Also of somebody who was suspended meanwhile: whoever is booked is not left alone with that. */
  readonly host: Inviter;
  readonly now: Date;
}

export type BookingsService = ReturnType<typeof createBookingsService>;

export function createBookingsService({
  db,
  clock,
  events,
  outbox,
  mail,
  calendar,
  limits,
  clients,
}: BookingsServiceParts) {
  const withdraw = (tx: Tx, { id }: Pick<BookingRow, 'id'>, kinds: readonly string[] = WITHDRAWN_AT_END) =>
    outbox.withdraw(tx, `booking ${id}`, kinds);

  async function privateToken(tx: Tx, { id }: Pick<BookingRow, 'id'>): Promise<string> {
    const { token, hash } = newToken();
    await store.insertToken(tx, hash, id, 'private');
    return token;
  }

  /** The event, locked, with what is over marked. */
  async function lock(tx: Tx, eventId: number): Promise<{ event: EventRow; host: Inviter; now: Date }> {
    const event = await events.lock(tx, eventId);
    const host = event === null ? null : await events.inviter(event.therapistId, tx);
    if (event === null || host === null) throw new Problem('not_found');
    await store.expire(tx, eventId);
    return { event, host, now: await clock.now(tx) };
  }

  /** An act by a token: found, then read again under the lock. Problem: `link_invalid`. */
  async function byToken<T>(
    token: string,
    purpose: store.Purpose,
    act: (tx: Tx, standing: Standing) => Promise<T>,
  ): Promise<T> {
    const tokenHash = hashToken(token);
    const found = await store.findByToken(db, tokenHash, purpose);
    if (found === null) throw new Problem('link_invalid');
    return db.transaction(async (tx) => {
      const locked = await lock(tx, found.eventId).catch(orLinkInvalid);
      const booking = await store.findByToken(tx, tokenHash, purpose);
      if (booking === null) throw new Problem('link_invalid');
      return act(tx, { ...locked, booking });
    });
  }

  /** The same to look at only, without a lock. */
  async function look(token: string, purpose: store.Purpose): Promise<Standing> {
    const booking = await store.findByToken(db, hashToken(token), purpose);
    const event = booking === null ? null : await events.find(booking.eventId);
    const host = event === null ? null : await events.inviter(event.therapistId);
    if (booking === null || event === null || host === null) throw new Problem('link_invalid');
    return { booking, event, host, now: await clock.now() };
  }

  const isGone = ({ status, deletedAt }: EventRow) => status === 'CANCELLED' || deletedAt !== null;
  const confirmed = { state: 'CONFIRMED', confirmedAt: store.now, endedAt: null, endedBy: null } as const;
  const cancelled = (endedBy: 'client' | 'therapist' | 'event', { state }: BookingRow) =>
    // Only who got a calendar file gets another.
    ({
      state: 'CANCELLED',
      endedAt: store.now,
      endedBy,
      ...(state === 'CONFIRMED' ? { sequence: store.oneMore } : {}),
    }) as const;

  return {
    /** Confirms by the letter's token. Rules 10 to 12. Problems: `link_invalid`, `event_full`, `event_cancelled`, `event_closed`, `booking_ended`, `already_booked`. */
    confirm: (token: string): Promise<ReplyOf<typeof confirmBooking>> =>
      byToken(token, 'letter', async (tx, { booking, event, host, now }) => {
        if (booking.state === 'CONFIRMED')
          return { ...toView(booking, event, host, now), bookingToken: await privateToken(tx, booking) };
        if (booking.state !== 'HELD' && booking.state !== 'EXPIRED')
          throw new Problem(booking.endedBy === 'event' ? 'event_cancelled' : 'booking_ended');
        if (isGone(event)) throw new Problem('event_cancelled');
        if (event.startsAt <= now) throw new Problem('event_closed');
        if (!host.canBeMet) throw new Problem('booking_ended');
        if (booking.state === 'EXPIRED') {
          if ((await store.findLive(tx, event.id, booking.emailNormalized)) !== null)
            throw new Problem('already_booked');
          // Decoys count here as anywhere for the public: whoever has an ended booking of their own could count by it.
          if ((await store.countTaken(tx, event.id)) + (await store.countDecoys(tx, event.id)) >= event.places)
            throw new Problem('event_full');
        }
        const after = await store.updateBooking(tx, booking.id, confirmed);
        const bookingToken = await privateToken(tx, after);
        // A letter that asks to confirm has nothing to ask any more.
        await withdraw(tx, after, ['bookings.held']);
        await mail.confirmed(tx, { booking: after, event, host, privateToken: bookingToken });
        await mail.newBooking(tx, { booking: after, event, host });
        return { ...toView(after, event, host, now), bookingToken };
      }),

    /** Declines by the letter's token; a second time changes nothing. Rule 13. Problems: `link_invalid`, `booking_ended`. */
    decline: (token: string): Promise<void> =>
      byToken(token, 'letter', async (tx, { booking }) => {
        if (booking.state === 'DECLINED') return;
        if (booking.state !== 'HELD') throw new Problem('booking_ended');
        await store.updateBooking(tx, booking.id, { state: 'DECLINED', endedAt: store.now, endedBy: 'client' });
        await withdraw(tx, booking);
      }),

    async lookAtLetter(token: string): Promise<BookingView> {
      const { booking, event, host, now } = await look(token, 'letter');
      return toView(booking, event, host, now);
    },

    async view(token: string): Promise<BookingView> {
      const { booking, event, host, now } = await look(token, 'private');
      return toView(booking, event, host, now);
    },

    /** Cancels one's own booking; a second time changes nothing. Rule 14. Problems: `link_invalid`, `booking_ended`, `event_closed`. */
    cancel: (token: string): Promise<void> =>
      byToken(token, 'private', async (tx, { booking, event, host, now }) => {
        if (booking.state === 'CANCELLED' && booking.endedBy === 'client') return;
        if (booking.state !== 'HELD' && booking.state !== 'CONFIRMED') throw new Problem('booking_ended');
        if (event.startsAt <= now) throw new Problem('event_closed');
        const after = await store.updateBooking(tx, booking.id, cancelled('client', booking));
        await withdraw(tx, booking);
        // The therapist never heard of one that was only held.
        if (booking.state === 'CONFIRMED') await mail.cancelledByClient(tx, { booking: after, event, host });
      }),

    /** The calendar file of a confirmed booking. Problems: `link_invalid`, `booking_ended`. */
    async calendarFile(token: string): Promise<ReturnType<BookingCalendar['published']>> {
      const { booking, event, host, now } = await look(token, 'private');
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

    /** To the waiting room. Rule 18. Problems: `link_invalid`, `booking_ended`, `event_cancelled`, `room_not_open`, `room_full`, `waiting_room_full`, `too_many_requests`. */
    async enter(token: string): Promise<ReplyOf<typeof enterBookedRoom>> {
      const { booking, event, host, now } = await look(token, 'private');
      if (isGone(event)) throw new Problem('event_cancelled');
      if (booking.state !== 'CONFIRMED') throw new Problem('booking_ended');
      const open = roomTimes(event);
      if (!host.canBeMet || open === null || now < open.from || now >= open.until) throw new Problem('room_not_open');
      await limits.take(`booking room ${booking.id}`, ENTRIES);
      const name = [...`${booking.firstName} ${booking.lastName}`].slice(0, PERSON_NAME_MAX).join('').trim();
      return clients.enterBooked({ therapistId: host.id, name });
    },

    /** The therapist adds somebody: confirmed at once. Rule 15. Problems: `not_found`, `event_full`, `event_cancelled`, `event_closed`, `already_booked`, `too_many_requests`. */
    async add(therapistId: number, eventId: number, person: NewParticipant): Promise<Booking> {
      await limits.take(`booking add ${therapistId}`, ADDITIONS_A_DAY);
      const emailNormalized = normalizeEmail(person.email);
      const { firstName, lastName, email, phoneNumber: phone } = person;
      return db.transaction(async (tx) => {
        const { event, host, now } = await lock(tx, eventId);
        if (isGone(event)) throw new Problem('event_cancelled');
        if (event.startsAt <= now) throw new Problem('event_closed');
        const there = await store.findLive(tx, eventId, emailNormalized);
        if (there?.state === 'CONFIRMED') throw new Problem('already_booked');
        if (there === null && (await store.countTaken(tx, eventId)) >= event.places) throw new Problem('event_full');
        // Whoever typed the address of a hold has not proven it; the therapist knows who it is.
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
        await withdraw(tx, booking, ['bookings.held']);
        await mail.added(tx, { booking, event, host, privateToken: await privateToken(tx, booking) });
        return toBooking(booking);
      });
    },

    /** The therapist cancels one person's booking. Rule 16. Problems: `not_found`, `booking_not_found`. */
    async remove(eventId: number, email: string, reason: string): Promise<void> {
      await db.transaction(async (tx) => {
        const { event, host } = await lock(tx, eventId);
        const booking = await store.findLive(tx, eventId, normalizeEmail(email));
        if (booking === null) throw new Problem('booking_not_found');
        const after = await store.updateBooking(tx, booking.id, cancelled('therapist', booking));
        await withdraw(tx, booking);
        await mail.cancelledByTherapist(tx, {
          booking: after,
          event,
          host,
          reason,
          wasConfirmed: booking.state === 'CONFIRMED',
        });
      });
    },

    /** Inside the transaction that cancels an event: all live bookings end, everybody gets a letter with the reason. Rule 17. */
    async onEventCancelling(tx: Tx, { event, reason }: { event: EventRow; reason: string }): Promise<void> {
      const { host } = await lock(tx, event.id);
      for (const booking of await store.findAllLive(tx, event.id)) {
        const after = await store.updateBooking(tx, booking.id, cancelled('event', booking));
        await withdraw(tx, booking);
        await mail.eventCancelled(tx, {
          booking: after,
          event,
          host,
          reason,
          wasConfirmed: booking.state === 'CONFIRMED',
        });
      }
    },

    /** Inside the transaction that moved an event: everybody with a live booking is told what it was and what it is. Rule 17. */
    async onEventChanging(tx: Tx, { before, after: event }: EventChange): Promise<void> {
      const { host } = await lock(tx, event.id);
      for (const booking of await store.findAllLive(tx, event.id)) {
        const wasConfirmed = booking.state === 'CONFIRMED';
        const told = wasConfirmed ? await store.updateBooking(tx, booking.id, { sequence: store.oneMore }) : booking;
        await mail.eventChanged(tx, {
          booking: told,
          before,
          event,
          host,
          privateToken: await privateToken(tx, booking),
          wasConfirmed,
        });
      }
    },

    /** The live bookings of an event, for its owner. */
    list: async (eventId: number): Promise<Booking[]> => (await store.readLive(db, [eventId])).map(toBooking),

    /** The same of several, by event. */
    async ofEvents(eventIds: readonly number[]): Promise<Map<number, Booking[]>> {
      const all = new Map<number, Booking[]>();
      if (eventIds.length === 0) return all;
      for (const row of await store.readLive(db, eventIds)) {
        const booked = all.get(row.eventId);
        if (booked) booked.push(toBooking(row));
        else all.set(row.eventId, [toBooking(row)]);
      }
      return all;
    },
  };
}

/** An event that went away with its therapist leaves its links behind. */
function orLinkInvalid(error: unknown): never {
  throw error instanceof Problem && error.code === 'not_found' ? new Problem('link_invalid') : error;
}
