/**
 * What is erased, and when: one statement each, decided by the product's clock. Each returns the number of changed
 * rows, so that the log can report numbers without names.
 */
import { eq, type SQL, sql } from 'drizzle-orm';
import { SEAT_KEPT_SECONDS } from '@fieldroom/contract/clients';
import { ATTENDANCE_MONTHS } from '@fieldroom/contract/retention';
import type { Queryable } from '../../platform/db/db.ts';
import { bookings, bookingTokens } from '../bookings/bookings.tables.ts';
import { clients } from '../clients/clients.tables.ts';
import { events } from '../events/events.tables.ts';
import { moments, moveParts, moves } from '../moments/moments.tables.ts';
import { attendances, liveSessions } from '../sessions/sessions.tables.ts';
import { retentionSettings } from './retention.tables.ts';

/** For this long, a page that comes back with its token can still read why it is not valid any more. */
const CLIENTS_KEPT_DAYS = 1;

/** The number of months for which the therapist keeps attendance; the standard period if they chose none. */
export async function readMonths(db: Queryable, therapistId: number): Promise<number> {
  const [row] = await db
    .select({ months: retentionSettings.attendanceMonths })
    .from(retentionSettings)
    .where(eq(retentionSettings.therapistId, therapistId));
  return row?.months ?? ATTENDANCE_MONTHS.standard;
}

/** Writes the number of months for which the therapist keeps attendance. */
export async function writeMonths(db: Queryable, therapistId: number, attendanceMonths: number): Promise<void> {
  await db
    .insert(retentionSettings)
    .values({ therapistId, attendanceMonths })
    .onConflictDoUpdate({ target: retentionSettings.therapistId, set: { attendanceMonths } });
}

/** Attendance before this moment is too old for its therapist. */
const oldestKept = (therapistId: unknown) => sql`product_now() - make_interval(months => coalesce(
  (SELECT attendance_months FROM ${retentionSettings} kept WHERE kept.therapist_id = ${therapistId}), ${ATTENDANCE_MONTHS.standard}))`;

/** Removes the attendance of live sessions that ended before their therapist's period. The sessions stay, as times. */
export async function eraseAttendances(db: Queryable): Promise<number> {
  const { rowCount } = await db.execute(sql`
    DELETE FROM ${attendances} USING ${liveSessions} session
     WHERE session.id = ${attendances.liveSessionId} AND session.ended_at < ${oldestKept(sql`session.therapist_id`)}`);
  return rowCount ?? 0;
}

/** A relation's word may name somebody too. Takes a figure as JSON; returns its relations without words, or nothing. */
const wordless = (figure: SQL) => sql`
  CASE WHEN jsonb_array_length(${figure} -> 'relations') > 0 THEN jsonb_build_object('relations', (
         SELECT jsonb_agg(one.relation || '{"word": ""}' ORDER BY one.position)
           FROM jsonb_array_elements(${figure} -> 'relations') WITH ORDINALITY AS one(relation, position)))
       ELSE '{}' END`;

/**
 * Empties the names of figures and the words of relations in the fields that were stored when live sessions ended,
 * after their therapist's period. Figures keep everything else. Returns the number of live sessions.
 */
export async function eraseFigureNames(db: Queryable): Promise<number> {
  const { rowCount } = await db.execute(sql`
    UPDATE ${liveSessions} session
       SET field_at_end = jsonb_set(session.field_at_end, '{figures}', (
             SELECT jsonb_agg(each.figure || '{"name": ""}' || ${wordless(sql`each.figure`)} ORDER BY each.position)
               FROM jsonb_array_elements(session.field_at_end -> 'figures') WITH ORDINALITY AS each(figure, position)))
     WHERE session.ended_at < ${oldestKept(sql`session.therapist_id`)}
       AND (jsonb_path_exists(session.field_at_end, '$.figures[*].name ? (@ != "")')
         OR jsonb_path_exists(session.field_at_end, '$.figures[*].relations[*].word ? (@ != "")'))`);
  return rowCount ?? 0;
}

