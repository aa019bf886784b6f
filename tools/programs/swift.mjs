/**
 * Finds OpenStack Swift for the tests with a real S3 store. On Debian and Ubuntu, installs it if that is allowed, and
 * says so.
 */
import { existsSync } from 'node:fs';
import { missingProgram } from './debian.mjs';

/** The package has the code of all servers and starts none. The packages that start them as services are not needed. */
const PACKAGE = 'python3-swift';
/** A file of the package, because it has no program. */
const FILE = '/usr/lib/python3/dist-packages/swift/proxy/server.py';

/**
 * Looks for Swift and installs it if it can: 7 MB to download, 40 MB on disk. Without it these tests are skipped.
 * @returns {Promise<string | null>} the reason why there is none, or null if there is one
 */
export const missingSwift = () =>
  missingProgram({
    title: 'OpenStack Swift',
    find: () => (existsSync(FILE) ? FILE : undefined),
    debianPackage: PACKAGE,
    help: `Install ${PACKAGE} (on Debian: apt-get install ${PACKAGE}) to test with a real S3 store.`,
  });
