/** Finds Redis for the tests of several nodes. On Debian and Ubuntu, installs it if that is allowed, and says so. */
import { findProgram, missingProgram } from './debian.mjs';

/**
 * Looks for Redis and installs it if it can. Without it the tests of several nodes are skipped.
 * @returns {Promise<string | null>} the reason why there is none, or null if there is one
 */
export const missingRedis = () =>
  missingProgram({
    title: 'Redis',
    find: () => findProgram(['redis-server']),
    debianPackage: 'redis-server',
    help: 'Install redis-server (on Debian: apt-get install redis-server) to test several nodes.',
  });
