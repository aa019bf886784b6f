/** Whether observers' words are invited. The words themselves are never stored. */
import { bigint, pgTable } from 'drizzle-orm/pg-core';
import { liveSessions } from '../sessions/sessions.tables.ts';

/** A row while the words of a live session's observers are invited. */
export const observerInvitations = pgTable('observer_invitations', {
  liveSessionId: bigint('live_session_id', { mode: 'number' })
    .primaryKey()
    .references(() => liveSessions.id, { onDelete: 'cascade' }),
});
