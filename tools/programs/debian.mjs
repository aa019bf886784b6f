/** Finds a program that the tests need. On Debian and Ubuntu, installs it if that is allowed, and says so. */
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { run } from '../run.mjs';

/**
 * What the tests need.
 * @typedef {object} Wanted
 * @property {string} title its name for people
 * @property {() => string | undefined} find looks for it; returns the path of the program
 * @property {string} debianPackage
 * @property {string} help advice for the person
 */

/**
 * Finds a program, or installs its package.
 * @param {Wanted} wanted
 * @returns {Promise<string>} path of the program
 * @throws if there is none, with advice
 */
export async function ensureProgram({ title, find, debianPackage, help }) {
  const found = find();
  if (found) return found;

  if (!existsSync('/usr/bin/apt-get')) throw new Error(`There is no ${title} on this machine. ${help}`);
  const before = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  if (before.length > 0 && (await run('sudo', ['-n', 'true'])).code !== 0)
    throw new Error(`There is no ${title} on this machine, and installing it needs a password. ${help}`);

  console.log(`Installing ${title} for the tests (apt-get install ${debianPackage}) …`);
  // At "runlevel 1" packages do not start their services.
  const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  let log = '';
  for (const step of [
    ['update', '-q'],
    ['install', '-q', '-y', '--no-install-recommends', debianPackage],
  ]) {
    const [command = '', ...args] = [...before, 'apt-get', ...step];
    const { code, output } = await run(command, args, { env });
    log = output;
    if (code !== 0 && step[0] === 'install') break;
  }
  const installed = find();
  if (!installed)
    throw new Error(`${title} could not be installed. ${help}\n${log.trim().split('\n').slice(-8).join('\n')}`);
  return installed;
}

/**
 * Finds a program, or installs its package, for tests that are skipped without it.
 * @param {Wanted} wanted
 * @returns {Promise<string | null>} the reason why there is none, or null if there is one
 */
export async function missingProgram(wanted) {
  try {
    await ensureProgram(wanted);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * Looks for a program with one of these names.
 * @param {readonly string[]} names
 * @returns {string | undefined} its path
 */
export function findProgram(names) {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(path.delimiter)];
  return folders.flatMap((folder) => names.map((name) => path.join(folder, name))).find(executable);
}

/**
 * Whether a file is a program that this user may run.
 * @param {string} file
 */
export function executable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
