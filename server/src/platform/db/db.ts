/**
 * The database: finds or starts the server, brings the schema up to date, and provides drizzle over one pool.
 *
 * Reading: `bigint` comes as a number (ids and revisions stay below 2^53), `timestamptz` as Date through drizzle's
 * columns; rows of a bare `db.execute(sql…)` carry times as text. Statements that run often are prepared under a name:
 * `db.select()….prepare('figures_of_room')`.
 */
import { drizzle } from 'drizzle-orm/node-postgres';
import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { type Config, DATABASE_TIMEOUT_MS } from '../config.ts';
import type { Log } from '../monitoring/log.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { finishedWithin } from '../scheduling/finished-within.ts';
import { causes, LimitedPool, SESSION_OPTIONS, type WaitLimits } from './limited-pool.ts';
import { applyMigrations, NewerDatabase } from './migrations.ts';
import { ANSWER_GRACE_MS } from './waits.ts';

export {
  asBackgroundWork,
  DatabaseUnavailable,
  isDatabaseFull,
  isDatabaseUnavailable,
  isLockTimeout,
} from './limited-pool.ts';

/** Drizzle over a pool, which is in `$client`. */
export type Db = NodePgDatabase & { readonly $client: pg.Pool };
/** A running transaction: its statements happen as a whole or not at all. */
export type Tx = Parameters<Parameters<Db['transaction']>[0]>[0];
/** Either; for functions that run one statement and do not care. */
export type Queryable = Db | Tx;

export interface Database {
  /** For calls and everything else without a share of connections. */
  readonly db: Db;
  /** For live rooms: connections that nothing else takes, so that rooms go on while calls wait for one another. */
  readonly roomDb: Db;
  /** The pool of `db`. */
  readonly pool: pg.Pool;
  /** Rejects while PostgreSQL has no room to write. Costs nothing until a statement has failed for that reason. */
  checkRoom(): Promise<void>;
  /** How many connections there are, and how much work waits for one. */
  connections(): { open: number; waiting: number };
  /** The address of the server, for parts that need connections of their own. */
  readonly connectionString: string;
  /** Ends the connections, after a moment for those in use, and the embedded server if it runs. */
  close(): Promise<void>;
}

/** Something that an operator must put right before the database can be used; the message says what. */
export class DatabaseFault extends Error {
  override readonly name = 'DatabaseFault';
}

const OLDEST_SERVER = 150_000;

// Ids, revisions and counts are safe integers; as text they would have to be converted everywhere.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** The shares of all connections that live rooms and background work have. */
const ROOM_SHARE = 0.3;
const BACKGROUND_SHARE = 0.15;
const BACKGROUND_LIMITS: WaitLimits = { connectionMs: 10_000, lockMs: 10_000, statementMs: 300_000, answerMs: 310_000 };
/** How long closing waits for connections in use. */
const CLOSE_MS = 2000;

const limitsOf = (timeoutMs: number): WaitLimits => ({
  connectionMs: timeoutMs,
  // Shorter than the statement's limit, so that a lock and a slow statement give different faults.
  lockMs: Math.ceil((timeoutMs * 2) / 3),
  statementMs: timeoutMs,
  answerMs: timeoutMs + ANSWER_GRACE_MS,
});

