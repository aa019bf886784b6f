/** Runs programs as the user of PostgreSQL, with nothing of our environment. */
import { execFile } from 'node:child_process';
import { constants as fsConstants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { EmbeddedPostgresError } from './terms.ts';
import type { ServerUser } from './user.ts';

/** Nothing of our environment reaches the database: PG* variables would change what it does, others are secrets. */
export const SERVER_ENV = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** Whether the server's user may enter a folder or execute a file (`-x`); asks the system itself. */
export async function canUse(user: ServerUser, how: '-x', file: string): Promise<boolean> {
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
export async function runAs(user: ServerUser, file: string, args: readonly string[]): Promise<RunResult> {
  const result = await run(file, args, user.switchTo ?? {});
  if (result.failure !== undefined || result.code === 127)
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL does not run on this machine (${result.failure ?? result.stderr.trim()}). It needs a system with the GNU C library. Set DATABASE_URL to a PostgreSQL server of version 15 or newer.`,
    );
  return result;
}

/**
 * Runs a program of PostgreSQL, with its messages in English and an empty input. Takes the program's file, its
 * arguments, and the system user to run it as. Resolves with exit code and output, also when it could not be started.
 */
export function run(file: string, args: readonly string[], as: { uid?: number; gid?: number }): Promise<RunResult> {
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
    child.stdin?.end();
  });
}
