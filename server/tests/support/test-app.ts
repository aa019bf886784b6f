/**
 * The base of the server's tests: a whole app (or the platform alone) on a separate database, a clock that tests can
 * move, the emails it wrote, and calls by the contract. Only the mail server and the time are simulated; all else is
 * real.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import type { Endpoint, ReplyOf, Schema } from '@fieldroom/contract/http';
import { Problem } from '../../src/platform/problem.ts';
import type { ProblemBody } from '@fieldroom/contract/problems';
import { inject } from 'vitest';
import type * as z from 'zod/mini';
import { createApp, type App, type AppOptions } from '../../src/app.ts';
import { readConfig, type Config } from '../../src/platform/config.ts';
import { createLog, type Log } from '../../src/platform/monitoring/log.ts';
import type { Email } from '../../src/platform/mail/outbox.ts';
import { createPlatform, type Platform } from '../../src/platform/platform.ts';
import { type ChaosProxy, chaosProxy } from './programs/chaos-proxy.ts';
import { copyDatabase } from './database.ts';

export { fakeSmtp, type FakeSmtp } from './programs/fake-smtp.ts';

type InputOf<S> = S extends Schema ? z.input<S> : never;
/** What a call of the contract takes, as a caller writes it. */
export interface CallInput<E extends Endpoint> {
  readonly params?: InputOf<NonNullable<E['params']>> | Record<string, string | number>;
  readonly query?: Record<string, string | number | boolean>;
  readonly body?: InputOf<NonNullable<E['body']>>;
}
interface CallOptions {
  readonly token?: string | null;
  readonly headers?: Record<string, string>;
}

/** What the log got, for tests that look for personal data in it. */
export interface LogSpy {
  readonly log: Log;
  text(): string;
  entries(): Record<string, unknown>[];
}

/** A log that remembers. It keeps everything, down to `debug`. */
export function logSpy(): LogSpy {
  let text = '';
  const log = createLog({ logLevel: 'debug', production: true }, { write: (line: string) => void (text += line) });
  return {
    log,
    text: () => text,
    entries: () =>
      text
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

export interface TestPlatform extends Platform {
  readonly logged: LogSpy;
  /** Product time forward. */
  move(seconds: number): Promise<void>;
}

/**
 * Settings of a test: nothing of the machine's environment, no limit of calls, patience with a busy machine. Takes what
 * the case needs, by the settings' names.
 */
export function testConfig(env: Record<string, string> = {}): Config {
  return readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    PUBLIC_URL: 'http://fieldroom.test',
    DEMO: '0',
    LIMIT_REQUESTS: '1000000/60',
    LIMIT_OPEN_CALLS: '1000000/60',
    DATABASE_CONNECTIONS: '8',
    DATABASE_TIMEOUT_MS: '45000',
    ...env,
  });
}

async function ownGround(
  env: Record<string, string>,
  proxied = false,
): Promise<{ config: Config; proxy: ChaosProxy | null; leave: () => Promise<void> }> {
  const database = await copyDatabase(inject('postgres'));
  const proxy = proxied ? await chaosProxy(database.connectionString) : null;
  const dataDir = await mkdtemp(path.join(tmpdir(), 'fieldroom-test-data-'));
  const config = testConfig({
    DATABASE_URL: proxy?.url ?? database.connectionString,
    DATA_DIR: dataDir,
    ...env,
  });
  return {
    config,
    proxy,
    leave: async () => {
      await proxy?.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The platform alone, with a separate database. Takes settings by name. `close` drops the database. */
export async function testPlatform(env: Record<string, string> = {}): Promise<TestPlatform> {
  const { config, leave } = await ownGround(env);
  const logged = logSpy();
  const platform = await createPlatform(config, {
    log: logged.log,
    longRunning: false,
  });
  return {
    ...platform,
    logged,
    move: (seconds) => platform.clock.move(seconds),
    close: async () => {
      await platform.close();
      await leave();
    },
  };
}

export interface TestApp {
  readonly app: App;
  /** The proxy to the database, if the test asked for it. */
  readonly proxy: ChaosProxy | null;
  /** Where it listens. */
  readonly url: string;
  readonly db: App['db'];
  readonly clock: App['clock'];
  readonly logged: LogSpy;
  /** Emails in the order they were written, to one address or to all. */
  emails(to?: string): Promise<Email[]>;
  /** Makes a call of the contract and returns its reply. @throws Problem as the server sent it. */
  api<E extends Endpoint>(endpoint: E, input?: CallInput<E>, options?: CallOptions): Promise<ReplyOf<E>>;
  /** The same, but returns the bare response. */
  call<E extends Endpoint>(endpoint: E, input?: CallInput<E>, options?: CallOptions): Promise<Response>;
  /** A request of any kind. Takes the path from the root. */
  fetch(at: string, init?: RequestInit): Promise<Response>;
  /** Product time forward. */
  move(seconds: number): Promise<void>;
  close(): Promise<void>;
}

export interface TestAppOptions extends Omit<AppOptions, 'log'> {
  /** Settings by name, such as `{ DEMO: '1' }`. */
  readonly env?: Record<string, string>;
  /** Whether the database is reached through a proxy that makes faults. */
  readonly proxied?: boolean;
}

/**
 * A whole app that listens, with a separate database. Captchas are cheap; emails stay in the outbox unless SMTP_URL is
 * set.
 */
export async function testApp({ env = {}, proxied = false, ...options }: TestAppOptions = {}): Promise<TestApp> {
  const { config, proxy, leave } = await ownGround(env, proxied);
  const logged = logSpy();
  const app = await createApp(config, { longRunning: false, ...options, log: logged.log });
  const url = (await app.listen()).replace('[::1]', 'localhost');
  const caller = createCaller(url);
  return {
    app,
    proxy,
    url,
    db: app.db,
    clock: app.clock,
    logged,
    ...caller,
    emails: async (to) => {
      await app.accounts.idle();
      return (await app.outbox.list()).filter((email) => to === undefined || email.to === to).toReversed();
    },
    move: (seconds) => app.clock.move(seconds),
    close: async () => {
      await app.close();
      await leave();
    },
  };
}

/** Calls of the contract to a server at an address. */
export function createCaller(url: string): Pick<TestApp, 'api' | 'call' | 'fetch'> {
  const call: TestApp['call'] = (endpoint, { params, query, body } = {}, { token = null, headers = {} } = {}) => {
    const at = new URL(
      url +
        endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
          encodeURIComponent(String((params as Record<string, unknown> | undefined)?.[name] ?? '')),
        ),
    );
    for (const [name, value] of Object.entries(query ?? {})) at.searchParams.set(name, String(value));
    return fetch(at, {
      method: endpoint.method,
      redirect: 'manual',
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };
  return {
    call,
    fetch: (at, init) => fetch(url + at, { redirect: 'manual', ...init }),
    async api(endpoint, input, options) {
      const answer = await call(endpoint, input, options);
      if (!answer.ok) {
        const { code, detail, fields, retryAfterSeconds, reference } = (await answer.json()) as ProblemBody;
        throw new Problem(code, { detail, fields, retryAfterSeconds, reference });
      }
      if (answer.status === 204) return undefined as never;
      return (endpoint.bytes ? Buffer.from(await answer.arrayBuffer()) : await answer.json()) as never;
    },
  };
}