/**
 * Opens the database and applies the migrations. Takes the settings; without `databaseUrl` it is the embedded server
 * that the caller has started, or one that starts now in `dataDir`. Returns drizzle, the pool and how to close.
 * @throws DatabaseFault or EmbeddedPostgresError with a sentence for the operator.
 */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'dataDir' | 'databaseConnections'> & Partial<Pick<Config, 'databaseTimeoutMs'>>,
  log: Log,
  started?: Promise<EmbeddedPostgres>,
): Promise<Database> {
  const embedded =
    config.databaseUrl === null ? await (started ?? startEmbeddedPostgres({ dataDir: config.dataDir, log })) : null;
  const connectionString = config.databaseUrl ?? embedded!.connectionString;
  let closing = false;
  const onIdleFault = (error: Error) => {
    // The pool reports its end before its last connections have ended; the server may end those first.
    if (!closing) log.warn({ err: error }, 'an idle connection to the database broke');
  };
  let isFull = false;
  const onFull = () => {
    isFull = true;
  };
  const all = config.databaseConnections;
  const forRooms = Math.max(1, Math.floor(all * ROOM_SHARE));
  const forBackground = Math.max(1, Math.floor(all * BACKGROUND_SHARE));
  const limits = limitsOf(config.databaseTimeoutMs ?? DATABASE_TIMEOUT_MS);
  const background = new LimitedPool({
    connectionString,
    max: forBackground,
    limits: BACKGROUND_LIMITS,
    onIdleFault,
    onFull,
  });
  const pool: pg.Pool = new LimitedPool({
    connectionString,
    max: Math.max(1, all - forRooms - forBackground),
    limits,
    background,
    onIdleFault,
    onFull,
  });
  const roomPool = new LimitedPool({ connectionString, max: forRooms, limits, background, onIdleFault, onFull });
  const pools = [pool, roomPool, background];
  const close = async () => {
    closing = true;
    // Connections still in use by then are cut: nobody was told a result.
    if (!(await finishedWithin(CLOSE_MS, Promise.all(pools.map((one) => one.end())))))
      log.warn({}, 'connections to the database were still in use and are cut');
    await embedded?.stop();
  };
  try {
    await checkServer(background);
    await bringUpToDate(connectionString, log);
  } catch (error) {
    await close().catch(() => {});
    throw error;
  }
  return {
    db: drizzle(pool),
    roomDb: drizzle(roomPool),
    pool,
    async checkRoom() {
      if (!isFull) return;
      // New pages of a table that nobody else sees: small writes would fit into existing pages.
      await pool.query(ROOM_PROBE);
      isFull = false;
    },
    connections: () => ({
      open: sum(pools.map(({ totalCount }) => totalCount)),
      waiting: sum(pools.map(({ waitingCount }) => waitingCount)),
    }),
    connectionString,
    close,
  };
}

/** Half a megabyte, written and forgotten. */
const ROOM_PROBE = `BEGIN; CREATE TEMPORARY TABLE room_probe ON COMMIT DROP AS SELECT gen_random_uuid() AS a, repeat('x', 1000) AS b FROM generate_series(1, 500); ROLLBACK`;

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

async function checkServer(pool: pg.Pool): Promise<void> {
  let version: number;
  try {
    const { rows } = await pool.query<{ version: number }>(
      "SELECT current_setting('server_version_num')::int AS version",
    );
    version = rows[0]!.version;
  } catch (error) {
    throw new DatabaseFault(
      `The database cannot be reached (${reasonOf(error)}). Check DATABASE_URL and that the server runs.`,
      { cause: error },
    );
  }
  if (version < OLDEST_SERVER)
    throw new DatabaseFault(
      `The database server is PostgreSQL ${Math.floor(version / 10_000)}; Fieldroom needs 15 or newer.`,
    );
}

async function bringUpToDate(connectionString: string, log: Log): Promise<void> {
  // A separate connection without time limits: building an index on a large table may take long.
  const client = new pg.Client({
    connectionString,
    application_name: 'fieldroom',
    options: SESSION_OPTIONS,
    connectionTimeoutMillis: BACKGROUND_LIMITS.connectionMs,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    const { migrations, files } = await applyMigrations(client);
    if (migrations > 0) log.info({ applied: migrations }, 'migrations applied');
    if (files.length > 0) log.info({ files }, 'SQL functions applied');
  } catch (error) {
    if (!(error instanceof NewerDatabase)) throw error;
    throw new DatabaseFault(
      'The database was used by a newer version of Fieldroom. Start that version, or restore a copy of the data made before.',
    );
  } finally {
    await client.end();
  }
}

/** The code of a fault that kept us from the database, or words if it has none. */
function reasonOf(error: unknown): string {
  for (const one of causes(error).toReversed())
    if (typeof (one as { code?: unknown }).code === 'string') return (one as { code?: string }).code!;
  return causes(error).at(-1)?.message ?? 'unknown';
}

/**
 * Returns the SQLSTATE of a failed statement (drizzle keeps PostgreSQL's error as the cause), or null. `23505` is
 * unique_violation.
 */
export function sqlState(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = (at as { code?: unknown }).code;
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return code;
  }
  return null;
}
