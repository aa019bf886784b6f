/**
 * The log: one JSON line for each entry in production, a readable line otherwise. Nothing personal goes in
 * (docs/product.md#12.3): fields with names, addresses, tokens, codes or passwords are removed here, as a second net
 * below the callers' own care.
 */
import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import type { Config } from '../config.ts';
import { createOutput, type Output } from './output.ts';

export type Log = Logger;

/** Keys whose values never belong in a log. */
const PRIVATE = [
  'password',
  'token',
  'authorization',
  'cookie',
  'email',
  'to',
  'address',
  'ip',
  'name',
  'firstName',
  'lastName',
  'code',
  'subject',
  'text',
  'html',
  'body',
  'query',
  'headers',
  'params',
];

/**
 * The parts of an error that are safe to keep. PostgreSQL's messages quote values, and drizzle's quote all parameters,
 * so of those only the SQLSTATE and the names of table and constraint stay; stacks lose their first lines, which repeat
 * the message.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const stack = (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
  const { cause } = error;
  const sqlState = sqlStateOf(error);
  if (sqlState !== null) {
    const { table, constraint, routine } = error as { table?: string; constraint?: string; routine?: string };
    return {
      type: error.name,
      sqlState,
      table,
      constraint,
      routine,
      stack,
      ...(cause === undefined ? {} : { cause: describeError(cause) }),
    };
  }
  if (error.message.startsWith('Failed query:'))
    return {
      type: error.name,
      message: error.message.split('\nparams:')[0],
      stack,
      ...(cause === undefined ? {} : { cause: describeError(cause) }),
    };
  const code = (error as { code?: unknown }).code;
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' ? { code } : {}),
    stack,
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}

/** The five-character SQLSTATE of a PostgreSQL error itself (not of its causes), or null. */
function sqlStateOf(error: Error): string | null {
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && severity !== undefined ? code : null;
}

const LEVELS: Record<number, string> = { 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };

/** Turns pino's JSON into `12:30:01 info  message key=value`. */
function readable(out: Output): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      for (const line of chunk.toString('utf8').split('\n')) {
        if (line === '') continue;
        try {
          const {
            level,
            time,
            msg,
            err,
            pid: _pid,
            hostname: _hostname,
            ...rest
          } = JSON.parse(line) as Record<string, unknown> & {
            level: number;
            time: number;
            err?: { stack?: string; type?: string; message?: string };
          };
          const more = Object.entries(rest)
            .map(([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
            .join('');
          const fault = err
            ? `\n  ${[err.type, err.message].filter(Boolean).join(': ')} ${JSON.stringify({ ...err, stack: undefined, type: undefined, message: undefined })}\n${err.stack ?? ''}`
            : '';
          out.write(
            `${new Date(time).toISOString().slice(11, 19)} ${(LEVELS[level] ?? String(level)).padEnd(5)} ${String(msg ?? '')}${more}${fault}\n`,
          );
        } catch {
          out.write(`${line}\n`);
        }
      }
      done();
    },
  });
}

/**
 * A path of a fixed call has a password in it (docs/product.md#3.9). No entry names paths, but a library's message
 * might, so the rest of that path is taken out of every line before it is written.
 */
const SECRET_PATH = /(\/check\/password\/)[^\s"\\]+/g;
const withoutSecretPaths = (to: DestinationStream): DestinationStream => ({
  write: (line) => to.write(line.includes('/check/password/') ? line.replace(SECRET_PATH, '$1[cut]') : line),
});

/** How often the same fault is worth a line. */
const SPARING_MS = 1000;

/**
 * Writes at most one entry a second, with the number of entries left out before it: for faults that every call meets.
 */
export function sparing(
  write: (fields: object, message: string) => void,
  now: () => number = () => performance.now(),
): (fields: object, message: string) => void {
  let silentUntil = -Infinity;
  let leftOut = 0;
  return (fields, message) => {
    if (now() < silentUntil) {
      leftOut += 1;
      return;
    }
    silentUntil = now() + SPARING_MS;
    write(leftOut === 0 ? fields : { ...fields, leftOut }, message);
    leftOut = 0;
  };
}

/**
 * Makes the log. Takes how much to keep and whether it is for machines. `to` replaces standard output; tests use it.
 */
export function createLog(config: Pick<Config, 'logLevel' | 'production'>, to?: DestinationStream): Log {
  return pino(
    {
      level: config.logLevel,
      base: null,
      serializers: { err: describeError, error: describeError },
      redact: { paths: PRIVATE.flatMap((key) => [key, `*.${key}`]), censor: '[cut]' },
    },
    withoutSecretPaths(to ?? (config.production ? createOutput() : readable(createOutput()))),
  );
}
