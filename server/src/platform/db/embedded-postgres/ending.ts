/** Ends a server: ours when we stop, and what a former run left behind. */
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { run } from './run.ts';
import { type EmbeddedPostgresLog, EmbeddedPostgresError } from './terms.ts';
import { ownName } from './user.ts';

/**
 * How a server is ended: a fast shutdown; after this many milliseconds an immediate one, which loses nothing that was
 * confirmed (the next start recovers it from the log); then by force. The watchdog does the same.
 */
const STOP_STEPS = [
  ['SIGINT', 2000],
  ['SIGQUIT', 2000],
  ['SIGKILL', 2000],
] as const;

/**
 * Handles a server whose Fieldroom is gone: usually its watchdog is stopping it at this moment; if the watchdog was
 * killed too, we end it ourselves. A `postmaster.pid` that names no such server, or nothing at all after a crash of the
 * machine, is removed: PostgreSQL alone would refuse to start, and the lock makes the folder ours.
 */
export async function endOrphan(clusterDir: string, log: EmbeddedPostgresLog): Promise<void> {
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
export async function endServer(
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

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
