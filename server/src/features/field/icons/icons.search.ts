/** The therapist's own icons that a search finds (docs/product.md#11.30). */
import { fits } from '@fieldroom/contract/search';
import type { SearchSource } from '../../../feature.ts';
import type { Queries } from '../../room/index.ts';
import { readIcons } from './icons.store.ts';

/** Takes the database. A therapist has `ICONS_MAX` icons at most, so they are compared here. */
export const iconSearch = (db: Queries): SearchSource<'icons'> => ({
  kind: 'icons',
  role: 'ROLE_THERAPIST',
  async find(therapistId, { words, from, size }) {
    const found = (await readIcons(db, therapistId))
      .filter(({ name }) => fits(name, words))
      .map(({ id, name }) => ({ id, name }))
      .toSorted((a, b) => a.name.localeCompare(b.name) || a.id - b.id);
    return { items: found.slice(from, from + size), total: found.length };
  },
});
