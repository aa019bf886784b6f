/** Builders of live sessions that are over. */
import type { FieldSnapshot } from '@fieldroom/contract/field';
import { desc, eq, sql } from 'drizzle-orm';
import { attendances, liveSessions } from '../features/sessions/sessions.tables.ts';
import type { Queryable } from '../platform/db/db.ts';

export interface PastWish {
  therapistId: number;
  /** Whole days before now (product time). */
  daysAgo: number;
  minutes: number;
  /** Names of the people who attended from beginning to end. */
  names?: readonly string[];
}

/** Makes a live session that has ended. Takes database or transaction, therapist and time. Returns its id. */
export async function aPastLiveSession(
  db: Queryable,
  { therapistId, daysAgo, minutes, names = [] }: PastWish,
): Promise<number> {
  const startedAt = sql`product_now() - make_interval(days => ${daysAgo}::int)`;
  const endedAt = sql`product_now() - make_interval(days => ${daysAgo}::int) + make_interval(mins => ${minutes}::int)`;
  const [row] = await db
    .insert(liveSessions)
    .values({ therapistId, startedAt, endedAt, endReason: 'ended', countedSeconds: minutes * 60 })
    .returning({ id: liveSessions.id });
  if (!row) throw new Error('the live session was not written');
  if (names.length > 0) {
    await db.insert(attendances).values(
      names.map((clientName) => ({
        liveSessionId: row.id,
        clientId: sql`nextval('person_id')`,
        clientName,
        joinedAt: startedAt,
        leftAt: endedAt,
      })),
    );
  }
  return row.id;
}

/** Keeps fields as they were at the end of the newest live sessions of a therapist, the latest first. */
export async function fieldsAtEnd(
  db: Queryable,
  { therapistId, fields }: { therapistId: number; fields: readonly FieldSnapshot[] },
): Promise<void> {
  const newest = await db
    .select({ id: liveSessions.id })
    .from(liveSessions)
    .where(eq(liveSessions.therapistId, therapistId))
    .orderBy(desc(liveSessions.startedAt))
    .limit(fields.length);
  for (const [nth, { id }] of newest.entries())
    await db.update(liveSessions).set({ fieldAtEnd: fields[nth]! }).where(eq(liveSessions.id, id));
}
