/**
 * Runs before all journeys: creates one data folder with the demo practice. Each journey's server gets a copy, because
 * creating the practice takes seconds.
 */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { PREPARED, runServer } from './server.ts';

const WEB = new URL('../web/dist/index.html', import.meta.url);

/** Returns a function that removes the folder. Throws when the web has not been built. */
export default async function prepare(): Promise<() => Promise<void>> {
  if (!existsSync(WEB)) throw new Error('The journeys need a built web: run `npm run build` first.');
  const server = await runServer();
  const dataDir = await server.leave();
  process.env[PREPARED] = dataDir;
  return async () => {
    delete process.env[PREPARED];
    await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
  };
}
