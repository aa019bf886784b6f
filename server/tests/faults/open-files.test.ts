/**
 * The real program when its file handles are used up, while people of rooms act and others book: those who are there go
 * on, nothing that was confirmed is lost, and it is well when some are free.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import { inject, test, vi } from 'vitest';
import { aTherapist } from '../../src/builders/accounts.builders.ts';
import { openDatabase } from '../../src/platform/db/db.ts';
import { createLog } from '../../src/platform/monitoring/log.ts';
import { copyDatabase } from '../support/database.ts';
import { answering, freePort, MAIN, startProcess } from '../support/programs/process.ts';
import { openTherapistScreen } from '../support/people/screen.ts';
import { startTraffic, type Traffic, TRAFFIC_ENV, TRAFFIC_TEST } from '../support/people/traffic.ts';

/** Enough for the start, PostgreSQL and some people. */
const HANDLES = 256;
const WAIT = { timeout: 100_000, interval: 50 };

test.runIf(process.platform === 'linux')(
  'rooms go on, the log says what is missing, and people get in once some are free',
  TRAFFIC_TEST,
  async () => {
    const ground = await copyDatabase(inject('postgres'));
    const dataDir = await mkdtemp(path.join(tmpdir(), 'fieldroom-test-handles-'));
    const database = await openDatabase(
      { databaseUrl: ground.connectionString, dataDir, databaseConnections: 4, databaseTimeoutMs: 15_000 },
      createLog({ logLevel: 'silent', production: true }),
    );
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const server = startProcess('/bin/sh', ['-c', `ulimit -n ${HANDLES}; exec "$0" "$@"`, process.execPath, MAIN], {
      env: {
        ...TRAFFIC_ENV,
        ...{ PORT: String(port), HOST: '127.0.0.1', DEMO: '0', NODE_ENV: 'test', MAX_LAG_MS: '0', DATA_DIR: dataDir },
        ...{ DATABASE_URL: ground.connectionString, DATABASE_CONNECTIONS: '4', DATABASE_TIMEOUT_MS: '15000' },
      },
    });
    const silent: Socket[] = [];
    let traffic: Traffic | null = null;
    try {
      await answering(server, `${url}/readyz`);
      traffic = await startTraffic({ db: database.db, urls: () => [url] });
      await traffic.goOnFor(5);
      let refused = 0;
      for (let n = 0; n < HANDLES + 100; n++) {
        const socket = connect(port, '127.0.0.1')
          .on('error', () => {})
          .resume();
        socket.on('close', () => (refused += 1));
        silent.push(socket);
      }
      await vi.waitUntil(() => refused > 0, WAIT);
      await vi.waitUntil(() => server.output().includes('open files run out'), WAIT);
      // Their connections are open, and those to the database too.
      await traffic.actsGoOnFor(5);
      for (const socket of silent) socket.destroy();
      await answering(server, `${url}/readyz`);
      await traffic.goOnFor(5);
      // Somebody new gets in.
      await (await openTherapistScreen(url, await aTherapist(database.db))).leave();
      await traffic.settle();
    } finally {
      traffic?.stop();
      for (const socket of silent) socket.destroy();
      await server.stop('SIGKILL');
      await database.close();
      await ground.drop();
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);
