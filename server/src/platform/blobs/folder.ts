/** Blobs as files of a folder, which several nodes may share (NFS or the like). */
import { randomUUID } from 'node:crypto';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { type BlobInfo, type Blobs, checkedName, isBlobName, LISTED_AT_ONCE } from './blobs.ts';

/** What ends the name of a file that is not written yet; if it stays, the write never finished. */
export const UNFINISHED = '.part';
/** Bytes written to find out whether there is room. */
const PROBE = 'files/room-probe';
const PROBE_BYTES = 65_536;

/** Makes blobs in a folder. Takes its path, which need not exist yet. */
export function createFolderBlobs(root: string): Blobs {
  const placeOf = (name: string) => path.join(root, checkedName(name));

  async function* list(folder: string): AsyncGenerator<readonly BlobInfo[]> {
    const entries = await fs.readdir(placeOf(folder), { withFileTypes: true }).catch(() => []);
    let found: BlobInfo[] = [];
    for (const entry of entries) {
      const name = `${folder}/${entry.name}`;
      if (!isBlobName(name)) continue;
      if (entry.isDirectory()) {
        yield* list(name);
        continue;
      }
      const info = await fs.stat(placeOf(name)).catch(() => null);
      if (info === null) continue;
      found.push({ name, ageMs: Date.now() - info.mtimeMs });
      if (found.length < LISTED_AT_ONCE) continue;
      yield found;
      found = [];
    }
    if (found.length > 0) yield found;
  }

  return {
    write: (name, bytes) => writeDurably(placeOf(name), bytes),

    read: (name) =>
      fs.readFile(placeOf(name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      }),

    list,
    remove: (name) => fs.rm(placeOf(name), { force: true }),

    async probe() {
      const probe = placeOf(PROBE);
      try {
        await fs.mkdir(path.dirname(probe), { recursive: true, mode: 0o700 });
        await fs.writeFile(probe, new Uint8Array(PROBE_BYTES), { mode: 0o600 });
      } finally {
        await fs.rm(probe, { force: true });
      }
    },
  };
}

/**
 * Completely or not at all, also when the power fails: written beside, forced to disk, renamed, and the folder forced
 * too.
 */
async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const folder = path.dirname(file);
  await fs.mkdir(folder, { recursive: true, mode: 0o700 });
  // Of its own, so that what a crash left is in nobody's way.
  const beside = `${file}.${randomUUID()}${UNFINISHED}`;
  const handle = await fs.open(beside, 'wx', 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } catch (error) {
    // A half-written file takes the room that is missing.
    await fs.rm(beside, { force: true }).catch(() => {});
    throw error;
  } finally {
    await handle.close();
  }
  await fs.rename(beside, file);
  const directory = await fs.open(folder, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
