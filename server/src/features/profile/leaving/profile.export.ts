/** Everything that is stored about an account and its practice, as one JSON file that is written while it is read. */
import { Readable } from 'node:stream';
import { EXPORTS_AN_HOUR } from '@fieldroom/contract/profile';
import type { Account } from '../../../access.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { Files } from '../../../platform/files/files.ts';
import type { Bytes } from '../../../platform/http/http.ts';
import type { Limits } from '../../../platform/limits.ts';
import type { Log } from '../../../platform/monitoring/log.ts';
import { readFileIds, readSection, SECTIONS } from './profile.export.store.ts';

export interface ExportParts {
  db: Db;
  clock: Pick<Clock, 'now'>;
  files: Pick<Files, 'get'>;
  limits: Pick<Limits, 'take'>;
  log: Log;
}

export type Exports = ReturnType<typeof createExports>;

/** `started_at` → `startedAt`. */
const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const renamed = (row: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [camel(name), value]));

/** A key of the file with a list, one element per line. */
async function* listed(name: string, elements: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield `,\n${JSON.stringify(name)}: [`;
  let first = true;
  for await (const element of elements) {
    yield `${first ? '' : ','}\n  ${JSON.stringify(element)}`;
    first = false;
  }
  yield first ? ']' : '\n]';
}

/** Makes the export of an account (docs/product.md#3.29). It reads a few hundred rows at a time and keeps none. */
export function createExports({ db, clock, files, limits, log }: ExportParts) {
  async function* rows(section: (typeof SECTIONS)[number], accountId: number) {
    for await (const row of readSection(db, section, accountId)) yield renamed(row);
  }
  async function* pictures(accountId: number) {
    for (const id of await readFileIds(db, accountId)) {
      const file = await files.get(id);
      if (file !== null && file.ownerId === accountId)
        yield { id, kind: file.kind, contentType: file.contentType, base64: file.bytes.toString('base64') };
    }
  }

  async function* parts(accountId: number, exportedAt: Date): AsyncGenerator<string> {
    try {
      yield `{\n"exportedAt": ${JSON.stringify(exportedAt.toISOString())}`;
      for (const section of SECTIONS) yield* listed(section.name, rows(section, accountId));
      yield* listed('files', pictures(accountId));
      yield '\n}\n';
    } catch (error) {
      // The answer has begun, so it can only be cut off.
      log.error({ err: error }, 'an export was cut off');
      throw error;
    }
  }

  return {
    /** The file. Problem: `too_many_requests`. */
    async file({ id }: Account): Promise<Bytes> {
      await limits.take(`export ${id}`, { max: EXPORTS_AN_HOUR, windowSeconds: 3600 });
      const now = await clock.now();
      return {
        contentType: 'application/json',
        bytes: Readable.from(parts(id, now)),
        headers: {
          'content-disposition': `attachment; filename="fieldroom-${now.toISOString().slice(0, 10)}.json"`,
          'cache-control': 'private, no-store',
        },
      };
    },
  };
}
