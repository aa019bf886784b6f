/** Messages of running live sessions, and whether a therapist's clients may write. */
import { bigint, boolean, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { accounts } from '../accounts/accounts.tables.ts';
import { liveSessions } from '../sessions/sessions.tables.ts';
import { at, productNow } from '../../platform/platform.tables.ts';

/** Deleted in the transaction that ends their live session (docs/product.md#6.4). */
export const messages = pgTable(
  'messages',
  {
    /** Increases in the order of the room, because a message is written under the lock of the room's row. */
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    liveSessionId: bigint('live_session_id', { mode: 'number' })
      .notNull()
      .references(() => liveSessions.id, { onDelete: 'cascade' }),
    /** Made by the browser; the same id sent twice is one message. */
    actId: uuid('act_id').notNull(),
    fromId: bigint('from_id', { mode: 'number' }).notNull(),
    fromName: text('from_name').notNull(),
    /** The only recipient; null if it is for all. */
    toId: bigint('to_id', { mode: 'number' }),
    toName: text('to_name'),
    text: text('text').notNull(),
    /** The people's revision when it was written, which determines who was in the room
     * (`clients.admitted_revision`). */
    peopleRevision: bigint('people_revision', { mode: 'number' }).notNull(),
    sentAt: at('sent_at').notNull().default(productNow),
  },
  (t) => [uniqueIndex('messages_once').on(t.fromId, t.actId), index('messages_live_session').on(t.liveSessionId, t.id)],
);

/** Without a row, clients may write. */
export const messageSettings = pgTable('message_settings', {
  therapistId: bigint('therapist_id', { mode: 'number' })
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  clientsMayWrite: boolean('clients_may_write').notNull().default(true),
});
