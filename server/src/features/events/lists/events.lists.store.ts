/**
 * Reads events for lists and pages. Each read is one named prepared statement, which includes the places taken and the
 * other days of the series. A list reads only its therapist's part of the indexes (`events_upcoming`,
 * `events_of_therapist`), so other therapists' events cost nothing. Beside them it reads the rows of the events on the
 * page, which keep the texts as they are shown (`as_listed`, migration 0008).
 */
import { createHash } from 'node:crypto';
import type { Currency, EVENT_LISTS, EventStatus, EventType, RepetitionRule } from '@fieldroom/contract/events';
import type { Db } from '../../../platform/db/db.ts';
import { createSharedReads } from '../../../platform/scheduling/shared-reads.ts';
import type { EventRow } from '../events.types.ts';

export type EventList = (typeof EVENT_LISTS)[number];

/**
 * An occurrence with what lists show about it. Columns that no answer needs are left out: each one costs reading,
 * sending and parsing.
 */
export interface ShownEvent extends Omit<
  EventRow,
  'startsAt' | 'endsAt' | 'deletedAt' | 'searchText' | 'sequence' | 'cancelledAt' | 'createdAt' | 'updatedAt'
> {
  /** Instants in the answer's form: ISO 8601, UTC, milliseconds. They can be compared as texts. */
  readonly startsOn: string;
  readonly endsOn: string;
  readonly deleted: boolean;
  /** Slug of its therapist. */
  readonly therapistName: string;
  readonly held: number;
  readonly confirmed: number;
  /** Decoys: places that the public sees as taken although nobody has them. */
  readonly decoys: number;
  /** First days of the other occurrences of its series that can still be booked, in order. */
  repetitions: readonly string[];
}

/** The filter. `pattern` is a LIKE pattern over `search_text`. */
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

const PUBLIC_THERAPIST = `host.email_verified_at IS NOT NULL AND host.suspended_at IS NULL AND host.deletes_at IS NULL AND 'ROLE_THERAPIST' = ANY(host.roles)`;
// In a subquery it is read once per statement and not once per row.
const NOW = '(SELECT product_now())';

// A value of the filter. In a subquery it is read once, and the planner does not see it. Otherwise the planner would
// make a plan for these values at each call, which costs more than the list.
const given = (parameter: string) => `(SELECT ${parameter})`;
/** Type and days. Takes the number of the first of its parameters: type, first day, last day, days. */
function chosen(first: number): string {
  const type = given(`$${first}::text`);
  const from = given(`coalesce($${first + 1}::date, '-infinity')`);
  const to = given(`coalesce($${first + 2}::date, 'infinity')`);
  const among = given(`$${first + 3}::date[]`);
  // The days of an event are in order, so the first or the last one nearly always decides; unpacking them is the most
  // expensive part.
  return `
       AND (${type} IS NULL OR e.type = ${type})
       AND CASE WHEN e.dates[1] >= ${from} THEN e.dates[1] <= ${to}
                WHEN e.dates[cardinality(e.dates)] <= ${to} THEN e.dates[cardinality(e.dates)] >= ${from}
                ELSE EXISTS (SELECT FROM unnest(e.dates) AS one(day) WHERE one.day >= ${from} AND one.day <= ${to}) END
       AND (${among} IS NULL OR e.dates && ${among})`;
}
/** The keyword. Takes the number of its parameter, a LIKE pattern. */
const matching = (number: number) => `\n       AND e.search_text LIKE ${given(`$${number}::text`)}`;
/**
 * The conditions of a statement; parameters from $4 on. What the index does not contain is read only if the filter
 * needs it.
 */
const LOOKS = { all: '', chosen: chosen(4), keyword: matching(4), both: chosen(4) + matching(8) } as const;

interface List {
  /** The owner: a condition on `host` by $1. */
  readonly host: string;
  /** The part of the owner's events. */
  readonly where: string;
  readonly order: 'ASC' | 'DESC';
}

