/**
 * Logs of browsers: what went wrong on people's screens, for the operator (docs/product.md#12.10 to #12.19).
 *
 * A browser gathers entries and uploads them. The server keeps them for 30 days as files, one for each day (UTC),
 * therapist and browser: the therapist's own, and each client's under a number that means nothing elsewhere.
 *
 * Invariants
 *  1. Whose entries they are is decided by the sign-in. `userDetails` is what programs send; nobody believes or keeps
 *     it.
 *  2. A file consists of lines of printable ASCII, each a JSON object (`logLine`). No text from a browser can break a
 *     line, send terminal codes or reverse text.
 *  3. No path of a call reaches a disk: day, therapist and name are looked up.
 */
import * as z from 'zod/mini';
import { endpoint } from './http.ts';
import { id, idInPath, timestamp } from './text.ts';

/** From everything to nothing. `All` and `Off` are thresholds; an entry has one of the five between them. */
export const LOG_LEVELS = ['All', 'Debug', 'Info', 'Warn', 'Error', 'Fatal', 'Off'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export const ENTRY_LEVELS = ['Debug', 'Info', 'Warn', 'Error', 'Fatal'] as const satisfies readonly LogLevel[];
export type EntryLevel = (typeof ENTRY_LEVELS)[number];

/** Whether an entry of a level passes a threshold. */
export const passes = (level: EntryLevel, threshold: LogLevel): boolean =>
  LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(threshold);

/** Seconds between two uploads, when there is something to upload. */
export const LOG_UPLOAD_SECONDS = 15;
export const LOG_ENTRIES_MAX = 100;
const LOG_MESSAGE_MAX = 500;
export const LOG_INFO_MAX = 30;
export const LOG_INFO_LENGTH = 300;
export const LOGS_KEPT_DAYS = 30;
/** Bytes of one file, which is what a therapist's or a client's browsers may send in a day. */
export const LOG_FILE_BYTES_MAX = { account: 2_000_000, client: 500_000 } as const;
/** Files of one therapist and day: the room holds 25 people, and some come back as new ones. */
export const LOG_FILES_MAX = 100;

export const logEntry = z.strictObject({
  /** When it happened, by the browser's clock. */
  date: timestamp,
  level: z.enum(ENTRY_LEVELS),
  message: z.string().check(z.minLength(1, 'required'), z.maxLength(LOG_MESSAGE_MAX, 'too_long')),
  info: z.optional(
    z.array(z.string().check(z.maxLength(LOG_INFO_LENGTH, 'too_long'))).check(z.maxLength(LOG_INFO_MAX, 'too_long')),
  ),
});
export type LogEntry = z.infer<typeof logEntry>;

const claim = z.nullish(z.string().check(z.maxLength(254, 'too_long')));

/** Keys of a line of a file. */
export const logLine = z.strictObject({
  date: timestamp,
  level: z.enum(ENTRY_LEVELS),
  message: z.string(),
  info: z.array(z.string()),
});
export type LogLine = z.infer<typeof logLine>;

/** Everything but printable ASCII, as UTF-16 units. */
const NOT_PLAIN = /[^\x20-\x7E]/g;
const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Writes an entry as one line of a file: JSON of printable ASCII, with a line feed at its end. */
export function lineOf({ date, level, message, info = [] }: LogEntry): string {
  const line: LogLine = {
    date: new Date(date).toISOString(),
    level,
    message: withoutPersonal(message),
    info: info.map(withoutPersonal),
  };
  return `${JSON.stringify(line).replace(NOT_PLAIN, escaped)}\n`;
}

/** Reads a file. Skips lines that are not valid. */
export function linesOf(file: string): LogLine[] {
  return file.split('\n').flatMap((text) => {
    try {
      const line = z.safeParse(logLine, JSON.parse(text));
      return line.success ? [line.data] : [];
    } catch {
      return [];
    }
  });
}

/** Characters that are invisible or change the text around them: controls, formats, lone surrogates, separators. */
const NOT_SHOWN = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Makes a text of a file visible: every invisible character becomes its number. */
export const visible = (text: string): string =>
  text.replace(NOT_SHOWN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);

/** What separates words; a word with an @ is an address. */
const BETWEEN_WORDS = /([\s"'<>(),;:=/]+)/u;
/** What follows a question mark or a hash: queries and fragments contain tokens. */
const QUERY_OR_FRAGMENT = /[?#][^\s"'<>)]+/gu;
/** Long runs of characters, except names of our scripts. */
const LONG_RUN = /(?<![\w-])[\w-]{20,}(?![\w-]|\.js\b)/gu;
/** Words of the product in lower case are no tokens. */
const LOWER_WORDS = /^[a-z_-]+$/;
/** Eight digits or more, in the ways in which people write telephone numbers. */
const LONG_NUMBER = /\+?\d(?:[\s()/.-]{0,2}\d){7,}/gu;

/**
 * Cuts what looks personal out of a text: addresses, tokens, queries, fragments, long numbers. A second net: names look
 * like any word, so our own pages send no free text at all.
 */
export function withoutPersonal(text: string): string {
  return text
    .replace(QUERY_OR_FRAGMENT, '[query]')
    .split(BETWEEN_WORDS)
    .map((word) => (word.includes('@') ? '[email]' : word))
    .join('')
    .replace(LONG_RUN, (run) => (LOWER_WORDS.test(run) ? run : '[token]'))
    .replace(LONG_NUMBER, '[number]');
}

export const saveLog = endpoint({
  method: 'POST',
  path: '/logger_api/logger/log/save',
  access: 'anySignIn',
  summary: 'Entries of a browser’s log; answers from which level on the operator wants more',
  body: z.strictObject({
    /** The program that wrote them. It is not stored. */
    applicationId: z.nullish(z.string().check(z.maxLength(60, 'too_long'))),
    /** The person whom the program takes for the writer. It is neither trusted nor stored. */
    userDetails: z.nullish(
      z.strictObject({
        id: z.nullish(id),
        firstName: claim,
        lastName: claim,
        email: claim,
        roles: z.nullish(z.array(z.string().check(z.maxLength(60, 'too_long'))).check(z.maxLength(10, 'too_long'))),
      }),
    ),
    loggerEntries: z.array(logEntry).check(z.minLength(1, 'required'), z.maxLength(LOG_ENTRIES_MAX, 'too_long')),
  }),
  reply: z.strictObject({ level: z.enum(LOG_LEVELS) }),
  problems: ['not_admitted', 'payload_too_large', 'too_many_requests'],
});

const day = z.iso.date();

export const logFile = endpoint({
  method: 'GET',
  path: '/logger_api/logger/logs/{date}/{therapistId}/{fileName}',
  access: 'admin',
  summary: 'A file of a day (UTC) and therapist: lines of JSON',
  params: z.strictObject({
    date: day,
    therapistId: idInPath,
    fileName: z.string().check(z.minLength(1), z.maxLength(1024)),
  }),
  bytes: ['text/plain'],
  problems: ['not_found'],
});
export const getMyIp = endpoint({
  method: 'GET',
  path: '/logger_api/logger/getMyIp',
  access: 'anyone',
  summary: 'The address from which the call came, as the server sees it beyond its proxies',
  reply: z.strictObject({ ip: z.string() }),
});

export const logDay = z.strictObject({ date: day, therapists: z.int(), entries: z.int() });
export type LogDay = z.infer<typeof logDay>;
export const findLogDays = endpoint({
  method: 'GET',
  path: '/api/admin/logs',
  access: 'admin',
  summary: 'The days (UTC) of which there are logs of browsers, the latest first',
  reply: z.array(logDay),
});
/** The owner of a room, with what came from the browsers of that room. */
export const logOwner = z.strictObject({
  therapistId: id,
  firstName: z.string(),
  lastName: z.string(),
  files: z.int(),
  entries: z.int(),
});
export type LogOwner = z.infer<typeof logOwner>;
export const findLogOwners = endpoint({
  method: 'GET',
  path: '/api/admin/logs/{date}',
  access: 'admin',
  summary: 'The therapists of whose rooms there are logs of a day, by name',
  params: z.strictObject({ date: day }),
  reply: z.array(logOwner),
});
export const logFileInfo = z.strictObject({
  fileName: z.string(),
  bytes: z.int(),
  entries: z.int(),
  firstOn: timestamp,
  lastOn: timestamp,
});
export type LogFileInfo = z.infer<typeof logFileInfo>;
export const findLogFiles = endpoint({
  method: 'GET',
  path: '/api/admin/logs/{date}/{therapistId}',
  access: 'admin',
  summary: 'The files of a day and therapist; an unknown one has none',
  params: z.strictObject({ date: day, therapistId: idInPath }),
  reply: z.array(logFileInfo),
});
