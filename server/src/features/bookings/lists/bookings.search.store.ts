/** The attendees that a search finds (docs/product.md#11.30). */
import type { AttendeeResult } from '@fieldroom/contract/search';
import { sql } from 'drizzle-orm';
import type { SearchSource } from '../../../feature.ts';
import type { Db } from '../../../platform/db/db.ts';
import { containsInSql, searchableInSql } from '../../../platform/db/search-text.ts';
import { listOf, nextFirst } from '../../events/index.ts';

interface Row extends Record<string, unknown> {
  id: number;
  first_name: string;
  last_name: string;
  email: string;
  state: AttendeeResult['state'];
  event_id: number;
  event_name: string;
  list: AttendeeResult['list'];
  starts_at: string;
  time_zone: string;
  total: number;
}

const PERSON = searchableInSql(sql`b.first_name || ' ' || b.last_name || ' ' || b.email`);

/**
 * Takes the database. Finds places that are taken, as the list of attendees shows them: confirmed, or held and not
 * over; nobody whose data was erased.
 */
export const attendeeSearch = (db: Db): SearchSource<'attendees'> => ({
  kind: 'attendees',
  role: 'ROLE_THERAPIST',
  async find(therapistId, { words, from, size }) {
    const { rows } = await db.execute<Row>(sql`
      SELECT found.*, count(*) OVER ()::int AS total
        FROM (SELECT b.id, b.first_name, b.last_name, b.email, b.state, e.id AS event_id, e.name AS event_name,
                     e.starts_at, e.time_zone, ${listOf(sql`e`)} AS list
                FROM events e JOIN bookings b ON b.event_id = e.id
               WHERE e.therapist_id = ${therapistId} AND b.erased_at IS NULL
                 AND (b.state = 'CONFIRMED' OR (b.state = 'HELD' AND b.held_until > (SELECT product_now())))
                 AND ${containsInSql(PERSON, words)}) found
       ORDER BY ${nextFirst} LIMIT ${size} OFFSET ${from}`);
    const items = rows.map((row) => ({
      id: row.id,
      firstName: row.first_name,
      lastName: row.last_name,
      email: row.email,
      state: row.state,
      eventId: row.event_id,
      eventName: row.event_name,
      list: row.list,
      startsOn: new Date(row.starts_at).toISOString(),
      timeZone: row.time_zone,
    }));
    return { items, total: rows[0]?.total ?? 0 };
  },
});
