/** Lists the files of the repository, so that all checks look at the same ones. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { root } from '../bootstrap.mjs';

/**
 * Lists the files that Git knows or would add: including files that are not committed yet, but none that were removed
 * or are ignored, such as packages and builds.
 * @param {string} [tree] root of a work tree; this repository's if it is not given
 * @returns {string[]} paths from the tree's root, with `/` between their parts
 * @throws if Git is missing, or the tree is not a Git work tree
 */
export function repositoryFiles(tree = root) {
  return execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'], {
    cwd: tree,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((file) => file !== '' && existsSync(path.join(tree, file)));
}
