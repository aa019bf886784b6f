/** Bookings in the form of the calls' answers. */
import {
  type Booking,
  type BookingState,
  type BookingView,
  type EmailState,
  type HoldView,
  ROOM_OPENS_MINUTES,
} from '@fieldroom/contract/bookings';
import { minorToPrice } from '@fieldroom/contract/events';
import type { EventRow, Inviter } from '../events/index.ts';
import type { BookingRow } from './bookings.types.ts';

/** The state at a moment: a hold that is over is EXPIRED, even if its row is not marked yet. */
function stateAt({ state, heldUntil }: Pick<BookingRow, 'state' | 'heldUntil'>, now: Date): BookingState {
  return state === 'HELD' && heldUntil! <= now ? 'EXPIRED' : state;
}

const iso = (at: Date) => at.toISOString();

/** A booking as the event's owner sees it, with the state of the newest email about it. */
export function toBooking(row: BookingRow, emailState: EmailState | null): Booking {
  return {
    id: row.id,
    participant: { name: row.firstName, familyName: row.lastName, email: row.email, phone: row.phone },
    places: row.places,
    bookingDate: iso(row.createdAt),
    state: row.state,
    heldUntil: row.state === 'HELD' ? iso(row.heldUntil!) : null,
    addedByTherapist: row.addedByTherapist,
    emailState,
    doubleApproval: false,
  };
}

/**
 * When a booking opens the room of an online event: from 30 minutes before the start of the first day to the end of the
 * last. Null for events that are not online.
 */
export function roomTimes({
  isOnline,
  startsAt,
  endsAt,
}: Pick<EventRow, 'isOnline' | 'startsAt' | 'endsAt'>): { from: Date; until: Date } | null {
  return isOnline ? { from: new Date(startsAt.getTime() - ROOM_OPENS_MINUTES * 60_000), until: endsAt } : null;
}

/**
 * Whether an event does not take place: cancelled, or deleted before its end. One that was deleted later did take
 * place.
 */
export const isOff = ({ status, deletedAt, endsAt }: Pick<EventRow, 'status' | 'deletedAt' | 'endsAt'>): boolean =>
  status === 'CANCELLED' || (deletedAt !== null && deletedAt < endsAt);

function toBookedEvent(event: EventRow, host: Inviter): BookingView['event'] {
  return {
    id: event.id,
    therapistName: host.therapistName,
    therapistFirstName: host.firstName,
    therapistLastName: host.lastName,
    eventName: event.name,
    status: isOff(event) ? 'CANCELLED' : event.status,
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
  };
}

/**
 * The outcome of a hold. Takes whether its handle has time left (`open`), and whether its owner has answered since the
 * address was typed (rule 24).
 */
export function toHoldView(
  { heldUntil, open }: { heldUntil: Date; open: boolean },
  event: EventRow,
  host: Inviter,
  { answered, now }: { answered: boolean; now: Date },
): HoldView {
  const state = isOff(event)
    ? 'EVENT_CANCELLED'
    : answered
      ? 'ANSWERED'
      : event.startsAt <= now
        ? 'EVENT_CLOSED'
        : open
          ? 'HELD'
          : 'EXPIRED';
  return { state, heldUntil: iso(heldUntil), event: toBookedEvent(event, host), asOf: iso(now) };
}

/** A person's own booking. */
export function toView(row: BookingRow, event: EventRow, host: Inviter, now: Date): BookingView {
  const state = stateAt(row, now);
  const room = state === 'CONFIRMED' && !isOff(event) && host.canBeMet ? roomTimes(event) : null;
  return {
    state,
    heldUntil: state === 'HELD' ? iso(row.heldUntil!) : null,
    places: row.places,
    firstName: row.firstName,
    lastName: row.lastName,
    email: row.email,
    event: toBookedEvent(event, host),
    asOf: iso(now),
    movedOn: row.movedAt === null ? null : iso(row.movedAt),
    roomOpen: room && { from: iso(room.from), until: iso(room.until) },
  };
}
