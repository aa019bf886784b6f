/** Rows of clients and roles. Deadlines are decided here, in SQL, on the product clock. */
import { and, asc, desc, eq, gte, inArray, isNotNull, lt, ne, notInArray, or, sql } from 'drizzle-orm';
import { SEAT_KEPT_SECONDS } from '@fieldroom/contract/clients';
import type { Db, Queryable } from '../../platform/db/db.ts';
import { readInBatch, batchableRead } from '../../platform/db/batched-reads.ts';
import { productNow } from '../../platform/platform.tables.ts';
import { accounts } from '../accounts/accounts.tables.ts';
import { rooms } from '../room/room.tables.ts';
import { clients, formerWaysIn, roles } from './clients.tables.ts';

export type ClientRow = typeof clients.$inferSelect;
export type RoleRow = Pick<typeof roles.$inferSelect, 'clientId' | 'figureId' | 'active'>;

/** A connection is open, or has been lost for less than a seat is kept. */
const here = sql`(${clients.awaySince} IS NULL OR ${clients.awaySince} > product_now() - make_interval(secs => ${SEAT_KEPT_SECONDS}))`;
/** People who take a seat. */
const seated = and(eq(clients.state, 'in'), here);
/** People who wait. */
const inLobby = and(eq(clients.state, 'waiting'), here);

/** Finds a client by id, in whatever state; null if there is none. */
export async function findClient(db: Queryable, id: number): Promise<ClientRow | null> {
  const [row] = await db.select().from(clients).where(eq(clients.id, id));
  return row ?? null;
}

/** Finds clients by id, in whatever state; without those that do not exist. */
export async function findClients(db: Queryable, ids: readonly number[]): Promise<ClientRow[]> {
  if (ids.length === 0) return [];
  return db
    .select()
    .from(clients)
    .where(inArray(clients.id, [...ids]));
}

/** Finds the client of a resume token by its SHA-256, in whatever state; null if there is none. */
export async function findByToken(db: Queryable, tokenHash: Buffer): Promise<ClientRow | null> {
  const [row] = await db.select().from(clients).where(eq(clients.tokenHash, tokenHash));
  return row ?? null;
}

/** Writes a new client, without a connection, and returns the row. */
export async function insertClient(tx: Queryable, values: typeof clients.$inferInsert): Promise<ClientRow> {
  // Nobody is connected yet: somebody who never connects does not keep a place.
  const [row] = await tx
    .insert(clients)
    .values({ ...values, awaySince: sql`product_now()` as never })
    .returning();
  return row!;
}

/** Writes the same values to all of these clients. Does nothing for an empty list. */
export async function updateClients(
  tx: Queryable,
  ids: readonly number[],
  values: Parameters<ReturnType<Queryable['update']>['set']>[0] & object,
): Promise<void> {
  if (ids.length > 0)
    await tx
      .update(clients)
      .set(values)
      .where(inArray(clients.id, [...ids]));
}

/** People in the room, in the order they were let in. */
export async function inRoom(db: Queryable, therapistId: number): Promise<ClientRow[]> {
  return db
    .select()
    .from(clients)
    .where(and(eq(clients.therapistId, therapistId), seated))
    .orderBy(asc(clients.admittedAt), asc(clients.id));
}

/** People who wait, in the order they came. */
export async function waiting(db: Queryable, therapistId: number): Promise<ClientRow[]> {
  return db
    .select()
    .from(clients)
    .where(and(eq(clients.therapistId, therapistId), inLobby))
    .orderBy(asc(clients.arrivedAt), asc(clients.id));
}

/**
 * Everybody from a source who waits, first the one whose page has been gone longest. `here` is false if the page is
 * gone.
 */
export async function waitingFrom(
  tx: Queryable,
  therapistId: number,
  source: Buffer,
): Promise<{ id: number; here: boolean }[]> {
  return tx
    .select({ id: clients.id, here: sql<boolean>`${here}` })
    .from(clients)
    .where(and(eq(clients.therapistId, therapistId), eq(clients.state, 'waiting'), eq(clients.source, source)))
    .orderBy(sql`${here}`, asc(clients.awaySince), asc(clients.id));
}

