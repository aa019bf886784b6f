/** What to do about what PostgreSQL says when it does not start. */
import { EmbeddedPostgresError } from './terms.ts';

/**
 * What PostgreSQL says when a person must act, and what to do about it. PostgreSQL's own words follow: they name files
 * and settings, never data.
 */
const OBSTACLES: readonly (readonly [RegExp, (place: string) => string])[] = [
  [
    /No space left on device|Disk quota exceeded/,
    (place) => `The disk that holds ${place} is full. Make room and start again; nothing is lost.`,
  ],
  [
    /Read-only file system/,
    (place) => `${place} lies on a file system that is mounted read-only. Mount it for writing and start again.`,
  ],
  [
    /has invalid permissions|group or world access/,
    (place) => `Others may enter ${place}, so PostgreSQL refuses it. Close it (chmod 700 ${place}) and start again.`,
  ],
  [
    /has wrong ownership/,
    (place) =>
      `${place} belongs to another user than the one who starts it. Start Fieldroom as that user, or change the owner of the folder.`,
  ],
  [
    /Permission denied/,
    (place) =>
      `PostgreSQL may not read or write everything in ${place}. Give the folder and all in it to the user who starts Fieldroom, and start again.`,
  ],
  [
    /contains errors|syntax error in file|unrecognized configuration parameter/,
    (place) =>
      `The settings in ${place} (postgresql.conf, postgresql.auto.conf, pg_hba.conf) cannot be read. Put right what is named below, or bring the file back from a copy.`,
  ],
  [
    /could not map anonymous shared memory|Cannot allocate memory|could not create shared memory/,
    () =>
      'This machine has too little free memory for the database. Free some, or set DATABASE_URL to a PostgreSQL elsewhere.',
  ],
  [
    /pg_control|control file|incompatible with server|checksum|checkpoint record|invalid (?:page|record|magic)|not a valid|could not (?:open|read|locate|find|access)|is not a database cluster|PANIC/,
    (place) => `The database in ${place} is damaged. Move the folder away, bring it back from a copy, and start again.`,
  ],
];

/** The error of a PostgreSQL program that failed, with advice if its words allow it. */
export function obstacle(place: string, what: string, words: string): Error {
  const found = OBSTACLES.find(([pattern]) => pattern.test(words));
  if (found === undefined) return new Error(`${what}: ${words.trim()}`);
  const said = words
    .split('\n')
    .filter((line) => found[0].test(line) || /FATAL|PANIC|DETAIL/.test(line))
    .slice(0, 3)
    .join(' ')
    .trim();
  return new EmbeddedPostgresError(`${found[1](place)} (PostgreSQL: ${said})`);
}
