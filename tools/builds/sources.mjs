/** Tells whether sources have changed since the last build, by a stamp beside the build: the hash of its sources. */
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from '../bootstrap.mjs';

/**
 * Lists every file below a folder of the repository, as paths from the root.
 * @param {string} folder
 * @param {RegExp} leaveOut names of files and folders to skip
 * @returns {Promise<string[]>}
 */
export async function filesBelow(folder, leaveOut) {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true });
  const found = entries
    .filter(({ name }) => !leaveOut.test(name))
    .map(async (entry) => {
      const at = `${folder}/${entry.name}`;
      return entry.isDirectory() ? await filesBelow(at, leaveOut) : entry.isFile() ? [at] : [];
    });
  return (await Promise.all(found)).flat();
}

/**
 * Hash of the given files, and of the locked packages.
 * @param {readonly string[]} files paths from the root
 * @returns {Promise<string>}
 */
export async function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of [...files, 'package-lock.json'].sort()) {
    const content = await readFile(path.join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/** @param {string} folder of the build, from the root */
const stampOf = (folder) => path.join(root, folder, '.stamp');

/**
 * Whether a folder was built from the sources with this hash.
 * @param {string} folder
 * @param {string} hash
 */
export const isBuiltFrom = async (folder, hash) => (await readFile(stampOf(folder), 'utf8').catch(() => '')) === hash;

/**
 * Records the sources from which a folder was built. A build removes the old stamp at its start, and calls this at its
 * end.
 * @param {string} folder
 * @param {string} hash
 */
export const stamp = (folder, hash) => writeFile(stampOf(folder), hash);
