/**
 * Tables of events. One row is one occurrence; occurrences written together share `seriesId`. The row also has
 * `as_listed` (migration 0008): its values in the form that lists read, which the database derives.
 */
import { sql } from 'drizzle-orm';
import { bigint, boolean, check, date, index, integer, jsonb, pgTable, text, time, uuid } from 'drizzle-orm/pg-core';
import type { Currency, EventStatus, EventType, RepetitionRule } from '@fieldroom/contract/events';
import { accounts } from '../accounts/accounts.tables.ts';
import { at, productNow } from '../../platform/platform.tables.ts';

export const events = pgTable(
  'events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedByDefaultAsIdentity(),
    /** Id of the first occurrence. */
    seriesId: bigint('series_id', { mode: 'number' }).notNull(),
    therapistId: bigint('therapist_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    status: text('status').$type<EventStatus>().notNull().default('PUBLISHED'),
    type: text('type').$type<EventType>().notNull(),
    isOnline: boolean('is_online').notNull(),
    name: text('name').notNull(),
    location: text('location').notNull(),
    address: text('address').notNull(),
    description: text('description').notNull(),
    /** Days in local time of `timeZone`, in order. */
    dates: date('dates', { mode: 'string' }).array().notNull(),
    startTime: time('start_time').notNull(),
    endTime: time('end_time').notNull(),
    timeZone: text('time_zone').notNull(),
    /** Instants derived from the local values above: first day's start, last day's end. */
    startsAt: at('starts_at').notNull(),
    endsAt: at('ends_at').notNull(),
    repetitionRule: jsonb('repetition_rule').$type<RepetitionRule>(),
    /** In the smallest unit of the currency. */
    priceMinor: bigint('price_minor', { mode: 'number' }).notNull(),
    currency: text('currency').$type<Currency>().notNull(),
    places: integer('places').notNull(),
    /** Of the uploaded picture in `stored_files`; several occurrences share one. */
    imageFile: uuid('image_file'),
    /** The text that keywords search: name, description, place and address, lower case, without accents. */
    searchText: text('search_text').notNull(),
    /** SEQUENCE of calendar files (RFC 5545); goes up with each change of time or place. */
    sequence: integer('sequence').notNull().default(0),
    cancelReason: text('cancel_reason'),
    cancelledAt: at('cancelled_at'),
    deletedAt: at('deleted_at'),
    createdAt: at('created_at').notNull().default(productNow),
    updatedAt: at('updated_at').notNull().default(productNow),
  },
  (t) => [
    // A therapist's lists use only these indexes, so other therapists' events cost nothing. The second has everything
    // that the public list orders and filters by, except the keyword, so that it reads the rows of the page and no
    // others.
    index('events_of_therapist').on(t.therapistId, t.endsAt),
    index('events_upcoming')
      .on(t.therapistId, t.endsAt, t.startsAt, t.id, t.type, t.dates)
      .where(sql`status = 'PUBLISHED' and deleted_at is null`),
    // Has all columns that the other days of a series are read from.
    index('events_of_series').on(t.seriesId, t.startsAt, t.id, t.status, t.deletedAt, t.dates),
    check('events_places', sql`${t.places} between 1 and 500`),
    check('events_price', sql`${t.priceMinor} between 0 and 999999999`),
    check('events_times', sql`${t.startTime} < ${t.endTime} and ${t.startsAt} < ${t.endsAt}`),
    check('events_dates', sql`cardinality(${t.dates}) between 1 and 60`),
    check('events_status', sql`${t.status} in ('PUBLISHED', 'CANCELLED')`),
  ],
);
