/** Rows of events: one row is one occurrence. `lists/events.lists.store.ts` reads lists and what the public sees. */
import { and, asc, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Queryable as Queries, Tx } from '../../platform/db/db.ts';
import { productNow } from '../../platform/platform.tables.ts';
import { accounts, formerSlugs, publicPages } from '../accounts/accounts.tables.ts';
import { isProven, picturePathOf } from '../accounts/index.ts';
import { events } from './events.tables.ts';
import type { EventRow, Host, Inviter } from './events.types.ts';

export type NewEvent = Omit<typeof events.$inferInsert, 'id' | 'seriesId'>;

/** PostgreSQL writes times with seconds; everywhere else they are `HH:mm`. */
const toRow = (row: EventRow): EventRow => ({
  ...row,
  startTime: row.startTime.slice(0, 5),
  endTime: row.endTime.slice(0, 5),
});

/** Finds an occurrence by id, even a cancelled or deleted one; null if there is none. Locks nothing. */
export async function findEvent(db: Queries, id: number): Promise<EventRow | null> {
  const [row] = await db.select().from(events).where(eq(events.id, id));
  return row ? toRow(row) : null;
}

/** The owner of an event; null if it does not exist. */
export async function findOwner(db: Queries, id: number): Promise<number | null> {
  const [row] = await db.select({ therapistId: events.therapistId }).from(events).where(eq(events.id, id));
  return row?.therapistId ?? null;
}

/** Locked until the transaction ends. FOR NO KEY UPDATE lets other transactions write rows that refer to it. */
export async function lockEvent(
  tx: Tx,
  id: number,
  { noWait = false }: { noWait?: boolean } = {},
): Promise<EventRow | null> {
  const how = noWait ? ({ noWait } as const) : {};
  const [row] = await tx.select().from(events).where(eq(events.id, id)).for('no key update', how);
  return row ? toRow(row) : null;
}

/**
 * Locks all occurrences of a series in the order of their ids, so that no two transactions wait for each other. Returns
 * them in order of time.
 */
export async function lockSeries(tx: Queries, seriesId: number): Promise<EventRow[]> {
  return inOrder(
    await tx.select().from(events).where(eq(events.seriesId, seriesId)).orderBy(asc(events.id)).for('no key update'),
  );
}
const inOrder = (rows: EventRow[]) =>
  rows.map(toRow).toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime() || a.id - b.id);

/** The same without a lock, only for reading. */
export async function readSeriesRows(db: Queries, seriesId: number): Promise<EventRow[]> {
  return inOrder(await db.select().from(events).where(eq(events.seriesId, seriesId)));
}

/**
 * Versions of events in the order of `ids`. A version changes whenever a value that the therapist sees changes; equal
 * values have equal versions.
 */
export async function readVersions(db: Queries, ids: readonly number[]): Promise<string[]> {
  const { rows } = await db.execute<{ version: string }>(sql`
    SELECT md5(e.as_listed) AS version FROM unnest(${sql.param(ids)}::bigint[]) WITH ORDINALITY AS wanted(id, place) JOIN events e ON e.id = wanted.id ORDER BY wanted.place`);
  return rows.map(({ version }) => version);
}

/** The number of people with a live booking of an event at this moment: each gets one email. */
export async function readPeople(db: Queries, id: number): Promise<{ held: number; confirmed: number }> {
  const { rows } = await db.execute<{ held: number; confirmed: number }>(
    sql`SELECT held, confirmed FROM booking_people(${id})`,
  );
  return rows[0]!;
}

/** The number of places of an event taken at this moment. */
export async function readCounts(db: Queries, id: number): Promise<{ held: number; confirmed: number }> {
  const { rows } = await db.execute<{ held: number; confirmed: number }>(
    sql`SELECT held, confirmed FROM booking_counts(${id})`,
  );
  return rows[0]!;
}

/**
 * Writes occurrences. Takes `seriesId` if they join a series; otherwise the first one's id becomes the series' id.
 * Returns their ids in the same order.
 */
