/** Which files the repository has. Checks that look through it ask here, so that all look at the same ones. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { root } from '../bootstrap.mjs';

/**
 * Lists the files that Git knows or would add: also what is not committed yet, but nothing that was removed or is
 * ignored, such as packages and what a build has made.
 * @param {string} [tree] root of a work tree; this repository's if it is not given
 * @returns {string[]} paths from the tree's root, with `/` between their parts
 * @throws when Git is missing, or the tree is none of Git's
 */
export function repositoryFiles(tree = root) {
  return execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'], {
    cwd: tree,
    encoding: 'utf8',
  })
    .split('\0')
    .filter((file) => file !== '' && existsSync(path.join(tree, file)));
}