/** The number of seats taken by people from a source. */
export async function seatedFrom(tx: Queryable, therapistId: number, source: Buffer): Promise<number> {
  const [row] = await tx
    .select({ count: sql<number>`count(*)` })
    .from(clients)
    .where(and(eq(clients.therapistId, therapistId), seated, eq(clients.source, source)));
  return Number(row!.count);
}

/** The numbers of taken seats and of people who wait, without `besides`. */
export async function countPeople(
  tx: Queryable,
  therapistId: number,
  besides = 0,
): Promise<{ seated: number; waiting: number }> {
  const [row] = await tx
    .select({
      seated: sql<number>`count(*) FILTER (WHERE ${seated})`,
      waiting: sql<number>`count(*) FILTER (WHERE ${inLobby})`,
    })
    .from(clients)
    .where(
      and(eq(clients.therapistId, therapistId), ne(clients.id, besides), inArray(clients.state, ['waiting', 'in'])),
    );
  return { seated: Number(row!.seated), waiting: Number(row!.waiting) };
}

/** Whether the client's connection is open, or was lost for less time than a seat is kept. */
export async function isHere(tx: Queryable, id: number): Promise<boolean> {
  return (
    (
      await tx
        .select({ id: clients.id })
        .from(clients)
        .where(and(eq(clients.id, id), here))
    ).length > 0
  );
}

/** Those of them whose connection is open, or was lost for less time than a seat is kept. */
export async function hereAmong(tx: Queryable, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await tx
    .select({ id: clients.id })
    .from(clients)
    .where(and(inArray(clients.id, [...ids]), here));
  return new Set(rows.map(({ id }) => id));
}

/** Everybody of a room whose token is valid. */
export async function present(tx: Queryable, therapistId: number): Promise<ClientRow[]> {
  return tx
    .select()
    .from(clients)
    .where(and(eq(clients.therapistId, therapistId), inArray(clients.state, ['waiting', 'in', 'away'])));
}

const ROOMS_WITH_OVERDUE = batchableRead<{ therapistId: number }>(sql`
  SELECT DISTINCT ${clients.therapistId} AS "therapistId" FROM ${clients}
  WHERE ${clients.state} IN ('waiting', 'in') AND NOT ${here} AND (${clients.state} = 'in' OR ${clients.active})`);
/**
 * Rooms in which somebody's time is over and no message has announced it. `active` is false if a waiting person has
 * left the list.
 */
export const roomsWithOverdue = (db: Db) => readInBatch(db, ROOMS_WITH_OVERDUE);

/** Clients of a room who wait or are in, and whose connection was lost for longer than a seat is kept. */
export async function overdue(tx: Queryable, therapistId: number): Promise<ClientRow[]> {
  return tx
    .select()
    .from(clients)
    .where(and(eq(clients.therapistId, therapistId), inArray(clients.state, ['waiting', 'in']), sql`NOT ${here}`));
}

/** Rooms in which somebody counts as connected. */
export async function roomsWithConnected(db: Queryable): Promise<number[]> {
  const rows = await db
    .selectDistinct({ therapistId: clients.therapistId })
    .from(clients)
    .where(and(inArray(clients.state, ['waiting', 'in']), sql`${clients.awaySince} IS NULL`));
  return rows.map((row) => row.therapistId);
}

/** Clients of a live session who were let in, even if they have left. */
export async function admittedTo(
  db: Queryable,
  liveSessionId: number,
  filter: { since?: Date; active?: boolean } = {},
): Promise<ClientRow[]> {
  return db
    .select()
    .from(clients)
    .where(
      and(
        eq(clients.liveSessionId, liveSessionId),
        isNotNull(clients.admittedAt),
        filter.since ? gte(clients.admittedAt, filter.since) : undefined,
        filter.active === undefined
          ? undefined
          : filter.active
            ? and(seated, clients.active)
            : sql`NOT (${seated} AND ${clients.active})`,
      ),
    )
    .orderBy(asc(clients.admittedAt), asc(clients.id));
}

// ---- rooms without their therapist

const gone = (seconds: number) =>
  sql`${rooms.therapistAwaySince} <= product_now() - make_interval(secs => ${seconds}::int)`;

