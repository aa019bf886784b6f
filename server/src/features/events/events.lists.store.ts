/**
 * Events as they are listed and shown: each read is one statement, prepared under a name, with what is taken and the other
 * days of the series in it. A list reads the index of its therapist alone (`events_of_therapist`), so what others have
 * written costs nothing.
 */
import type pg from 'pg';
import type { EVENT_LISTS } from '@fieldroom/contract/events';
import type { Db } from '../../platform/db/db.ts';
import type { EventRow } from './events.types.ts';

export type EventList = (typeof EVENT_LISTS)[number];

/** An occurrence with what is known around it. Without what no answer tells: each column of twenty rows is read, sent and parsed. */
export interface ShownEvent extends Omit<EventRow, 'searchText' | 'sequence' | 'cancelledAt' | 'createdAt' | 'updatedAt'> {
  /** Slug of its therapist. */
  readonly therapistName: string;
  readonly held: number;
  readonly confirmed: number;
  /** Places that the public sees taken and nobody has: attempts with addresses that were booked already. */
  readonly decoys: number;
  /** First days of the other occurrences of its series that can still be booked, in order. */
  readonly repetitions: readonly string[];
}

/** What is looked for. `pattern` is a LIKE pattern over `search_text`. */
export interface Wanted {
  readonly type: string | null;
  readonly startDate: string | null;
  readonly endDate: string | null;
  readonly dates: readonly string[] | null;
  readonly pattern: string | null;
  readonly limit: number;
  readonly offset: number;
}

export interface Listed {
  readonly events: ShownEvent[];
  readonly total: number;
}

// drizzle keeps the pool it was made of, but its type tells so only where it is made.
const poolOf = (db: Db) => (db as unknown as { readonly $client: pg.Pool }).$client;

const COLUMNS = `e.id, e.series_id AS "seriesId", e.therapist_id AS "therapistId", e.status, e.type, e.is_online AS "isOnline", e.name, e.location, e.address, e.description,
  e.dates::text[] AS dates, e.start_time AS "startTime", e.end_time AS "endTime", e.time_zone AS "timeZone", e.starts_at AS "startsAt", e.ends_at AS "endsAt",
  e.repetition_rule AS "repetitionRule", e.price_minor AS "priceMinor", e.currency, e.places, e.image_file AS "imageFile", e.cancel_reason AS "cancelReason", e.deleted_at AS "deletedAt"`;
const PUBLIC_THERAPIST = `email_verified_at IS NOT NULL AND suspended_at IS NULL AND 'ROLE_THERAPIST' = ANY(roles)`;
// As a subquery it is asked once a statement and not once a row.
const NOW = '(SELECT product_now())';
// Asked for each row that is shown and for no other, by its own look into the index of the series: of a list that is gathered
// first, the planner of a prepared statement makes a look for every row it might find. Those that begin at the same moment begin
// on the same day, so the order of the index is enough.
const REPETITIONS = `ARRAY(
    SELECT o.dates[1]::text FROM events o
     WHERE o.series_id = e.series_id AND o.starts_at > ${NOW} AND o.status = 'PUBLISHED' AND o.deleted_at IS NULL AND o.id <> e.id
     ORDER BY o.starts_at) AS repetitions`;

/**
 * A page: $1 whose, $2 type, $3 and $4 days between, $5 days among, $6 pattern, $7 and $8 limit and offset.
 * One row comes also for an empty page, with the total, so that "nothing there" and "nobody there" differ. The events stand in it
 * as one JSON text: five hundred values by themselves cost the server more to read than everything else of the call.
 */
const pageStatement = ({ host, where, order }: { host: string; where: string; order: 'ASC' | 'DESC' }) => `
WITH host AS MATERIALIZED (${host}),
found AS MATERIALIZED (
  SELECT count(*) AS total, (array_agg(e.id ORDER BY e.starts_at ${order}, e.id ${order}))[$8::int + 1 : $8::int + $7::int] AS ids
    FROM events e
   WHERE e.therapist_id = (SELECT id FROM host) AND ${where}
     AND ($2::text IS NULL OR e.type = $2)
     AND (($3::date IS NULL AND $4::date IS NULL) OR EXISTS (SELECT FROM unnest(e.dates) AS one(day) WHERE ($3::date IS NULL OR one.day >= $3) AND ($4::date IS NULL OR one.day <= $4)))
     AND ($5::date[] IS NULL OR e.dates && $5)
     AND ($6::text IS NULL OR e.search_text LIKE $6)
)
SELECT host.join_link AS "therapistName", found.total,
       (SELECT json_agg(shown ORDER BY shown."startsAt" ${order}, shown.id ${order})
          FROM (SELECT ${COLUMNS}, taken.held, taken.confirmed, taken.decoys, ${REPETITIONS}
                  FROM events e CROSS JOIN LATERAL booking_counts(e.id) taken
                 WHERE e.id = ANY (found.ids)) shown) AS events
  FROM host CROSS JOIN found`;

