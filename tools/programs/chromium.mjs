/** Finds Chromium for the journeys. On Debian and Ubuntu, installs it if that is allowed, and says so. */
import { ensureProgram, executable, findProgram } from './debian.mjs';

/**
 * Takes the Chromium of `CHROMIUM_PATH`; without that setting finds one, or installs it.
 * @returns {Promise<string>} path of the program
 * @throws if there is none, or `CHROMIUM_PATH` names none; with advice
 */
export async function ensureChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (executable(given)) return given;
    throw new Error(`CHROMIUM_PATH is ${given}, which is not an executable program.`);
  }
  return ensureProgram({
    title: 'Chromium',
    find: () => findProgram(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']),
    debianPackage: 'chromium',
    help: 'Install Chromium (on Debian: apt-get install chromium) or set CHROMIUM_PATH to a Chromium or Chrome.',
  });
}
