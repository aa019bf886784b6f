/**
 * The database: finds or starts the server, brings the schema up to date, and hands out drizzle over one pool.
 *
 * Reading: `bigint` comes as a number (ids and revisions stay below 2^53), `timestamptz` as Date through drizzle's
 * columns; rows of a bare `db.execute(sql…)` carry times as text. Statements that run often are prepared under a name:
 * `db.select()….prepare('figures_of_room')`.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

export type Db = NodePgDatabase;
/** A running transaction: what is done with it happens as a whole or not at all. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];
/** Either; for functions that read or write one statement and don't care. */
export type Queryable = Db | Tx;

export interface Database {
  readonly db: Db;
  readonly pool: pg.Pool;
  /** Where the server is, for others who need connections of their own. */
  readonly connectionString: string;
  /** Ends the connections, and the embedded server where it runs. */
  close(): Promise<void>;
}

/** Something an operator has to put right before the database can be used; the message says what. */
export class DatabaseFault extends Error {
  override readonly name = 'DatabaseFault';
}

export const MIGRATIONS = fileURLToPath(new URL('../../../migrations', import.meta.url));
/** Our advisory lock: two nodes that start together migrate one after the other. */
const MIGRATION_LOCK = 4_801_733_201;
const OLDEST_SERVER = 150_000;

// Ids, revisions and counts are safe integers; as text they would have to be converted at every place.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * Opens the database and applies the migrations.
 * In: the settings; without `databaseUrl` the embedded server starts in `dataDir`. `onCrash` is told when the embedded
 * server dies. Out: drizzle, the pool and how to close.
 * @throws DatabaseFault or EmbeddedPostgresError with a sentence for the operator.
 */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'databaseConnections'>,
  log: Log,
  onCrash?: (error: Error) => void,
): Promise<Database> {
  const embedded =
    config.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: config.dataDir, log, onCrash }) : null;
  const connectionString = config.databaseUrl ?? embedded!.connectionString;
  const pool = new pg.Pool({
    connectionString,
    max: config.databaseConnections,
    application_name: 'fieldroom',
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 30_000,
  });
  // A connection that breaks while nobody uses it is replaced at the next query; unheard, it would end the process.
  let closing = false;
  pool.on('error', (error) => {
    // The pool says that it has ended before its last connections have; the server may end those first.
    if (!closing) log.warn({ err: error }, 'an idle connection to the database broke');
  });
  const close = async () => {
    closing = true;
    await pool.end();
    await embedded?.stop();
  };
  try {
    await checkServer(pool);
    await applyMigrations(pool, log);
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
  return { db: drizzle(pool), pool, connectionString, close };
}

async function checkServer(pool: pg.Pool): Promise<void> {
  let version: number;
  try {
    const { rows } = await pool.query<{ version: number }>(
      "SELECT current_setting('server_version_num')::int AS version",
    );
    version = rows[0]!.version;
  } catch (error) {
    throw new DatabaseFault(
      `The database cannot be reached (${(error as { code?: string }).code ?? (error as Error).name}). Check DATABASE_URL and that the server runs.`,
      { cause: error },
    );
  }
  if (version < OLDEST_SERVER)
    throw new DatabaseFault(
      `The database server is PostgreSQL ${Math.floor(version / 10_000)}; Fieldroom needs 15 or newer.`,
    );
}

async function applyMigrations(pool: pg.Pool, log: Log): Promise<void> {
  const client = await pool.connect();
  try {
    // Building an index on a large table takes as long as it takes.
    await client.query('SET statement_timeout = 0');
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    try {
      const before = await countApplied(client);
      const known = (JSON.parse(readFileSync(`${MIGRATIONS}/meta/_journal.json`, 'utf8')) as { entries: unknown[] })
        .entries.length;
      if (before > known)
        throw new DatabaseFault(
          'The database was used by a newer version of Fieldroom. Start that version, or restore a copy of the data made before.',
        );
      await migrate(drizzle(client), { migrationsFolder: MIGRATIONS });
      const applied = (await countApplied(client)) - before;
      if (applied > 0) log.info({ applied }, 'migrations applied');
    } finally {
      await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
    }
  } finally {
    // Destroyed rather than given back: it carries our settings.
    client.release(true);
  }
}

async function countApplied(client: pg.PoolClient): Promise<number> {
  const { rows: there } = await client.query<{ there: boolean }>(
    "SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS there",
  );
  if (!there[0]!.there) return 0;
  const { rows } = await client.query<{ count: number }>('SELECT count(*) AS count FROM drizzle.__drizzle_migrations');
  return rows[0]!.count;
}

/** The SQLSTATE of a failed statement (drizzle keeps PostgreSQL's error as the cause), else null. `23505` is unique_violation. */
export function sqlState(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = (at as { code?: unknown }).code;
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code;
  }
  return null;
}

/** The name of the constraint that a failed statement broke, else null. */
export function brokenConstraint(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { constraint } = at as { constraint?: unknown };
    if (typeof constraint === 'string') return constraint;
  }
  return null;
}
