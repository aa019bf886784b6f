/**
 * What the operator sees of therapists, read from the tables of several features; nothing of clients. It only reads:
 * the accounts feature makes all changes.
 */
import { type SQL, sql } from 'drizzle-orm';
import type { TherapistUsage, UsageSort } from '@fieldroom/contract/admin';
import { TRIAL_SECONDS, treesOf, type Plan } from '@fieldroom/contract/usage';
import type { Queryable } from '../../platform/db/db.ts';
import { searchableInSql } from '../../platform/db/search-text.ts';

export interface UsageWanted {
  /** A LIKE pattern over name and address; null for all. */
  readonly pattern: string | null;
  readonly state: TherapistUsage['state'] | null;
  readonly sort: UsageSort;
  readonly descending: boolean;
  /** Only this therapist. */
  readonly id?: number;
}

export const STATE = sql`CASE WHEN a.suspended_at IS NOT NULL THEN 'suspended' WHEN a.email_verified_at IS NULL THEN 'unverified' ELSE 'active' END`;
/** The text that is searched; `a` is the account. */
export const PERSON = searchableInSql(sql`a.first_name || ' ' || a.last_name || ' ' || a.email`);
/** Seconds until now, the running interval included; a trial never counts beyond its end. */
const SECONDS = sql`least(
  (coalesce(u.counted_ms, 0) / 1000.0 + coalesce(extract(epoch FROM greatest(least(product_now(), u.stop_at) - running.started_at, interval '0')), 0)),
  CASE WHEN coalesce(u.plan, 'TRIAL') = 'TRIAL' THEN ${TRIAL_SECONDS}::numeric END)`;

const SORTED_BY: Readonly<Record<UsageSort, SQL>> = {
  name: sql`lower(last_name || ' ' || first_name)`,
  email: sql`lower(email)`,
  state: sql`state`,
  plan: sql`plan`,
  seconds: sql`seconds`,
  sessions: sql`sessions`,
  // A tree for each full block of seconds: the same order.
  trees: sql`seconds`,
  lastSessionOn: sql`last_session`,
};
/** To sort by live sessions, they are counted for everybody; otherwise only for the page. */
const SESSION_SORTS: ReadonlySet<UsageSort> = new Set(['sessions', 'lastSessionOn']);

const therapists = ({ pattern, state, id }: UsageWanted) => sql`
  SELECT a.id, a.first_name, a.last_name, a.email, ${STATE} AS state, coalesce(u.plan, 'TRIAL') AS plan,
    running.id IS NOT NULL AS counting, floor(${SECONDS})::int AS seconds, coalesce(u.people_helped, 0) AS people_helped, a.created_at
  FROM accounts a
  LEFT JOIN usage_accounts u ON u.therapist_id = a.id
  LEFT JOIN usage_intervals running ON running.therapist_id = a.id AND running.ended_at IS NULL
  WHERE 'ROLE_THERAPIST' = ANY(a.roles)
    ${id === undefined ? sql`` : sql`AND a.id = ${id}`}
    ${state === null ? sql`` : sql`AND ${STATE} = ${state}`}
    ${pattern === null ? sql`` : sql`AND (${PERSON}) LIKE ${pattern}`}`;

const SESSIONS_OF = sql`LEFT JOIN LATERAL (
  SELECT count(*)::int AS sessions, max(started_at) AS last_session FROM live_sessions s WHERE s.therapist_id = t.id) counted ON true`;
const ALL_SESSIONS = sql`LEFT JOIN (
  SELECT therapist_id, count(*)::int AS sessions, max(started_at) AS last_session FROM live_sessions GROUP BY therapist_id
  ) counted ON counted.therapist_id = t.id`;

interface Row extends Record<string, unknown> {
  id: number;
  first_name: string;
  last_name: string;
  email: string;
  state: TherapistUsage['state'];
  plan: Plan;
  counting: boolean;
  seconds: number;
  people_helped: number;
  created_at: string;
  sessions: number | null;
  last_session: string | null;
}

const toUsage = (row: Row): TherapistUsage => ({
  id: row.id,
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
  state: row.state,
  plan: row.plan,
  counting: row.counting,
  seconds: row.seconds,
  sessions: row.sessions ?? 0,
  trees: treesOf(row.seconds),
  peopleHelped: row.people_helped,
  registeredOn: new Date(row.created_at).toISOString(),
  lastSessionOn: row.last_session === null ? null : new Date(row.last_session).toISOString(),
});

/** One page of therapists; `limit` null returns all. The id decides among equals, so that no page shows one twice. */
export async function readUsage(
  db: Queryable,
  wanted: UsageWanted,
  { limit, offset }: { limit: number | null; offset: number },
): Promise<TherapistUsage[]> {
  const order = sql`ORDER BY ${SORTED_BY[wanted.sort]} ${wanted.descending ? sql`DESC NULLS LAST` : sql`ASC NULLS FIRST`}, id`;
  const page = sql`LIMIT ${limit} OFFSET ${offset}`;
  const { rows } = await db.execute<Row>(
    SESSION_SORTS.has(wanted.sort)
      ? sql`SELECT * FROM (SELECT t.*, coalesce(counted.sessions, 0) AS sessions, counted.last_session FROM (${therapists(wanted)}) t ${ALL_SESSIONS}) listed ${order} ${page}`
      : sql`SELECT t.*, counted.sessions, counted.last_session FROM (SELECT * FROM (${therapists(wanted)}) found ${order} ${page}) t ${SESSIONS_OF} ${order}`,
  );
  return rows.map(toUsage);
}

/** The number of therapists that the filter finds on all pages. */
export async function countUsage(db: Queryable, wanted: UsageWanted): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM (${therapists(wanted)}) found`,
  );
  return rows[0]!.count;
}
