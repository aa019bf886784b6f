/**
 * The first start on an empty folder, killed again and again before it is done. Numbers are those of docs/product.md.
 */
import { once } from 'node:events';
import * as fs from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { login } from '@fieldroom/contract/accounts';
import { answering, freePort, MAIN, type Started, startProcess } from '../support/programs/process.ts';
import { createCaller, testApp } from '../support/test-app.ts';

const WAIT = { timeout: 60_000, interval: 1 };

/** What the demo is made of, by table, and how many of its live sessions have kept their field. */
const TABLES = [
  ...['accounts', 'attendances', 'bills', 'bookings', 'constellations', 'events', 'field_acts', 'figures'],
  ...['live_sessions', 'notices', 'outbox_emails', 'stored_files', 'usage_intervals'],
] as const;
const COUNTS = `SELECT ${TABLES.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`).join(', ')},
  (SELECT count(*)::int FROM live_sessions WHERE field_at_end IS NOT NULL) AS kept_fields`;

test.runIf(process.platform === 'linux')(
  '2.9 a first start that is killed at any moment is continued by the next ones: the demo is whole, once',
  async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'fieldroom-test-first-'));
    // PostgreSQL does not run as root; its own user must be able to enter.
    await chmod(dataDir, 0o755);
    const inCluster = (file: string) => path.join(dataDir, 'postgres', file);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const env = {
      ...{ PORT: String(port), HOST: '127.0.0.1', PUBLIC_URL: url, NODE_ENV: 'test', LOG_LEVEL: 'info' },
      ...{ DATABASE_URL: '', DATA_DIR: dataDir, DEMO: '1' },
    };
    const start = () => startProcess(process.execPath, [MAIN], { env });
    /** Asks its database beside it. Resolves with null where there is nothing to ask yet. */
    async function ask<Row extends pg.QueryResultRow>(question: string): Promise<Row | null> {
      let client: pg.Client | null = null;
      try {
        const host = fs.readFileSync(inCluster('postmaster.pid'), 'utf8').split('\n')[4]!;
        client = new pg.Client({ host, user: 'fieldroom', database: 'fieldroom' });
        client.on('error', () => {});
        await client.connect();
        return (await client.query<Row>(question)).rows[0] ?? null;
      } catch {
        return null;
      } finally {
        await client?.end().catch(() => {});
      }
    }
    const says = (words: string) => (started: Started) => started.output().includes(words);
    const MOMENTS: ((started: Started) => unknown)[] = [
      // The cluster is being made; it is there, without the database; tables are being made; the demo's people are
      // being made; they are there, and nothing else.
      () => fs.globSync('postgres*/PG_VERSION', { cwd: dataDir }).length > 0,
      () => fs.existsSync(inCluster('PG_VERSION')),
      () => fs.existsSync(inCluster('postmaster.pid')),
      says('migrations applied'),
      async () => (await ask(`SELECT FROM accounts WHERE email = 'anna@demo.example'`)) !== null,
    ];
    let server: Started | null = null;
    try {
      for (const isThere of MOMENTS) {
        const starting = start();
        server = starting;
        await vi.waitUntil(() => {
          if (starting.child.exitCode !== null) throw new Error(`it ended:\n${starting.output()}`);
          return isThere(starting);
        }, WAIT);
        starting.child.kill('SIGKILL');
        await once(starting.child, 'exit');
      }
      server = start();
      await answering(server, `${url}/readyz`);
      const { api } = createCaller(url);
      for (const email of ['anna@demo.example', 'admin@demo.example'])
        expect((await api(login, { body: { email, password: 'constellation' } })).token).not.toBe('');
      const whole = await testApp({ env: { DEMO: '1' } });
      const { rows } = await whole.db.execute(sql.raw(COUNTS)).finally(whole.close);
      expect(await ask(COUNTS)).toEqual(rows[0]);
      expect(fs.globSync('postgres*', { cwd: dataDir })).toEqual(['postgres']);
    } finally {
      await server?.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);
