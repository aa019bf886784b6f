/** Bookings as the calls answer them. */
import { type Booking, type BookingState, type BookingView, ROOM_OPENS_MINUTES } from '@fieldroom/contract/bookings';
import { minorToPrice } from '@fieldroom/contract/events.rules';
import type { EventRow, Inviter } from '../events/index.ts';
import type { BookingRow } from './bookings.types.ts';

/** State as it is at a moment: a hold that is over is EXPIRED, whether or not its row was marked yet. */
export function stateAt({ state, heldUntil }: Pick<BookingRow, 'state' | 'heldUntil'>, now: Date): BookingState {
  return state === 'HELD' && heldUntil! <= now ? 'EXPIRED' : state;
}

const iso = (at: Date) => at.toISOString();

/** A live booking for the eyes of the event's owner. */
export function toBooking(row: BookingRow): Booking {
  return {
    id: row.id,
    participant: { name: row.firstName, familyName: row.lastName, email: row.email, phone: row.phone },
    bookingDate: iso(row.createdAt),
    state: row.state,
    heldUntil: row.state === 'HELD' ? iso(row.heldUntil!) : null,
    addedByTherapist: row.addedByTherapist,
    doubleApproval: false,
  };
}

/** From when to when the room of an event can be entered by a booking: before its first day's start until its last day's end; null offline. */
export function roomTimes({
  isOnline,
  startsAt,
  endsAt,
}: Pick<EventRow, 'isOnline' | 'startsAt' | 'endsAt'>): { from: Date; until: Date } | null {
  return isOnline ? { from: new Date(startsAt.getTime() - ROOM_OPENS_MINUTES * 60_000), until: endsAt } : null;
}

/** One's own booking. An event that was taken away shows as cancelled: there is none to come to. */
export function toView(row: BookingRow, event: EventRow, host: Inviter, now: Date): BookingView {
  const state = stateAt(row, now);
  const room = state === 'CONFIRMED' && event.status === 'PUBLISHED' && host.canBeMet ? roomTimes(event) : null;
  return {
    state,
    heldUntil: state === 'HELD' ? iso(row.heldUntil!) : null,
    firstName: row.firstName,
    lastName: row.lastName,
    email: row.email,
    event: {
      id: event.id,
      therapistName: host.therapistName,
      therapistFirstName: host.firstName,
      therapistLastName: host.lastName,
      eventName: event.name,
      status: event.deletedAt === null ? event.status : 'CANCELLED',
      isOnline: event.isOnline,
      eventLocation: event.location,
      address: event.address,
      dates: event.dates,
      startTime: event.startTime,
      endTime: event.endTime,
      timeZone: event.timeZone,
      startsOn: iso(event.startsAt),
      endsOn: iso(event.endsAt),
      price: minorToPrice(event.priceMinor, event.currency),
      currency: event.currency,
      files: event.imageFile === null ? [] : [`${event.imageFile}.webp`],
    },
    roomOpen: room && { from: iso(room.from), until: iso(room.until) },
  };
}
