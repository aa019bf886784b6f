/** The therapist's settings for the room's video. */
import { bigint, boolean, pgTable } from 'drizzle-orm/pg-core';
import { accounts } from '../accounts/accounts.tables.ts';

export const videoRooms = pgTable('video_rooms', {
  therapistId: bigint('therapist_id', { mode: 'number' })
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  /** False: clients receive only the therapist's video. */
  clientsVisible: boolean('clients_visible').notNull().default(true),
  highQuality: boolean('high_quality').notNull().default(false),
  encrypted: boolean('encrypted').notNull().default(false),
});
