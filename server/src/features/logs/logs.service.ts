/** Logs of browsers: stored, found and removed. Rules: README.md. */
import {
  LOG_FILE_BYTES_MAX,
  type LogDay,
  type LogEntry,
  type LogFileInfo,
  type LogLevel,
  type LogOwner,
  lineOf,
  passes,
} from '@fieldroom/contract/logs';
import { Problem } from '../../platform/problem.ts';
import type { Principal } from '../../access.ts';
import type { Config } from '../../platform/config.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Bytes } from '../../platform/http/http.ts';
import type { Limits } from '../../platform/limits.ts';
import * as store from './logs.store.ts';

export interface LogsParts {
  db: Db;
  limits: Pick<Limits, 'take'>;
  config: Pick<Config, 'browserLogLevel' | 'limits'>;
}

export type Logs = ReturnType<typeof createLogsService>;

const OWN_FILE = 'own.log';
const CLIENT_FILE = /^client-([1-9]\d{0,3})\.log$/;

const fileName = (number: number): string => (number === 0 ? OWN_FILE : `client-${number}.log`);
/** The number in a file's name; null for every invalid name. */
function numberOf(name: string): number | null {
  if (name === OWN_FILE) return 0;
  const number = CLIENT_FILE.exec(name)?.[1];
  return number === undefined ? null : Number(number);
}

/** Makes the logs of browsers. Takes the database, the counted limits and the level from which entries are kept. */
export function createLogsService({ db, limits, config: { browserLogLevel: level, limits: counted } }: LogsParts) {
  return {
    /**
     * Keeps entries of the caller's browser, all or none. Returns the level from which entries are wanted. Problem:
     * `too_many_requests` beyond the limit of uploads or the size of a day.
     */
    async save(writer: Principal, loggerEntries: readonly LogEntry[]): Promise<{ level: LogLevel }> {
      await limits.take(`browser log ${writer.kind} ${writer.id}`, counted.browserLogs);
      const kept = loggerEntries.filter((entry) => passes(entry.level, level));
      if (kept.length === 0) return { level };
      const lines = kept.map(lineOf).join('');
      const retryAfterSeconds = await db.transaction((tx) =>
        store.append(
          tx,
          writer.kind === 'client'
            ? { therapistId: writer.therapistId, clientId: writer.id }
            : { therapistId: writer.id, clientId: null },
          { lines, entries: kept.length, bytesMax: LOG_FILE_BYTES_MAX[writer.kind] },
        ),
      );
      if (retryAfterSeconds !== null) throw new Problem('too_many_requests', { retryAfterSeconds });
      return { level };
    },

    /** A file in the form for download. Problem: `not_found`. */
    async file(day: string, therapistId: number, name: string): Promise<Bytes> {
      const number = numberOf(name);
      const lines = number === null ? null : await store.readFile(db, day, therapistId, number);
      if (number === null || lines === null) throw new Problem('not_found');
      return {
        contentType: 'text/plain',
        bytes: Buffer.from(lines, 'ascii'),
        headers: { 'content-disposition': `attachment; filename="${day}-${therapistId}-${fileName(number)}"` },
      };
    },

    days: (): Promise<LogDay[]> => store.readDays(db),
    owners: (day: string): Promise<LogOwner[]> => store.readOwners(db, day),
    async files(day: string, therapistId: number): Promise<LogFileInfo[]> {
      const files = await store.readFiles(db, day, therapistId);
      return files.map(({ number, bytes, entries, firstAt, lastAt }) => ({
        fileName: fileName(number),
        bytes,
        entries,
        firstOn: firstAt.toISOString(),
        lastOn: lastAt.toISOString(),
      }));
    },

    /** Removes files older than their promised age. Returns their numbers, by name. */
    removeOld: async () => ({ browserLogs: await store.removeOld(db) }),
  };
}
