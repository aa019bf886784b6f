/** Several nodes of one service: one PostgreSQL, one Redis and one folder of files. */
import { type BenchDatabase, startDatabase } from './database.ts';
import { type Fieldroom, startFieldroom } from './fieldroom.ts';
import { tempFolder, until } from './processes.ts';
import { type BenchRedis, startRedis } from './redis.ts';

export interface Nodes {
  readonly database: BenchDatabase;
  readonly redis: BenchRedis;
  /** Starts a node. Takes additional settings for this node. */
  start(own?: Record<string, string>): Promise<Fieldroom>;
  /** Stops PostgreSQL and Redis, after the nodes. */
  stop(): Promise<void>;
}

/** Starts PostgreSQL and Redis; the caller starts the nodes. */
export async function startNodes(): Promise<Nodes> {
  const [database, redis, dataDir] = [await startDatabase(), await startRedis(), await tempFolder('nodes')];
  const shared = { DEMO: '0', DATABASE_URL: database.connectionString, REDIS_URL: redis.url, DATA_DIR: dataDir };
  return {
    database,
    redis,
    start: (own = {}) => startFieldroom({ ...shared, ...own }),
    async stop() {
      await redis.stop();
      await database.stop();
    },
  };
}

/** The numbers of /metrics that have no labels, by name. */
async function readMetrics({ url }: Pick<Fieldroom, 'url'>): Promise<ReadonlyMap<string, number>> {
  const answer = await fetch(`${url}/metrics`);
  if (!answer.ok) throw new Error(`/metrics answered ${answer.status}`);
  const lines = (await answer.text()).matchAll(/^([a-z]\w*) (\S+)$/gm);
  return new Map([...lines].map(([, name, value]) => [name!, Number(value)]));
}

/** One number of /metrics. @throws if there is none with that name. */
export async function readMetric(node: Pick<Fieldroom, 'url'>, name: string): Promise<number> {
  const value = (await readMetrics(node)).get(name);
  if (value === undefined) throw new Error(`there is no metric ${name}`);
  return value;
}

/** Takes all nodes. Waits until each receives messages of all others. */
export const untilWhole = (nodes: readonly Fieldroom[]): Promise<void> =>
  until(
    'the nodes to hear each other',
    async () => {
      for (const node of nodes) {
        const metrics = await readMetrics(node);
        if (metrics.get('bus_whole') !== 1 || metrics.get('nodes') !== nodes.length) return false;
      }
      return true;
    },
    30_000,
    200,
  );
