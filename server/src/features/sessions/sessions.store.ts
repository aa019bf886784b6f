/** Rows of live sessions and attendances. */
import { and, eq, isNull, sql } from 'drizzle-orm';
import { THERAPIST_AWAY_MINUTES, CODE_HOURS } from '@fieldroom/contract/clients';
import type { FieldSnapshot } from '@fieldroom/contract/field';
import type { EndReason } from '@fieldroom/contract/realtime';
import type { Db, Queryable } from '../../platform/db/db.ts';
import { readInBatch, batchableRead } from '../../platform/db/batched-reads.ts';
import { productNow } from '../../platform/platform.tables.ts';
import { attendances, liveSessions } from './sessions.tables.ts';

export interface LiveSession {
  id: number;
  startedAt: Date;
}

const columns = { id: liveSessions.id, startedAt: liveSessions.startedAt };

/** The running live session of a therapist; null if none runs. */
export async function findRunning(db: Queryable, therapistId: number): Promise<LiveSession | null> {
  const [row] = await db
    .select(columns)
    .from(liveSessions)
    .where(and(eq(liveSessions.therapistId, therapistId), isNull(liveSessions.endedAt)));
  return row ?? null;
}

/** The number that run at this moment. */
export const countRunning = (db: Queryable): Promise<number> => db.$count(liveSessions, isNull(liveSessions.endedAt));

/** Returns the new row, or null if one already runs: the unique index decides between two at once. */
export async function insertRunning(tx: Queryable, therapistId: number): Promise<LiveSession | null> {
  const [row] = await tx.insert(liveSessions).values({ therapistId }).onConflictDoNothing().returning(columns);
  return row ?? null;
}

/** Writes that a live session has ended, with the reason and the field at that moment, and closes its attendances. */
export async function markEnded(
  tx: Queryable,
  id: number,
  reason: EndReason,
  fieldAtEnd: FieldSnapshot,
): Promise<void> {
  // greatest: if an operator puts the clock back, the end must not come before the start.
  await tx
    .update(liveSessions)
    .set({ endedAt: sql`greatest(product_now(), ${liveSessions.startedAt})`, endReason: reason, fieldAtEnd })
    .where(eq(liveSessions.id, id));
  await tx
    .update(attendances)
    .set({ leftAt: productNow })
    .where(and(eq(attendances.liveSessionId, id), isNull(attendances.leftAt)));
}

/** Whether a client is or was in this live session. */
export async function hasAttended(
  tx: Queryable,
  { liveSessionId, clientId }: { liveSessionId: number; clientId: number },
): Promise<boolean> {
  const [row] = await tx
    .select({ id: attendances.id })
    .from(attendances)
    .where(and(eq(attendances.liveSessionId, liveSessionId), eq(attendances.clientId, clientId)))
    .limit(1);
  return row !== undefined;
}

/** Writes the seconds that the timer counted in each of these live sessions. */
export async function setCountedSeconds(
  tx: Queryable,
  counted: readonly { liveSessionId: number; seconds: number }[],
): Promise<void> {
  if (counted.length === 0) return;
  const [ids, seconds] = [counted.map((one) => one.liveSessionId), counted.map((one) => one.seconds)];
  await tx.execute(sql`
    UPDATE ${liveSessions} SET counted_seconds = counted.seconds
    FROM unnest(${sql.param(ids)}::bigint[], ${sql.param(seconds)}::int[]) AS counted(id, seconds)
    WHERE ${liveSessions}.id = counted.id`);
}

/** Opens an attendance; harmless if one is open. */
export async function openAttendance(
  tx: Queryable,
  values: { liveSessionId: number; clientId: number; clientName: string },
): Promise<void> {
  await tx.insert(attendances).values(values).onConflictDoNothing();
}

/** Writes that a client has left. Does nothing without an open attendance. */
export async function closeAttendance(tx: Queryable, clientId: number): Promise<void> {
  await tx
    .update(attendances)
    .set({ leftAt: productNow })
    .where(and(eq(attendances.clientId, clientId), isNull(attendances.leftAt)));
}

/** Product time for statements about many rows: as a subquery it is read once, otherwise once per row. */
const NOW_ONCE = sql`(SELECT product_now())`;

const GONE_TOO_LONG = batchableRead<{ therapistId: number }>(sql`
  SELECT r.therapist_id AS "therapistId"
  FROM rooms r JOIN live_sessions s ON s.therapist_id = r.therapist_id AND s.ended_at IS NULL
  WHERE r.therapist_away_since <= ${NOW_ONCE} - make_interval(mins => ${THERAPIST_AWAY_MINUTES})`);
/** Therapists who have been away for longer than a live session waits. */
export const therapistsGoneTooLong = (db: Db) => readInBatch(db, GONE_TOO_LONG);

/** Whether this therapist has been away for longer than a live session waits. */
export async function isGoneTooLong(tx: Queryable, therapistId: number): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    SELECT 1 FROM rooms WHERE therapist_id = ${therapistId} AND therapist_away_since <= product_now() - make_interval(mins => ${THERAPIST_AWAY_MINUTES})`);
  return rows.length > 0;
}

const OLD_CODES = batchableRead<{ therapistId: number }>(sql`
  SELECT therapist_id AS "therapistId" FROM rooms
  WHERE code IS NOT NULL AND code_made_at <= ${NOW_ONCE} - make_interval(hours => ${CODE_HOURS})`);
/** Rooms in a running live session whose code is due for a new one. */
export const therapistsWithOldCode = (db: Db) => readInBatch(db, OLD_CODES);

/** Whether the code of this room is due for a new one. */
export async function isCodeOld(tx: Queryable, therapistId: number): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    SELECT 1 FROM rooms WHERE therapist_id = ${therapistId} AND code IS NOT NULL AND code_made_at <= product_now() - make_interval(hours => ${CODE_HOURS})`);
  return rows.length > 0;
}

const RUNNING_PRESENCES = batchableRead<{ therapistId: number; away: boolean; awaySeconds: number }>(sql`
  SELECT s.therapist_id AS "therapistId", r.therapist_away_since IS NOT NULL AS away,
    coalesce(extract(epoch FROM ${NOW_ONCE} - r.therapist_away_since), 0)::float8 AS "awaySeconds"
  FROM live_sessions s JOIN rooms r ON r.therapist_id = s.therapist_id WHERE s.ended_at IS NULL`);
/** Running live sessions, and whether the room's therapist is away. */
export const runningPresences = (db: Db) => readInBatch(db, RUNNING_PRESENCES);
