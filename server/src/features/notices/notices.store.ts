/** Rows of notices and of the lists that they are in. */
import { and, desc, eq, gt, inArray, isNull, lt, lte, max, sql } from 'drizzle-orm';
import {
  ARRIVALS_JOINED_MINUTES,
  NOTICES_KEPT,
  NOTICES_KEPT_DAYS,
  type NoticesState,
} from '@fieldroom/contract/notices';
import type { Queryable, Tx } from '../../platform/db/db.ts';
import { productNow } from '../../platform/platform.tables.ts';
import { bills } from '../billing/billing.tables.ts';
import { bookings } from '../bookings/bookings.tables.ts';
import { clients } from '../clients/clients.tables.ts';
import { events } from '../events/events.tables.ts';
import { noticeLists, notices } from './notices.tables.ts';

export type NewNotice = Pick<typeof notices.$inferInsert, 'therapistId' | 'kind' | 'bookingId' | 'clientId' | 'billId'>;

const oldest = sql`product_now() - make_interval(days => ${NOTICES_KEPT_DAYS})`;
const isKept = gt(notices.at, oldest);
const isUnread = isNull(notices.readAt);

// ---- reading

/** The number of unread notices, and its revision. */
export async function readState(on: Queryable, therapistId: number): Promise<NoticesState> {
  const unread = sql<number>`(select count(*) from ${notices} where ${and(eq(notices.therapistId, therapistId), isUnread, isKept)})`;
  const { rows } = await on.execute<{ unread: number; revision: number | null }>(sql`
    SELECT ${unread} AS unread,
      (SELECT revision FROM ${noticeLists} WHERE ${noticeLists.therapistId} = ${therapistId}) AS revision`);
  return { unread: rows[0]!.unread, revision: rows[0]!.revision ?? 0 };
}

export type NoticeRow = Awaited<ReturnType<typeof findNotices>>[number];

/** The newest notices below a revision (all, without one), with their subjects. */
export function findNotices(
  on: Queryable,
  therapistId: number,
  { before, most }: { before: number | undefined; most: number },
) {
  return on
    .select({
      notice: notices,
      booking: { firstName: bookings.firstName, lastName: bookings.lastName },
      event: { id: events.id, name: events.name, startsAt: events.startsAt, timeZone: events.timeZone },
      client: { name: clients.name },
      bill: { id: bills.id, year: bills.year, sequence: bills.sequence, month: bills.month },
    })
    .from(notices)
    .leftJoin(bookings, eq(bookings.id, notices.bookingId))
    .leftJoin(events, eq(events.id, bookings.eventId))
    .leftJoin(clients, eq(clients.id, notices.clientId))
    .leftJoin(bills, eq(bills.id, notices.billId))
    .where(
      and(
        eq(notices.therapistId, therapistId),
        isKept,
        before === undefined ? undefined : lt(notices.revision, before),
      ),
    )
    .orderBy(desc(notices.revision))
    .limit(most);
}

// ---- under the lock of the list

/** Locks the list of a therapist until the transaction ends; makes it if there is none. */
export async function lockList(tx: Tx, therapistId: number): Promise<void> {
  await tx
    .insert(noticeLists)
    .values({ therapistId, revision: 0 })
    .onConflictDoUpdate({ target: noticeLists.therapistId, set: { revision: noticeLists.revision } });
}

/**
 * Locks lists and raises their revisions by one, always in the same order of therapists. Returns the revisions by
 * therapist.
 */
export async function raiseRevisions(tx: Tx, therapistIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  const rows = await tx
    .insert(noticeLists)
    .values(therapistIds.toSorted((a, b) => a - b).map((therapistId) => ({ therapistId, revision: 1 })))
    .onConflictDoUpdate({ target: noticeLists.therapistId, set: { revision: sql`${noticeLists.revision} + 1` } })
    .returning();
  return new Map(rows.map(({ therapistId, revision }) => [therapistId, revision]));
}

/** Writes notices, one for each therapist, and deletes the oldest of a list that has too many. */
export async function insertNotices(
  tx: Tx,
  rows: readonly NewNotice[],
  revisions: ReadonlyMap<number, number>,
): Promise<void> {
  await tx.insert(notices).values(rows.map((row) => ({ ...row, revision: revisions.get(row.therapistId)! })));
  const therapistIds = sql`${sql.param(rows.map(({ therapistId }) => therapistId))}::bigint[]`;
  await tx.execute(sql`
    DELETE FROM notices USING (
      SELECT id, row_number() OVER (PARTITION BY therapist_id ORDER BY revision DESC) AS place
      FROM notices WHERE therapist_id = ANY (${therapistIds})
    ) AS placed
    WHERE notices.id = placed.id AND placed.place > ${NOTICES_KEPT}`);
}

/** The unread notice of an arrival that another arrival joins. */
export async function findOpenArrival(tx: Tx, therapistId: number): Promise<number | null> {
  const [row] = await tx
    .select({ id: max(notices.id) })
    .from(notices)
    .where(
      and(
        eq(notices.therapistId, therapistId),
        eq(notices.kind, 'arrival'),
        isUnread,
        gt(notices.at, sql`product_now() - make_interval(mins => ${ARRIVALS_JOINED_MINUTES})`),
      ),
    );
  return row?.id ?? null;
}

/** One more arrived: the notice moves to the top of the list. */
export async function joinArrival(tx: Tx, noticeId: number, revision: number): Promise<void> {
  await tx
    .update(notices)
    .set({ others: sql`${notices.others} + 1`, at: productNow as never, revision })
    .where(eq(notices.id, noticeId));
}

/**
 * Marks unread notices of a therapist as read: one, or all up to a revision. Returns how many were marked; null if the
 * therapist has no such notice.
 */
export async function markRead(
  tx: Tx,
  therapistId: number,
  which: { noticeId: number } | { upTo: number },
): Promise<number | null> {
  const named =
    'noticeId' in which
      ? and(eq(notices.id, which.noticeId), isKept)
      : and(lte(notices.revision, which.upTo), isUnread);
  const found = await tx
    .select({ id: notices.id, readAt: notices.readAt })
    .from(notices)
    .where(and(eq(notices.therapistId, therapistId), named));
  if ('noticeId' in which && found.length === 0) return null;
  const unread = found.filter(({ readAt }) => readAt === null).map(({ id }) => id);
  if (unread.length > 0)
    await tx
      .update(notices)
      .set({ readAt: productNow as never })
      .where(inArray(notices.id, unread));
  return unread.length;
}

// ---- retention (docs/product.md#11.25)

/** Deletes notices that are too old. Returns their number. */
export async function removeOld(on: Queryable): Promise<number> {
  const { rowCount } = await on.delete(notices).where(lte(notices.at, oldest));
  return rowCount ?? 0;
}
