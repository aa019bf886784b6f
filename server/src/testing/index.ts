/**
 * What tests of the server stand on: a whole app (or the platform alone) on a database of its own, the clock to move,
 * the letters it wrote, and calls by the contract. Only the mail server and the time are played; all else is real.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import type { Endpoint, ReplyOf } from '@fieldroom/contract/http';
import { Problem } from '@fieldroom/contract/problems';
import type { ProblemBody } from '@fieldroom/contract/problems';
import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import type { z } from 'zod';
import { createApp, type App, type AppOptions } from '../app.ts';
import { readConfig, type Config } from '../platform/config.ts';
import { createLog, type Log } from '../platform/log.ts';
import type { Letter } from '../platform/mail/outbox.ts';
import { createPlatform, type Platform } from '../platform/platform.ts';
import { copyDatabase } from './database.ts';

export { fakeSmtp, type FakeSmtp } from './fake-smtp.ts';

type InputOf<S> = S extends z.ZodType ? z.input<S> : never;
/** What a call of the contract takes, as a caller writes it. */
export interface CallInput<E extends Endpoint> {
  readonly params?: InputOf<NonNullable<E['params']>> | Record<string, string | number>;
  readonly query?: Record<string, string | number | boolean>;
  readonly body?: InputOf<NonNullable<E['body']>>;
}
export interface CallOptions {
  readonly token?: string | null;
  readonly headers?: Record<string, string>;
}

/** What the log took, for tests that nothing personal stands in it. */
export interface LogSpy {
  readonly log: Log;
  text(): string;
  entries(): Record<string, unknown>[];
}

/** A log that remembers. Everything is kept, down to `debug`. */
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

/** Settings of a test: nothing of the machine's environment, no limit of calls. In: what the case needs, by the settings' names. */
export function testConfig(env: Record<string, string> = {}): Config {
  return readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    PUBLIC_URL: 'http://fieldroom.test',
    DEMO: '0',
    LIMIT_REQUESTS: '1000000/60',
    DATABASE_CONNECTIONS: '8',
    ...env,
  });
}

async function ownGround(env: Record<string, string>): Promise<{ config: Config; leave: () => Promise<void> }> {
  const database = await copyDatabase(inject('postgres'));
  const dataDir = await mkdtemp(path.join(tmpdir(), 'fieldroom-test-data-'));
  const config = testConfig({ DATABASE_URL: database.connectionString, DATA_DIR: dataDir, ...env });
  return {
    config,
    leave: async () => {
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The platform alone, with its own database. In: settings by name. `close` throws the database away. */
export async function testPlatform(env: Record<string, string> = {}): Promise<TestPlatform> {
  const { config, leave } = await ownGround(env);
  const logged = logSpy();
  const secret = randomBytes(32);
  const platform = await createPlatform(config, {
    log: logged.log,
    longRunning: false,
    limitSecret: async () => secret,
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
  /** Where it listens. */
  readonly url: string;
  readonly db: App['db'];
  readonly clock: App['clock'];
  readonly logged: LogSpy;
  /** Letters in the order they were written, to one address or to all. */
  letters(to?: string): Promise<Letter[]>;
  /** Makes a call of the contract. Out: its reply. @throws Problem as the server told it. */
  api<E extends Endpoint>(endpoint: E, input?: CallInput<E>, options?: CallOptions): Promise<ReplyOf<E>>;
  /** The same, with the bare answer. */
  call<E extends Endpoint>(endpoint: E, input?: CallInput<E>, options?: CallOptions): Promise<Response>;
  /** A request of any kind. In: the path from the root. */
  fetch(at: string, init?: RequestInit): Promise<Response>;
  /** Product time forward. */
  move(seconds: number): Promise<void>;
  close(): Promise<void>;
}

export interface TestAppOptions extends Omit<AppOptions, 'log'> {
  /** Settings by name, such as `{ DEMO: '1' }`. */
  readonly env?: Record<string, string>;
}

/** A whole app that listens, on a database of its own. Captchas are cheap; letters stay in the outbox unless SMTP_URL is set. */
export async function testApp({ env = {}, ...options }: TestAppOptions = {}): Promise<TestApp> {
  const { config, leave } = await ownGround(env);
  const logged = logSpy();
  const app = await createApp(config, { longRunning: false, ...options, log: logged.log });
  const url = (await app.listen()).replace('[::1]', 'localhost');
  const caller = createCaller(url);
  return {
    app,
    url,
    db: app.db,
    clock: app.clock,
    logged,
    ...caller,
    letters: async (to) =>
      (await app.outbox.list()).filter((letter) => to === undefined || letter.to === to).toReversed(),
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
