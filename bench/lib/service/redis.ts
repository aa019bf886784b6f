/** A Redis for a benchmark: Debian's program on a free port, which stores nothing on disk. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findProgram } from '../../../server/src/features/video/video.fixture.ts';
import { findRedis, redisArguments } from '../../../server/tests/support/programs/redis-program.ts';
import { freePort, startProgram, until } from './processes.ts';

const run = promisify(execFile);
const SERVER = '/usr/bin/redis-server';
/** It comes with the server, and is found through PATH. */
const CLIENT = 'redis-cli';

export interface BenchRedis {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Sends a query with Redis' own client, whose connection ends with the answer. Returns the lines of the answer. */
  ask(...command: string[]): Promise<string[]>;
  /** The number of nodes that listen to each channel whose name ends like this; empty if there are none. */
  listeners(end: string): Promise<number[]>;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts it, on the given port if any. Installs Debian's package if it is missing and installing is allowed. */
export async function startRedis(givenPort?: number): Promise<BenchRedis> {
  const program = findRedis() ?? findProgram(SERVER, 'redis-server', 'several nodes cannot be measured.');
  if (program === null) throw new Error('Redis is missing: install Debian’s package redis-server');
  const port = givenPort ?? (await freePort());
  const started = startProgram(program, redisArguments(port));
  async function ask(...command: string[]): Promise<string[]> {
    const { stdout } = await run(CLIENT, ['-h', '127.0.0.1', '-p', String(port), ...command]);
    return stdout.split(/\r?\n/).filter((line) => line !== '');
  }
  await until('Redis', () =>
    ask('ping').then(
      ([answer]) => answer === 'PONG',
      () => false,
    ),
  );
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid: started.pid,
    ask,
    async listeners(end) {
      const channels = await ask('PUBSUB', 'CHANNELS', `*${end}`);
      if (channels.length === 0) return [];
      // Names and numbers alternate.
      return (await ask('PUBSUB', 'NUMSUB', ...channels)).filter((_, index) => index % 2 === 1).map(Number);
    },
    stop: (signal) => started.stop(signal),
  };
}
