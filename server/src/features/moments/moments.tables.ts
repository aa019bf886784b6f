/**
 * Moments and moves of live sessions. They are deleted with their live session, or earlier after the therapist's period
 * (docs/product.md#12.4): `retention.store.ts` deletes them.
 */
import { bigint, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { Figure } from '@fieldroom/contract/field';
import type { Move, MoveStep } from '@fieldroom/contract/moments';
import { at, productNow } from '../../platform/platform.tables.ts';
import { liveSessions } from '../sessions/sessions.tables.ts';

const key = () => bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity();
const liveSession = () =>
  bigint('live_session_id', { mode: 'number' })
    .notNull()
    .references(() => liveSessions.id, { onDelete: 'cascade' });

/** A row for each move; written in the transaction of its act. */
export const moves = pgTable(
  'moves',
  {
    id: key(),
    liveSessionId: liveSession(),
    /** From 1 on, without gaps. */
    number: integer('number').notNull(),
    /** The field's revision after it. */
    revision: bigint('revision', { mode: 'number' }).notNull(),
    kind: text('kind').$type<Move['kind']>().notNull(),
    movedBy: text('moved_by').$type<Move['by']>().notNull(),
    begunAt: at('begun_at').notNull().default(productNow),
    movedAt: at('moved_at').notNull().default(productNow),
    /** The figure, when the move only placed it: a quick repeat joins this row. */
    placedFigure: bigint('placed_figure', { mode: 'number' }),
    steps: jsonb('steps').$type<MoveStep[]>().notNull(),
  },
  (t) => [uniqueIndex('moves_in_order').on(t.liveSessionId, t.number)],
);

/**
 * The whole field after a move (0 = at the start of the live session), so that a look back need not begin at the start.
 */
export const moveParts = pgTable(
  'move_parts',
  {
    id: key(),
    liveSessionId: liveSession(),
    afterMove: integer('after_move').notNull(),
    startsAt: at('starts_at').notNull().default(productNow),
    figures: jsonb('figures').$type<Figure[]>().notNull(),
  },
  (t) => [uniqueIndex('move_parts_in_order').on(t.liveSessionId, t.afterMove)],
);

export const moments = pgTable(
  'moments',
  {
    id: key(),
    liveSessionId: liveSession(),
    /** Made by the browser; the same id sent twice keeps one moment. */
    actId: uuid('act_id').notNull(),
    number: integer('number').notNull(),
    /** null: it is shown by its number and time. */
    name: text('name'),
    keptAt: at('kept_at').notNull().default(productNow),
    /** The last move before it. */
    afterMove: integer('after_move').notNull(),
    figures: jsonb('figures').$type<Figure[]>().notNull(),
  },
  (t) => [
    uniqueIndex('moments_once').on(t.liveSessionId, t.actId),
    index('moments_in_order').on(t.liveSessionId, t.number),
  ],
);
