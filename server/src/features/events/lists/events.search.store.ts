/** The therapist's events that a search finds (docs/product.md#11.30). */
import type { EVENT_LISTS } from '@fieldroom/contract/events';
import { type EventResult, excerptOf, fits } from '@fieldroom/contract/search';
import { type SQL, sql } from 'drizzle-orm';
import type { SearchSource } from '../../../feature.ts';
import type { Db } from '../../../platform/db/db.ts';
import { containsInSql } from '../../../platform/db/search-text.ts';

/**
 * Which of its owner's lists contains an event, as in `LISTS` of events.lists.store.ts. Takes the name of its table. A
 * subquery reads the clock once and not for each row.
 */
export const listOf = (events: SQL): SQL<(typeof EVENT_LISTS)[number]> => sql`
  CASE WHEN ${events}.status = 'CANCELLED' THEN 'cancelled'
       WHEN ${events}.ends_at > (SELECT product_now()) AND ${events}.deleted_at IS NULL THEN 'upcoming' ELSE 'past' END`;

/** Upcoming events first, the next one on top, then past ones, the latest on top. The id decides among equals, so that
 * no page shows one twice. */
export const nextFirst = sql`(list = 'upcoming') DESC, CASE WHEN list = 'upcoming' THEN starts_at END, starts_at DESC, id`;

interface Row extends Record<string, unknown> {
  id: number;
  name: string;
  location: string;
  address: string;
  description: string;
  list: EventResult['list'];
  starts_at: string;
  time_zone: string;
  total: number;
}

/** Takes the database. */
export const eventSearch = (db: Db): SearchSource<'events'> => ({
  kind: 'events',
  role: 'ROLE_THERAPIST',
  async find(therapistId, { words, from, size }) {
    const { rows } = await db.execute<Row>(sql`
      SELECT found.*, count(*) OVER ()::int AS total
        FROM (SELECT e.id, e.name, e.location, e.address, e.description, e.starts_at, e.time_zone, ${listOf(sql`e`)} AS list
                FROM events e
               WHERE e.therapist_id = ${therapistId} AND ${containsInSql(sql`e.search_text`, words)}) found
       ORDER BY ${nextFirst} LIMIT ${size} OFFSET ${from}`);
    const items = rows.map(({ id, name, list, starts_at, time_zone, ...texts }) => ({
      id,
      name,
      list,
      startsOn: new Date(starts_at).toISOString(),
      timeZone: time_zone,
      excerpt: fits(name, words)
        ? null
        : (excerptOf(texts.location, words) ?? excerptOf(texts.address, words) ?? excerptOf(texts.description, words)),
    }));
    return { items, total: rows[0]?.total ?? 0 };
  },
});
