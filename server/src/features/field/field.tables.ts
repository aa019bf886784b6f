/** Figures, stored acts (for undo and for acts that are sent twice), and the therapist's icons. */
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { IconType, MovableBy, Figure, Relation } from '@fieldroom/contract/field';
import { accounts } from '../accounts/accounts.tables.ts';
import { at, productNow } from '../../platform/platform.tables.ts';

const therapist = () =>
  bigint('therapist_id', { mode: 'number' })
    .notNull()
    .references(() => accounts.id, { onDelete: 'cascade' });

export const icons = pgTable(
  'icons',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    therapistId: therapist(),
    name: text('name').notNull(),
    /** Inner id of the cleaned drawing in the file store. */
    fileId: uuid('file_id').notNull(),
    width: doublePrecision('width').notNull(),
    height: doublePrecision('height').notNull(),
    createdAt: at('created_at').notNull().default(productNow),
  },
  (t) => [index('icons_therapist').on(t.therapistId)],
);

export const figures = pgTable(
  'figures',
  {
    /** By default from the sequence figure_id; undoing a removal brings back the same id. */
    id: bigint('id', { mode: 'number' }).primaryKey(),
    therapistId: therapist(),
    name: text('name').notNull().default(''),
    iconType: text('icon_type').$type<IconType>().notNull(),
    iconId: bigint('icon_id', { mode: 'number' }).references(() => icons.id, { onDelete: 'restrict' }),
    color: text('color').notNull(),
    showText: boolean('show_text').notNull().default(true),
    x: doublePrecision('x').notNull(),
    y: doublePrecision('y').notNull(),
    rotation: doublePrecision('rotation').notNull().default(0),
    scale: doublePrecision('scale').notNull().default(1),
    order: integer('paint_order').notNull(),
    movableBy: text('movable_by').$type<MovableBy>().notNull().default('holders'),
    relations: jsonb('relations').$type<Relation[]>().notNull().default([]),
    startX: doublePrecision('start_x').notNull(),
    startY: doublePrecision('start_y').notNull(),
    startRotation: doublePrecision('start_rotation').notNull().default(0),
    startScale: doublePrecision('start_scale').notNull().default(1),
    updatedOn: bigint('updated_on', { mode: 'number' }).notNull(),
  },
  (t) => [index('figures_therapist').on(t.therapistId, t.order)],
);

/**
 * The effects of one act, as far as undoing it needs them: for each figure, the whole figure before and after (null =
 * none); for each role, whether it was held.
 */
export interface ActTrace {
  figures: { id: number; before: Figure | null; after: Figure | null }[];
  roles: {
    clientId: number;
    figureId: number;
    before: 'none' | 'held' | 'active';
    after: 'none' | 'held' | 'active';
  }[];
  hands?: { before: boolean; after: boolean };
}

export const fieldActs = pgTable(
  'field_acts',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    therapistId: therapist(),
    /** The browser makes it; the same id sent twice acts once. */
    actId: uuid('act_id').notNull(),
    actorId: bigint('actor_id', { mode: 'number' }).notNull(),
    /** The requested kind of act; `unchanged` if it changed nothing, `hideTexts` if the server hid a text
     * (field.store.ts). */
    kind: text('kind').notNull(),
    /** The field's revision after the act. */
    revision: bigint('revision', { mode: 'number' }).notNull(),
    trace: jsonb('trace').$type<ActTrace>().notNull(),
    actedAt: at('acted_at').notNull().default(productNow),
  },
  (t) => [
    uniqueIndex('field_acts_once').on(t.therapistId, t.actId),
    index('field_acts_actor').on(t.therapistId, t.actorId, t.id),
  ],
);
