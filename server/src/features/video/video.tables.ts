/** What a therapist chose for the faces and voices of the room. */
import { bigint, boolean, pgTable } from 'drizzle-orm/pg-core';
import { accounts } from '../accounts/accounts.tables.ts';

export const videoRooms = pgTable('video_rooms', {
  therapistId: bigint('therapist_id', { mode: 'number' })
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  /** False: clients get the therapist's picture alone. */
  clientsVisible: boolean('clients_visible').notNull().default(true),
  highQuality: boolean('high_quality').notNull().default(false),
  encrypted: boolean('encrypted').notNull().default(false),
});