export async function insertEvents(tx: Queries, rows: readonly NewEvent[], seriesId?: number): Promise<number[]> {
  const { rows: drawn } = await tx.execute<{ id: number }>(
    sql`SELECT nextval('events_id_seq') AS id FROM generate_series(1, ${rows.length}::int)`,
  );
  const ids = drawn.map(({ id }) => id);
  await tx
    .insert(events)
    .values(rows.map((row, index) => ({ ...row, id: ids[index]!, seriesId: seriesId ?? ids[0]! })));
  return ids;
}

/** Writes the given values of an occurrence and returns the resulting row. The caller holds its lock. */
export async function updateEvent(
  tx: Tx,
  id: number,
  values: Partial<Omit<EventRow, 'id' | 'seriesId' | 'therapistId'>>,
): Promise<EventRow> {
  const [row] = await tx
    .update(events)
    .set({ ...values, updatedAt: productNow })
    .where(eq(events.id, id))
    .returning();
  return toRow(row!);
}

/**
 * Writes that an occurrence was cancelled just now, with the reason, and returns the row. The caller holds its lock.
 */
export async function markCancelled(tx: Tx, id: number, reason: string): Promise<EventRow> {
  const [row] = await tx
    .update(events)
    .set({ status: 'CANCELLED', cancelReason: reason, cancelledAt: productNow, updatedAt: productNow })
    .where(eq(events.id, id))
    .returning();
  return toRow(row!);
}

/** Writes that these occurrences were deleted just now. Those deleted before keep their moment. */
export async function markDeleted(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(events)
    .set({ deletedAt: productNow, updatedAt: productNow })
    .where(and(inArray(events.id, [...ids]), isNull(events.deletedAt)));
}

// ---- hosts

const publicTherapist = and(
  isNotNull(accounts.emailVerifiedAt),
  isNull(accounts.suspendedAt),
  isNull(accounts.deletesAt),
  sql`'ROLE_THERAPIST' = any(${accounts.roles})`,
);

async function readInviter(db: Queries, which: ReturnType<typeof eq>): Promise<Inviter | null> {
  const [row] = await db
    .select({
      canBeMet: sql<boolean>`${publicTherapist}`,
      isProven,
      id: accounts.id,
      therapistName: accounts.slug,
      firstName: accounts.firstName,
      lastName: accounts.lastName,
      email: accounts.email,
      language: accounts.language,
      timeZone: accounts.timeZone,
      pictureFile: accounts.pictureFile,
      line: sql<string>`coalesce(${publicPages.line}, '')`,
      about: sql<string>`coalesce(${publicPages.about}, '')`,
    })
    .from(accounts)
    .leftJoin(publicPages, eq(publicPages.accountId, accounts.id))
    .where(which);
  if (row === undefined) return null;
  const { pictureFile, ...inviter } = row;
  return { ...inviter, picture: picturePathOf({ id: row.id, pictureFile }) };
}
async function readHost(db: Queries, which: ReturnType<typeof eq>): Promise<Host | null> {
  const inviter = await readInviter(db, which);
  return inviter?.canBeMet ? inviter : null;
}

/** The therapist who invited, even if they no longer have a public page. */
export const findInviter = (db: Queries, therapistId: number): Promise<Inviter | null> =>
  readInviter(db, eq(accounts.id, therapistId));
/**
 * The therapist who invites, by id; null without a public page: not verified, suspended, to be deleted, or no
 * therapist.
 */
export const findHost = (db: Queries, therapistId: number): Promise<Host | null> =>
  readHost(db, eq(accounts.id, therapistId));
/** The same by the current slug. */
export const findHostByName = (db: Queries, therapistName: string): Promise<Host | null> =>
  readHost(db, eq(accounts.slug, therapistName));

/** The slug of the account that had this one before; null if there is none. */
export async function findSlugAfter(db: Queries, former: string): Promise<string | null> {
  const [row] = await db
    .select({ slug: accounts.slug })
    .from(formerSlugs)
    .innerJoin(accounts, eq(accounts.id, formerSlugs.accountId))
    .where(eq(formerSlugs.slug, former));
  return row?.slug ?? null;
}