/**
 * Removes moments and moves of live sessions that ended before their therapist's period: they show how a field with
 * people's names developed. Returns the number of live sessions that had any.
 */
export async function eraseLookBacks(db: Queryable): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    WITH old AS (
      SELECT session.id FROM ${liveSessions} session WHERE session.ended_at < ${oldestKept(sql`session.therapist_id`)}),
    gone_moments AS (DELETE FROM ${moments} USING old WHERE live_session_id = old.id RETURNING live_session_id),
    gone_moves AS (DELETE FROM ${moves} USING old WHERE live_session_id = old.id RETURNING live_session_id),
    gone_parts AS (DELETE FROM ${moveParts} USING old WHERE live_session_id = old.id RETURNING live_session_id)
    SELECT count(DISTINCT live_session_id)::int AS count
      FROM (TABLE gone_moments UNION ALL TABLE gone_moves UNION ALL TABLE gone_parts) gone`);
  return rows[0]!.count;
}

/**
 * Removes names, addresses and numbers from confirmed bookings of events that ended before their therapist's period;
 * the rows stay as numbers. Their own feature erases bookings that ended otherwise, and sooner.
 */
export async function eraseAttendees(db: Queryable): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    WITH erased AS (
      -- Each confirmed booking of an event has a different address, so each gets a different empty value.
      UPDATE ${bookings} SET first_name = '', last_name = '', email = '', email_normalized = 'erased ' || ${bookings.id}, phone = '', erased_at = product_now()
        FROM ${events} event
       WHERE event.id = ${bookings.eventId} AND ${bookings.state} = 'CONFIRMED' AND ${bookings.erasedAt} IS NULL
         AND event.ends_at < ${oldestKept(sql`event.therapist_id`)}
      RETURNING ${bookings.id}),
    forgotten AS (DELETE FROM ${bookingTokens} USING erased WHERE booking_id = erased.id)
    SELECT count(*)::int AS count FROM erased`);
  return rows[0]!.count;
}

/**
 * Removes clients, with name and token, whose live session ended a day ago, or who were in none and ended then. The
 * name is in the attendance.
 */
export async function removeClients(db: Queryable): Promise<number> {
  const long = sql`product_now() - make_interval(days => ${CLIENTS_KEPT_DAYS})`;
  const { rowCount } = await db.execute(sql`
    DELETE FROM ${clients}
     WHERE EXISTS (SELECT FROM ${liveSessions} session WHERE session.id = ${clients.liveSessionId} AND session.ended_at < ${long})
        OR (${clients.liveSessionId} IS NULL AND ${clients.state} <> 'waiting' AND coalesce(${clients.endedAt}, ${clients.arrivedAt}) < ${long})`);
  return rowCount ?? 0;
}

/** Time zones of therapists who have people waiting without a connection. */
export async function zonesWithWaiting(db: Queryable): Promise<string[]> {
  const { rows } = await db.execute<{ time_zone: string }>(sql`
    SELECT DISTINCT account.time_zone FROM ${clients} JOIN accounts account ON account.id = ${clients.therapistId}
     WHERE ${clients.state} = 'waiting' AND ${clients.awaySince} IS NOT NULL`);
  return rows.map((row) => row.time_zone);
}

/** Removes people who waited on an earlier day of that zone and are not connected any more. */
export async function removeWaiting(db: Queryable, timeZone: string, dayBegan: Date): Promise<number> {
  const { rowCount } = await db.execute(sql`
    DELETE FROM ${clients} USING accounts account
     WHERE account.id = ${clients.therapistId} AND account.time_zone = ${timeZone} AND ${clients.state} = 'waiting'
       AND ${clients.arrivedAt} < ${dayBegan} AND ${clients.awaySince} < product_now() - make_interval(secs => ${SEAT_KEPT_SECONDS})`);
  return rowCount ?? 0;
}
