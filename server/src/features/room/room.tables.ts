/** The row of a therapist's room. */
import { bigint, boolean, pgTable, text } from 'drizzle-orm/pg-core';
import type { Admission } from '@fieldroom/contract/clients';
import { accounts } from '../accounts/accounts.tables.ts';
import { at } from '../../platform/platform.tables.ts';

export const rooms = pgTable('rooms', {
  therapistId: bigint('therapist_id', { mode: 'number' })
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  /** Revisions: each goes up by one with each change. Messages carry them as stamps. */
  peopleRevision: bigint('people_revision', { mode: 'number' }).notNull().default(0),
  fieldRevision: bigint('field_revision', { mode: 'number' }).notNull().default(0),
  handsAllowed: boolean('hands_allowed').notNull().default(true),
  admission: text('admission').$type<Admission>().notNull().default('ask'),
  /** Set by a removal, cleared when the live session ends. */
  asksUntilEnd: boolean('asks_until_end').notNull().default(false),
  /** null while no live session runs. */
  code: text('code').unique(),
  codeMadeAt: at('code_made_at'),
  /** Since when the therapist has been disconnected in a running live session; null while they are connected. */
  therapistAwaySince: at('therapist_away_since'),
});
