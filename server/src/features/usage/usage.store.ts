/** Rows of usage. Times that decide are whole milliseconds of product time, so that lengths add up exactly. */
import { and, eq, isNotNull, isNull, sql, type SQL } from 'drizzle-orm';
import { type Plan, TRIAL_SECONDS, TRIAL_WARNING_SECONDS, USAGE_WEEKS } from '@fieldroom/contract/usage';
import type { Language } from '@fieldroom/contract/text';
import type { Db, Queryable } from '../../platform/db/db.ts';
import { readInBatch, batchableRead } from '../../platform/db/batched-reads.ts';
import { productNow } from '../../platform/platform.tables.ts';
import { accounts } from '../accounts/accounts.tables.ts';
import { liveSessions } from '../sessions/sessions.tables.ts';
import { type Counter, NEW_COUNTER } from './timer/usage.rules.ts';
import { usageAccounts, usageHeartbeat, usageIntervals, usageTabs } from './usage.tables.ts';
import type { StoredTabs } from './timer/usage.tabs.ts';

const NOW_MS = sql<number>`floor(extract(epoch FROM product_now()) * 1000)::float8`;
const TRIAL_MS = TRIAL_SECONDS * 1000;
const FOUR_HOURS_MS = TRIAL_WARNING_SECONDS * 1000;

/**
 * Moments by which a running interval ends at the latest, as columns of the aliases `i` and `a`; null where none is
 * set.
 */
const LATEST_END = sql`least(a.stop_at, a.warning_until,
  CASE WHEN i.plan = 'TRIAL' THEN i.started_at + (${TRIAL_MS}::bigint - a.counted_ms) * interval '1 millisecond' END)`;
/** The end up to which an interval counts: its own, or for a running one the earliest of a moment and its limits. */
const countsUntil = (moment: SQL) => sql`coalesce(i.ended_at, greatest(i.started_at, least(${moment}, ${LATEST_END})))`;

/** All the data of a therapist's counter. */
export interface UsageRow {
  readonly nowMs: number;
  readonly counter: Counter;
  readonly dueMs: number | null;
  readonly running: { readonly id: number; readonly liveSessionId: number | null } | null;
  readonly person: {
    readonly email: string;
    readonly language: Language;
    readonly firstName: string;
    readonly lastName: string;
  };
}

/** Reads a therapist's counter; null for a deleted account. Changes need the lock of the room's row. */
export async function readUsageRow(db: Queryable, therapistId: number): Promise<UsageRow | null> {
  const [row] = await db
    .select({
      nowMs: NOW_MS,
      usage: usageAccounts,
      running: usageIntervals,
      email: accounts.email,
      language: accounts.language,
      firstName: accounts.firstName,
      lastName: accounts.lastName,
    })
    .from(accounts)
    .leftJoin(usageAccounts, eq(usageAccounts.therapistId, accounts.id))
    .leftJoin(usageIntervals, and(eq(usageIntervals.therapistId, accounts.id), isNull(usageIntervals.endedAt)))
    .where(eq(accounts.id, therapistId));
  if (row === undefined) return null;
  const { nowMs, usage, running, ...person } = row;
  const counter: Counter =
    usage === null
      ? NEW_COUNTER
      : {
          plan: usage.plan,
          closedMs: usage.countedMs,
          startedMs: running?.startedAt.getTime() ?? null,
          stopMs: usage.stopAt?.getTime() ?? null,
          warningMs: usage.warningUntil?.getTime() ?? null,
          isMailed: usage.fourHoursMailedAt !== null,
          isTrialEnded: usage.trialEndedAt !== null,
        };
  return {
    nowMs,
    counter,
    dueMs: usage?.dueAt?.getTime() ?? null,
    running: running === null ? null : { id: running.id, liveSessionId: running.liveSessionId },
    person,
  };
}

const dateOf = (ms: number | null) => (ms === null ? null : new Date(ms));

