/**
 * Work beside the calls, of two kinds:
 * - jobs (pg-boss): enqueued inside a transaction, so that they exist exactly if it commits. They survive a restart,
 *   run on any free node, and are tried again. Their timers are real time, exact to about a second.
 * - sweeps (`every`): run in each node at an interval of real time. SQL decides deadlines on product time; a sweep only
 *   does what is due.
 */
import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { PgBoss, fromDrizzle } from 'pg-boss';
import * as z from 'zod/mini';
import { asBackgroundWork, isConnectionFault, isDatabaseUnavailable, type Queryable } from '../db/db.ts';
import { finishedWithin } from './finished-within.ts';
import { type Log, sparing } from '../monitoring/log.ts';

interface EnqueueOptions {
  /** Seconds of real time to wait first. */
  readonly startAfterSeconds?: number;
  /** Of jobs with one key, only one waits at a time. */
  readonly singletonKey?: string;
}

export interface Jobs {
  /**
   * Sets who does the jobs of a name; call it before `start`. The schema parses the data when it is enqueued and when
   * it runs.
   */
  register<S extends z.core.$ZodType<object>>(
    name: string,
    schema: S,
    handler: (data: z.output<S>) => Promise<void>,
  ): void;
  /** Enqueues a job as part of the transaction. Returns its id, or null if one with the same singletonKey waits. */
  enqueue(on: Queryable, name: string, data: object, options?: EnqueueOptions): Promise<string | null>;
  /** Runs the work at an interval of real seconds from `start` on, never twice at once; faults are logged. */
  every(seconds: number, name: string, work: () => Promise<unknown>): void;
  /**
   * Runs the work of `every` now, waits for it, and throws what it throws; for tests and for callers that cannot wait.
   */
  runNow(name: string): Promise<void>;
  start(): Promise<void>;
  /** Lets running work finish, but no longer than this. */
  stop(patienceMs?: number): Promise<void>;
  /** Rejects while jobs cannot be taken. */
  check(): Promise<void>;
  /** How often work in the background has failed since the start; it is done again. */
  failed(): number;
}

export interface JobsParts {
  readonly connectionString: string;
  readonly log: Log;
  /** False leaves out pg-boss' own maintenance; tests need none. */
  readonly maintain?: boolean;
}

interface Sweep {
  readonly seconds: number;
  readonly work: () => Promise<unknown>;
  timer: NodeJS.Timeout | null;
  running: Promise<void> | null;
}

/** How long the job runner waits for a connection, and for an answer. */
const CONNECT_MS = 5000;
const ANSWER_MS = 60_000;
/** How long stopping waits for running work, and how much later the job runner must have ended. */
const STOP_MS = 2000;
const STOP_GRACE_MS = 500;
/** Sweeps that run this rarely have the time limits of background work. */
const LONG_FROM_SECONDS = 60;

/**
 * Makes the jobs. Takes the address of the database; pg-boss keeps a few connections of its own, among them the one
 * that listens.
 */
