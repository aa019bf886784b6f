/**
 * Runs before all journeys: creates one data folder with the demo practice. Each journey's server gets a copy, because
 * creating the practice takes seconds.
 */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { openDatabase } from '../server/src/platform/db/db.ts';
import { createLog } from '../server/src/platform/monitoring/log.ts';
import { buildIfChanged } from '../server/tests/support/programs/process.ts';
import { PREPARED, runServer } from './server.ts';

const WEB = new URL('../web/dist/index.html', import.meta.url);

/** Returns a function that removes the folder. Throws when the web has not been built. */
export default async function prepare(): Promise<() => Promise<void>> {
  if (!existsSync(WEB)) throw new Error('The journeys need a built web: run `npm run build` first.');
  await buildIfChanged('server');
  const server = await runServer();
  const dataDir = await server.leave();
  await putOffBills(dataDir);
  process.env[PREPARED] = dataDir;
  return async () => {
    delete process.env[PREPARED];
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
  };
}

/**
 * Postpones the monthly bills by a day: at the end of a month they would be made during a journey, with an email and a
 * notice that it does not expect.
 */
async function putOffBills(dataDir: string): Promise<void> {
  const log = createLog({ logLevel: 'warn', production: false });
  const { pool, close } = await openDatabase({ databaseUrl: null, dataDir, databaseConnections: 3 }, log);
  try {
    const { rowCount } = await pool.query(
      `UPDATE scheduled_jobs SET next_run_at = next_run_at + interval '1 day' WHERE type = 'MONTHLY_BILLS'`,
    );
    if (rowCount !== 1) throw new Error('The job of the monthly bills was not found.');
  } finally {
    await close();
  }
}
