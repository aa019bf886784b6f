/** Changes of the email address. The rest of a profile is in the tables of the accounts. */
import { sql } from 'drizzle-orm';
import { bigint, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { at, bytea, productNow } from '../../platform/platform.tables.ts';
import { accounts } from '../accounts/accounts.tables.ts';

/**
 * One row is one request for another address: open until its link is opened, another one is requested, or it is
 * cancelled. After that it allows the old address to undo it.
 */
export const emailChanges = pgTable(
  'email_changes',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    accountId: bigint('account_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    oldEmail: text('old_email').notNull(),
    newEmail: text('new_email').notNull(),
    /** Of the link to the new address. */
    tokenHash: bytea('token_hash').notNull().unique(),
    /** The sign-in that asked; it stays when the others end. */
    askedBy: bytea('asked_by').notNull(),
    askedAt: at('asked_at').notNull().default(productNow),
    expiresAt: at('expires_at').notNull(),
    confirmedAt: at('confirmed_at'),
    /** Of the link to the old address, from the confirmation on. */
    restoreHash: bytea('restore_hash').unique(),
    restorableUntil: at('restorable_until'),
    /** When it was confirmed, cancelled or replaced. */
    endedAt: at('ended_at'),
  },
  (t) => [
    index('email_changes_account').on(t.accountId),
    // One open request for each account.
    uniqueIndex('email_changes_open')
      .on(t.accountId)
      .where(sql`ended_at is null`),
  ],
);