/** Writes a counter and when it is checked next. The two moments of the trial are written once. */
export async function writeCounter(
  tx: Queryable,
  therapistId: number,
  counter: Counter,
  { dueMs, nowMs }: { dueMs: number | null; nowMs: number },
): Promise<void> {
  const now = new Date(nowMs);
  const values = {
    plan: counter.plan,
    countedMs: counter.closedMs,
    stopAt: dateOf(counter.stopMs),
    warningUntil: dateOf(counter.warningMs),
    dueAt: dateOf(dueMs),
  };
  const once = (column: typeof usageAccounts.trialEndedAt | typeof usageAccounts.fourHoursMailedAt, isSet: boolean) =>
    isSet ? { first: now, again: sql`coalesce(${column}, ${now.toISOString()}::timestamptz)` } : null;
  const mailed = once(usageAccounts.fourHoursMailedAt, counter.isMailed);
  const ended = once(usageAccounts.trialEndedAt, counter.isTrialEnded);
  await tx
    .insert(usageAccounts)
    .values({
      therapistId,
      ...values,
      ...(mailed && { fourHoursMailedAt: mailed.first }),
      ...(ended && { trialEndedAt: ended.first }),
    })
    .onConflictDoUpdate({
      target: usageAccounts.therapistId,
      set: {
        ...values,
        ...(mailed && { fourHoursMailedAt: mailed.again }),
        ...(ended && { trialEndedAt: ended.again }),
      },
    });
}

/** Starts an interval now. Returns its start, which is later only if the clock was set back before the last end. */
export async function startInterval(
  tx: Queryable,
  {
    therapistId,
    liveSessionId,
    plan,
    nowMs,
  }: { therapistId: number; liveSessionId: number | null; plan: Plan; nowMs: number },
): Promise<{ id: number; startedMs: number }> {
  const now = new Date(nowMs).toISOString();
  const [row] = await tx
    .insert(usageIntervals)
    .values({
      therapistId,
      liveSessionId,
      plan,
      startedAt: sql`greatest(${now}::timestamptz, (SELECT max(ended_at) FROM usage_intervals WHERE therapist_id = ${therapistId}))`,
    })
    .returning({ id: usageIntervals.id, startedAt: usageIntervals.startedAt });
  return { id: row!.id, startedMs: row!.startedAt.getTime() };
}

/** Ends an interval at a moment of product time in milliseconds. Does nothing if it has ended already. */
export async function endInterval(tx: Queryable, id: number, endedMs: number): Promise<void> {
  await tx
    .update(usageIntervals)
    .set({ endedAt: new Date(endedMs) })
    .where(and(eq(usageIntervals.id, id), isNull(usageIntervals.endedAt)));
}

/** Whole seconds counted in live sessions by the intervals that have ended. */
export async function countedIn(
  tx: Queryable,
  liveSessionIds: readonly number[],
): Promise<{ liveSessionId: number; seconds: number }[]> {
  if (liveSessionIds.length === 0) return [];
  const { rows } = await tx.execute<{ id: number; seconds: number }>(sql`
    SELECT live_session_id AS id, floor(sum(extract(epoch FROM ended_at - started_at)))::int AS seconds FROM usage_intervals
    WHERE live_session_id = ANY(${sql.param([...liveSessionIds])}::bigint[]) AND ended_at IS NOT NULL GROUP BY live_session_id`);
  return rows.map(({ id, seconds }) => ({ liveSessionId: id, seconds }));
}

/** The stops of a therapist's tabs, as written by the last node. */
export async function readTabs(tx: Queryable, therapistId: number): Promise<StoredTabs> {
  const [row] = await tx.select().from(usageTabs).where(eq(usageTabs.therapistId, therapistId));
  return row?.tabs ?? [];
}

/** Writes the stops of a therapist's tabs, for other nodes. */
export async function writeTabs(tx: Queryable, therapistId: number, tabs: StoredTabs): Promise<void> {
  await tx
    .insert(usageTabs)
    .values({ therapistId, tabs })
    .onConflictDoUpdate({ target: usageTabs.therapistId, set: { tabs } });
}

const DUE = batchableRead<{ therapistId: number }>(
  sql`SELECT ${usageAccounts.therapistId} AS "therapistId" FROM ${usageAccounts} WHERE ${usageAccounts.dueAt} <= product_now()`,
);
/** Therapists with something that is due. */
export const dueTherapists = (db: Db) => readInBatch(db, DUE);

/** The therapists with a running timer. */
export async function runningTherapists(db: Queryable): Promise<number[]> {
  const rows = await db
    .select({ therapistId: usageIntervals.therapistId })
    .from(usageIntervals)
    .where(isNull(usageIntervals.endedAt));
  return rows.map((row) => row.therapistId);
}

/** Writes the sign of life of the counting server. */
export async function writeHeartbeat(db: Queryable): Promise<void> {
  const seenAt = sql`date_trunc('milliseconds', product_now())`;
  await db
    .insert(usageHeartbeat)
    .values({ id: 1, seenAt: seenAt as never })
    .onConflictDoUpdate({ target: usageHeartbeat.id, set: { seenAt } });
}