/**
 * A page: $1 owner, $2 and $3 limit and offset, then the filter. An empty page has one row too, with the total, so that
 * "no events" and "no therapist" differ. The values of a page are joined as text: hundreds of separate values cost the
 * server more to read than everything else of the call. The events come in any order. Of the other days of their
 * series, the result has those that are not on the page, as `id day` of the series, separated by commas.
 */
const pageStatement = ({ host, where, order }: List, look: keyof typeof LOOKS) => `
SELECT host.slug AS "therapistName", date_part('epoch', moment.now) * 1000 AS "nowMs", found.total, page.events,
       (SELECT translate(array_agg(ARRAY[one.event_id, one.held, one.confirmed, one.decoys])::text, '{}', '[]') FROM booking_counts_of(found.ids, moment.now) one) AS taken,
       (SELECT string_agg(o.series_id || ' ' || o.dates[1], ',') FROM events o
         WHERE o.series_id = ANY (page.series) AND o.starts_at > moment.now AND o.status = 'PUBLISHED' AND o.deleted_at IS NULL AND o.id <> ALL (found.ids)) AS others
  FROM product_moment moment CROSS JOIN accounts host
  CROSS JOIN LATERAL (
    SELECT count(*) AS total, (array_agg(e.id ORDER BY e.starts_at ${order}, e.id ${order}))[$3::int + 1 : $3::int + $2::int] AS ids
      FROM events e
     WHERE e.therapist_id = host.id AND ${where}${LOOKS[look]}) found
  CROSS JOIN LATERAL (SELECT '[' || string_agg(e.as_listed, ',') || ']' AS events, array_agg(e.series_id) AS series FROM events e WHERE e.id = ANY (found.ids)) page
 WHERE ${host}`;

const OWN = 'host.id = $1::bigint';
const LISTS = {
  public: {
    host: `host.slug = $1::text AND ${PUBLIC_THERAPIST}`,
    where: `e.ends_at > moment.now AND e.status = 'PUBLISHED' AND e.deleted_at IS NULL`,
    order: 'ASC',
  },
  publicToOwner: {
    host: `${OWN} AND ${PUBLIC_THERAPIST}`,
    where: 'e.ends_at > moment.now AND e.deleted_at IS NULL',
    order: 'ASC',
  },
  upcoming: {
    host: OWN,
    where: `e.ends_at > moment.now AND e.status = 'PUBLISHED' AND e.deleted_at IS NULL`,
    order: 'ASC',
  },
  past: {
    host: OWN,
    where: `e.status = 'PUBLISHED' AND (e.ends_at <= moment.now OR e.deleted_at IS NOT NULL)`,
    order: 'DESC',
  },
  cancelled: { host: OWN, where: `e.status = 'CANCELLED'`, order: 'DESC' },
} as const satisfies Record<string, List>;
export type ListName = keyof typeof LISTS;

const statements = new Map<string, string>();
/**
 * The statement for a page with its name and values. For `readPage`, and for inspecting the plan.
 */
export function pageQuery(
  list: ListName,
  who: string | number,
  { type, startDate, endDate, dates, pattern, limit, offset }: Wanted,
): { name: string; text: string; values: unknown[] } {
  const [days, word] = [type !== null || startDate !== null || endDate !== null || dates !== null, pattern !== null];
  const look = days ? (word ? 'both' : 'chosen') : word ? 'keyword' : 'all';
  const name = `events_${list}_${look}`;
  let text = statements.get(name);
  if (text === undefined) statements.set(name, (text = pageStatement(LISTS[list], look)));
  return {
    name,
    text,
    values: [who, limit, offset, ...(days ? [type, startDate, endDate, dates] : []), ...(word ? [pattern] : [])],
  };
}

