/** People without an account, and the roles they hold. */
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { ClientState } from '@fieldroom/contract/clients';
import { accounts, personId } from '../accounts/accounts.tables.ts';
import { liveSessions } from '../sessions/sessions.tables.ts';
import { at, bytea, productNow } from '../../platform/platform.tables.ts';

export const clients = pgTable(
  'clients',
  {
    id: personId(),
    therapistId: bigint('therapist_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** null while waiting for a live session that has not begun. */
    liveSessionId: bigint('live_session_id', { mode: 'number' }).references(() => liveSessions.id, {
      onDelete: 'set null',
    }),
    name: text('name').notNull(),
    /** The resume token, hashed. */
    tokenHash: bytea('token_hash').notNull().unique(),
    state: text('state').$type<ClientState>().notNull(),
    enteredBy: text('entered_by').$type<'link' | 'code' | 'booking'>().notNull(),
    /** The join link this client came by; null for people who came otherwise and must not learn it. */
    joinLink: text('join_link'),
    /** Keyed hash of the address block or the booking this client came by, for sharing waiting places. */
    source: bytea('source'),
    arrivedAt: at('arrived_at').notNull().default(productNow),
    admittedAt: at('admitted_at'),
    /** The people's revision before they were let in: what came later in the room has a higher one, on any clock. */
    admittedRevision: bigint('admitted_revision', { mode: 'number' }),
    endedAt: at('ended_at'),
    /** Since when no connection of this client is open; the seat is kept SEAT_KEPT_SECONDS from then. */
    awaySince: at('away_since'),
    selected: boolean('selected').notNull().default(false),
    active: boolean('active').notNull().default(true),
    /** Since when the hand is up; null while it is down. */
    handRaisedAt: at('hand_raised_at'),
    /** Roles at the moment the seat was freed, given back on return if nobody took them. */
    formerRoles: jsonb('former_roles').$type<{ figureId: number; active: boolean }[]>().notNull().default([]),
  },
  (t) => [
    index('clients_present')
      .on(t.therapistId)
      .where(sql`state in ('waiting', 'in', 'away')`),
    uniqueIndex('clients_one_selected')
      .on(t.therapistId)
      .where(sql`selected`),
  ],
);

/** Former codes and join links. A try with one of them is reported to the therapist to whom it belonged. */
export const formerWaysIn = pgTable(
  'former_ways_in',
  {
    kind: text('kind').$type<'code' | 'link'>().notNull(),
    way: text('way').notNull(),
    therapistId: bigint('therapist_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    endedAt: at('ended_at').notNull().default(productNow),
  },
  (t) => [primaryKey({ columns: [t.kind, t.way] }), index('former_ways_in_therapist').on(t.therapistId)],
);

export const roles = pgTable(
  'roles',
  {
    clientId: bigint('client_id', { mode: 'number' })
      .notNull()
      .references(() => clients.id, { onDelete: 'cascade' }),
    /** The field's figure. Deleting it deletes the role (foreign key in the migration). */
    figureId: bigint('figure_id', { mode: 'number' }).notNull(),
    therapistId: bigint('therapist_id', { mode: 'number' }).notNull(),
    active: boolean('active').notNull().default(false),
    givenAt: at('given_at').notNull().default(productNow),
  },
  (t) => [
    primaryKey({ columns: [t.clientId, t.figureId] }),
    index('roles_figure').on(t.figureId),
    index('roles_therapist').on(t.therapistId),
    uniqueIndex('roles_one_active')
      .on(t.clientId)
      .where(sql`active`),
  ],
);
