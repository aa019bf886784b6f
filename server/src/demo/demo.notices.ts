/** The notices of the demo practice: what its bookings, bills and one arrival would have told, the newest unread. */
import { and, eq, sql } from 'drizzle-orm';
import { NOTICES_KEPT_DAYS } from '@fieldroom/contract/notices';
import { bills } from '../features/billing/billing.tables.ts';
import { bookings } from '../features/bookings/bookings.tables.ts';
import { events } from '../features/events/events.tables.ts';
import { noticeLists, notices } from '../features/notices/notices.tables.ts';
import type { Db } from '../platform/db/db.ts';
import { aNotice, type NoticeWish } from '../builders/notices.builders.ts';

const UNREAD = 3;
const DAY_MINUTES = 24 * 60;

type Told = NoticeWish & { minutesAgo: number };

/** Writes them in the order in which everything happened, instead of those that making the bills has written. */
export async function fillDemoNotices(db: Db, therapistId: number): Promise<void> {
  const minutesSince = (time: unknown) => sql<number>`extract(epoch FROM product_now() - ${time})::float8 / 60`;
  await db.transaction(async (tx) => {
    for (const table of [notices, noticeLists]) await tx.delete(table).where(eq(table.therapistId, therapistId));
    const booked = await tx
      .select({
        bookingId: bookings.id,
        confirmed: minutesSince(bookings.createdAt),
        cancelled: minutesSince(bookings.endedAt),
        state: bookings.state,
        endedBy: bookings.endedBy,
      })
      .from(bookings)
      .innerJoin(events, eq(events.id, bookings.eventId))
      .where(and(eq(events.therapistId, therapistId), eq(bookings.addedByTherapist, false)));
    const billed = await tx
      .select({ billId: bills.id, minutesAgo: minutesSince(bills.issuedOn) })
      .from(bills)
      .where(eq(bills.therapistId, therapistId));
    const told: Told[] = [
      ...booked.flatMap(({ bookingId, confirmed, cancelled, state, endedBy }): Told[] => {
        const common = { therapistId, bookingId };
        if (state === 'CONFIRMED') return [{ ...common, kind: 'booked', minutesAgo: confirmed }];
        if (endedBy !== 'client') return [];
        // The builder knows no time between booking and cancelling.
        return [
          { ...common, kind: 'booked', minutesAgo: confirmed + 2 * DAY_MINUTES },
          { ...common, kind: 'cancelled', minutesAgo: cancelled },
        ];
      }),
      ...billed.map(
        // A bill's day is read as midnight UTC, which lies an hour or two after midnight in the seller's zone.
        ({ billId, minutesAgo }): Told => ({ therapistId, kind: 'bill', billId, minutesAgo: Math.max(0, minutesAgo) }),
      ),
      { therapistId, kind: 'arrival', others: 1, minutesAgo: 3 * DAY_MINUTES },
    ];
    const inOrder = told
      .filter(({ minutesAgo }) => minutesAgo < NOTICES_KEPT_DAYS * DAY_MINUTES)
      .toSorted((a, b) => b.minutesAgo - a.minutesAgo);
    for (const [nth, wish] of inOrder.entries()) await aNotice(tx, { ...wish, read: nth < inOrder.length - UNREAD });
  });
}
