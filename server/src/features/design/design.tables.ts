/** How therapists want their fields and menus to look. Without a row, and for columns that are null, the theme
 * decides. */
import { bigint, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { storedFiles } from '../../platform/platform.tables.ts';
import { accounts } from '../accounts/accounts.tables.ts';

export const designs = pgTable('designs', {
  therapistId: bigint('therapist_id', { mode: 'number' })
    .primaryKey()
    .references(() => accounts.id, { onDelete: 'cascade' }),
  background: text('background'),
  backgroundImage: uuid('background_image').references(() => storedFiles.id, { onDelete: 'set null' }),
  leftMenu: text('left_menu'),
  leftMenuText: text('left_menu_text'),
  leftMenuSelected: text('left_menu_selected'),
  topMenu: text('top_menu'),
  topMenuText: text('top_menu_text'),
});
