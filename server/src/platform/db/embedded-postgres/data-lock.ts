/** The lock on the data folder. */
import * as path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EmbeddedPostgresError } from './terms.ts';
import { ownName } from './user.ts';

/**
 * Locks the data folder for this process. SQLite's exclusive transaction is a POSIX record lock on the file: it is
 * atomic, the kernel drops it when we die, and no child inherits it. (Node has no call for such a lock, and a file with
 * a process id in it can be outdated.)
 */
export function lockDataDir(dataDir: string): () => void {
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
