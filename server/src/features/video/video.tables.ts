/** The therapist's settings for the room's video. */
import { bigint, boolean, pgTable } from 'drizzle-orm/pg-core';
import { accounts } from '../accounts/accounts.tables.ts';

export const videoRooms = pgTable('video_rooms', {
  therapistId: bigint('therapist_id', { mode: 'number' })
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  /** False: clients receive only the therapist's video. */
  clientsVisible: boolean('clients_visible').notNull().default(true),
  /** While there is a stage, clients receive no video of those who are not on it. */
  stageOnly: boolean('stage_only').notNull().default(false),
  /** Clients on stage in the running live session; null without a stage. */
  stage: bigint('stage', { mode: 'number' }).array(),
  highQuality: boolean('high_quality').notNull().default(false),
  encrypted: boolean('encrypted').notNull().default(false),
});
