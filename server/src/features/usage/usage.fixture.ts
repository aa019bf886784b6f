/** What the tests of usage share: the calls of a therapist, the database's state, and histories on a moved clock. */
import { eq, sql } from 'drizzle-orm';
import { openRoom } from '@fieldroom/contract/clients';
import * as calls from '@fieldroom/contract/usage';
import { createCaller, type TestApp } from '../../../tests/support/test-app.ts';
import { createApp } from '../../app.ts';
import { openDatabase, type Queryable } from '../../platform/db/db.ts';
import { openTherapistScreen } from '../../../tests/support/people/screen.ts';
import type { BuiltAccount } from '../../builders/accounts.builders.ts';
import { liveSessions } from '../sessions/sessions.tables.ts';
import { usageAccounts, usageIntervals } from './usage.tables.ts';

/** The calls and the rows of one therapist. */
export function usageOf(t: TestApp, therapist: Pick<BuiltAccount, 'id' | 'token'>) {
  const as = { token: therapist.token };
  const params = { userId: therapist.id };
  const page = {};
  const tabBody = (tab?: string) => (tab === undefined ? {} : { body: { tab } });
  return {
    /** Opens the play area on a page that stays connected; `openRoom` alone leaves the therapist away. */
    async open() {
      await t.api(openRoom, {}, as);
      await t.app.sessions.therapistJoined(therapist.id, page);
    },
    openRoom: () => t.api(openRoom, {}, as),
    screen: () => openTherapistScreen(t.url, therapist),
    timer: () => t.api(calls.getTimer, { params }, as),
    usage: () => t.api(calls.getUsage, {}, as),
    start: (tab?: string) => t.api(calls.startTimer, { params, ...tabBody(tab) }, as),
    stop: () => t.api(calls.stopTimer, { params }, as),
    schedule: (seconds: number, tab?: string) =>
      t.api(calls.scheduleTimerStop, { params: { ...params, seconds }, ...tabBody(tab) }, as),
    mail: () => t.api(calls.sendFourHourWarningMail, { body: { id: therapist.id } }, as),
    claim: async () => (await t.api(calls.claimFourHours, {}, as)).show,
    /** Moves the clock and does what is due then. */
    async move(seconds: number) {
      await t.move(seconds);
      await t.app.usage.settle();
    },
    running: () => t.app.sessions.running(therapist.id),
    intervals: () =>
      t.db
        .select()
        .from(usageIntervals)
        .where(eq(usageIntervals.therapistId, therapist.id))
        .orderBy(usageIntervals.startedAt, usageIntervals.id),
    async row() {
      const [row] = await t.db.select().from(usageAccounts).where(eq(usageAccounts.therapistId, therapist.id));
      return row ?? null;
    },
    sessions: () =>
      t.db.select().from(liveSessions).where(eq(liveSessions.therapistId, therapist.id)).orderBy(liveSessions.id),
    /** Gives the therapist a use in the past, long enough ago to be separate from the current one. */
    async used(seconds: number, daysAgo = 1) {
      const startedAt = sql`date_trunc('milliseconds', product_now()) - make_interval(days => ${daysAgo}::int)`;
      const endedAt = sql`date_trunc('milliseconds', product_now()) - make_interval(days => ${daysAgo}::int, secs => ${-seconds}::float8)`;
      await t.db
        .insert(usageIntervals)
        .values({ therapistId: therapist.id, plan: 'TRIAL', startedAt, endedAt: endedAt as never });
      await t.db
        .insert(usageAccounts)
        .values({ therapistId: therapist.id, countedMs: seconds * 1000 })
        .onConflictDoUpdate({
          target: usageAccounts.therapistId,
          set: { countedMs: sql`${usageAccounts.countedMs} + ${seconds * 1000}` },
        });
    },
  };
}

/** Length of all intervals in milliseconds; a running one counts until now by the row's own clock. */
export async function lengthOf(t: TestApp, therapistId: number): Promise<number> {
  const { rows } = await t.db.execute<{ ms: number }>(
    sql`SELECT (coalesce(sum(extract(epoch FROM coalesce(ended_at, product_now()) - started_at)), 0) * 1000)::float8 AS ms FROM usage_intervals WHERE therapist_id = ${therapistId}`,
  );
  return rows[0]!.ms;
}

/** A server that can be stopped cleanly, or so that the database is left as after a crash, and started again. */
export interface Restarts {
  /** The test's app as it runs now. */
  readonly t: TestApp;
  /** Stops and starts it cleanly. */
  restart(): Promise<void>;
  /**
   * The same, but the database keeps what it had before, as if the process had been killed this many seconds after its
   * last sign of life.
   */
  crash(secondsSilent?: number): Promise<void>;
  close(): Promise<void>;
}

/** Takes a test's app, whose database and settings the next ones use. */
export function restarts(first: TestApp): Restarts {
  let t = first;
  async function again(): Promise<void> {
    const app = await createApp(first.app.config, { longRunning: false, log: first.logged.log });
    const url = (await app.listen()).replace('[::1]', 'localhost');
    t = {
      ...first,
      ...{ app, url, db: app.db, clock: app.clock },
      ...createCaller(url),
      move: app.clock.move,
      emails: async (to) => (await app.outbox.list()).filter((email) => email.to === to).toReversed(),
    };
  }
  return {
    get t() {
      return t;
    },
    async restart() {
      await t.app.close();
      await again();
    },
    async crash(secondsSilent = 0) {
      const tables = ['usage_accounts', 'usage_intervals', 'usage_heartbeat', 'live_sessions', 'rooms'];
      const database = await openDatabase({ ...first.app.config, databaseConnections: 3 }, first.logged.log);
      const run = (on: Queryable, text: string) => on.execute(sql.raw(text));
      try {
        await database.db.transaction(async (tx) => {
          for (const table of tables) await run(tx, `CREATE TABLE kept_${table} AS TABLE ${table}`);
        });
        await t.app.close();
        await database.db.transaction(async (tx) => {
          await run(tx, 'SET LOCAL session_replication_role = replica');
          for (const table of tables) {
            await run(tx, `DELETE FROM ${table}`);
            await run(tx, `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM kept_${table}`);
            await run(tx, `DROP TABLE kept_${table}`);
          }
          await run(tx, `UPDATE usage_heartbeat SET seen_at = seen_at - make_interval(secs => ${secondsSilent})`);
        });
      } finally {
        await database.close();
      }
      await again();
    },
    async close() {
      await t.app.close();
      await first.close();
    },
  };
}
