/** A PostgreSQL that can be frozen, end at once and start again, and have things locked. */
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@fieldroom/server/platform/db/embedded-postgres';
import { sleep, tempFolder, until } from '../service/processes.ts';

const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined, debug: () => undefined };

export interface FailingPostgres {
  readonly connectionString: string;
  /** Stops all its processes for a while; they go on as if nothing had happened. */
  freeze(ms: number): Promise<void>;
  /** Ends it at once, and starts it after a while. Returns when it accepted connections: that is its own recovery. */
  crash(downMs: number): Promise<number>;
  /** Holds what a statement locks for a while. */
  lock(statement: string, ms: number): Promise<void>;
  stop(): Promise<void>;
}

/** The processes of a PostgreSQL: the main one, and one for each connection. */
const processesOf = ({ pid }: EmbeddedPostgres): number[] => [
  pid,
  ...readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  ),
];
function signalAll(postgres: EmbeddedPostgres, signal: NodeJS.Signals): void {
  for (const pid of processesOf(postgres)) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has just ended.
    }
  }
}

/** Starts it in a folder of its own. It is stopped with the program at the latest. */
export async function startFailingPostgres(): Promise<FailingPostgres> {
  const dataDir = await tempFolder('outage-database');
  let crashed = Promise.withResolvers<void>();
  const start = () => {
    crashed = Promise.withResolvers<void>();
    return startEmbeddedPostgres({ dataDir, log: QUIET, onCrash: () => crashed.resolve() });
  };
  let postgres = await start();
  process.once('exit', () => void postgres.stop());
  const { connectionString } = postgres;
  const connect = async () => {
    const client = new pg.Client({ connectionString });
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  return {
    connectionString,
    async freeze(ms) {
      signalAll(postgres, 'SIGSTOP');
      await sleep(ms);
      signalAll(postgres, 'SIGCONT');
    },
    async crash(downMs) {
      process.kill(postgres.pid, 'SIGQUIT');
      await crashed.promise;
      await sleep(downMs);
      const started = start();
      let accepts = 0;
      const accepting = () =>
        connect().then(
          async (client) => {
            accepts ||= performance.now();
            await client.end();
            return true;
          },
          () => false,
        );
      await until('PostgreSQL to accept connections', accepting, 60_000, 5);
      postgres = await started;
      return accepts;
    },
    async lock(statement, ms) {
      const client = await connect();
      await client.query('BEGIN');
      await client.query(statement);
      await sleep(ms);
      await client.query('ROLLBACK');
      await client.end();
    },
    stop: () => postgres.stop(),
  };
}
