/** Builders of notices: for tests and the demo practice. */
import { sql } from 'drizzle-orm';
import { noticeLists, notices } from '../features/notices/notices.tables.ts';
import type { Queryable } from '../platform/db/db.ts';

export type NoticeWish = {
  therapistId: number;
  /** How long ago it happened. */
  minutesAgo?: number;
  read?: boolean;
} & (
  | { kind: 'booked' | 'cancelled'; bookingId: number }
  | { kind: 'arrival'; clientId?: number; others?: number }
  | { kind: 'bill'; billId: number }
);

/** A notice at the top of its therapist's list. Returns its id. */
export async function aNotice(db: Queryable, wish: NoticeWish): Promise<number> {
  const { therapistId, minutesAgo = 0, read = false, ...about } = wish;
  const [list] = await db
    .insert(noticeLists)
    .values({ therapistId, revision: 1 })
    .onConflictDoUpdate({ target: noticeLists.therapistId, set: { revision: sql`${noticeLists.revision} + 1` } })
    .returning();
  const then = sql`product_now() - make_interval(secs => ${minutesAgo * 60})`;
  const [row] = await db
    .insert(notices)
    .values({ therapistId, revision: list!.revision, at: then, readAt: read ? then : null, ...about })
    .returning({ id: notices.id });
  return row!.id;
}
