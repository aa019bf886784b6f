/** Several nodes of one service: whole apps on one database, one Redis and one folder of files, each with its address. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { inject } from 'vitest';
import { type App, type AppOptions, createApp } from '../../src/app.ts';
import { copyDatabase } from './database.ts';
import { createCaller, type LogSpy, logSpy, testConfig, type TestApp } from './test-app.ts';

export interface TestNode extends Pick<TestApp, 'api' | 'call' | 'fetch'> {
  readonly app: App;
  readonly url: string;
  readonly logged: LogSpy;
  close(): Promise<void>;
}

export interface TestNodes {
  /** Settings of every node, for one that a test starts as a process. */
  readonly env: Readonly<Record<string, string>>;
  start(options?: AppOptions): Promise<TestNode>;
  /** Stops the nodes that still run and drops the database. */
  close(): Promise<void>;
}

export const METRICS_TOKEN = 'token-of-the-tests';

/** A machine that stands still for a while is no fault of Redis. */
const PATIENT = { readyMs: 60_000, deadAfterMs: 60_000 };
/** Nor is it a death, unless a test is about one. */
const NODE_DEAD_AFTER_MS = 3_600_000;

/** Makes the ground. Takes the address of Redis; the caller starts the nodes. */
export async function testNodes(redisUrl: string): Promise<TestNodes> {
  const database = await copyDatabase(inject('postgres'));
  const dataDir = await mkdtemp(path.join(tmpdir(), 'fieldroom-test-nodes-'));
  const env = { METRICS_TOKEN, DATABASE_URL: database.connectionString, REDIS_URL: redisUrl, DATA_DIR: dataDir };
  const running = new Set<TestNode>();
  return {
    env,
    async start(options = {}) {
      const logged = logSpy();
      const app = await createApp(testConfig(env), {
        ...{ longRunning: false, drainMs: 0, busTimes: PATIENT, nodeDeadAfterMs: NODE_DEAD_AFTER_MS },
        ...options,
        log: logged.log,
      });
      const url = (await app.listen()).replace('[::1]', 'localhost');
      const node: TestNode = {
        ...{ app, url, logged },
        ...createCaller(url),
        async close() {
          running.delete(node);
          await app.close();
        },
      };
      running.add(node);
      return node;
    },
    async close() {
      for (const node of running) await node.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
