/** Rows of events: one row is one occurrence. Lists and what the public sees are read by `events.lists.store.ts`. */
import { and, asc, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Queryable as Queries, Tx } from '../../platform/db/db.ts';
import { productNow } from '../../platform/platform.tables.ts';
import { accounts } from '../accounts/accounts.tables.ts';
import { events } from './events.tables.ts';
import type { EventRow, Host, Inviter } from './events.types.ts';

export type NewEvent = Omit<typeof events.$inferInsert, 'id' | 'seriesId'>;

/** PostgreSQL writes times with seconds; everywhere else they are `HH:mm`. */
const toRow = (row: EventRow): EventRow => ({
  ...row,
  startTime: row.startTime.slice(0, 5),
  endTime: row.endTime.slice(0, 5),
});

export async function findEvent(db: Queries, id: number): Promise<EventRow | null> {
  const [row] = await db.select().from(events).where(eq(events.id, id));
  return row ? toRow(row) : null;
}

/** Whose it is, null where there is none. */
export async function findOwner(db: Queries, id: number): Promise<number | null> {
  const [row] = await db.select({ therapistId: events.therapistId }).from(events).where(eq(events.id, id));
  return row?.therapistId ?? null;
}

/** Locked until the transaction ends. FOR NO KEY UPDATE lets rows that point here be written beside it. */
export async function lockEvent(tx: Tx, id: number): Promise<EventRow | null> {
  const [row] = await tx.select().from(events).where(eq(events.id, id)).for('no key update');
  return row ? toRow(row) : null;
}

/** All occurrences of a series, locked in the order of their ids, so that nobody waits in a circle. Out: in order of time. */
export async function lockSeries(tx: Queries, seriesId: number): Promise<EventRow[]> {
  const rows = await tx
    .select()
    .from(events)
    .where(eq(events.seriesId, seriesId))
    .orderBy(asc(events.id))
    .for('no key update');
  return rows.map(toRow).toSorted((a, b) => a.startsAt.getTime() - b.startsAt.getTime() || a.id - b.id);
}

/** What of an event is taken at this moment. */
export async function readCounts(db: Queries, id: number): Promise<{ held: number; confirmed: number }> {
  const { rows } = await db.execute<{ held: number; confirmed: number }>(
    sql`SELECT held, confirmed FROM booking_counts(${id})`,
  );
  return rows[0]!;
}

/** Writes occurrences. In: `seriesId` where they join one. Out: their ids in the same order; the first one's is the new series' id. */
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

export async function markCancelled(tx: Tx, id: number, reason: string): Promise<EventRow> {
  const [row] = await tx
    .update(events)
    .set({ status: 'CANCELLED', cancelReason: reason, cancelledAt: productNow, updatedAt: productNow })
    .where(eq(events.id, id))
    .returning();
  return toRow(row!);
}

export async function markDeleted(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(events)
    .set({ deletedAt: productNow, updatedAt: productNow })
    .where(and(inArray(events.id, [...ids]), isNull(events.deletedAt)));
}

// ---- who invites

const publicTherapist = and(
  isNotNull(accounts.emailVerifiedAt),
  isNull(accounts.suspendedAt),
  sql`'ROLE_THERAPIST' = any(${accounts.roles})`,
);

async function readInviter(db: Queries, which: ReturnType<typeof eq>): Promise<Inviter | null> {
  const [row] = await db
    .select({
      canBeMet: sql<boolean>`${publicTherapist}`,
      id: accounts.id,
      therapistName: accounts.joinLink,
      firstName: accounts.firstName,
      lastName: accounts.lastName,
      email: accounts.email,
      language: accounts.language,
      timeZone: accounts.timeZone,
    })
    .from(accounts)
    .where(which);
  return row ? { ...row, picture: null } : null;
}
async function readHost(db: Queries, which: ReturnType<typeof eq>): Promise<Host | null> {
  const inviter = await readInviter(db, which);
  return inviter?.canBeMet ? inviter : null;
}

/** Who invited, also somebody who can't be met any more. */
export const findInviter = (db: Queries, therapistId: number): Promise<Inviter | null> =>
  readInviter(db, eq(accounts.id, therapistId));
export const findHost = (db: Queries, therapistId: number): Promise<Host | null> =>
  readHost(db, eq(accounts.id, therapistId));
export const findHostByName = (db: Queries, therapistName: string): Promise<Host | null> =>
  readHost(db, eq(accounts.joinLink, therapistName));

/** Zone of the therapist's events where nothing else is said. */
export async function readTimeZone(db: Queries, therapistId: number): Promise<string> {
  const [row] = await db.select({ timeZone: accounts.timeZone }).from(accounts).where(eq(accounts.id, therapistId));
  return row?.timeZone ?? 'UTC';
}

// ---- what a therapist wrote before

/** Values of a column, each once, the latest first; empty ones are left out. */
async function distinct(
  db: Queries,
  therapistId: number,
  column: typeof events.name | typeof events.address,
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
export const distinctNames = (db: Queries, therapistId: number): Promise<string[]> =>
  distinct(db, therapistId, events.name);
export const distinctAddresses = (db: Queries, therapistId: number): Promise<string[]> =>
  distinct(db, therapistId, events.address);

/** First occurrence of the series written last. */
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

/** Until the transaction ends nobody else changes which events of this therapist use which picture. Taken before rows are locked. */
export async function lockPictures(tx: Tx, therapistId: number): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended('event pictures', ${therapistId}))`);
}

/** Whether an own event (any of them) has this picture. */
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

/** A picture by the event that shows it. Out: whether everybody may see it, or only its therapist. */
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

/** Pictures of all own events, each once under the event that others can see or that was written last, the latest first. */
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