/** `as_listed`: the values in the order of `event_as_listed`. */
type AsListed = [
  id: number,
  seriesId: number,
  therapistId: number,
  status: EventStatus,
  type: EventType,
  isOnline: boolean,
  name: string,
  location: string,
  address: string,
  description: string,
  dates: string[],
  startTime: string,
  endTime: string,
  timeZone: string,
  startsOn: string,
  endsOn: string,
  repetitionRule: RepetitionRule | null,
  priceMinor: number,
  currency: Currency,
  places: number,
  imageFile: string | null,
  cancelReason: string | null,
  deleted: boolean,
];
type Taken = Pick<ShownEvent, 'held' | 'confirmed' | 'decoys'>;
const NOTHING: Taken = { held: 0, confirmed: 0, decoys: 0 };

// By position, because destructuring an array of this length costs several times as much.
const toShown = (
  row: AsListed,
  therapistName: string,
  { held, confirmed, decoys }: Taken,
  repetitions: readonly string[],
): ShownEvent => ({
  id: row[0],
  seriesId: row[1],
  therapistId: row[2],
  therapistName,
  status: row[3],
  type: row[4],
  isOnline: row[5],
  name: row[6],
  location: row[7],
  address: row[8],
  description: row[9],
  dates: row[10],
  startTime: row[11],
  endTime: row[12],
  timeZone: row[13],
  startsOn: row[14],
  endsOn: row[15],
  repetitionRule: row[16],
  priceMinor: row[17],
  currency: row[18],
  places: row[19],
  imageFile: row[20],
  cancelReason: row[21],
  deleted: row[22],
  held,
  confirmed,
  decoys,
  repetitions,
});
const byStart = (a: ShownEvent, b: ShownEvent) =>
  a.startsOn === b.startsOn ? a.id - b.id : a.startsOn < b.startsOn ? -1 : 1;

/** First days that can still be booked, by series. Those on the page know which event they belong to. */
function daysBySeries(
  page: readonly ShownEvent[],
  others: string | null,
  now: string,
): Map<number, { day: string; eventId: number | null }[]> {
  const series = new Map<number, { day: string; eventId: number | null }[]>();
  const add = (seriesId: number, day: string, eventId: number | null) => {
    const days = series.get(seriesId);
    if (days) days.push({ day, eventId });
    else series.set(seriesId, [{ day, eventId }]);
  };
  for (const { id, seriesId, status, deleted, startsOn, dates } of page)
    if (status === 'PUBLISHED' && !deleted && startsOn > now) add(seriesId, dates[0]!, id);
  for (const other of others?.split(',') ?? []) {
    const [seriesId, day] = other.split(' ');
    add(Number(seriesId), day!, null);
  }
  return series;
}

const NO_DAYS: readonly string[] = [];
function otherDays(
  days: readonly { day: string; eventId: number | null }[] | undefined,
  id: number,
): readonly string[] {
  if (days === undefined || (days.length === 1 && days[0]!.eventId === id)) return NO_DAYS;
  return days
    .filter(({ eventId }) => eventId !== id)
    .map(({ day }) => day)
    .toSorted();
}

async function readPage(db: Db, list: ListName, who: string | number, wanted: Wanted): Promise<Listed | null> {
  const { rows } = await db.$client.query<{
    therapistName: string;
    nowMs: number;
    total: number;
    events: string | null;
    taken: string | null;
    others: string | null;
  }>(pageQuery(list, who, wanted));
  const [found] = rows;
  if (!found) return null;
  const taken = new Map(
    (JSON.parse(found.taken ?? '[]') as [number, number, number, number][]).map(([id, held, confirmed, decoys]) => [
      id,
      { held, confirmed, decoys },
    ]),
  );
  const events = (JSON.parse(found.events ?? '[]') as AsListed[]).map((row) =>
    toShown(row, found.therapistName, taken.get(row[0]) ?? NOTHING, NO_DAYS),
  );
  events.sort(LISTS[list].order === 'ASC' ? byStart : (a, b) => byStart(b, a));
  const days = daysBySeries(events, found.others, new Date(found.nowMs).toISOString());
  for (const event of events) event.repetitions = otherDays(days.get(event.seriesId), event.id);
  return { total: found.total, events };
}

/**
 * Events of a therapist that are not over. Takes the slug and, if the owner of this slug asks, the owner's id; then
 * cancelled events are included. Returns null if nobody has the slug. Do not change the result: others may share the
 * same object.
 */