const OWN = 'SELECT id, join_link FROM accounts WHERE id = $1::bigint';
/** The statements by their names, for who wants to see their plans. $9 of `public` is who asks. */
export const LISTS = {
  public: pageStatement({
    host: `SELECT id, join_link FROM accounts WHERE join_link = $1::text AND ${PUBLIC_THERAPIST}`,
    where: `e.ends_at > ${NOW} AND e.deleted_at IS NULL AND (e.status = 'PUBLISHED' OR e.therapist_id = $9::bigint)`,
    order: 'ASC',
  }),
  upcoming: pageStatement({ host: OWN, where: `e.ends_at > ${NOW} AND e.status = 'PUBLISHED' AND e.deleted_at IS NULL`, order: 'ASC' }),
  past: pageStatement({ host: OWN, where: `e.status = 'PUBLISHED' AND (e.ends_at <= ${NOW} OR e.deleted_at IS NOT NULL)`, order: 'DESC' }),
  cancelled: pageStatement({ host: OWN, where: `e.status = 'CANCELLED'`, order: 'DESC' }),
} as const;

/** An event as its columns come: times with seconds, and in JSON the instants as texts. */
type Raw = Omit<ShownEvent, 'startsAt' | 'endsAt' | 'deletedAt'> & { readonly startsAt: Date | string; readonly endsAt: Date | string; readonly deletedAt: Date | string | null };
const toShown = <R extends Raw>(row: R) => ({
  ...row,
  startTime: row.startTime.slice(0, 5),
  endTime: row.endTime.slice(0, 5),
  startsAt: new Date(row.startsAt),
  endsAt: new Date(row.endsAt),
  deletedAt: row.deletedAt === null ? null : new Date(row.deletedAt),
});

async function readPage(db: Db, list: keyof typeof LISTS, who: string | number, wanted: Wanted, more: readonly unknown[] = []): Promise<Listed | null> {
  const { rows } = await poolOf(db).query<{ therapistName: string; total: number; events: Omit<Raw, 'therapistName'>[] | null }>({
    name: `events_${list}`,
    text: LISTS[list],
    values: [who, wanted.type, wanted.startDate, wanted.endDate, wanted.dates, wanted.pattern, wanted.limit, wanted.offset, ...more],
  });
  const [page] = rows;
  return page ? { total: page.total, events: (page.events ?? []).map((row) => toShown({ ...row, therapistName: page.therapistName })) } : null;
}

/** Events of a therapist that are not over. In: slug, and the id of the owner where the owner asks, who sees cancelled ones too. Out: null where nobody has the slug. */
export const readUpcoming = (db: Db, therapistName: string, ownerId: number | null, wanted: Wanted): Promise<Listed | null> => readPage(db, 'public', therapistName, wanted, [ownerId]);

/** A list of the therapist's own events. */
export async function readOwnList(db: Db, therapistId: number, list: EventList, wanted: Wanted): Promise<Listed> {
  return (await readPage(db, list, therapistId, wanted)) ?? { events: [], total: 0 };
}

/** One event with its surroundings, also a cancelled or deleted one. `public` tells whether its therapist can be met. */
export async function findShown(db: Db, id: number): Promise<(ShownEvent & { hostIsPublic: boolean; begun: boolean }) | null> {
  const { rows } = await poolOf(db).query<Raw & { hostIsPublic: boolean; begun: boolean }>({
    name: 'event_shown',
    text: `
SELECT ${COLUMNS}, host.join_link AS "therapistName", (${PUBLIC_THERAPIST}) AS "hostIsPublic", e.starts_at <= ${NOW} AS begun, taken.held, taken.confirmed, taken.decoys, ${REPETITIONS}
  FROM events e JOIN accounts host ON host.id = e.therapist_id
  CROSS JOIN LATERAL booking_counts(e.id) taken
 WHERE e.id = $1::bigint`,
    values: [id],
  });
  return rows[0] ? toShown(rows[0]) : null;
}

export interface SeriesEntry {
  readonly id: number;
  readonly dates: string[];
  readonly startsAt: Date;
  readonly places: number;
  readonly held: number;
  readonly confirmed: number;
  readonly decoys: number;
  readonly begun: boolean;
}

/** All occurrences of a series that are neither cancelled nor deleted, in order. */
export async function readSeries(db: Db, seriesId: number): Promise<SeriesEntry[]> {
  const { rows } = await poolOf(db).query<SeriesEntry>({
    name: 'event_series',
    text: `
SELECT e.id, e.dates::text[] AS dates, e.starts_at AS "startsAt", e.places, taken.held, taken.confirmed, taken.decoys, e.starts_at <= ${NOW} AS begun
  FROM events e CROSS JOIN LATERAL booking_counts(e.id) taken
 WHERE e.series_id = $1::bigint AND e.status = 'PUBLISHED' AND e.deleted_at IS NULL
 ORDER BY e.starts_at, e.id`,
    values: [seriesId],
  });
  return rows;
}
