/**
 * Brings the database's schema up to date when a server starts.
 *
 * Tables, columns and indexes come from the numbered files in `server/migrations`, each applied once and never changed
 * afterwards. SQL functions and views are beside the store that calls them, as `.sql` files anywhere under
 * `server/src`, and are changed in place: a file is applied again when its content has changed. Each of these files
 * replaces what it makes (`CREATE OR REPLACE`, or `DROP … IF EXISTS` first). Files of the platform come first, then
 * those of features, in the order of their paths.
 *
 * Each change of such a file comes with a numbered migration, which says nothing but which files it stands for
 * (`-- functions:`). Without one, a node of the version before that starts again would put its own functions back, for
 * all nodes. So it refuses to start, as after any other migration.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import type pg from 'pg';

export const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));
const SOURCES = fileURLToPath(new URL('../../', import.meta.url));
/** Advisory lock: servers that start together migrate one after another. */
const MIGRATION_LOCK = 4_801_733_201;

/** A newer version has used the database: it has more numbered migrations than this version knows. */
export class NewerDatabase extends Error {
  override readonly name = 'NewerDatabase';
}

/** An SQL file that is applied again when its content changes. `name` is its path below `server/src`. */
export interface SqlFile {
  readonly name: string;
  readonly content: string;
}

const isPlatform = ({ name }: SqlFile) => name.startsWith('platform/');
/** Reads the SQL files of functions and views. Returns them in the order in which they are applied. */
export function readSqlFiles(): SqlFile[] {
  return globSync('**/*.sql', { cwd: SOURCES })
    .map((file) => ({ name: file.split(path.sep).join('/'), content: readFileSync(path.join(SOURCES, file), 'utf8') }))
    .toSorted((a, b) => Number(isPlatform(b)) - Number(isPlatform(a)) || (a.name < b.name ? -1 : 1));
}

/** Reads the numbered migrations, oldest first. */
export const readNumbered = (): MigrationMeta[] => readMigrationFiles({ migrationsFolder: MIGRATIONS });

/**
 * Applies what is missing, in one transaction: either all of it is there afterwards or nothing has changed. Takes an
 * open connection without time limits; the caller closes it afterwards, which frees the lock. Returns the number of
 * migrations and the names of the SQL files that were applied. Throws NewerDatabase.
 */
export async function applyMigrations(
  client: Pick<pg.Client, 'query'>,
  files: readonly SqlFile[] = readSqlFiles(),
  numbered: readonly MigrationMeta[] = readNumbered(),
): Promise<{ migrations: number; files: string[] }> {
  await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
  await client.query('BEGIN');
  try {
    await client.query(`
      CREATE SCHEMA IF NOT EXISTS drizzle;
      CREATE TABLE IF NOT EXISTS drizzle.__drizzle_migrations (id serial PRIMARY KEY, hash text NOT NULL, created_at bigint);
      CREATE TABLE IF NOT EXISTS drizzle.applied_sql_files (name text PRIMARY KEY, hash text NOT NULL)`);
    const migrations = await applyNumbered(client, numbered);
    const applied = await applyFiles(client, files, migrations > 0);
    await client.query('COMMIT');
    return { migrations, files: applied };
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

async function applyNumbered(client: Pick<pg.Client, 'query'>, known: readonly MigrationMeta[]): Promise<number> {
  const { rows } = await client.query<{ count: number; last: number | null }>(
    'SELECT count(*)::integer AS count, max(created_at)::float8 AS last FROM drizzle.__drizzle_migrations',
  );
  const { count, last } = rows[0]!;
  if (count > known.length) throw new NewerDatabase();
  const missing = known.filter(({ folderMillis }) => last === null || folderMillis > last);
  for (const { sql, hash, folderMillis } of missing) {
    for (const statement of sql) await client.query(statement);
    await client.query('INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ($1, $2)', [
      hash,
      folderMillis,
    ]);
  }
  return missing.length;
}

/** `all` after a numbered migration, because it may have dropped what a file makes. */
async function applyFiles(
  client: Pick<pg.Client, 'query'>,
  files: readonly SqlFile[],
  all: boolean,
): Promise<string[]> {
  const { rows } = await client.query<{ name: string; hash: string }>(
    'SELECT name, hash FROM drizzle.applied_sql_files',
  );
  const there = new Map(rows.map(({ name, hash }) => [name, hash]));
  const applied: string[] = [];
  for (const { name, content } of files) {
    const hash = createHash('sha256').update(content).digest('hex');
    if (!all && there.get(name) === hash) continue;
    await client.query(content);
    await client.query(
      'INSERT INTO drizzle.applied_sql_files (name, hash) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET hash = excluded.hash',
      [name, hash],
    );
    applied.push(name);
  }
  return applied;
}
