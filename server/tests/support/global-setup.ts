/**
 * Before all tests of the server: the built server, one PostgreSQL for the run, and a database with the schema, which
 * each test copies.
 */
import { chmod, rm } from 'node:fs/promises';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/platform/db/db.ts';
import { startEmbeddedPostgres } from '../../src/platform/db/embedded-postgres.ts';
import { createLog } from '../../src/platform/monitoring/log.ts';
import { onDatabase } from './database.ts';
import { buildIfChanged } from './programs/process.ts';
import { throwawayFolder } from './programs/throwaway-folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { connectionString: string; template: string };
  }
}

const TEMPLATE = 'fieldroom_template';

/** Builds the server if it changed, starts PostgreSQL and makes the template. Returns how to stop it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await buildIfChanged('server');
  const dataDir = await throwawayFolder('fieldroom-test-');
  // PostgreSQL does not run as root; its own user must be able to enter.
  await chmod(dataDir, 0o755);
  const log = createLog({ logLevel: 'warn', production: false });
  const server = await startEmbeddedPostgres({ dataDir, log, fast: true });
  const stop = async () => {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
    await rm(server.clusterDir, { recursive: true, force: true });
  };
  try {
    const admin = new pg.Client({ connectionString: server.connectionString });
    await admin.connect();
    await admin.query(`CREATE DATABASE ${TEMPLATE}`);
    await admin.end();
    const connectionString = onDatabase(server.connectionString, TEMPLATE);
    const database = await openDatabase({ databaseUrl: connectionString, dataDir, databaseConnections: 2 }, log);
    await database.close();
    project.provide('postgres', { connectionString: server.connectionString, template: TEMPLATE });
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
