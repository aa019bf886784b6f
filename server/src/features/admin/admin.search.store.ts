/** Therapists, only for admins; nothing of their clients (docs/product.md#11.30). */
import type { TherapistResult } from '@fieldroom/contract/search';
import { sql } from 'drizzle-orm';
import type { SearchSource } from '../../feature.ts';
import type { Db } from '../../platform/db/db.ts';
import { containsInSql } from '../../platform/db/search-text.ts';
import { PERSON, STATE } from './admin.store.ts';

interface Row extends Record<string, unknown> {
  id: number;
  first_name: string;
  last_name: string;
  email: string;
  state: TherapistResult['state'];
  total: number;
}

/** Takes the database. */
export const therapistSearch = (db: Db): SearchSource<'therapists'> => ({
  kind: 'therapists',
  role: 'ROLE_ADMIN',
  async find(_adminId, { words, from, size }) {
    const { rows } = await db.execute<Row>(sql`
      SELECT a.id, a.first_name, a.last_name, a.email, ${STATE} AS state, count(*) OVER ()::int AS total
        FROM accounts a WHERE 'ROLE_THERAPIST' = ANY(a.roles) AND ${containsInSql(PERSON, words)}
       ORDER BY lower(a.last_name || ' ' || a.first_name), a.id LIMIT ${size} OFFSET ${from}`);
    const items = rows.map(({ id, first_name, last_name, email, state }) => ({
      id,
      firstName: first_name,
      lastName: last_name,
      email,
      state,
    }));
    return { items, total: rows[0]?.total ?? 0 };
  },
});
