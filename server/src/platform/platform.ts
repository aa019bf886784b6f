/** All machinery together, without product words: `app.ts` builds the features on it. */
import type { Config } from './config.ts';
import type { Blobs } from './blobs/blobs.ts';
import { createFolderBlobs } from './blobs/folder.ts';
import { createLocalBus, type Bus } from './nodes/bus.ts';
import { createClock, type Clock } from './clock.ts';
import { openDatabase, type Database, type Db } from './db/db.ts';
import type { EmbeddedPostgres } from './db/embedded-postgres.ts';
import { createFiles, type Files } from './files/files.ts';
import { createJobs, type Jobs } from './scheduling/jobs.ts';
import { createLimits, type Limits } from './limits.ts';
import { createLog, type Log } from './monitoring/log.ts';
import { createLoneNode, createNodes, type Nodes } from './nodes/nodes.ts';
import type { RedisBusTimes } from './nodes/redis-bus.ts';
import { createOutbox, type Outbox } from './mail/outbox.ts';
import { createMetrics, type Metrics } from './monitoring/metrics.ts';
import { watchOpenFiles } from './monitoring/open-files.ts';
import { createPictureWork, type PictureWork } from './files/picture-work.ts';
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
  /** Where bytes lie that all nodes need. */
  readonly blobs: Blobs;
  readonly pictureWork: PictureWork;
  readonly bus: Bus;
  readonly nodes: Nodes;
  /** What /readyz checks, by name. */
  readonly checks: Readonly<Record<string, () => Promise<unknown>>>;
  /** Begins no more jobs, sweeps and emails, and waits a moment for those that run. `close` does so too. */
  stopWork(): Promise<void>;
  /** Lets running work finish and closes everything, each part before those it uses. */
  close(): Promise<void>;
}

export interface PlatformParts {
  readonly log?: Log;
  /** The embedded database, if it was started already. */
  readonly embedded?: Promise<EmbeddedPostgres> | undefined;
  /** False leaves out what only a long-running server needs. */
  readonly longRunning?: boolean;
  /** Times of the bus over Redis, for tests. */
  readonly busTimes?: Partial<RedisBusTimes> | undefined;
  /** Real time without a sign of life after which a node is dead, for tests. */
  readonly nodeDeadAfterMs?: number | undefined;
}

const BUS_NUMBERS = [
  ['published', 'Messages sent to other nodes since the start'],
  ['received', 'Messages of other nodes since the start'],
  ['lost', 'Messages for other nodes that could not be sent since the start'],
  ['gaps', 'Times since the start at which messages of other nodes may have been missed'],
  ['connects', 'Connections to Redis made since the start'],
  ['channels', 'Channels to which this node listens'],
  ['echoMs', 'Milliseconds to Redis and back'],
] as const;
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Opens the database and makes the parts on it. The caller starts the jobs, after registering all of them. */
export async function createPlatform(
  config: Config,
  { log = createLog(config), embedded, longRunning = true, busTimes, nodeDeadAfterMs }: PlatformParts = {},
): Promise<Platform> {
  const metrics = createMetrics({ processNumbers: longRunning });
  const database = await openDatabase(config, log, embedded);
  const { db, roomDb, pool } = database;
  const clock = createClock(db, roomDb);
  // In production the clock stays what it is; a copy of a demo's data brings its own moved clock along.
  await clock.setSpeed(config.clockSpeed);
  const secrets = createSecrets(db);
  const limits = createLimits(db, () => secrets.get('limits'));
  const jobs = createJobs({ log });
  const schedule = createSchedule({
    db,
    clock,
    log,
    // Tests move the clock by months and run jobs by hand.
    ...(longRunning ? { jobs } : {}),
  });
  let blobs: Blobs = createFolderBlobs(config.dataDir);
  if (config.s3 !== null) {
    // Loaded only where it is used.
    const { createS3Blobs } = await import('./blobs/s3.ts');
    const bucket = createS3Blobs(config.s3, async () => (await secrets.get('files')).toString('hex').slice(0, 32));
    await bucket.open(log).catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
    blobs = bucket;
    metrics.gauge('file_store_failed', 'Requests to the file store that failed since the start', bucket.failed);
  }
  const files = createFiles(db, { blobs });
  const pictureWork = createPictureWork();
  const onError = (error: unknown, channel: string) =>
    log.error({ err: error, channel: channel.split('/').slice(0, 3).join('/') }, 'a message could not be handled');
  let bus: Bus = createLocalBus({ onError });
  let nodes = createLoneNode();
  if (config.redisUrl !== null) {
    // Loaded only where it is used. Two installations may share one Redis; the secret tells them apart.
    const { createRedisBus } = await import('./nodes/redis-bus.ts');
    const installation = (await secrets.get('bus')).toString('hex').slice(0, 16);
    const joined = createRedisBus({
      ...{ url: config.redisUrl, installation, log, onError },
      ...(busTimes ? { times: busTimes } : {}),
    });
    bus = joined;
    // Not the rooms' connections: when they are all in use, this node must still say that it lives.
    nodes = createNodes({ db, log, hears: joined.isWhole, deadAfterMs: nodeDeadAfterMs });
    jobs.every(1, 'nodes.sweep', nodes.sweep);
    jobs.every(3600, 'nodes.tidy', nodes.tidy);
    metrics.gauge('nodes', 'Nodes that live', nodes.count);
    metrics.gauge('bus_whole', 'Whether messages of other nodes arrive', () => Number(joined.isWhole()));
    for (const [name, help] of BUS_NUMBERS) metrics.gauge(`bus_${snake(name)}`, help, () => joined.numbers()[name]);
  }
  const outbox = createOutbox({ db, config, log, jobs, nodes });
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
    'Age of the oldest email that only the mail server keeps waiting',
    async () => (await outbox.stats()).oldestSeconds,
  );
  metrics.gauge('mail_retrying', 'Emails that wait after a failed try', async () => (await outbox.stats()).retrying);
  metrics.gauge('mail_sent', 'Emails sent since the start', async () => (await outbox.stats()).sent);
  metrics.gauge('mail_given_up', 'Emails given up in the last 30 days', async () => (await outbox.stats()).givenUp);
  metrics.gauge(
    'mail_failed_tries',
    'Tries to send an email that failed since the start',
    async () => (await outbox.stats()).failedTries,
  );
  metrics.gauge('jobs_failed', 'Work in the background that failed since the start', jobs.failed);
  metrics.gauge(
    'jobs_failing',
    'Work in the background whose last run failed',
    async () => jobs.failing() + (await schedule.failing()),
  );
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
    blobs,
    pictureWork,
    bus,
    nodes,
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
