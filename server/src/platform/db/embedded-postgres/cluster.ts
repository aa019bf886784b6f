/** Makes the cluster, without a database yet. */
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { markWithoutDatabase } from './database.ts';
import { obstacle } from './obstacles.ts';
import { runAs } from './run.ts';
import { type EmbeddedPostgresLog, EmbeddedPostgresError, USER } from './terms.ts';
import type { ServerUser } from './user.ts';

/** What ends the name of a cluster that is being made, or whose making was cut off. */
const UNFINISHED = '.new';

export interface ClusterPlan {
  readonly clusterDir: string;
  readonly nativeDir: string;
  readonly user: ServerUser;
  readonly fast: boolean;
  readonly log: EmbeddedPostgresLog;
  readonly onProgram: () => void;
}

/**
 * Makes the cluster if there is none. It is made beside and renamed, so an existing one is complete. `ensureDatabase`
 * makes its database.
 */
export async function ensureCluster({ clusterDir, nativeDir, user, fast, log, onProgram }: ClusterPlan): Promise<void> {
  const program = (name: string) => path.join(nativeDir, 'bin', name);
  const found = (await fs.readFile(path.join(clusterDir, 'PG_VERSION'), 'utf8').catch(() => '')).trim();
  await removeUnfinished(clusterDir);
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
  // Of its own, because the `initdb` of a start that was killed may still be at work. In a folder that belongs to root,
  // the server's user cannot make this folder, but can fill it.
  const fresh = `${clusterDir}.${randomBytes(3).toString('hex')}${UNFINISHED}`;
  await fs.mkdir(fresh, { mode: 0o700 });
  if (user.switchTo) await fs.chown(fresh, user.uid, user.gid);
  const making = runAs(user, program('initdb'), [
    ...['--pgdata', fresh, '--username', USER, '--auth', 'trust', '--encoding', 'UTF8', '--no-instructions'],
    // The built-in provider sorts the same on every machine, now and after an upgrade of the C library.
    ...['--locale-provider', 'builtin', '--builtin-locale', 'C.UTF-8', '--locale', 'C'],
    ...(fast ? ['--no-sync'] : []),
  ]);
  onProgram();
  const made = await making;
  if (made.code !== 0) throw obstacle(clusterDir, `initdb failed with ${made.code}`, made.stderr.trim() || made.stdout);
  const hba = path.join(fresh, 'pg_hba.conf');
  await fs.writeFile(
    hba,
    '# Written by Fieldroom: only the Unix socket, whose folder lets nobody else in.\nlocal all all trust\n',
  );
  await markWithoutDatabase(fresh);
  await fs.rm(clusterDir, { recursive: true, force: true });
  await fs.rename(fresh, clusterDir);
  await removeUnfinished(clusterDir);
  log.info({ clusterDir, ms: Math.round(performance.now() - started) }, 'made a new database cluster');
}

/** Removes what starts left that were killed; what their `initdb` still writes is left to a later call. */
async function removeUnfinished(clusterDir: string): Promise<void> {
  const folder = path.dirname(clusterDir);
  for (const name of await fs.readdir(folder))
    if (name.startsWith(`${path.basename(clusterDir)}.`) && name.endsWith(UNFINISHED))
      await fs.rm(path.join(folder, name), { recursive: true, force: true }).catch(() => {});
}