/** Whether the last sign of life is so old that no server counts. */
export async function isHeartbeatOld(db: Queryable): Promise<boolean> {
  const rows = await db
    .select({ isOld: sql<boolean>`${usageHeartbeat.seenAt} < product_now() - interval '1 minute'` })
    .from(usageHeartbeat);
  return rows[0]?.isOld ?? false;
}

/**
 * Ends all running intervals at the last sign of life, or at a stop that was due before, and never before their start.
 * Those that ended for no other reason than the server's keep that moment in `stop_at` (`isInterrupted`). `now` makes
 * this the last sign of life: for a server that stops. Returns the live sessions of which an interval ended.
 */
export async function endAll(tx: Queryable, { now }: { now: boolean }): Promise<number[]> {
  if (now) await writeHeartbeat(tx);
  const { rows } = await tx.execute<{ id: number | null }>(sql`
    WITH alive AS (
      SELECT coalesce((SELECT least(date_trunc('milliseconds', product_now()), seen_at) FROM usage_heartbeat), '-infinity') AS at
    ), ends AS (
      SELECT i.id, greatest(i.started_at, least(alive.at, limited.at)) AS at, alive.at < coalesce(limited.at, 'infinity') AS interrupted
      FROM alive, usage_intervals i JOIN usage_accounts a ON a.therapist_id = i.therapist_id, LATERAL (SELECT ${LATEST_END} AS at) limited
      WHERE i.ended_at IS NULL
    ), ended AS (
      UPDATE usage_intervals i SET ended_at = ends.at FROM ends WHERE i.id = ends.id AND i.ended_at IS NULL
      RETURNING i.therapist_id, i.live_session_id, i.ended_at, ends.interrupted, (extract(epoch FROM i.ended_at - i.started_at) * 1000)::bigint AS ms
    ), counted AS (
      UPDATE usage_accounts a SET counted_ms = a.counted_ms + ended.ms, warning_until = NULL,
        stop_at = CASE WHEN ended.interrupted THEN ended.ended_at END,
        -- The email or the end of the trial may be due, though the timer stands.
        due_at = CASE WHEN a.plan = 'TRIAL' AND (a.counted_ms + ended.ms >= ${TRIAL_MS}::bigint AND a.trial_ended_at IS NULL
          OR a.counted_ms + ended.ms >= ${FOUR_HOURS_MS}::bigint AND a.four_hours_mailed_at IS NULL) THEN product_now() END
      FROM ended WHERE a.therapist_id = ended.therapist_id
    )
    SELECT live_session_id AS id FROM ended`);
  return rows.flatMap(({ id }) => (id === null ? [] : [id]));
}

/** Running intervals without a running live session, and when that ended. */
export async function withoutLiveSession(db: Queryable): Promise<{ therapistId: number; endedMs: number | null }[]> {
  const rows = await db
    .select({ therapistId: usageIntervals.therapistId, endedAt: liveSessions.endedAt })
    .from(usageIntervals)
    .leftJoin(liveSessions, eq(liveSessions.id, usageIntervals.liveSessionId))
    .where(
      and(
        isNull(usageIntervals.endedAt),
        sql`(${usageIntervals.liveSessionId} IS NULL OR ${liveSessions.endedAt} IS NOT NULL)`,
      ),
    );
  return rows.map(({ therapistId, endedAt }) => ({ therapistId, endedMs: endedAt?.getTime() ?? null }));
}

/** Counts one more person helped by a therapist. */
export async function countPersonHelped(tx: Queryable, therapistId: number): Promise<void> {
  await tx
    .insert(usageAccounts)
    .values({ therapistId, peopleHelped: 1 })
    .onConflictDoUpdate({
      target: usageAccounts.therapistId,
      set: { peopleHelped: sql`${usageAccounts.peopleHelped} + 1` },
    });
}

/** Marks the dialog about the fourth hour as shown. Returns whether this call did, while it was still due. */
export async function takeFourHours(db: Queryable, therapistId: number): Promise<boolean> {
  const taken = await db
    .update(usageAccounts)
    .set({ fourHoursShownAt: productNow })
    .where(
      and(
        eq(usageAccounts.therapistId, therapistId),
        eq(usageAccounts.plan, 'TRIAL'),
        isNotNull(usageAccounts.fourHoursMailedAt),
        isNull(usageAccounts.fourHoursShownAt),
        isNull(usageAccounts.trialEndedAt),
      ),
    )
    .returning({ therapistId: usageAccounts.therapistId });
  return taken.length > 0;
}