export const readUpcoming = (
  db: Db,
  therapistName: string,
  ownerId: number | null,
  wanted: Wanted,
): Promise<Listed | null> =>
  ownerId === null
    ? sharedOf(db)(JSON.stringify([therapistName, wanted]), () => readPage(db, 'public', therapistName, wanted))
    : readPage(db, 'publicToOwner', ownerId, wanted);

// Many people open a practice's page at once when a newsletter mentions it.
const shared = new WeakMap<Db, ReturnType<typeof createSharedReads<Listed | null>>>();
function sharedOf(db: Db) {
  let reads = shared.get(db);
  if (!reads) shared.set(db, (reads = createSharedReads()));
  return reads;
}

/** A list of the therapist's own events. */
export async function readOwnList(db: Db, therapistId: number, list: EventList, wanted: Wanted): Promise<Listed> {
  return (await readPage(db, list, therapistId, wanted)) ?? { events: [], total: 0 };
}

/**
 * One event with its surroundings, even a cancelled or deleted one. `hostIsPublic` tells whether its therapist has a
 * public page, `version` identifies the state of the event.
 */
export async function findShown(
  db: Db,
  id: number,
): Promise<(ShownEvent & { hostIsPublic: boolean; begun: boolean; version: string }) | null> {
  const { rows } = await db.$client.query<
    Taken & { asListed: string; therapistName: string; repetitions: string[]; hostIsPublic: boolean; begun: boolean }
  >({
    name: 'event_shown',
    // Occurrences that begin at the same moment begin on the same day, so the order of the index is enough.
    text: `
SELECT e.as_listed AS "asListed", host.slug AS "therapistName", (${PUBLIC_THERAPIST}) AS "hostIsPublic", e.starts_at <= ${NOW} AS begun, taken.held, taken.confirmed, taken.decoys,
       ARRAY(SELECT o.dates[1]::text FROM events o WHERE o.series_id = e.series_id AND o.starts_at > ${NOW} AND o.status = 'PUBLISHED' AND o.deleted_at IS NULL AND o.id <> e.id ORDER BY o.starts_at) AS repetitions
  FROM events e JOIN accounts host ON host.id = e.therapist_id
  CROSS JOIN LATERAL booking_counts(e.id) taken
 WHERE e.id = $1::bigint`,
    values: [id],
  });
  const [row] = rows;
  if (!row) return null;
  const shown = toShown(JSON.parse(row.asListed) as AsListed, row.therapistName, row, row.repetitions);
  // The same as in `readVersions`, from the text that is shown.
  return {
    ...shown,
    hostIsPublic: row.hostIsPublic,
    begun: row.begun,
    version: createHash('md5').update(row.asListed).digest('hex'),
  };
}

export interface SeriesEntry {
  readonly id: number;
  readonly dates: string[];
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly places: number;
  readonly held: number;
  readonly confirmed: number;
  /** The number of people with a live booking. */
  readonly people: number;
  readonly decoys: number;
  readonly begun: boolean;
}

/** All occurrences of a series that are neither cancelled nor deleted, in order. */
export async function readSeries(db: Db, seriesId: number): Promise<SeriesEntry[]> {
  const { rows } = await db.$client.query<SeriesEntry>({
    name: 'event_series',
    text: `
SELECT e.id, e.dates::text[] AS dates, e.starts_at AS "startsAt", e.ends_at AS "endsAt", e.places, taken.held, taken.confirmed, taken.decoys,
       booked.held + booked.confirmed AS people, e.starts_at <= ${NOW} AS begun
  FROM events e CROSS JOIN LATERAL booking_counts(e.id) taken CROSS JOIN LATERAL booking_people(e.id) booked
 WHERE e.series_id = $1::bigint AND e.status = 'PUBLISHED' AND e.deleted_at IS NULL
 ORDER BY e.starts_at, e.id`,
    values: [seriesId],
  });
  return rows;
}
