/** The machinery put together, without product words: what `app.ts` builds the features on. */
import type { Config } from './config.ts';
import { createLocalBus, type Bus } from './bus.ts';
import { createClock, type Clock } from './clock.ts';
import { openDatabase, type Database, type Db } from './db/db.ts';
import { createFiles, type Files } from './files.ts';
import { createJobs, type Jobs } from './jobs.ts';
import { createLimits, type Limits } from './limits.ts';
import { createLog, type Log } from './log.ts';
import { createOutbox, type Outbox } from './mail/outbox.ts';
import { createMetrics, type Metrics } from './metrics.ts';

export interface Platform {
  readonly config: Config;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly database: Database;
  readonly db: Db;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly jobs: Jobs;
  readonly outbox: Outbox;
  readonly files: Files;
  readonly bus: Bus;
  /** What /readyz asks, by name. */
  readonly checks: Readonly<Record<string, () => Promise<unknown>>>;
  /** Lets work under way finish and closes all, in the order in which one stands on the other. */
  close(): Promise<void>;
}

export interface PlatformParts {
  /** A secret that stays with the database, for the keys of limits. */
  readonly limitSecret: (db: Db) => Promise<Buffer>;
  readonly log?: Log;
  /** The embedded database died; nothing can go on. */
  readonly onCrash?: (error: Error) => void;
  /** False leaves out what only a long-running server needs. */
  readonly longRunning?: boolean;
}

/** Opens the database and makes the parts on it. Jobs are started by who has registered them all. */
export async function createPlatform(
  config: Config,
  { limitSecret, log = createLog(config), onCrash, longRunning = true }: PlatformParts,
): Promise<Platform> {
  const metrics = createMetrics({ processNumbers: longRunning });
  const database = await openDatabase(config, log, onCrash);
  const { db, pool } = database;
  const clock = createClock(db);
  // In production the clock stays what it is; a copy of a demo's data brings its own moved clock along.
  await clock.setSpeed(config.clockSpeed);
  const limits = createLimits(db, () => limitSecret(db));
  const jobs = createJobs({ connectionString: database.connectionString, log, maintain: longRunning });
  const outbox = createOutbox({ db, config, log, jobs });
  const files = createFiles(db, { dataDir: config.dataDir });
  const bus = createLocalBus({
    onError: (error, channel) =>
      log.error({ err: error, channel: channel.split('/').slice(0, 3).join('/') }, 'a message could not be handled'),
  });
  jobs.every(3600, 'files.sweep', files.sweep);
  jobs.every(3600, 'limits.sweep', limits.sweep);
  metrics.gauge('database_connections', 'Connections of this process to the database', () => pool.totalCount);
  metrics.gauge('database_waiting', 'Queries waiting for a connection', () => pool.waitingCount);
  return {
    config,
    log,
    metrics,
    database,
    db,
    clock,
    limits,
    jobs,
    outbox,
    files,
    bus,
    checks: { database: () => pool.query('SELECT product_now()'), bus: () => bus.ready(), jobs: () => jobs.check() },
    async close() {
      await jobs.stop();
      outbox.close();
      await bus.close();
      await database.close();
    },
  };
}
