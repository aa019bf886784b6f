/** What all parts of the launcher share: names, the log, and the error that a person must put right. */

export const DATABASE = 'fieldroom';

export const USER = 'fieldroom';

/** Where the launcher logs; a pino logger fits. */
export interface EmbeddedPostgresLog {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Something that a person must put right before the database can start; the message says what. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
}
