/** Debian's Redis on a free port. It keeps nothing on disk. */
import { existsSync } from 'node:fs';
import { Redis } from 'ioredis';
import { freePort, startProgram, until } from './processes.ts';

const PROGRAM = ['/usr/bin/redis-server', '/usr/local/bin/redis-server'].find((file) => existsSync(file));

export interface BenchRedis {
  readonly url: string;
  readonly pid: number;
  /** How many nodes listen to each channel whose name ends like this; empty when nobody does. */
  listeners(end: string): Promise<number[]>;
  stop(): Promise<void>;
}

/** Starts it. @throws when the package is not installed. */
export async function startRedis(): Promise<BenchRedis> {
  if (PROGRAM === undefined) throw new Error('redis-server is missing: install Debian’s package redis-server');
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const started = startProgram(PROGRAM, [
    ...['--port', String(port), '--bind', '127.0.0.1'],
    ...['--save', '', '--appendonly', 'no', '--dir', '/'],
  ]);
  const redis = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 50 }).on('error', () => undefined);
  await until(
    `Redis\n${started.output()}`,
    () => {
      if (started.child.exitCode !== null) throw new Error(`Redis ended:\n${started.output()}`);
      return redis.status === 'ready';
    },
    20_000,
  );
  return {
    url,
    pid: started.pid,
    async listeners(end) {
      const channels = (await redis.call('PUBSUB', 'CHANNELS', `*${end}`)) as string[];
      if (channels.length === 0) return [];
      // Names and numbers in turns.
      const counted = (await redis.call('PUBSUB', 'NUMSUB', ...channels)) as (string | number)[];
      return counted.filter((_, index) => index % 2 === 1).map(Number);
    },
    async stop() {
      redis.disconnect();
      await started.stop();
    },
  };
}
