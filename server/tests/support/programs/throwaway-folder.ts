/** Folders for databases that live as long as a test. */
import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';

/** Linux keeps the files of this folder in memory. */
const IN_MEMORY = '/dev/shm';
/** The databases of a whole run with their logs take less than half of it. */
const FREE_MIN_BYTES = 4 * 1024 ** 3;

async function parentFolder(): Promise<string> {
  const space = await statfs(IN_MEMORY).catch(() => null);
  return space !== null && space.bavail * space.bsize >= FREE_MIN_BYTES ? IN_MEMORY : tmpdir();
}

/**
 * Makes a folder whose name begins with `prefix`, in memory where that has room. Copying a database to a disk and
 * removing it took a sixth of the processor time of all journeys.
 */
export async function throwawayFolder(prefix: string): Promise<string> {
  return mkdtemp(path.join(await parentFolder(), prefix));
}