export function createJobs({ connectionString, log, maintain = true }: JobsParts): Jobs {
  const unavailable = sparing((fields, message) => log.warn(fields, message));
  const boss = new PgBoss({
    ...{
      connectionString,
      application_name: 'fieldroom-jobs',
      max: 3,
      connectionTimeoutMillis: CONNECT_MS,
      query_timeout: ANSWER_MS,
    },
    ...{ useListenNotify: true, schedule: false, supervise: maintain },
  });
  // The message of a database error may quote data; `err` keeps only the safe parts.
  boss.on('error', (error) =>
    isConnectionFault(error) || isDatabaseUnavailable(error)
      ? unavailable({ err: error }, 'the database could not serve the job runner')
      : log.error({ err: error }, 'the job runner met a fault'),
  );
  boss.on('warning', ({ message }) => log.warn({ message }, 'the job runner warns'));
  const handlers = new Map<string, { schema: z.core.$ZodType<object>; handler: (data: never) => Promise<void> }>();
  const sweeps = new Map<string, Sweep>();
  let state: 'new' | 'running' | 'stopped' = 'new';
  let failed = 0;

  function begin(sweep: Sweep): Promise<void> {
    const running = (async () => {
      // Frequent work must be short; rare work may have much to do.
      await (sweep.seconds < LONG_FROM_SECONDS ? sweep.work() : asBackgroundWork(sweep.work));
    })();
    const settled = running.then(
      () => {},
      () => {},
    );
    sweep.running = settled;
    void settled.then(() => {
      if (sweep.running === settled) sweep.running = null;
    });
    return running;
  }

  function tick(name: string, sweep: Sweep): void {
    if (sweep.running) return;
    begin(sweep).catch((error: unknown) => {
      // The sweep runs again by itself.
      if (state === 'stopped') return;
      failed += 1;
      if (isDatabaseUnavailable(error))
        unavailable({ err: error, sweep: name }, 'the database could not serve a sweep');
      else log.error({ err: error, sweep: name }, 'a sweep failed');
    });
  }

  function startSweep(name: string, sweep: Sweep): void {
    sweep.timer = setInterval(() => tick(name, sweep), sweep.seconds * 1000);
    sweep.timer.unref();
  }

  return {
    register(name, schema, handler) {
      if (state !== 'new') throw new Error(`the job ${name} has to be registered before the start`);
      if (handlers.has(name)) throw new Error(`the job ${name} is registered twice`);
      handlers.set(name, { schema, handler: handler as (data: never) => Promise<void> });
    },

    async enqueue(on, name, data, options = {}) {
      const registered = handlers.get(name);
      if (!registered) throw new Error(`there is no job ${name}`);
      return boss.send(name, z.parse(registered.schema, data), {
        db: fromDrizzle(on as never, sql as never),
        ...(options.startAfterSeconds === undefined ? {} : { startAfter: options.startAfterSeconds }),
        // The queue keeps one waiting job per key; without a key each job counts separately.
        singletonKey: options.singletonKey ?? randomUUID(),
      });
    },

    every(seconds, name, work) {
      if (sweeps.has(name)) throw new Error(`the sweep ${name} is there twice`);
      const sweep: Sweep = { seconds, work, timer: null, running: null };
      sweeps.set(name, sweep);
      if (state === 'running') startSweep(name, sweep);
    },

    async runNow(name) {
      const sweep = sweeps.get(name);
      if (!sweep) throw new Error(`there is no sweep ${name}`);
      // A run that has already begun may have looked before our caller's change.
      while (sweep.running) await sweep.running;
      await begin(sweep);
    },

    async start() {
      if (state !== 'new') throw new Error('the jobs were started before');
      await boss.start();
      for (const [name, { schema, handler }] of handlers) {
        await boss.createQueue(name, {
          policy: 'short',
          notify: true,
          retryLimit: 8,
          retryDelay: 5,
          retryBackoff: true,
          retryDelayMax: 3600,
          expireInSeconds: 300,
        });
        await boss.work<object>(
          name,
          { notifyPollingIntervalSeconds: 1, pollingIntervalSeconds: 1, batchSize: 1 },
          async ([job]) => {
            try {
              await asBackgroundWork(() => handler(z.parse(schema, job!.data) as never));
            } catch (error) {
              failed += 1;
              throw error;
            }
          },
        );
      }
      state = 'running';
      for (const [name, sweep] of sweeps) startSweep(name, sweep);
    },

    async stop(patienceMs = STOP_MS) {
      const started = state === 'running';
      state = 'stopped';
      for (const sweep of sweeps.values()) if (sweep.timer) clearInterval(sweep.timer);
      const running = Promise.all([...sweeps.values()].map(async (sweep) => sweep.running));
      const bossStopped = started ? boss.stop({ graceful: true, timeout: patienceMs, close: true }) : Promise.resolve();
      // What is cut off here is done again: a sweep by itself after the start, a job by its queue.
      const inTime = await Promise.all([
        finishedWithin(patienceMs, running),
        finishedWithin(patienceMs + STOP_GRACE_MS, bossStopped),
      ]);
      if (inTime.includes(false)) log.warn('stopping goes on without waiting for work in the background');
    },

    async check() {
      if (state !== 'running') throw new Error('the jobs do not run');
      await boss.getQueues([]);
    },
    failed: () => failed,
  };
}
