/** The reports, and the ids of their pictures. Of a client nothing is stored except what they wrote. */
import type { BUG_REPORTERS, BugPriority, BugReportState } from '@fieldroom/contract/bugReports';
import type { Language } from '@fieldroom/contract/text';
import { bigint, index, pgTable, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { at, productNow, storedFiles } from '../../platform/platform.tables.ts';
import { accounts } from '../accounts/accounts.tables.ts';

export const bugReports = pgTable(
  'bug_reports',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    /** The reporter's account; for a client their therapist's. The report is deleted with it. */
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    reporter: text('reporter').$type<(typeof BUG_REPORTERS)[number]>().notNull(),
    createdAt: at('created_at').notNull().default(productNow),
    state: text('state').$type<BugReportState>().notNull().default('NEW'),
    priority: smallint('priority').$type<BugPriority>().notNull(),
    comment: text('comment').notNull(),
    /** Reduced by the contract's `reportedPage`. */
    page: text('page'),
    browser: text('browser'),
    os: text('os'),
    screenSize: text('screen_size'),
    viewSize: text('view_size'),
    version: text('version'),
    language: text('language').$type<Language>(),
    theme: text('theme'),
    picture: uuid('picture').references(() => storedFiles.id, { onDelete: 'set null' }),
  },
  (t) => [
    index('bug_reports_created').on(t.createdAt),
    index('bug_reports_account').on(t.accountId),
    index('bug_reports_picture').on(t.picture),
  ],
);