/** Rooms with people in them whose therapist has been away for this long. */
export async function roomsWithTherapistGone(db: Queryable, seconds: number): Promise<number[]> {
  const rows = await db
    .selectDistinct({ therapistId: clients.therapistId })
    .from(clients)
    .innerJoin(rooms, eq(rooms.therapistId, clients.therapistId))
    .where(and(seated, gone(seconds)));
  return rows.map((row) => row.therapistId);
}

/** Whether the therapist of a room has been away for at least this many seconds of product time. */
export async function isTherapistGone(tx: Queryable, therapistId: number, seconds: number): Promise<boolean> {
  const found = await tx
    .select({ therapistId: rooms.therapistId })
    .from(rooms)
    .where(and(eq(rooms.therapistId, therapistId), gone(seconds)));
  return found.length > 0;
}

// ---- the codes and links of rooms

export interface LobbyRow {
  therapistId: number;
  firstName: string;
}

/** The therapist's link and name, shown to the therapist and their clients. */
export async function hostOf(
  db: Queryable,
  therapistId: number,
): Promise<{ joinLink: string; firstName: string; lastName: string }> {
  const [row] = await db
    .select({ joinLink: accounts.joinLink, firstName: accounts.firstName, lastName: accounts.lastName })
    .from(accounts)
    .where(eq(accounts.id, therapistId));
  if (!row) throw new Error('a room without its therapist');
  return row;
}

/** An account whose deletion is due lets nobody in, although the job that deletes it may come minutes later. */
const isKept = sql`(${accounts.deletesAt} IS NULL OR ${accounts.deletesAt} > product_now())`;

/** The room of a join link; null if no verified therapist, who is neither suspended nor deleted, has this link. */
export async function roomByLink(db: Queryable, joinLink: string): Promise<LobbyRow | null> {
  const [row] = await db
    .select({ therapistId: accounts.id, firstName: accounts.firstName })
    .from(accounts)
    .where(
      and(
        eq(accounts.joinLink, joinLink),
        sql`${accounts.suspendedAt} IS NULL`,
        isKept,
        isNotNull(accounts.emailVerifiedAt),
        sql`'ROLE_THERAPIST' = ANY(${accounts.roles})`,
      ),
    );
  return row ?? null;
}

/** The room of the code of a running live session. */
export async function roomByCode(db: Queryable, code: string): Promise<LobbyRow | null> {
  const { rows } = await db.execute<{ therapist_id: number; first_name: string }>(sql`
    SELECT a.id AS therapist_id, a.first_name FROM ${rooms} r JOIN ${accounts} a ON a.id = r.therapist_id
    JOIN live_sessions s ON s.therapist_id = r.therapist_id AND s.ended_at IS NULL
    WHERE r.code = ${code} AND a.suspended_at IS NULL AND (a.deletes_at IS NULL OR a.deletes_at > product_now())`);
  const [row] = rows;
  return row ? { therapistId: row.therapist_id, firstName: row.first_name } : null;
}

/** Therapists with a running live session, two at most. Their codes can be guessed. */
export async function therapistsAtWork(db: Queryable): Promise<number[]> {
  const { rows } = await db.execute<{ therapist_id: number }>(
    sql`SELECT therapist_id FROM live_sessions WHERE ended_at IS NULL LIMIT 2`,
  );
  return rows.map((row) => row.therapist_id);
}

/** Maximum number of former codes and links kept for a therapist; codes are kept for a day. */
const FORMER_MAX = 50;

/**
 * Keeps a code or link that was renewed, so that a try with it is reported to its owner. Deletes old and excess ones.
 */
export async function insertFormerWayIn(
  tx: Queryable,
  kind: 'code' | 'link',
  way: string,
  therapistId: number,
): Promise<void> {
  const values = { kind, way, therapistId };
  // A code may be used again; the last owner counts.
  await tx
    .insert(formerWaysIn)
    .values(values)
    .onConflictDoUpdate({ target: [formerWaysIn.kind, formerWaysIn.way], set: { therapistId, endedAt: productNow } });
  const mine = eq(formerWaysIn.therapistId, therapistId);
  const old = and(eq(formerWaysIn.kind, 'code'), lt(formerWaysIn.endedAt, sql`product_now() - interval '1 day'`));
  const kept = tx
    .select({ way: formerWaysIn.way })
    .from(formerWaysIn)
    .where(mine)
    .orderBy(desc(formerWaysIn.endedAt))
    .limit(FORMER_MAX);
  await tx.delete(formerWaysIn).where(and(mine, or(old, notInArray(formerWaysIn.way, kept))));
}

