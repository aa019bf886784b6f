/** Why the server, or a program of the operator, could not do its work, in words for the person who starts it. */
import { BlobsFault, BlobsFull, BlobsUnavailable } from './platform/blobs/blobs.ts';
import type { Config } from './platform/config.ts';
import { DatabaseFault, isDatabaseFull, isDatabaseUnavailable } from './platform/db/db.ts';
import { EmbeddedPostgresError } from './platform/db/embedded-postgres.ts';

/**
 * Says what a person can put right, as a sentence. Takes the error and the settings that it may be about. Returns null
 * for a bug.
 */
export function explainStartFault(error: unknown, config: Pick<Config, 'dataDir' | 'host' | 'port'>): string | null {
  if (error instanceof DatabaseFault || error instanceof EmbeddedPostgresError || error instanceof BlobsFault)
    return error.message;
  if (error instanceof BlobsFull) return 'The file store has no room left. Make room there and start again.';
  if (error instanceof BlobsUnavailable) return 'The file store stopped answering. Look at its log, and start again.';
  if (isDatabaseFull(error))
    return `The database has no room left to write. Make room on its disk and start again; nothing is lost.`;
  if (isDatabaseUnavailable(error)) return 'The database stopped answering. Look at its log, and start again.';
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  const where = path ?? config.dataDir;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `The disk that holds ${where} is full. Make room and start again; nothing is lost.`;
    case 'EROFS':
      return `${where} lies on a file system that is mounted read-only. Mount it for writing, or choose another DATA_DIR.`;
    case 'EPERM':
      return `${where} may not be changed by this user. Start Fieldroom as the owner of ${config.dataDir}, or choose another DATA_DIR.`;
    case 'ENOTDIR':
      return `A file lies where a folder of ${where} should be. Move the file, or choose another DATA_DIR.`;
    case 'EADDRINUSE':
      return `Something else listens at port ${config.port} already. Stop it, or choose another port: PORT=8081 npm start`;
    case 'EACCES':
      if (syscall !== 'listen' && syscall !== 'bind')
        return `${where} may not be read or written by this user. Start Fieldroom as the owner of ${config.dataDir}, or choose another DATA_DIR.`;
      return `The port ${config.port} may not be used by this user. Choose one above 1023: PORT=8080 npm start`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `HOST=${config.host} is no address of this machine.`;
    default:
      return null;
  }
}
