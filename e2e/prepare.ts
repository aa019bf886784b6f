/**
 * Before all journeys: one data folder with the demo practice in it, of which each journey's server gets a copy;
 * making it anew takes seconds each time.
 */
import { rm } from 'node:fs/promises';
import { PREPARED, runServer } from './server.ts';

/** Returns how to remove the folder again. */
export default async function prepare(): Promise<() => Promise<void>> {
  const server = await runServer();
  const dataDir = await server.leave();
  process.env[PREPARED] = dataDir;
  return async () => {
    delete process.env[PREPARED];
    await rm(dataDir, { recursive: true, force: true });
  };
}
