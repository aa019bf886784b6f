/**
 * Several nodes of one service: whole apps on one database, one Redis and one folder of files, each with its address.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { inject, vi } from 'vitest';
import { type App, type AppOptions, createApp } from '../../src/app.ts';
import { copyDatabase } from './database.ts';
import { answering, freePort, MAIN, type Started, startProcess } from './programs/process.ts';
import { createCaller, type LogSpy, logSpy, testConfig, type TestApp } from './test-app.ts';

export interface TestNode extends Pick<TestApp, 'api' | 'call' | 'fetch'> {
  readonly app: App;
  readonly url: string;
  readonly logged: LogSpy;
  close(): Promise<void>;
}

interface NodeProcess extends Started, Pick<TestApp, 'api' | 'call' | 'fetch'> {
  readonly url: string;
}

export interface TestNodes {
  /** Settings of every node. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts one in this process. Takes settings by name that are this node's own. */
  start(options?: AppOptions, own?: Record<string, string>): Promise<TestNode>;
  /** Starts the program itself as one more node. Takes settings that are its own. */
  startProcess(own?: Record<string, string>): Promise<NodeProcess>;
  /** Stops the nodes that still run and drops the database. */
  close(): Promise<void>;
}

export const METRICS_TOKEN = 'token-of-the-tests';

/** A pause of the whole machine is no fault of Redis. */
const PATIENT = { readyMs: 60_000, deadAfterMs: 60_000 };
/** Nor is it a death, unless a test is about one. */
const NODE_DEAD_AFTER_MS = 3_600_000;

/** Waits until each of these nodes hears the others over Redis. */
export const untilWhole = (...nodes: readonly TestNode[]) =>
  vi.waitUntil(() => nodes.every(({ app }) => app.bus.isWhole()), { timeout: 100_000, interval: 20 });

/** Makes the ground. Takes the address of Redis; the caller starts the nodes. */
export async function testNodes(redisUrl: string): Promise<TestNodes> {
  const database = await copyDatabase(inject('postgres'));
  const dataDir = await mkdtemp(path.join(tmpdir(), 'fieldroom-test-nodes-'));
  const env = { METRICS_TOKEN, DATABASE_URL: database.connectionString, REDIS_URL: redisUrl, DATA_DIR: dataDir };
  const running = new Set<TestNode>();
  const processes: Started[] = [];
  return {
    env,
    async start(options = {}, own = {}) {
      const logged = logSpy();
      const app = await createApp(testConfig({ ...env, ...own }), {
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
    async startProcess(own = {}) {
      const port = await freePort();
      const url = `http://127.0.0.1:${port}`;
      const basic = {
        ...{ PORT: String(port), HOST: '127.0.0.1', DEMO: '0' },
        // A pause of the machine is no fault.
        ...{ DATABASE_TIMEOUT_MS: '45000', MAX_LAG_MS: '0' },
      };
      const started = startProcess(process.execPath, [MAIN], { env: { ...env, ...basic, ...own } });
      processes.push(started);
      await answering(started, `${url}/healthz`);
      return { ...started, ...createCaller(url), url };
    },
    async close() {
      for (const started of processes) await started.stop('SIGKILL');
      for (const node of running) await node.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
