/** A Redis of a test's own: Debian's program on a free port, which the test may stop, freeze and start again. */
import { spawnSync } from 'node:child_process';
import { Redis } from 'ioredis';
import { vi } from 'vitest';
import { freePort, type Started, startProcess } from './process.ts';
import { findRedis, redisArguments } from './redis-program.ts';

const PROGRAM = findRedis();

/** Whether there is one that speaks RESP3; `npm test` installs it where it may. */
export const hasRedis = PROGRAM !== undefined && speaksResp3(PROGRAM);

/** Redis since its version 6. */
function speaksResp3(program: string): boolean {
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8' });
  return Number(/\bv=(\d+)/.exec(stdout)?.[1] ?? 0) >= 6;
}

export interface TestRedis {
  readonly url: string;
  /** Kills it as a crash would. */
  kill(): Promise<void>;
  /** Starts it again at the same port; one that runs goes on. */
  start(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** A connection to look into it; the caller closes it. */
  look(): Redis;
  stop(): Promise<void>;
}

/** Starts it. It keeps nothing on disk. */
export async function testRedis(): Promise<TestRedis> {
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  let running: Started | null = null;

  const look = () => new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 50 }).on('error', () => {});
  async function start(): Promise<void> {
    if (running !== null) return;
    running = startProcess(PROGRAM!, redisArguments(port));
    const asking = look();
    await vi.waitUntil(() => asking.ping().then(() => true), { timeout: 60_000 });
    asking.disconnect();
  }
  async function end(): Promise<void> {
    await running?.stop('SIGKILL');
    running = null;
  }
  await start();
  return {
    url,
    start,
    look,
    kill: end,
    freeze: () => void running?.child.kill('SIGSTOP'),
    thaw: () => void running?.child.kill('SIGCONT'),
    stop: end,
  };
}
