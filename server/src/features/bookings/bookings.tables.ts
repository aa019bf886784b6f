/**
 * Tables of bookings. Readers decide whether a HELD row still holds its place: `held_until > product_now()`.
 */
import { sql } from 'drizzle-orm';
import { bigint, boolean, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { type BookingState, PLACES_OF_BOOKING_MAX } from '@fieldroom/contract/bookings';
import type { Language } from '@fieldroom/contract/text';
import { at, bytea, productNow } from '../../platform/platform.tables.ts';
import { events } from '../events/events.tables.ts';

export const bookings = pgTable(
  'bookings',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    eventId: bigint('event_id', { mode: 'number' })
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    /** Stays HELD after its hold is over until the next act at the event; readers compare `heldUntil`. */
    state: text('state').$type<BookingState>().notNull(),
    /** For the person and their companions (README, rule 27). */
    places: integer('places').notNull().default(1),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    email: text('email').notNull(),
    emailNormalized: text('email_normalized').notNull(),
    phone: text('phone').notNull(),
    language: text('language').$type<Language>().notNull(),
    heldUntil: at('held_until'),
    /** The hold was extended, by sending again or correcting the address. */
    extended: boolean('extended').notNull().default(false),
    addedByTherapist: boolean('added_by_therapist').notNull().default(false),
    createdAt: at('created_at').notNull().default(productNow),
    confirmedAt: at('confirmed_at'),
    endedAt: at('ended_at'),
    /** When the event's time or place last changed since it was booked, for those who may still come. */
    movedAt: at('moved_at'),
    /** `correction`: the person who booked corrected the address; its owner has not answered. */
    endedBy: text('ended_by').$type<'client' | 'therapist' | 'event' | 'time' | 'correction'>(),
    /** SEQUENCE of this person's calendar entries (RFC 5545); goes up with each calendar file that changes them. */
    sequence: integer('sequence').notNull().default(0),
    /** When name, address and phone number were erased (docs/product.md#12.4). */
    erasedAt: at('erased_at'),
  },
  (t) => [
    // One live booking for each address and occurrence. An expired hold is marked before another takes its place.
    uniqueIndex('bookings_live_person')
      .on(t.eventId, t.emailNormalized)
      .where(sql`state in ('HELD', 'CONFIRMED')`),
    // A person who has lost their links gives only their address.
    index('bookings_live_address')
      .on(t.emailNormalized)
      .where(sql`state in ('HELD', 'CONFIRMED')`),
    // Every read of an event counts with this index, so it contains all counted columns.
    index('bookings_live_event')
      .on(t.eventId, t.state, t.heldUntil, t.places)
      .where(sql`state in ('HELD', 'CONFIRMED')`),
    index('bookings_of_event').on(t.eventId, t.createdAt),
    index('bookings_to_erase')
      .on(t.createdAt)
      .where(sql`erased_at is null`),
    check('bookings_state', sql`${t.state} in ('HELD', 'CONFIRMED', 'EXPIRED', 'DECLINED', 'CANCELLED')`),
    check('bookings_places', sql`${t.places} between 1 and ${sql.raw(String(PLACES_OF_BOOKING_MAX))}`),
    check('bookings_held', sql`${t.state} <> 'HELD' or ${t.heldUntil} is not null`),
  ],
);

/** Hashed tokens of emails and private links. A booking has several, because emails are sent again. */
export const bookingTokens = pgTable(
  'booking_tokens',
  {
    tokenHash: bytea('token_hash').primaryKey(),
    bookingId: bigint('booking_id', { mode: 'number' })
      .notNull()
      .references(() => bookings.id, { onDelete: 'cascade' }),
    /** `email`, the email's token, confirms or declines; `private` shows and cancels. */
    purpose: text('purpose').$type<'email' | 'private'>().notNull(),
    createdAt: at('created_at').notNull().default(productNow),
  },
  (t) => [index('booking_tokens_booking').on(t.bookingId)],
);

/**
 * Handles of people who just booked, for one act each. They carry what a corrected address books with. A handle without
 * a booking is a *decoy*: the address had a booking already. While it is unused and not over, the public counts it as a
 * place, like a hold (README, rule 4).
 */
export const bookingHandles = pgTable(
  'booking_handles',
  {
    handleHash: bytea('handle_hash').primaryKey(),
    eventId: bigint('event_id', { mode: 'number' })
      .notNull()
      .references(() => events.id, { onDelete: 'cascade' }),
    bookingId: bigint('booking_id', { mode: 'number' }).references(() => bookings.id, { onDelete: 'cascade' }),
    /** Keyed hash of the address block it came from, to count open holds (docs/product.md#14.1). */
    source: bytea('source').notNull(),
    places: integer('places').notNull().default(1),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    email: text('email').notNull(),
    phone: text('phone').notNull(),
    language: text('language').$type<Language>().notNull(),
    heldUntil: at('held_until').notNull(),
    extended: boolean('extended').notNull().default(false),
    usedAt: at('used_at'),
    /** When its address was typed. The next handle after sending again keeps it. */
    createdAt: at('created_at').notNull().default(productNow),
  },
  (t) => [
    index('booking_handles_source').on(t.source, t.heldUntil),
    index('booking_handles_created').on(t.createdAt),
    // Read for every public number; nearly always empty.
    index('booking_handles_decoys')
      .on(t.eventId, t.heldUntil, t.places)
      .where(sql`booking_id is null and used_at is null`),
  ],
);
