/** Stopping while something hangs, and a log that cannot be written: the real program, ended as an operator ends it. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { reset } from '@fieldroom/contract/accounts';
import { CONFIRM_HEADER, confirmBooking } from '@fieldroom/contract/bookings';
import { aTherapist } from '../../src/builders/accounts.builders.ts';
import { aBooking } from '../../src/builders/bookings.builders.ts';
import { anEvent } from '../../src/builders/events.builders.ts';
import { openDatabase } from '../../src/platform/db/db.ts';
import { createLog } from '../../src/platform/monitoring/log.ts';
import { type ChaosProxy, chaosProxy } from '../support/programs/chaos-proxy.ts';
import { copyDatabase, type TestDatabase } from '../support/database.ts';
import { holdLock } from '../support/locks.ts';
import { createCaller, fakeSmtp } from '../support/test-app.ts';
import { answering, freePort, MAIN, startProcess, type Started } from '../support/programs/process.ts';

let ground: TestDatabase;
let proxy: ChaosProxy;
let dataDir: string;
let cleanups: (() => unknown)[];

beforeEach(async () => {
  cleanups = [];
  ground = await copyDatabase(inject('postgres'));
  proxy = await chaosProxy(ground.connectionString);
  dataDir = await mkdtemp(path.join(tmpdir(), 'fieldroom-test-faults-'));
});
afterEach(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
  await proxy.close();
  await ground.drop();
  await rm(dataDir, { recursive: true, force: true });
});

interface Running extends Started {
  url: string;
  port: number;
  /** The code with which it ends. */
  ended: Promise<number | null>;
}

async function start(
  env: Record<string, string> = {},
  options: Parameters<typeof startProcess>[2] = {},
): Promise<Running> {
  const port = await freePort();
  const started = startProcess(process.execPath, [MAIN], {
    ...options,
    env: {
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      DATABASE_URL: proxy.url,
      DATA_DIR: dataDir,
      DEMO: '1',
      NODE_ENV: 'test',
      ...env,
    },
  });
  const ended = once(started.child, 'exit').then(([code]) => code as number | null);
  cleanups.push(async () => {
    started.child.kill('SIGKILL');
    await ended;
  });
  const url = `http://127.0.0.1:${port}`;
  await answering(started, `${url}/readyz`);
  return { ...started, url, port, ended };
}

/** A socket that sends this and nothing more. */
async function halfRequest(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  cleanups.push(() => socket.destroy());
  await once(socket, 'connect');
  await new Promise<void>((resolve) => {
    socket.write(text, () => resolve());
  });
  return socket;
}

describe('SIGTERM ends it well', () => {
  test.each([
    ["half of a request's head", 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Ha'],
    [
      "half of a request's body",
      'POST /api/authentication/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"em',
    ],
  ])('though somebody has sent %s', async (_, text) => {
    const server = await start();
    await halfRequest(server.port, text);
    // The half request has been read once a whole one behind it is answered.
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });

  test('though the mail server never answers', async () => {
    const smtp = await fakeSmtp();
    cleanups.push(smtp.close);
    smtp.mood = 'held';
    const server = await start({ SMTP_URL: smtp.url, MAIL_FROM: 'Fieldroom <mail@fieldroom.test>' });
    await createCaller(server.url).api(reset, { query: {}, body: { email: 'anna@demo.example' } });
    await smtp.waitFor(1);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });

  test('though the database hangs', async () => {
    const server = await start();
    proxy.hang();
    const asked = fetch(`${server.url}/api/public/config`).catch(() => null);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    await asked;
  });

  test('though somebody else holds a row for which calls wait: those are refused in words', async () => {
    const log = createLog({ logLevel: 'silent', production: true });
    const settings = { databaseUrl: ground.connectionString, databaseConnections: 10, databaseTimeoutMs: 45_000 };
    const { db, close } = await openDatabase({ ...settings, dataDir: '/' }, log);
    cleanups.push(close);
    const event = await anEvent(db, { therapistId: (await aTherapist(db)).id });
    const { id, emailToken } = await aBooking(db, { eventId: event.id, state: 'HELD' });
    // Calls wait for two seconds, which is less than stopping waits for them.
    const server = await start({ DATABASE_TIMEOUT_MS: '3000' });
    const held = await holdLock(db, (tx) => tx.execute(sql`SELECT 1 FROM events WHERE id = ${event.id} FOR UPDATE`));
    cleanups.push(() => held.release().catch(() => {}));
    const { call } = createCaller(server.url);
    const answers = Array.from({ length: 8 }, () =>
      call(confirmBooking, { query: { token: emailToken } }, { headers: { [CONFIRM_HEADER]: '1' } }),
    );
    await held.waited(1);
    server.child.kill('SIGTERM');
    for (const answer of await Promise.all(answers)) {
      expect(answer.status).toBe(503);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(await server.ended).toBe(0);
    const { rows } = await db.execute(sql`SELECT state FROM bookings WHERE id = ${id}`);
    expect(rows).toEqual([{ state: 'HELD' }]);
  });
});

/** The folder of the embedded database's cluster. */
function clusterDir(): string {
  const own = path.join(dataDir, 'postgres');
  return fs.existsSync(own) ? own : fs.readFileSync(path.join(dataDir, 'postgres.location'), 'utf8').split('\n')[0]!;
}
const postmasterPid = () => Number(fs.readFileSync(path.join(clusterDir(), 'postmaster.pid'), 'utf8').split('\n')[0]);
/** All processes of the embedded database: those that work in its folder. */
const postgresPids = (): number[] =>
  fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(clusterDir());
      } catch {
        return false;
      }
    });

