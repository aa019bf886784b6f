/** The therapist's settings for the room's video; and, for several nodes, which has a room and which tickets hold. */
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, pgTable, text } from 'drizzle-orm/pg-core';
import { at, bytea } from '../../platform/platform.tables.ts';
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

/**
 * Which node has the video of a room, and what the next one has to know, as of its last look. It counts while the node
 * lives; a service of one node has no rows.
 */
export const videoOwners = pgTable('video_owners', {
  therapistId: bigint('therapist_id', { mode: 'number' })
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  /** null when it has been handed over and no other has taken it yet. */
  nodeId: text('node_id'),
  /** Whether somebody sends sound or picture. */
  flows: boolean('flows').notNull().default(false),
  /** Whom the therapist has muted. */
  muted: bigint('muted', { mode: 'number' })
    .array()
    .notNull()
    .default(sql`'{}'`),
  /** Whether the therapist's offer to take part stands. */
  offered: boolean('offered').notNull().default(false),
});

/** Tickets that any node takes, for a minute; a service of one node keeps them in memory. */
export const videoTickets = pgTable(
  'video_tickets',
  {
    hash: bytea('hash').primaryKey(),
    therapistId: bigint('therapist_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    personId: bigint('person_id', { mode: 'number' }).notNull(),
    as: text('as').$type<'therapist' | 'client'>().notNull(),
    firefox: boolean('firefox').notNull(),
    /** Hash of the token of the therapist's sign-in; null for clients. */
    signIn: bytea('sign_in'),
    /** Real time. */
    issuedAt: at('issued_at').notNull(),
  },
  (t) => [index('video_tickets_person').on(t.personId), index('video_tickets_therapist').on(t.therapistId)],
);
