/** Prepared constellations. They hold only figures: no people and no roles (docs/product.md#5.17). */
import { bigint, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { ConstellationFigure } from '@fieldroom/contract/constellations';
import { at, productNow } from '../../platform/platform.tables.ts';
import { accounts } from '../accounts/accounts.tables.ts';

export const constellations = pgTable(
  'constellations',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    therapistId: bigint('therapist_id', { mode: 'number' })
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** The name without regard to case. */
    nameKey: text('name_key').notNull(),
    /** Custom icons are named by their ids; a read checks whether they still exist. */
    figures: jsonb('figures').$type<readonly ConstellationFigure[]>().notNull(),
    savedAt: at('saved_at').notNull().default(productNow),
  },
  (t) => [uniqueIndex('constellations_names').on(t.therapistId, t.nameKey)],
);