/** Throws inside the server an error that nobody catches. */
const CRASHING = {
  NODE_OPTIONS: `--import ${new URL('../support/programs/crashing.ts', import.meta.url).href}`,
};

describe('a fall', () => {
  test('is never taken for a stop: the embedded database is killed', async () => {
    const server = await start({ DATABASE_URL: '' });
    process.kill(postmasterPid(), 'SIGKILL');
    expect(await server.ended).toBe(1);
  });

  test.runIf(process.platform === 'linux')(
    'ends with the code of a fall though database, mail server and a call hang, and leaves no database behind',
    async () => {
      const smtp = await fakeSmtp();
      cleanups.push(smtp.close);
      smtp.mood = 'held';
      const mail = { SMTP_URL: smtp.url, MAIL_FROM: 'Fieldroom <mail@fieldroom.test>' };
      const server = await start({ ...CRASHING, ...mail, DATABASE_URL: '' });
      await createCaller(server.url).api(reset, { query: {}, body: { email: 'anna@demo.example' } });
      await smtp.waitFor(1);
      const frozen = postgresPids();
      cleanups.push(() => postgresPids().forEach((pid) => process.kill(pid, 'SIGKILL')));
      expect(frozen.length).toBeGreaterThan(1);
      for (const pid of frozen) process.kill(pid, 'SIGSTOP');
      const asked = fetch(`${server.url}/api/public/config`).catch(() => null);
      server.child.kill('SIGUSR2');
      expect(await server.ended).toBe(1);
      await asked;
      expect(server.output()).toContain('a fault that nobody expected');
      await expect.poll(postgresPids).toEqual([]);
    },
  );
});

describe('a log that cannot be written', () => {
  const calls = async (url: string) => {
    for (let n = 0; n < 50; n++) expect((await fetch(`${url}/healthz`)).status).toBe(200);
  };

  test.each(['production', 'test'])('whose reader has gone, costs nothing but the log (%s)', async (mode) => {
    const server = await start({ LOG_LEVEL: 'debug', NODE_ENV: mode, ...(mode === 'production' ? { DEMO: '0' } : {}) });
    server.child.stdout!.destroy();
    server.child.stderr!.destroy();
    await calls(server.url);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });

  test('whose reader stops reading, keeps nobody waiting', async () => {
    // A pipe as a shell makes it; what Node makes for its children is a socket.
    const pipe = path.join(dataDir, 'log');
    execFileSync('mkfifo', [pipe]);
    const unread = fs.openSync(pipe, 'r+');
    cleanups.push(() => fs.closeSync(unread));
    const server = await start({ LOG_LEVEL: 'debug' }, { stdout: unread });
    // Far more than a pipe holds.
    for (let n = 0; n < 20; n++)
      await Promise.all(
        Array.from({ length: 50 }, () => fetch(`${server.url}/healthz`).then((answer) => answer.text())),
      );
    await calls(server.url);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });

  test.runIf(fs.existsSync('/dev/full'))('whose disk is full, the same', async () => {
    const full = fs.openSync('/dev/full', 'w');
    cleanups.push(() => fs.closeSync(full));
    const server = await start({ LOG_LEVEL: 'debug' }, { stdout: full });
    await calls(server.url);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
  });
});