/** The plan of a therapist, and since when they are on the professional one (null on the trial). */
export async function planOf(
  on: Queryable,
  therapistId: number,
): Promise<{ plan: Plan; professionalSince: Date | null }> {
  const [row] = await on
    .select({ plan: usageAccounts.plan, professionalSince: usageAccounts.professionalSince })
    .from(usageAccounts)
    .where(eq(usageAccounts.therapistId, therapistId));
  return row ?? { plan: 'TRIAL', professionalSince: null };
}

/**
 * Writes since when a therapist is on the professional plan, in milliseconds of product time. A repetition changes
 * nothing.
 */
export async function setProfessionalSince(tx: Queryable, therapistId: number, sinceMs: number): Promise<void> {
  await tx
    .update(usageAccounts)
    .set({ professionalSince: new Date(sinceMs) })
    .where(and(eq(usageAccounts.therapistId, therapistId), isNull(usageAccounts.professionalSince)));
}

/** The data that the overview shows besides the counter. */
export async function readOverview(
  db: Queryable,
  therapistId: number,
): Promise<{ peopleHelped: number; isFourHoursShown: boolean; weeks: { monday: string; seconds: number }[] }> {
  const [row] = await db
    .select({ peopleHelped: usageAccounts.peopleHelped, shownAt: usageAccounts.fourHoursShownAt })
    .from(usageAccounts)
    .where(eq(usageAccounts.therapistId, therapistId));
  const { rows: weeks } = await db.execute<{ monday: string; seconds: number }>(sql`
    WITH mondays AS (
      SELECT p.time_zone, date_trunc('week', product_now() AT TIME ZONE p.time_zone) - make_interval(weeks => back) AS monday
      FROM ${accounts} p, generate_series(0, ${USAGE_WEEKS - 1}::int) AS back WHERE p.id = ${therapistId}
    ), weeks AS (
      SELECT monday, monday AT TIME ZONE time_zone AS began, (monday + interval '1 week') AT TIME ZONE time_zone AS until FROM mondays
    ), used AS (
      SELECT i.started_at, ${countsUntil(sql`product_now()`)} AS ended_at
      FROM ${usageIntervals} i JOIN ${usageAccounts} a ON a.therapist_id = i.therapist_id
      WHERE i.therapist_id = ${therapistId} AND (i.ended_at IS NULL OR i.ended_at > (SELECT min(began) FROM weeks))
    )
    SELECT to_char(w.monday, 'YYYY-MM-DD') AS monday,
      coalesce(floor(sum(extract(epoch FROM least(u.ended_at, w.until) - greatest(u.started_at, w.began))) FILTER (WHERE u.started_at IS NOT NULL)), 0)::int AS seconds
    FROM weeks w LEFT JOIN used u ON u.started_at < w.until AND u.ended_at > w.began
    GROUP BY w.monday ORDER BY w.monday`);
  return { peopleHelped: row?.peopleHelped ?? 0, isFourHoursShown: (row?.shownAt ?? null) !== null, weeks };
}

/** Whole seconds of professional use in a span, by therapist; those without any are left out. */
export async function billedSeconds(
  on: Queryable,
  { from, until, therapistIds }: { from: Date; until: Date; therapistIds?: readonly number[] },
): Promise<{ therapistId: number; seconds: number }[]> {
  const [begin, end] = [sql`${from.toISOString()}::timestamptz`, sql`${until.toISOString()}::timestamptz`];
  const asked =
    therapistIds === undefined ? sql`` : sql`AND i.therapist_id = ANY(${sql.param([...therapistIds])}::bigint[])`;
  const { rows } = await on.execute<{ therapist_id: number; seconds: number }>(sql`
    SELECT therapist_id, floor(sum(extract(epoch FROM until - began)))::float8 AS seconds FROM (
      SELECT i.therapist_id, greatest(i.started_at, ${begin}) AS began, least(${countsUntil(sql`product_now()`)}, ${end}) AS until
      FROM ${usageIntervals} i JOIN ${usageAccounts} a ON a.therapist_id = i.therapist_id
      WHERE i.plan = 'PROFESSIONAL' AND i.started_at < ${end} AND (i.ended_at IS NULL OR i.ended_at > ${begin}) ${asked}
    ) cut WHERE until > began GROUP BY therapist_id HAVING floor(sum(extract(epoch FROM until - began))) > 0 ORDER BY therapist_id`);
  return rows.map((row) => ({ therapistId: row.therapist_id, seconds: row.seconds }));
}
