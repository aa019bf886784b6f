/** Reading live sessions for their therapist: pages, attendance, the field at the end. */
import { type SQL, sql } from 'drizzle-orm';
import type { FieldSnapshot } from '@fieldroom/contract/field';
import type { EndReason } from '@fieldroom/contract/realtime';
import type { Queryable } from '../../../platform/db/db.ts';
import { searchableInSql } from '../../../platform/db/search-text.ts';

export interface SessionsWanted {
  readonly therapistId: number;
  readonly id: number | null;
  /** Days in the therapist's time zone, both ends included. */
  readonly startDate: string | null;
  readonly endDate: string | null;
  /** A LIKE pattern over the names of clients. */
  readonly pattern: string | null;
}

export interface ListedSession {
  id: number;
  startedAt: Date;
  endedAt: Date | null;
  endReason: EndReason | null;
  countedSeconds: number;
  clients: number;
}

interface SessionRow extends Record<string, unknown> {
  id: number;
  started_at: string;
  ended_at: string | null;
  end_reason: EndReason | null;
  counted_seconds: number;
  clients: number;
}

const wantedRows = ({ therapistId, id, startDate, endDate, pattern }: SessionsWanted): SQL => sql`
  live_sessions s WHERE s.therapist_id = ${therapistId}
    ${id === null ? sql`` : sql`AND s.id = ${id}`}
    ${startDate === null ? sql`` : sql`AND s.started_at >= ${startDate}::date::timestamp AT TIME ZONE (SELECT time_zone FROM accounts WHERE id = ${therapistId})`}
    ${endDate === null ? sql`` : sql`AND s.started_at < (${endDate}::date + 1)::timestamp AT TIME ZONE (SELECT time_zone FROM accounts WHERE id = ${therapistId})`}
    ${
      pattern === null
        ? sql``
        : sql`AND EXISTS (SELECT FROM attendances a WHERE a.live_session_id = s.id AND ${searchableInSql(sql`a.client_name`)} LIKE ${pattern})`
    }`;

/** One page, the newest first. */
export async function readSessions(
  db: Queryable,
  wanted: SessionsWanted,
  { limit, offset }: { limit: number; offset: number },
): Promise<ListedSession[]> {
  const { rows } = await db.execute<SessionRow>(sql`
    SELECT t.*, (SELECT count(DISTINCT a.client_id)::int FROM attendances a WHERE a.live_session_id = t.id) AS clients
      FROM (SELECT s.id, s.started_at, s.ended_at, s.end_reason, s.counted_seconds FROM ${wantedRows(wanted)}
             ORDER BY s.started_at DESC, s.id DESC LIMIT ${limit} OFFSET ${offset}) t
     ORDER BY t.started_at DESC, t.id DESC`);
  return rows.map((row) => ({
    id: row.id,
    startedAt: new Date(row.started_at),
    endedAt: row.ended_at === null ? null : new Date(row.ended_at),
    endReason: row.end_reason,
    countedSeconds: row.counted_seconds,
    clients: row.clients,
  }));
}

/** The number of live sessions that the filter finds on all pages. */
export async function countSessions(db: Queryable, wanted: SessionsWanted): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`SELECT count(*)::int AS count FROM ${wantedRows(wanted)}`);
  return rows[0]!.count;
}

export interface SessionParts {
  attendance: { name: string; joinedOn: string; leftOn: string | null }[];
  field: FieldSnapshot | null;
}

/** Attendance and field of several live sessions, by their ids. */
export async function readParts(db: Queryable, ids: readonly number[]): Promise<ReadonlyMap<number, SessionParts>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.execute<{
    id: number;
    field: FieldSnapshot | null;
    attendance: SessionParts['attendance'];
  }>(
    sql`
    SELECT s.id, s.field_at_end AS field, coalesce((
        SELECT jsonb_agg(jsonb_build_object('name', a.client_name, 'joinedOn', a.joined_at, 'leftOn', a.left_at) ORDER BY a.joined_at, a.id)
          FROM attendances a WHERE a.live_session_id = s.id), '[]') AS attendance
      FROM live_sessions s WHERE s.id IN (${sql.join([...ids], sql`, `)})`,
  );
  const instant = (text: string) => new Date(text).toISOString();
  return new Map(
    rows.map(({ id, field, attendance }) => [
      id,
      {
        field,
        attendance: attendance.map(({ name, joinedOn, leftOn }) => ({
          name,
          joinedOn: instant(joinedOn),
          leftOn: leftOn === null ? null : instant(leftOn),
        })),
      },
    ]),
  );
}

/** The therapist's data for an email about a live session. */
export async function findTherapist(
  db: Queryable,
  therapistId: number,
): Promise<{ email: string; firstName: string; language: string; timeZone: string }> {
  const { rows } = await db.execute<{ email: string; first_name: string; language: string; time_zone: string }>(
    sql`SELECT email, first_name, language, time_zone FROM accounts WHERE id = ${therapistId}`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('a live session without its therapist');
  return { email: row.email, firstName: row.first_name, language: row.language, timeZone: row.time_zone };
}
