/** Makes the database in a new cluster, on its running server: quicker than by another program before the start. */
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { obstacle } from './obstacles.ts';
import { DATABASE, USER } from './terms.ts';

/** A file in the cluster for as long as it has no database. A start that was cut off before leaves it to the next. */
const markOf = (clusterDir: string) => path.join(clusterDir, 'fieldroom-without-database');

/** Says that the cluster in this folder has no database yet. */
export const markWithoutDatabase = (clusterDir: string): Promise<void> => fs.writeFile(markOf(clusterDir), '');

/**
 * Makes the database if the cluster has none. Takes the cluster's folder and that of the running server's socket.
 * @throws EmbeddedPostgresError when a person must act, as when the disk is full.
 */
export async function ensureDatabase(clusterDir: string, socketDir: string): Promise<void> {
  const mark = markOf(clusterDir);
  const isMarked = await fs.access(mark).then(
    () => true,
    () => false,
  );
  if (!isMarked) return;
  const { default: pg } = await import('pg');
  const client = new pg.Client({ host: socketDir, user: USER, database: 'postgres' });
  try {
    await client.connect();
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
    await fs.rm(mark);
  } catch (error) {
    throw obstacle(clusterDir, 'Making the database failed', (error as Error).message);
  } finally {
    await client.end().catch(() => {});
  }
}