/** Default time zone of the therapist's events. */
export async function readTimeZone(db: Queries, therapistId: number): Promise<string> {
  const [row] = await db.select({ timeZone: accounts.timeZone }).from(accounts).where(eq(accounts.id, therapistId));
  return row?.timeZone ?? 'UTC';
}

// ---- a therapist's earlier texts

/** Distinct values of a column, the latest first, without empty ones. */
async function distinct(
  db: Queries,
  therapistId: number,
  column: typeof events.name | typeof events.address | typeof events.location,
): Promise<string[]> {
  const rows = await db
    .select({ value: column })
    .from(events)
    .where(and(eq(events.therapistId, therapistId), sql`${column} <> ''`))
    .groupBy(column)
    .orderBy(desc(sql`max(${events.id})`))
    .limit(SUGGESTIONS_MAX);
  return rows.map(({ value }) => value);
}
const SUGGESTIONS_MAX = 200;
/** Names of the therapist's events, each once, the one used last first; at most SUGGESTIONS_MAX. */
export const distinctNames = (db: Queries, therapistId: number): Promise<string[]> =>
  distinct(db, therapistId, events.name);
/** The same of their street addresses. */
export const distinctAddresses = (db: Queries, therapistId: number): Promise<string[]> =>
  distinct(db, therapistId, events.address);
/** The same of their places. */
export const distinctLocations = (db: Queries, therapistId: number): Promise<string[]> =>
  distinct(db, therapistId, events.location);

/** The first occurrence of the latest series. */
export async function findLatest(db: Queries, therapistId: number): Promise<number | null> {
  const [row] = await db
    .select({ id: events.id })
    .from(events)
    .where(and(eq(events.therapistId, therapistId), eq(events.id, events.seriesId)))
    .orderBy(desc(events.id))
    .limit(1);
  return row?.id ?? null;
}

// ---- pictures

/**
 * Locks which events of this therapist use which picture, until the transaction ends. Take it before locking rows.
 */
export async function lockPictures(tx: Tx, therapistId: number): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended('event pictures', ${therapistId}))`);
}

/** Whether any event of the therapist has this picture. */
export async function hasPicture(
  db: Queries,
  therapistId: number,
  imageFile: string,
  eventId?: number,
): Promise<boolean> {
  const rows = await db
    .select({ id: events.id })
    .from(events)
    .where(
      and(
        eq(events.therapistId, therapistId),
        eq(events.imageFile, imageFile),
        eventId === undefined ? undefined : eq(events.id, eventId),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Gives a picture to occurrences. */
export async function setPicture(tx: Tx, ids: readonly number[], imageFile: string): Promise<void> {
  await tx
    .update(events)
    .set({ imageFile, updatedAt: productNow })
    .where(inArray(events.id, [...ids]));
}

/** A picture by the event that shows it. Includes whether everybody may see it, or only its therapist. */
export async function findPicture(
  db: Queries,
  eventId: number,
  imageFile: string,
): Promise<{ therapistId: number; published: boolean } | null> {
  const [row] = await db
    .select({ therapistId: events.therapistId, deletedAt: events.deletedAt, hostId: accounts.id })
    .from(events)
    .leftJoin(accounts, and(eq(accounts.id, events.therapistId), publicTherapist))
    .where(and(eq(events.id, eventId), eq(events.imageFile, imageFile)));
  return row ? { therapistId: row.therapistId, published: row.deletedAt === null && row.hostId !== null } : null;
}

/**
 * Pictures of all events of the therapist, the latest first. Each comes once, under an event that others can see or
 * that was written last.
 */
export async function readPictures(
  db: Queries,
  therapistId: number,
): Promise<{ eventId: number; imageFile: string; eventName: string }[]> {
  const each = db
    .selectDistinctOn([events.imageFile], { eventId: events.id, imageFile: events.imageFile, eventName: events.name })
    .from(events)
    .where(and(eq(events.therapistId, therapistId), isNotNull(events.imageFile)))
    .orderBy(events.imageFile, desc(sql`${events.deletedAt} is null`), desc(events.id))
    .as('each');
  const rows = await db.select().from(each).orderBy(desc(each.eventId)).limit(SUGGESTIONS_MAX);
  return rows.map((row) => ({ ...row, imageFile: row.imageFile! }));
}