/** The therapist whose code or link this was; null if there is none. */
export async function ownerOfFormerWayIn(db: Queryable, kind: 'code' | 'link', way: string): Promise<number | null> {
  const [row] = await db
    .select({ therapistId: formerWaysIn.therapistId })
    .from(formerWaysIn)
    .where(and(eq(formerWaysIn.kind, kind), eq(formerWaysIn.way, way)));
  return row?.therapistId ?? null;
}

// ---- roles

/** Roles of a room, oldest first. */
export async function rolesOfRoom(db: Queryable, therapistId: number): Promise<RoleRow[]> {
  return db
    .select({ clientId: roles.clientId, figureId: roles.figureId, active: roles.active })
    .from(roles)
    .where(eq(roles.therapistId, therapistId))
    .orderBy(asc(roles.givenAt), asc(roles.figureId));
}

/** Roles of these clients, oldest first. */
export async function rolesOfClients(db: Queryable, clientIds: readonly number[]): Promise<RoleRow[]> {
  if (clientIds.length === 0) return [];
  return db
    .select({ clientId: roles.clientId, figureId: roles.figureId, active: roles.active })
    .from(roles)
    .where(inArray(roles.clientId, [...clientIds]))
    .orderBy(asc(roles.givenAt), asc(roles.figureId));
}

/**
 * Whether the figure is on that therapist's field. Written as SQL text, because the field imports the clients and not
 * the other way round.
 */
export async function isFigureOf(tx: Queryable, therapistId: number, figureId: number): Promise<boolean> {
  return (
    (await tx.execute(sql`SELECT 1 FROM figures WHERE id = ${figureId} AND therapist_id = ${therapistId}`)).rows
      .length > 0
  );
}

/** Writes that a client holds the role of a figure. */
export async function insertRole(
  tx: Queryable,
  role: { therapistId: number; clientId: number; figureId: number; active: boolean },
): Promise<void> {
  await tx.insert(roles).values(role);
}

/** Takes the role of a figure from a client. */
export async function deleteRole(tx: Queryable, clientId: number, figureId: number): Promise<void> {
  await tx.delete(roles).where(and(eq(roles.clientId, clientId), eq(roles.figureId, figureId)));
}

/** Takes all roles from these clients. */
export async function deleteRolesOf(tx: Queryable, clientIds: readonly number[]): Promise<void> {
  if (clientIds.length > 0) await tx.delete(roles).where(inArray(roles.clientId, [...clientIds]));
}

/** Forgets the roles of people of a room who are away, so that these do not come back with them. */
export async function forgetFormerRoles(tx: Queryable, therapistId: number): Promise<void> {
  await tx
    .update(clients)
    .set({ formerRoles: [] })
    .where(and(eq(clients.therapistId, therapistId), eq(clients.state, 'away')));
}

/**
 * Makes one role of a client the active one, or none. Two steps, because the index allows one active role per client.
 */
export async function activate(tx: Queryable, clientId: number, figureId: number | null): Promise<void> {
  await tx
    .update(roles)
    .set({ active: false })
    .where(and(eq(roles.clientId, clientId), roles.active));
  if (figureId !== null)
    await tx
      .update(roles)
      .set({ active: true })
      .where(and(eq(roles.clientId, clientId), eq(roles.figureId, figureId)));
}

/** Marks one client of the room as selected, or none. */
export async function select(tx: Queryable, therapistId: number, clientId: number | null): Promise<void> {
  await tx
    .update(clients)
    .set({ selected: false })
    .where(and(eq(clients.therapistId, therapistId), clients.selected));
  if (clientId !== null) await tx.update(clients).set({ selected: true }).where(eq(clients.id, clientId));
}
