/** The live sessions that a search finds, by the names of the clients who were there (docs/product.md#11.30). */
import { SEARCH_NAMES_MAX } from '@fieldroom/contract/search';
import { sql } from 'drizzle-orm';
import type { SearchSource } from '../../../feature.ts';
import type { Db } from '../../../platform/db/db.ts';
import { containsInSql, searchableInSql } from '../../../platform/db/search-text.ts';

interface Row extends Record<string, unknown> {
  id: number;
  started_at: string;
  ended_at: string | null;
  names: string[];
  total: number;
}

/** Takes the database. All words have to be in the name of one client. */
export const sessionSearch = (db: Db): SearchSource<'sessions'> => ({
  kind: 'sessions',
  role: 'ROLE_THERAPIST',
  async find(therapistId, { words, from, size }) {
    const { rows } = await db.execute<Row>(sql`
      SELECT found.*, count(*) OVER ()::int AS total
        FROM (SELECT s.id, s.started_at, s.ended_at, array_agg(a.client_name ORDER BY a.joined_at, a.id) AS names
                FROM live_sessions s JOIN attendances a ON a.live_session_id = s.id
               WHERE s.therapist_id = ${therapistId} AND ${containsInSql(searchableInSql(sql`a.client_name`), words)}
               GROUP BY s.id) found
       ORDER BY started_at DESC, id DESC LIMIT ${size} OFFSET ${from}`);
    const items = rows.map((row) => ({
      id: row.id,
      startedOn: new Date(row.started_at).toISOString(),
      endedOn: row.ended_at === null ? null : new Date(row.ended_at).toISOString(),
      // A client who comes back after a lost connection has two attendances.
      names: [...new Set(row.names)].slice(0, SEARCH_NAMES_MAX),
    }));
    return { items, total: rows[0]?.total ?? 0 };
  },
});
