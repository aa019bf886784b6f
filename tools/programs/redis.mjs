/** Finds Redis for the tests of several nodes. On Debian and Ubuntu, installs it where that is allowed, and says so. */
import { ensureProgram } from './debian.mjs';

/** @returns {Promise<string | null>} why there is none, or null; without it those tests are left out */
export async function missingRedis() {
  try {
    await ensureProgram({
      title: 'Redis',
      names: ['redis-server'],
      debianPackage: 'redis-server',
      help: 'Install redis-server (on Debian: apt-get install redis-server) to test several nodes.',
    });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
