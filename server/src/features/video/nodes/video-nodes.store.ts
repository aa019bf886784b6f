/** Rows of `video_owners` and `video_tickets`, which a service of several nodes has alone. */
import { and, eq, inArray, or, type SQL, sql } from 'drizzle-orm';
import { TICKET_SECONDS } from '@fieldroom/contract/video';
import type { Queryable } from '../../../platform/db/db.ts';
import { newToken } from '../../../platform/tokens.ts';
import type { HandedOver } from '../gateway/rooms.ts';
import { videoOwners, videoRooms, videoTickets } from '../video.tables.ts';
import { type Member, TICKETS_A_PERSON } from '../members/tickets.ts';

// ---- who has a room

/**
 * Gives the room to this node unless one of the given nodes has it; of two that come at once the second waits for the
 * first. Returns whether it is the first that has it in this live session; null when another has it.
 */
export async function takeRoom(
  db: Queryable,
  therapistId: number,
  node: string,
  mayLive: SQL,
): Promise<{ isFirst: boolean } | null> {
  const { rows } = await db.execute<{ is_first: boolean }>(sql`
    WITH before AS (SELECT FROM ${videoOwners} WHERE therapist_id = ${therapistId})
    INSERT INTO ${videoOwners} (therapist_id, node_id) VALUES (${therapistId}, ${node})
    ON CONFLICT (therapist_id) DO UPDATE SET node_id = excluded.node_id
      WHERE ${videoOwners.nodeId} IS NULL OR ${videoOwners.nodeId} = ${node} OR ${videoOwners.nodeId} NOT IN (${mayLive})
    RETURNING NOT EXISTS (SELECT FROM before) AS is_first`);
  return rows[0] === undefined ? null : { isFirst: rows[0].is_first };
}

const handedOver = { flows: videoOwners.flows, muted: videoOwners.muted, offered: videoOwners.offered };

/** Which of these nodes has the room, and whether it carries anything; null when there is none. */
export async function findOwner(
  db: Queryable,
  therapistId: number,
  mayLive: SQL,
): Promise<{ nodeId: string | null; flows: boolean } | null> {
  const [row] = await db
    .select({ nodeId: videoOwners.nodeId, flows: videoOwners.flows })
    .from(videoOwners)
    .where(and(eq(videoOwners.therapistId, therapistId), sql`${videoOwners.nodeId} IN (${mayLive})`));
  return row ?? null;
}

/** What the node before wrote of the room; null when nobody had it in this live session. */
export async function readHandedOver(db: Queryable, therapistId: number): Promise<HandedOver | null> {
  const [row] = await db.select(handedOver).from(videoOwners).where(eq(videoOwners.therapistId, therapistId));
  return row ?? null;
}

/** Which of these rooms the node still has, and what it wrote of them, with all that is set in the room. */
export async function readOwned(db: Queryable, node: string, therapistIds: readonly number[]) {
  return db
    .select({
      therapistId: videoOwners.therapistId,
      written: handedOver,
      settings: sql<string | null>`to_jsonb(${videoRooms}.*)::text`,
    })
    .from(videoOwners)
    .leftJoin(videoRooms, eq(videoRooms.therapistId, videoOwners.therapistId))
    .where(and(eq(videoOwners.nodeId, node), inArray(videoOwners.therapistId, [...therapistIds])));
}

/** Writes what the next node has to know, if this one still has the room. Returns whether it has. */
export async function writeHandedOver(
  db: Queryable,
  therapistId: number,
  node: string,
  { flows, muted, offered }: HandedOver,
): Promise<boolean> {
  const written = await db
    .update(videoOwners)
    .set({ flows, muted: [...muted], offered })
    .where(and(eq(videoOwners.therapistId, therapistId), eq(videoOwners.nodeId, node)))
    .returning({ therapistId: videoOwners.therapistId });
  return written.length > 0;
}

/** The node has the room no longer. */
export async function releaseRoom(db: Queryable, therapistId: number, node: string): Promise<void> {
  await db
    .update(videoOwners)
    .set({ nodeId: null, flows: false })
    .where(and(eq(videoOwners.therapistId, therapistId), eq(videoOwners.nodeId, node)));
}

/** Takes their rooms from dead nodes. Returns the rooms; each is returned to one caller alone. */
export async function removeRoomsOf(db: Queryable, nodes: readonly string[], living: SQL): Promise<number[]> {
  const removed = await db
    .update(videoOwners)
    .set({ nodeId: null, flows: false })
    .where(and(inArray(videoOwners.nodeId, [...nodes]), sql`${videoOwners.nodeId} NOT IN (${living})`))
    .returning({ therapistId: videoOwners.therapistId });
  return removed.map(({ therapistId }) => therapistId);
}

/** The live session ends: nobody has the room, and its tickets are void. */
export async function removeOfRoom(tx: Queryable, therapistId: number): Promise<void> {
  await tx.delete(videoTickets).where(eq(videoTickets.therapistId, therapistId));
  await tx.delete(videoOwners).where(eq(videoOwners.therapistId, therapistId));
}

// ---- tickets

const holds = sql`${videoTickets.issuedAt} > clock_timestamp() - make_interval(secs => ${TICKET_SECONDS})`;

/** Issues a ticket. A person who holds too many loses the oldest, and all that are too old. */
export async function issueTicket(db: Queryable, member: Member): Promise<string> {
  const { token, hash } = newToken();
  await db.insert(videoTickets).values({ ...member, hash, issuedAt: sql`clock_timestamp()` });
  await db.execute(sql`
    DELETE FROM ${videoTickets} WHERE ${videoTickets.personId} = ${member.personId} AND hash NOT IN (
      SELECT hash FROM ${videoTickets} WHERE ${videoTickets.personId} = ${member.personId} AND ${holds}
      ORDER BY ${videoTickets.issuedAt} DESC LIMIT ${TICKETS_A_PERSON})`);
  return token;
}

/** The room of a ticket that holds, without using it. */
export async function findTicket(db: Queryable, hash: Buffer): Promise<number | null> {
  const [row] = await db
    .select({ therapistId: videoTickets.therapistId })
    .from(videoTickets)
    .where(and(eq(videoTickets.hash, hash), holds));
  return row?.therapistId ?? null;
}

/** Takes a ticket. Returns whom it admits; null when it is unknown, used or too old. */
export async function takeTicket(db: Queryable, hash: Buffer): Promise<Member | null> {
  const [row] = await db
    .delete(videoTickets)
    .where(eq(videoTickets.hash, hash))
    .returning({
      as: videoTickets.as,
      therapistId: videoTickets.therapistId,
      personId: videoTickets.personId,
      firefox: videoTickets.firefox,
      signIn: videoTickets.signIn,
      holds: sql<boolean>`${holds}`,
    });
  if (row === undefined || !row.holds) return null;
  const { holds: _holds, ...member } = row;
  return member;
}

/** Voids the tickets of people, or of a sign-in. */
export async function removeTickets(
  db: Queryable,
  { people = [], signIn = null }: { people?: readonly number[]; signIn?: Buffer | null },
): Promise<void> {
  const conditions = [
    ...(people.length > 0 ? [inArray(videoTickets.personId, [...people])] : []),
    ...(signIn === null ? [] : [eq(videoTickets.signIn, signIn)]),
  ];
  if (conditions.length > 0) await db.delete(videoTickets).where(or(...conditions));
}

/** Removes tickets that are too old. */
export async function removeOldTickets(db: Queryable): Promise<void> {
  await db.delete(videoTickets).where(sql`NOT (${holds})`);
}
