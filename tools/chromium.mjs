/** Finds Chromium for the journeys. On Debian and Ubuntu, installs it where that is allowed, and says so. */
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { run } from './run.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/**
 * @returns {Promise<string>} path of the program
 * @throws when there is none, with advice
 */
export async function ensureChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (executable(given)) return given;
    throw new Error(`CHROMIUM_PATH is ${given}, which is not an executable program.`);
  }
  const found = findChromium();
  if (found) return found;

  const help = 'Install Chromium (on Debian: apt-get install chromium) or set CHROMIUM_PATH to a Chromium or Chrome.';
  if (!existsSync('/usr/bin/apt-get')) throw new Error(`There is no Chromium on this machine. ${help}`);
  const before = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  if (before.length > 0 && (await run('sudo', ['-n', 'true'])).code !== 0)
    throw new Error(`There is no Chromium on this machine, and installing it needs a password. ${help}`);

  console.log('Installing Chromium for the journeys (apt-get install chromium) …');
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  let log = '';
  for (const step of [
    ['update', '-q'],
    ['install', '-q', '-y', '--no-install-recommends', 'chromium'],
  ]) {
    const [command = '', ...args] = [...before, 'apt-get', ...step];
    const { code, output } = await run(command, args, { env });
    log = output;
    if (code !== 0 && step[0] === 'install') break;
  }
  const installed = findChromium();
  if (!installed)
    throw new Error(`Chromium could not be installed. ${help}\n${log.trim().split('\n').slice(-8).join('\n')}`);
  return installed;
}

function findChromium() {
  const folders = ['/usr/bin', ...(process.env.PATH ?? '').split(path.delimiter)];
  return folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name))).find(executable);
}

/** @param {string} file */
function executable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
