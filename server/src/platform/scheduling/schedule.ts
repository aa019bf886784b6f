/**
 * Jobs that run by a cron expression on the product's clock. The database keeps when each runs next and who runs it, so
 * that of several nodes one does, a restart forgets nothing, and the operator can change the times.
 *
 * A job is taken by one conditional UPDATE that sets a lease in real time. The lease is renewed while the job runs. If
 * the process dies, the next run is still due when the lease has run out, and any node takes it again: jobs must be
 * repeatable. Runs that were missed are made up once.
 */
import { Problem } from '../problem.ts';
import { CronExpressionParser } from 'cron-parser';
import type { Clock } from '../clock.ts';
import { asBackgroundWork, type Db, isDatabaseUnavailable, sqlState } from '../db/db.ts';
import { finishedWithin } from './finished-within.ts';
import type { Jobs } from './jobs.ts';
import { type Log, sparing } from '../monitoring/log.ts';
import * as store from './schedule.store.ts';

/** What runs, and when as long as the operator sets no other time. */
export interface ScheduledWork {
  readonly type: string;
  /** A cron expression of five fields, in `timeZone`. */
  readonly schedule: string;
  /** IANA zone. */
  readonly timeZone: string;
  /** Returns what it did, as numbers by name. */
  run(): Promise<Readonly<Record<string, number>>>;
}

export interface ScheduleEntry extends store.ScheduledJobRow {
  readonly timeZone: string;
}

export interface Schedule {
  /** Adds a job; call it before `start`. */
  register(work: ScheduledWork): void;
  /** Writes rows for new jobs. What the operator set stays. */
  start(): Promise<void>;
  /** The registered jobs, in the order in which they were registered. */
  list(): Promise<ScheduleEntry[]>;
  /**
   * Sets when a job runs and whether it does. Problems: `not_found`; `invalid_input` at `schedule`.
   */
  save(type: string, change: { schedule?: string; enabled?: boolean }): Promise<ScheduleEntry>;
  /**
   * Runs a job now, also one that is off. Returns when it has ended, or after a second. Problems: `not_found`,
   * `conflict` while it runs.
   */
  runNow(type: string): Promise<ScheduleEntry>;
  /** Runs everything that is due, and waits for it. The sweep does not wait. */
  runDue(): Promise<void>;
  /** How many jobs failed when they last ran and have to run again. Those that are off do not count. */
  failing(): Promise<number>;
  /** Begins no more jobs and waits a moment for those that run. */
  stop(patienceMs?: number): Promise<void>;
}

/** A fault whose message the operator may read: it holds no data of people. */
export class JobFault extends Error {
  override readonly name = 'JobFault';
}

const LOOK_SECONDS = 5;
/** A job belongs to its node for this long after the last renewal, in real time. */
const LEASE_SECONDS = 60;
const RENEW_MS = 20_000;
/** A job that failed runs again this long after, in product time, if its schedule does not come first. */
const RETRY_SECONDS = 600;
const ANSWER_AFTER_MS = 1000;
const STOP_MS = 2000;

/**
 * Returns the next moment of a cron expression after another. Takes five fields; throws a Problem at `schedule` for
 * anything else, and for days that never come.
 */
export function nextRun(schedule: string, timeZone: string, after: Date): Date {
  try {
    if (schedule.trim().split(/\s+/).length !== 5) throw new RangeError('five fields');
    // For the library, H is a random value, another one each time.
    if (/\bh\b/i.test(schedule)) throw new RangeError('no random values');
    return CronExpressionParser.parse(schedule, { currentDate: after, tz: timeZone }).next().toDate();
  } catch {
    throw new Problem('invalid_input', { fields: [{ path: 'schedule', code: 'not_a_schedule' }] });
  }
}

