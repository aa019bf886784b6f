/** Rows of scheduled jobs. Times are product time, leases real time: a lease says that a process is alive. */
import { and, asc, count, eq, inArray, sql } from 'drizzle-orm';
import type { Queryable } from '../db/db.ts';
import { scheduledJobs } from '../platform.tables.ts';

/** How a run went. */
export interface Outcome {
  readonly result: 'done' | 'failed';
  readonly counts: Readonly<Record<string, number>>;
  readonly fault: string | null;
}

export interface ScheduledJobRow {
  type: string;
  schedule: string;
  enabled: boolean;
  running: boolean;
  nextRunAt: Date | null;
  lastRunAt: Date | null;
  lastResult: 'done' | 'failed' | null;
  lastCounts: Record<string, number>;
  lastFault: string | null;
}

const isLeased = sql<boolean>`coalesce(${scheduledJobs.leasedUntil} > clock_timestamp(), false)`;
const columns = {
  type: scheduledJobs.type,
  schedule: scheduledJobs.schedule,
  enabled: scheduledJobs.enabled,
  running: isLeased,
  nextRunAt: scheduledJobs.nextRunAt,
  lastRunAt: scheduledJobs.lastRunAt,
  lastResult: scheduledJobs.lastResult,
  lastCounts: scheduledJobs.lastCounts,
  lastFault: scheduledJobs.lastFault,
};

/** All scheduled jobs by type, with what their last run did. */
export function findJobs(db: Queryable): Promise<ScheduledJobRow[]> {
  return db.select(columns).from(scheduledJobs).orderBy(asc(scheduledJobs.type));
}

/** How many of these jobs are on and failed when they last ran. */
export async function countFailing(db: Queryable, types: readonly string[]): Promise<number> {
  const { type, enabled, lastResult } = scheduledJobs;
  const [row] = await db
    .select({ failing: count() })
    .from(scheduledJobs)
    .where(and(inArray(type, [...types]), enabled, eq(lastResult, 'failed')));
  return row!.failing;
}

/** One scheduled job by type; null if it has no row yet. */
export async function findJob(db: Queryable, type: string): Promise<ScheduledJobRow | null> {
  const [row] = await db.select(columns).from(scheduledJobs).where(eq(scheduledJobs.type, type));
  return row ?? null;
}

/** Harmless if the row is there. */
export async function insertJob(db: Queryable, type: string, schedule: string, nextRunAt: Date): Promise<void> {
  await db.insert(scheduledJobs).values({ type, schedule, nextRunAt }).onConflictDoNothing();
}

/** Writes the operator's change of a job, and when it runs next by it (null while it is off). */
export async function updateJob(
  db: Queryable,
  type: string,
  change: { schedule: string; enabled: boolean; nextRunAt: Date | null },
): Promise<void> {
  await db.update(scheduledJobs).set(change).where(eq(scheduledJobs.type, type));
}

/** Types of the jobs that are due by product time and that no node runs at the moment. */
export async function dueTypes(db: Queryable): Promise<string[]> {
  const { rows } = await db.execute<{ type: string }>(sql`
    SELECT type FROM ${scheduledJobs} WHERE enabled AND next_run_at <= product_now() AND NOT ${isLeased} ORDER BY type`);
  return rows.map(({ type }) => type);
}

const lease = (seconds: number) => sql`clock_timestamp() + make_interval(secs => ${seconds})`;

/** One run, by the moment at which it was taken. A node that lost the lease can change nothing by it any more. */
export type Run = string;
const returningRun = sql`RETURNING last_run_at::text AS run`;

/** Takes a job that is due. Returns null if another node was faster or the operator switched it off. */
export async function takeDue(db: Queryable, type: string, leaseSeconds: number): Promise<Run | null> {
  const { rows } = await db.execute<{ run: Run }>(sql`
    UPDATE ${scheduledJobs} SET leased_until = ${lease(leaseSeconds)}, last_run_at = product_now()
     WHERE type = ${type} AND enabled AND next_run_at <= product_now() AND NOT ${isLeased} ${returningRun}`);
  return rows[0]?.run ?? null;
}

/** Takes a job whether it is due or not. Returns null while it runs. */
export async function takeNow(db: Queryable, type: string, leaseSeconds: number): Promise<Run | null> {
  const { rows } = await db.execute<{ run: Run }>(sql`
    UPDATE ${scheduledJobs} SET leased_until = ${lease(leaseSeconds)}, last_run_at = product_now()
     WHERE type = ${type} AND NOT ${isLeased} ${returningRun}`);
  return rows[0]?.run ?? null;
}

const isRun = (type: string, run: Run) =>
  sql`type = ${type} AND last_run_at = ${run}::timestamptz AND leased_until IS NOT NULL`;

/** Renews the lease of a run; harmless if another node has taken the job since. */
export async function renewLease(db: Queryable, type: string, run: Run, leaseSeconds: number): Promise<void> {
  await db.execute(sql`UPDATE ${scheduledJobs} SET leased_until = ${lease(leaseSeconds)} WHERE ${isRun(type, run)}`);
}

/** What the operator set, as long as the run still has its lease; else null. */
export async function findTimes(
  db: Queryable,
  type: string,
  run: Run,
): Promise<Pick<ScheduledJobRow, 'schedule' | 'enabled'> | null> {
  const { schedule, enabled } = scheduledJobs;
  const [row] = await db.select({ schedule, enabled }).from(scheduledJobs).where(isRun(type, run));
  return row ?? null;
}

/**
 * Ends the lease of a run. Takes the times by which its next run was computed; returns false, and changes nothing, if
 * the operator has changed them since or the run has lost its lease.
 */
export async function recordRun(
  db: Queryable,
  { type, run, schedule, enabled }: { type: string; run: Run; schedule: string; enabled: boolean },
  { result, counts, fault }: Outcome,
  nextRunAt: Date | null,
): Promise<boolean> {
  const { rowCount } = await db
    .update(scheduledJobs)
    .set({ leasedUntil: null, lastResult: result, lastCounts: { ...counts }, lastFault: fault, nextRunAt })
    .where(and(isRun(type, run), eq(scheduledJobs.schedule, schedule), eq(scheduledJobs.enabled, enabled)));
  return rowCount === 1;
}
