/** Rows of `rooms`. Every function takes the transaction it belongs to. */
import { eq, inArray, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { NO_REVISIONS, type Stamps, stampsOf } from '@fieldroom/contract/revisions';
import type { Queryable as Queries } from '../../platform/db/db.ts';
import { rooms } from './room.tables.ts';

export type RoomRow = typeof rooms.$inferSelect;
/** Columns to set; a time may be an SQL expression on the product's clock. */
export type RoomValues = Omit<PgUpdateSetSource<typeof rooms>, 'therapistId' | 'peopleRevision' | 'fieldRevision'>;

const revisionColumns = { fieldRevision: rooms.fieldRevision, peopleRevision: rooms.peopleRevision };

/** Reads the row without a lock; makes it if the therapist never had one. */
export async function readRoom(db: Queries, therapistId: number): Promise<RoomRow> {
  const [row] = await db.select().from(rooms).where(eq(rooms.therapistId, therapistId));
  if (row) return row;
  await makeRoom(db, therapistId);
  const [made] = await db.select().from(rooms).where(eq(rooms.therapistId, therapistId));
  if (!made) throw new Error('the room was removed while it was made');
  return made;
}

/** Locks the row until the transaction ends; makes it if it is missing. */
export async function lockRoom(tx: Queries, therapistId: number): Promise<RoomRow> {
  const [row] = await tx.select().from(rooms).where(eq(rooms.therapistId, therapistId)).for('update');
  if (row) return row;
  // If two are first at once, both insert, one waits for the other's commit, and both then find the same row.
  await makeRoom(tx, therapistId);
  const [made] = await tx.select().from(rooms).where(eq(rooms.therapistId, therapistId)).for('update');
  if (!made) throw new Error('the room was removed while it was made');
  return made;
}

/** Locks the rows of those rooms that are there, in one order for everybody, until the transaction ends. */
export async function lockRooms(tx: Queries, therapistIds: readonly number[]): Promise<void> {
  await tx
    .select({ therapistId: rooms.therapistId })
    .from(rooms)
    .where(inArray(rooms.therapistId, [...therapistIds]))
    .orderBy(rooms.therapistId)
    .for('update');
}

async function makeRoom(db: Queries, therapistId: number): Promise<void> {
  await db.insert(rooms).values({ therapistId }).onConflictDoNothing();
}

/** Reads both revisions, as messages carry them; zeros in a room that nobody ever opened. */
export async function readStamps(db: Queries, therapistId: number): Promise<Stamps> {
  const [revisions] = await db.select(revisionColumns).from(rooms).where(eq(rooms.therapistId, therapistId));
  return stampsOf(revisions ?? NO_REVISIONS);
}

/** The same of many rooms, without those that nobody ever opened. */
export async function readAllStamps(db: Queries, therapistIds: readonly number[]): Promise<Map<number, Stamps>> {
  const rows = await db
    .select({ therapistId: rooms.therapistId, ...revisionColumns })
    .from(rooms)
    .where(inArray(rooms.therapistId, [...therapistIds]));
  return new Map(rows.map(({ therapistId, ...revisions }) => [therapistId, stampsOf(revisions)]));
}

/** Raises one revision by one; the row must be locked, so it exists. Returns both, as messages carry them. */
export async function raiseRevision(tx: Queries, therapistId: number, which: 'people' | 'field'): Promise<Stamps> {
  const [revisions] = await tx
    .update(rooms)
    .set(
      which === 'people'
        ? { peopleRevision: sql`${rooms.peopleRevision} + 1` }
        : { fieldRevision: sql`${rooms.fieldRevision} + 1` },
    )
    .where(eq(rooms.therapistId, therapistId))
    .returning(revisionColumns);
  if (!revisions) throw new Error('a revision was raised in a room that is not there');
  return stampsOf(revisions);
}

/** Writes the given columns of a room's row; the row must be locked. */
export async function updateRoom(tx: Queries, therapistId: number, values: RoomValues): Promise<void> {
  await tx.update(rooms).set(values).where(eq(rooms.therapistId, therapistId));
}

/** The id of this transaction, by which another one can ask for its end. */
export async function readTransactionId(tx: Queries): Promise<string> {
  const { rows } = await tx.execute<{ id: string }>(sql`SELECT pg_current_xact_id()::text AS id`);
  return rows[0]!.id;
}

/** Whether a transaction was committed; false while it runs. */
export async function isCommitted(on: Queries, transactionId: string): Promise<boolean> {
  const { rows } = await on.execute<{ status: string | null }>(
    sql`SELECT pg_xact_status(${transactionId}::xid8) AS status`,
  );
  return rows[0]!.status === 'committed';
}