/** Makes the schedule. Takes database, the product's clock, log, and the sweeps that look for what is due. */
export function createSchedule({
  db,
  clock,
  log,
  jobs,
}: {
  db: Db;
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
  jobs?: Pick<Jobs, 'every' | 'noteFailure'>;
}): Schedule {
  const works = new Map<string, ScheduledWork>();
  const running = new Set<Promise<void>>();
  const unavailable = sparing((fields, message) => log.warn(fields, message));
  let stopped = false;

  function workOf(type: string): ScheduledWork {
    const work = works.get(type);
    if (work === undefined) throw new Problem('not_found');
    return work;
  }

  async function entryOf(type: string): Promise<ScheduleEntry> {
    const work = workOf(type);
    const row = await store.findJob(db, type);
    if (row === null) throw new Problem('not_found');
    return { ...row, timeZone: work.timeZone };
  }

  /** When a job runs next: by its schedule, or soon after a failure, as the next month would be too late for bills. */
  async function after({ result }: store.Outcome, schedule: string, timeZone: string): Promise<Date> {
    const now = await clock.now();
    const next = nextRun(schedule, timeZone, now);
    return result === 'done' ? next : new Date(Math.min(next.getTime(), now.getTime() + RETRY_SECONDS * 1000));
  }

  /** Runs a job whose lease this node has, and writes how it went. */
  async function carryOut(work: ScheduledWork, run: store.Run): Promise<void> {
    const { type } = work;
    const renewal = setInterval(() => {
      store.renewLease(db, type, run, LEASE_SECONDS).catch((error: unknown) => {
        unavailable({ err: error, job: type }, 'the lease of a job could not be renewed');
      });
    }, RENEW_MS);
    renewal.unref();
    let outcome: store.Outcome;
    try {
      const counts = await work.run();
      outcome = { result: 'done', counts, fault: null };
      // Frequent jobs mostly find nothing to do.
      if (Object.values(counts).some((count) => count > 0))
        log.info({ job: type, ...counts }, 'a scheduled job is done');
    } catch (error) {
      outcome = { result: 'failed', counts: {}, fault: faultOf(error) };
      jobs?.noteFailure();
      log.error({ err: error, job: type }, 'a scheduled job failed');
    } finally {
      clearInterval(renewal);
    }
    // Again if the operator changes the times in between. A node that lost the lease leaves the job to the one that
    // holds it.
    for (;;) {
      const times = await store.findTimes(db, type, run);
      if (times === null) return;
      const next = times.enabled ? await after(outcome, times.schedule, work.timeZone) : null;
      if (await store.recordRun(db, { type, run, ...times }, outcome, next)) return;
    }
  }

  /** Begins a job in the background. Nothing it meets is thrown: what is not written now is due again. */
  function begin(work: ScheduledWork, run: store.Run): Promise<void> {
    const ended = asBackgroundWork(() => carryOut(work, run)).catch((error: unknown) => {
      jobs?.noteFailure();
      if (isDatabaseUnavailable(error)) unavailable({ err: error, job: work.type }, 'a job could not be recorded');
      else log.error({ err: error, job: work.type }, 'a job could not be recorded');
    });
    running.add(ended);
    void ended.then(() => running.delete(ended));
    return ended;
  }

  async function beginDue(): Promise<Promise<void>[]> {
    const begun: Promise<void>[] = [];
    for (const type of await store.dueTypes(db)) {
      const work = works.get(type);
      if (stopped || work === undefined) continue;
      const run = await store.takeDue(db, type, LEASE_SECONDS);
      if (run !== null) begun.push(begin(work, run));
    }
    return begun;
  }
  jobs?.every(LOOK_SECONDS, 'schedule.look', beginDue);

  return {
    register(work) {
      if (works.has(work.type)) throw new Error(`the job ${work.type} is registered twice`);
      works.set(work.type, work);
    },

    async start() {
      const now = await clock.now();
      for (const { type, schedule, timeZone } of works.values())
        await store.insertJob(db, type, schedule, nextRun(schedule, timeZone, now));
    },

    async list() {
      const rows = new Map((await store.findJobs(db)).map((row) => [row.type, row]));
      return [...works.values()].flatMap(({ type, timeZone }) => {
        const row = rows.get(type);
        return row === undefined ? [] : [{ ...row, timeZone }];
      });
    },

    async save(type, change) {
      const work = workOf(type);
      const before = await entryOf(type);
      const schedule = change.schedule?.trim().replace(/\s+/g, ' ') ?? before.schedule;
      const enabled = change.enabled ?? before.enabled;
      const now = await clock.now();
      const next = nextRun(schedule, work.timeZone, now);
      // What has failed, or is due already, is not put off to the new time: bills would come a month late.
      const dueAt = before.nextRunAt ?? now;
      const isOwed = before.lastResult === 'failed' || dueAt < now;
      const nextRunAt = isOwed ? new Date(Math.min(next.getTime(), dueAt.getTime())) : next;
      await store.updateJob(db, type, { schedule, enabled, nextRunAt: enabled ? nextRunAt : null });
      return entryOf(type);
    },

    async runNow(type) {
      const work = workOf(type);
      if (stopped) throw new Problem('shutting_down', { retryAfterSeconds: 5 });
      const run = await store.takeNow(db, type, LEASE_SECONDS);
      if (run === null) throw new Problem('conflict');
      await finishedWithin(ANSWER_AFTER_MS, begin(work, run));
      return entryOf(type);
    },

    async runDue() {
      await Promise.all(await beginDue());
    },

    failing: () => store.countFailing(db, [...works.keys()]),

    async stop(patienceMs = STOP_MS) {
      stopped = true;
      if (!(await finishedWithin(patienceMs, Promise.all(running))))
        log.warn({ jobs: running.size }, 'stopping goes on without waiting for scheduled jobs');
    },
  };
}

/** What the operator reads of a fault: our own sentence, or class and code. Messages of databases quote data. */
function faultOf(error: unknown): string {
  if (error instanceof JobFault) return error.message;
  const state = sqlState(error);
  const name = error instanceof Error ? error.constructor.name : 'unknown';
  return state === null || state === undefined ? name : `${name} ${state}`;
}
