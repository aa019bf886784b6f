/** Usage of the room by therapist: what is counted, and the intervals in which the timer ran (docs/product.md#7). */
import { sql } from 'drizzle-orm';
import { bigint, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Plan } from '@fieldroom/contract/usage';
import { at, productNow } from '../../platform/platform.tables.ts';
import { accounts } from '../accounts/accounts.tables.ts';
import { liveSessions } from '../sessions/sessions.tables.ts';
import type { StoredTabs } from './timer/usage.tabs.ts';

/** One row for a therapist who has opened the room or completed the registration; without a row everything is at its
 * start. */
export const usageAccounts = pgTable(
  'usage_accounts',
  {
    therapistId: bigint('therapist_id', { mode: 'number' })
      .primaryKey()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    plan: text('plan').$type<Plan>().notNull().default('TRIAL'),
    professionalSince: at('professional_since'),
    /** Length of all intervals that have ended. */
    countedMs: bigint('counted_ms', { mode: 'number' }).notNull().default(0),
    peopleHelped: integer('people_helped').notNull().default(0),
    /** The email about the fourth hour was written, the dialog was shown, the trial was ended: each once. */
    fourHoursMailedAt: at('four_hours_mailed_at'),
    fourHoursShownAt: at('four_hours_shown_at'),
    trialEndedAt: at('trial_ended_at'),
    /** The next moment at which something about the running interval is due; null while none runs. */
    dueAt: at('due_at'),
    /** When the timer stops by what the therapist's tabs scheduled. */
    stopAt: at('stop_at'),
    /** When the countdown of a warning ends. */
    warningUntil: at('warning_until'),
  },
  (t) => [
    check('usage_accounts_counted', sql`${t.countedMs} >= 0 and ${t.peopleHelped} >= 0`),
    index('usage_accounts_due')
      .on(t.dueAt)
      .where(sql`due_at is not null`),
  ],
);

/** Times in which the timer ran. A constraint in the migration refuses intervals of one therapist that overlap. */
export const usageIntervals = pgTable(
  'usage_intervals',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    therapistId: bigint('therapist_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    liveSessionId: bigint('live_session_id', { mode: 'number' }).references(() => liveSessions.id, {
      onDelete: 'set null',
    }),
    /** Usage in the trial is never billed. */
    plan: text('plan').$type<Plan>().notNull(),
    startedAt: at('started_at').notNull().default(productNow),
    /** null while it runs. */
    endedAt: at('ended_at'),
  },
  (t) => [
    check('usage_intervals_forward', sql`${t.endedAt} >= ${t.startedAt}`),
    uniqueIndex('usage_intervals_one_running')
      .on(t.therapistId)
      .where(sql`ended_at is null`),
    index('usage_intervals_therapist').on(t.therapistId, t.startedAt),
    index('usage_intervals_live_session').on(t.liveSessionId),
  ],
);

/** The stops of a therapist's tabs, if several nodes have to know them; see `usage.tabs.ts`. */
export const usageTabs = pgTable('usage_tabs', {
  therapistId: bigint('therapist_id', { mode: 'number' })
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  tabs: jsonb('tabs').$type<StoredTabs>().notNull(),
});

/** The last sign of life of the server that counts; one row. After a crash, running intervals end there. */
export const usageHeartbeat = pgTable(
  'usage_heartbeat',
  {
    id: integer('id').primaryKey().default(1),
    seenAt: at('seen_at').notNull(),
  },
  (t) => [check('usage_heartbeat_one_row', sql`${t.id} = 1`)],
);
