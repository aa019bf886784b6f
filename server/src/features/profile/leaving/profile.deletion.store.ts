/** The statements of the deletion of an account on tables of several features. */
import { and, eq, gt, isNotNull, lte, sql } from 'drizzle-orm';
import { DELETION_DAYS } from '@fieldroom/contract/profile';
import type { Queryable, Tx } from '../../../platform/db/db.ts';
import { productNow } from '../../../platform/platform.tables.ts';
import { accounts } from '../../accounts/accounts.tables.ts';
import { bookings } from '../../bookings/bookings.tables.ts';
import { events } from '../../events/events.tables.ts';
import { figures } from '../../field/field.tables.ts';

/** Sets the day of the deletion; the first one stays. Returns it. */
export async function setDeletion(tx: Tx, accountId: number): Promise<Date> {
  const [row] = await tx
    .update(accounts)
    .set({ deletesAt: sql`coalesce(${accounts.deletesAt}, product_now() + make_interval(days => ${DELETION_DAYS}))` })
    .where(eq(accounts.id, accountId))
    .returning({ deletesAt: accounts.deletesAt });
  return row!.deletesAt!;
}

/** Cancels a deletion, unless it is due. Returns whether it did. */
export async function unsetDeletion(tx: Tx, accountId: number): Promise<boolean> {
  const { rowCount } = await tx
    .update(accounts)
    .set({ deletesAt: null })
    .where(and(eq(accounts.id, accountId), gt(accounts.deletesAt, productNow)));
  return rowCount === 1;
}

/** Cancels a deletion that was requested after a moment, unless it is due. Returns whether it did. */
export async function unsetDeletionSince(tx: Tx, accountId: number, since: Date): Promise<boolean> {
  const { rowCount } = await tx
    .update(accounts)
    .set({ deletesAt: null })
    .where(
      and(
        eq(accounts.id, accountId),
        gt(accounts.deletesAt, productNow),
        sql`${accounts.deletesAt} > ${since.toISOString()}::timestamptz + make_interval(days => ${DELETION_DAYS})`,
      ),
    );
  return rowCount === 1;
}

/** Events that are still to come and for which somebody is booked, or holds a place. */
export async function eventsWithBookings(db: Queryable, accountId: number): Promise<number[]> {
  const rows = await db
    .selectDistinct({ id: events.id })
    .from(events)
    .innerJoin(bookings, eq(bookings.eventId, events.id))
    .where(
      and(
        eq(events.therapistId, accountId),
        eq(events.status, 'PUBLISHED'),
        sql`${events.endsAt} > product_now()`,
        sql`(${bookings.state} = 'CONFIRMED' OR (${bookings.state} = 'HELD' AND ${bookings.heldUntil} > product_now()))`,
      ),
    )
    .orderBy(events.id);
  return rows.map(({ id }) => id);
}

/** Accounts whose deletion is due. */
export async function dueDeletions(db: Queryable, most: number): Promise<number[]> {
  const rows = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(isNotNull(accounts.deletesAt), lte(accounts.deletesAt, productNow)))
    .orderBy(accounts.deletesAt)
    .limit(most);
  return rows.map(({ id }) => id);
}

/**
 * Removes the account with everything that belongs to it. Bills stay: they point to no account, and contain what the
 * law requires. Figures go first, because they refer to icons.
 */
export async function removeAccount(tx: Tx, accountId: number): Promise<void> {
  await tx.delete(figures).where(eq(figures.therapistId, accountId));
  await tx.delete(accounts).where(eq(accounts.id, accountId));
}
