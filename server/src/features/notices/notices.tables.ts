/** Notices of therapists. They hold references and no names (docs/product.md#11.24). */
import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { NoticeKind } from '@fieldroom/contract/notices';
import { at, productNow } from '../../platform/platform.tables.ts';
import { accounts } from '../accounts/accounts.tables.ts';
import { bills } from '../billing/billing.tables.ts';
import { bookings } from '../bookings/bookings.tables.ts';
import { clients } from '../clients/clients.tables.ts';

/** One row for each therapist who ever had a notice. Every change of the list locks this row first, and no other
 * afterwards. */
export const noticeLists = pgTable('notice_lists', {
  therapistId: bigint('therapist_id', { mode: 'number' })
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  /** Goes up by one with each change of the list. */
  revision: bigint('revision', { mode: 'number' }).notNull(),
});

export const notices = pgTable(
  'notices',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    therapistId: bigint('therapist_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** The list's revision with which it was added, or was joined by another arrival. */
    revision: bigint('revision', { mode: 'number' }).notNull(),
    kind: text('kind').$type<NoticeKind>().notNull(),
    bookingId: bigint('booking_id', { mode: 'number' }).references(() => bookings.id, { onDelete: 'cascade' }),
    /** The first who arrived; null once that client is deleted. */
    clientId: bigint('client_id', { mode: 'number' }).references(() => clients.id, { onDelete: 'set null' }),
    /** The number of people who arrived after them. */
    others: integer('others').notNull().default(0),
    billId: bigint('bill_id', { mode: 'number' }).references(() => bills.id, { onDelete: 'cascade' }),
    at: at('at').notNull().default(productNow),
    readAt: at('read_at'),
  },
  (t) => [
    uniqueIndex('notices_of_therapist').on(t.therapistId, t.revision),
    index('notices_unread')
      .on(t.therapistId)
      .where(sql`read_at is null`),
    index('notices_at').on(t.at),
    // For notices that are deleted with their booking, and for clients that are deleted.
    index('notices_booking')
      .on(t.bookingId)
      .where(sql`booking_id is not null`),
    index('notices_client')
      .on(t.clientId)
      .where(sql`client_id is not null`),
    check(
      'notices_kind',
      sql`(${t.kind} in ('booked', 'cancelled') and ${t.bookingId} is not null) or ${t.kind} = 'arrival' or (${t.kind} = 'bill' and ${t.billId} is not null)`,
    ),
  ],
);
