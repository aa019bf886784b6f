/**
 * Checks that a folder holds no more than a person can look through. Files that belong together count once: a component
 * with its style and its test. Prints a sentence for each folder that is too full; exits 1 if there is any.
 */
import path from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { repositoryFiles } from './repository/files.mjs';

/** About a dozen, and a few more, so that nobody has to move ten files to add one. */
export const LIMIT = 16;

/**
 * Folders in which nobody has to search, because a number or another folder tells where a file is; each with its
 * reason.
 * @type {Readonly<Record<string, string>>}
 */
const EXCEPTIONS = {
  '.': 'programs look for their settings there, under names of their own',
  'server/migrations': 'numbered in the order in which they are applied',
  'server/migrations/meta': 'one for each migration, written by drizzle-kit',
  'docs/decisions': 'numbered in the order in which they were taken',
  'bench/results': 'one for each program of bench/, written by it',
  'web/src/locales/en': 'one for each part of the product, under its name',
  'web/src/locales/de': 'the same files as in English',
  'web/src/locales/hu': 'the same files as in English',
  'web/src/locales/ro': 'the same files as in English',
};

/** The contract has one file for each feature of the server, under the feature's name: only its other files count. */
const CONTRACT = 'contract/src';
const FEATURE = /^server\/src\/features\/([^/]+)\//;

/**
 * The part to which a file belongs: `Menu.tsx`, `Menu.module.css` and `Menu.test.tsx` are `Menu`. A name that begins
 * with a dot, such as `.gitignore`, is its own part.
 * @param {string} file
 */
const partOf = (file) =>
  path.posix.basename(file).replace(/(?<!^)(?:\.(?:test|spec|fixture|testing|module|d))?\.\w+$/, '');

/**
 * Takes the paths of all files from the repository's root. Returns a sentence for each folder that is too full, and for
 * each exception that is no longer needed.
 * @param {readonly string[]} files
 * @param {Readonly<Record<string, string>>} [exceptions]
 * @returns {string[]}
 */
export function tooFull(files, exceptions = EXCEPTIONS) {
  const features = new Set(files.map((file) => FEATURE.exec(file)?.[1]));
  /** @type {Map<string, Set<string>>} */
  const folders = new Map();
  for (const file of files) {
    const folder = path.posix.dirname(file);
    const part = partOf(file);
    if (folder === CONTRACT && features.has(part)) continue;
    folders.set(folder, (folders.get(folder) ?? new Set()).add(part));
  }
  /** @param {string} folder */
  const sizeOf = (folder) => folders.get(folder)?.size ?? 0;
  const advice = 'group them in folders by what a person would look for.';
  const full = [...folders.keys()].filter((folder) => sizeOf(folder) > LIMIT && !Object.hasOwn(exceptions, folder));
  const needless = Object.keys(exceptions).filter((folder) => sizeOf(folder) <= LIMIT);
  return [
    ...full.toSorted().map((folder) => `${folder} holds ${sizeOf(folder)} things, more than ${LIMIT}: ${advice}`),
    ...needless.map(
      (folder) => `${folder} holds ${sizeOf(folder)} things: remove it from EXCEPTIONS in tools/folders.mjs.`,
    ),
  ];
}

if (process.argv[1] === import.meta.filename) {
  await bootstrap(import.meta.url);
  const files = repositoryFiles();
  const violations = tooFull(files);
  for (const violation of violations) console.log(violation);
  console.log(`${files.length} files, ${violations.length} violations`);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
