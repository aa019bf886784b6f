/** Live sessions and attendance. No words, no pictures, no sound (docs/product.md#6.2). */
import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { FieldSnapshot } from '@fieldroom/contract/field';
import type { EndReason } from '@fieldroom/contract/realtime';
import { accounts } from '../accounts/accounts.tables.ts';
import { at, productNow } from '../../platform/platform.tables.ts';

export const liveSessions = pgTable(
  'live_sessions',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    therapistId: bigint('therapist_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    startedAt: at('started_at').notNull().default(productNow),
    endedAt: at('ended_at'),
    endReason: text('end_reason').$type<EndReason>(),
    countedSeconds: integer('counted_seconds').notNull().default(0),
    fieldAtEnd: jsonb('field_at_end').$type<FieldSnapshot>(),
  },
  // One running live session per therapist, whatever runs concurrently.
  (t) => [
    uniqueIndex('live_sessions_one_running')
      .on(t.therapistId)
      .where(sql`ended_at is null`),
    index('live_sessions_therapist').on(t.therapistId, t.startedAt),
  ],
);

export const attendances = pgTable(
  'attendances',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    liveSessionId: bigint('live_session_id', { mode: 'number' })
      .notNull()
      .references(() => liveSessions.id, { onDelete: 'cascade' }),
    clientId: bigint('client_id', { mode: 'number' }).notNull(),
    clientName: text('client_name').notNull(),
    joinedAt: at('joined_at').notNull().default(productNow),
    leftAt: at('left_at'),
  },
  (t) => [
    index('attendances_live_session').on(t.liveSessionId),
    uniqueIndex('attendances_one_open')
      .on(t.liveSessionId, t.clientId)
      .where(sql`left_at is null`),
  ],
);
