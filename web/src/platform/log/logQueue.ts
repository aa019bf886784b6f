/**
 * Entries that wait for the next upload (docs/product.md#12.12). It keeps a bounded number of them, and counts what it
 * has to drop. An upload takes all entries, whether it succeeds or not.
 */
import {
  LOG_ENTRIES_MAX,
  LOG_INFO_LENGTH,
  LOG_INFO_MAX,
  type LogEntry,
  type LogLevel,
  passes,
  withoutPersonal,
} from '@fieldroom/contract/logs';
import { ApiProblem } from '../api/index.ts';
import { describeFault, isOrdinary, kindOf, referenceOf } from './describeFault.ts';
import type { Logged } from './log.ts';

/** Bytes of entries in one upload: what fits into a body of 64 kB, with room for the surrounding JSON. */
const BYTES_MAX = 56_000;
/** One of the entries reports lost entries. */
const DIFFERENT_MAX = LOG_ENTRIES_MAX - 1;

interface Waiting {
  readonly entry: LogEntry;
  times: number;
}

export interface LogQueueParts {
  /** Uploads entries. Returns the level from which the server wants entries. */
  send(entries: LogEntry[], options: { keepalive: boolean }): Promise<LogLevel>;
  /** Whether somebody is signed in for whom an upload can be made, and whether an attempt makes sense. */
  mayLog(): boolean;
  isOnline(): boolean;
  /** The pattern of the page's path, not the path itself. */
  page(): string;
  /** The browser's clock, in milliseconds. */
  now?: () => number;
}

export interface LogQueue {
  add(logged: Logged): void;
  /** Uploads what waits, if anything does. `keepalive` for a page that is being left. */
  upload(options?: { keepalive?: boolean }): Promise<void>;
  /** Drops everything: the next person must not upload what happened to the previous one. */
  clear(): void;
}

/** Makes an empty queue. */
export function createLogQueue({ send, mayLog, isOnline, page, now = Date.now }: LogQueueParts): LogQueue {
  /** By their text, so that what happens sixty times a second is one entry. */
  let waiting = new Map<string, Waiting>();
  let bytes = 0;
  let lost = 0;
  let level: LogLevel = 'Info';
  let silentUntil = 0;

  const entryOf = ({ level: entryLevel, event, fault }: Logged): LogEntry => ({
    date: new Date(now()).toISOString(),
    level: entryLevel,
    message: fault === undefined ? event : `${event}: ${kindOf(fault)}`,
    // A problem from the server already carries its reference.
    info: [
      `page ${page()}`,
      ...(event === 'A page broke' && !(fault instanceof ApiProblem) ? referenceOf(fault) : []),
      ...describeFault(fault),
    ]
      .slice(0, LOG_INFO_MAX - 1)
      .map((text) => withoutPersonal(text).slice(0, LOG_INFO_LENGTH)),
  });
  const written = ({ entry, times }: Waiting): LogEntry =>
    times === 1 ? entry : { ...entry, info: [...(entry.info ?? []), `${times} times`] };

  /** Takes all entries out, with one that reports those that were lost before them. */
  function take(): { entries: LogEntry[]; count: number } {
    const entries = [...waiting.values()].map(written);
    const count = [...waiting.values()].reduce((sum, { times }) => sum + times, 0) + lost;
    if (lost > 0) {
      const { date, message } = entryOf({ level: 'Warn', event: 'Entries were lost' });
      entries.unshift({ date, level: 'Warn', message, info: [`${lost} entries`] });
    }
    forget();
    return { entries, count };
  }
  function forget(): void {
    waiting = new Map();
    bytes = 0;
    lost = 0;
  }

  return {
    add(logged) {
      if (!mayLog() || isOrdinary(logged.fault) || !passes(logged.level, level)) return;
      const entry = entryOf(logged);
      const key = JSON.stringify([entry.level, entry.message, entry.info]);
      const same = waiting.get(key);
      if (same) same.times += 1;
      else if (waiting.size >= DIFFERENT_MAX || bytes + key.length > BYTES_MAX) lost += 1;
      else {
        waiting.set(key, { entry, times: 1 });
        // Includes the date and the names of the properties.
        bytes += key.length + 100;
      }
    },

    async upload({ keepalive = false } = {}) {
      if (waiting.size === 0 || !mayLog()) return;
      // Without a connection an attempt would only write to the console; the entries wait.
      if (!isOnline()) return;
      const { entries, count } = take();
      if (now() < silentUntil) {
        lost += count;
        return;
      }
      try {
        level = await send(entries, { keepalive });
      } catch (fault) {
        lost += count;
        if (fault instanceof ApiProblem && fault.retryAfterSeconds !== null)
          silentUntil = now() + fault.retryAfterSeconds * 1000;
      }
    },

    clear: forget,
  };
}
