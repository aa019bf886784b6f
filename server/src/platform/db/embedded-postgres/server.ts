/** Starts the server below its watchdog, and stops it. */
import { type ChildProcess, spawn } from 'node:child_process';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { createInterface } from 'node:readline';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { ClusterPlan } from './cluster.ts';
import { endServer } from './ending.ts';
import { obstacle } from './obstacles.ts';
import { SERVER_ENV } from './run.ts';
import { type EmbeddedPostgresLog, EmbeddedPostgresError } from './terms.ts';

/** The last processes of a dead server release everything within moments; after this time it is a real obstacle. */
const ORPHAN_PATIENCE_MS = 10_000;

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

/**
 * Starts the server and waits until it answers; again while the last processes of a dead server hold its memory.
 * @throws EmbeddedPostgresError when a person must act.
 */
export async function launch(plan: ClusterPlan & { readonly socketDir: string }): Promise<RunningServer> {
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

async function launchOnce({
  clusterDir,
  nativeDir,
  socketDir,
  user,
  fast,
  log,
  onProgram,
}: ClusterPlan & { readonly socketDir: string }): Promise<
  RunningServer | { readonly how: string; readonly lines: string }
> {
  const postgres = path.join(nativeDir, 'bin', 'postgres');
  // Passed as text: the server's user may not be able to read our own folder.
  const watchdog = await fs.readFile(new URL('./watchdog.sh', import.meta.url), 'utf8');
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
  onProgram();
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

/** Stops the server, by force if it hangs, and removes the folder of its socket. Resolves when it is gone. */
export async function stopServer(
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

function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signalName) => resolve(code === null ? `signal ${signalName}` : `exit code ${code}`));
  });
}
