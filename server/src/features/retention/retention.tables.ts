/** How long each therapist keeps attendance; without a row the default period applies. */
import { sql } from 'drizzle-orm';
import { bigint, check, integer, pgTable } from 'drizzle-orm/pg-core';
import { accounts } from '../accounts/accounts.tables.ts';

export const retentionSettings = pgTable(
  'retention_settings',
  {
    therapistId: bigint('therapist_id', { mode: 'number' })
      .primaryKey()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    attendanceMonths: integer('attendance_months').notNull(),
  },
  (t) => [check('retention_settings_months', sql`${t.attendanceMonths} between 1 and 120`)],
);
