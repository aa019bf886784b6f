/** Builders of bookings: for tests and the demo practice. */
import { sql } from 'drizzle-orm';
import { type BookingState, HOLD_MINUTES } from '@fieldroom/contract/bookings';
import { type Language, normalizeEmail } from '@fieldroom/contract/text';
import { bookings, bookingTokens } from '../features/bookings/bookings.tables.ts';
import type { Queryable } from '../platform/db/db.ts';
import { newToken } from '../platform/tokens.ts';

export interface BookingWish {
  eventId: number;
  firstName?: string;
  lastName?: string;
  email?: string;
  phone?: string;
  language?: Language;
  places?: number;
  state?: BookingState;
  /** Of a held booking; negative for a hold that is over but not marked yet. */
  minutesLeft?: number;
  /** How long ago the booking was made and, if it has ended, ended. */
  minutesAgo?: number;
  addedByTherapist?: boolean;
  /** Of a cancelled booking; the person by default. */
  endedBy?: 'client' | 'therapist' | 'event';
}

export interface BuiltBooking {
  id: number;
  eventId: number;
  firstName: string;
  lastName: string;
  email: string;
  /** To confirm and decline. */
  emailToken: string;
  /** To see and cancel. */
  privateToken: string;
}

let count = 0;

/** A booking as it would be in this state, with a token of each kind. */
export async function aBooking(db: Queryable, wish: BookingWish): Promise<BuiltBooking> {
  count += 1;
  const { eventId, state = 'CONFIRMED', minutesAgo = 0, minutesLeft = HOLD_MINUTES } = wish;
  const person = {
    firstName: wish.firstName ?? 'Réka',
    lastName: wish.lastName ?? 'Oláh',
    email: wish.email ?? `booked-${process.pid}-${count}@mail.example`,
  };
  const then = sql`product_now() - make_interval(secs => ${minutesAgo * 60})`;
  const ended = state !== 'HELD' && state !== 'CONFIRMED';
  const [row] = await db
    .insert(bookings)
    .values({
      ...person,
      eventId,
      state,
      places: wish.places ?? 1,
      emailNormalized: normalizeEmail(person.email),
      phone: wish.phone ?? '+36 30 555 1234',
      language: wish.language ?? 'en',
      createdAt: then,
      heldUntil:
        state === 'HELD'
          ? sql`product_now() + make_interval(secs => ${minutesLeft * 60})`
          : state === 'EXPIRED'
            ? then
            : null,
      confirmedAt: state === 'CONFIRMED' ? then : null,
      endedAt: ended ? then : null,
      endedBy: state === 'EXPIRED' ? 'time' : ended ? (wish.endedBy ?? 'client') : null,
      addedByTherapist: wish.addedByTherapist ?? false,
    })
    .returning({ id: bookings.id });
  const [confirming, own] = [newToken(), newToken()];
  await db.insert(bookingTokens).values([
    { tokenHash: confirming.hash, bookingId: row!.id, purpose: 'email' },
    { tokenHash: own.hash, bookingId: row!.id, purpose: 'private' },
  ]);
  return { id: row!.id, eventId, ...person, emailToken: confirming.token, privateToken: own.token };
}

/** One more private link to a booking, as in emails. */
export async function aPrivateLink(db: Queryable, bookingId: number): Promise<string> {
  const { token, hash } = newToken();
  await db.insert(bookingTokens).values({ tokenHash: hash, bookingId, purpose: 'private' });
  return token;
}
