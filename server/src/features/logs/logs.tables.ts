/** Logs of browsers. Swept after LOGS_KEPT_DAYS; they are deleted with the account to whose room they belong. */
import { sql } from 'drizzle-orm';
import { bigint, date, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { accounts } from '../accounts/accounts.tables.ts';
import { clients } from '../clients/clients.tables.ts';
import { at, productNow } from '../../platform/platform.tables.ts';

/** One file for each day (UTC), account and person. */
export const browserLogFiles = pgTable(
  'browser_log_files',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    day: date('day', { mode: 'string' }).notNull(),
    /** The owner of the room. */
    therapistId: bigint('therapist_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /**
     * 0 for the account's own browsers; clients of a day are numbered from 1, which reveals nothing about who they are.
     */
    number: integer('number').notNull(),
    /** Finds the client's file on the same day. Becomes null with the client, a day after the live session. */
    clientId: bigint('client_id', { mode: 'number' }).references(() => clients.id, { onDelete: 'set null' }),
    bytes: integer('bytes').notNull().default(0),
    entries: integer('entries').notNull().default(0),
    firstAt: at('first_at').notNull().default(productNow),
    lastAt: at('last_at').notNull().default(productNow),
  },
  (t) => [
    uniqueIndex('browser_log_files_number').on(t.day, t.therapistId, t.number),
    index('browser_log_files_client')
      .on(t.clientId)
      .where(sql`client_id is not null`),
    index('browser_log_files_therapist').on(t.therapistId),
  ],
);

/** What one upload added to a file: whole lines. */
export const browserLogParts = pgTable(
  'browser_log_parts',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    fileId: bigint('file_id', { mode: 'number' })
      .notNull()
      .references(() => browserLogFiles.id, { onDelete: 'cascade' }),
    lines: text('lines').notNull(),
  },
  (t) => [index('browser_log_parts_file').on(t.fileId, t.id)],
);
