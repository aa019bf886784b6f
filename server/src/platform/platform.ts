/** All machinery together, without product words: `app.ts` builds the features on it. */
import type { Config } from './config.ts';
import { createLocalBus, type Bus } from './bus.ts';
import { createClock, type Clock } from './clock.ts';
import { openDatabase, type Database, type Db } from './db/db.ts';
import { createFiles, type Files } from './files.ts';
import { createJobs, type Jobs } from './scheduling/jobs.ts';
import { createLimits, type Limits } from './limits.ts';
import { createLog, type Log } from './monitoring/log.ts';
import { createOutbox, type Outbox } from './mail/outbox.ts';
import { createMetrics, type Metrics } from './monitoring/metrics.ts';
import { watchOpenFiles } from './monitoring/open-files.ts';
import { createSchedule, type Schedule } from './scheduling/schedule.ts';
import { createSecrets, type Secrets } from './secrets.ts';

export interface Platform {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly database: Database;
  readonly db: Db;
  /** Connections that only live rooms take. */
  readonly roomDb: Db;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly limits: Limits;
  readonly jobs: Jobs;
  /** Jobs by cron expression. The caller registers them and starts it before the jobs. */
  readonly schedule: Schedule;
  readonly outbox: Outbox;
  readonly files: Files;
  readonly bus: Bus;
  /** What /readyz checks, by name. */
  readonly checks: Readonly<Record<string, () => Promise<unknown>>>;
  /** Begins no more jobs, sweeps and emails, and waits a moment for those that run. `close` does so too. */
  stopWork(): Promise<void>;
  /** Lets running work finish and closes everything, each part before those it uses. */
  close(): Promise<void>;
}

export interface PlatformParts {
  readonly log?: Log;
  /** The embedded database died; nothing can go on. */
  readonly onCrash?: (error: Error) => void;
  /** False leaves out what only a long-running server needs. */
  readonly longRunning?: boolean;
}

/** Opens the database and makes the parts on it. The caller starts the jobs, after registering all of them. */
export async function createPlatform(
  config: Config,
  { log = createLog(config), onCrash, longRunning = true }: PlatformParts = {},
): Promise<Platform> {
  const metrics = createMetrics({ processNumbers: longRunning });
  const database = await openDatabase(config, log, onCrash);
  const { db, roomDb, pool } = database;
  const clock = createClock(db);
  // In production the clock stays what it is; a copy of a demo's data brings its own moved clock along.
  await clock.setSpeed(config.clockSpeed);
  const secrets = createSecrets(db);
  const limits = createLimits(db, () => secrets.get('limits'));
  const jobs = createJobs({ connectionString: database.connectionString, log, maintain: longRunning });
  const schedule = createSchedule({
    db,
    clock,
    log,
    // Tests move the clock by months and run jobs by hand.
    ...(longRunning ? { jobs } : {}),
  });
  const outbox = createOutbox({ db, config, log, jobs });
  const files = createFiles(db, { dataDir: config.dataDir });
  const bus = createLocalBus({
    onError: (error, channel) =>
      log.error({ err: error, channel: channel.split('/').slice(0, 3).join('/') }, 'a message could not be handled'),
  });
  jobs.every(3600, 'files.sweep', files.sweep);
  jobs.every(3600, 'limits.sweep', limits.sweep);
  metrics.gauge(
    'database_connections',
    'Connections of this process to the database',
    () => database.connections().open,
  );
  metrics.gauge('database_waiting', 'Queries waiting for a connection', () => database.connections().waiting);
  metrics.gauge('mail_waiting', 'Emails that wait to be sent', async () => (await outbox.stats()).waiting);
  metrics.gauge(
    'mail_oldest_seconds',
    'Age of the oldest email that waits to be sent',
    async () => (await outbox.stats()).oldestSeconds,
  );
  metrics.gauge('mail_retrying', 'Emails that wait after a failed try', async () => (await outbox.stats()).retrying);
  metrics.gauge('mail_given_up', 'Emails given up in the last 30 days', async () => (await outbox.stats()).givenUp);
  metrics.gauge(
    'mail_failed_tries',
    'Tries to send an email that failed since the start',
    async () => (await outbox.stats()).failedTries,
  );
  metrics.gauge('jobs_failed', 'Work in the background that failed since the start', jobs.failed);
  const stopWatching = longRunning ? watchOpenFiles(log) : () => {};
  let stopping: Promise<void> | undefined;
  const stopWork = () => {
    outbox.stopSending();
    return (stopping ??= Promise.all([jobs.stop(), schedule.stop()]).then(() => {}));
  };
  return {
    config,
    log,
    metrics,
    database,
    db,
    roomDb,
    clock,
    secrets,
    limits,
    jobs,
    schedule,
    outbox,
    files,
    bus,
    checks: {
      database: () => pool.query('SELECT product_now()'),
      bus: () => bus.ready(),
      jobs: () => jobs.check(),
      storage: () => Promise.all([files.check(), database.checkRoom()]),
    },
    stopWork,
    async close() {
      stopWatching();
      await stopWork();
      outbox.close();
      await bus.close();
      await database.close();
    },
  };
}
