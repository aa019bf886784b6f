/** Rows of bookings and their tokens. What taking a place reads and writes is in taking/bookings.taking.store.ts. */
import { and, asc, eq, gt, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { productNow } from '../../platform/platform.tables.ts';
import type { Queryable, Tx } from '../../platform/db/db.ts';
import { events } from '../events/events.tables.ts';
import { bookingHandles, bookings, bookingTokens } from './bookings.tables.ts';
import type { BookingRow } from './bookings.types.ts';

export type Purpose = (typeof bookingTokens.$inferSelect)['purpose'];

/** Product time of the statement, for columns. */
export const now = productNow as never;
/** For `sequence`, which goes up with each calendar file that changes entries. Only confirmed people have one. */
export const oneMoreIfConfirmed = sql`${bookings.sequence} + (${bookings.state} = 'CONFIRMED')::integer`;

const hasPlace = inArray(bookings.state, ['HELD', 'CONFIRMED']);

/** Live bookings by the clock, for reads without a lock. In a subquery the time is read once and not for each row. */
export const isLive = sql`(${bookings.state} = 'CONFIRMED' OR (${bookings.state} = 'HELD' AND ${bookings.heldUntil} > (SELECT product_now())))`;

/** Live bookings of events that still have their names, in the order they were made. */
export function readLive(on: Queryable, eventIds: readonly number[]): Promise<BookingRow[]> {
  return on
    .select()
    .from(bookings)
    .where(
      and(
        inArray(bookings.eventId, [...eventIds]),
        inArray(bookings.state, ['HELD', 'CONFIRMED']),
        isLive,
        isNull(bookings.erasedAt),
      ),
    )
    .orderBy(asc(bookings.createdAt), asc(bookings.id));
}

/** Live bookings of an address at events that take place and are not over, the next event first. */
export async function readComingOf(on: Queryable, emailNormalized: string, max: number): Promise<BookingRow[]> {
  const rows = await on
    .select({ booking: bookings })
    .from(bookings)
    .innerJoin(events, eq(events.id, bookings.eventId))
    .where(
      and(
        eq(bookings.emailNormalized, emailNormalized),
        // By the index of live bookings; `isLive` leaves out holds that are over.
        hasPlace,
        isLive,
        isNull(bookings.erasedAt),
        eq(events.status, 'PUBLISHED'),
        isNull(events.deletedAt),
        sql`${events.endsAt} > (SELECT product_now())`,
      ),
    )
    .orderBy(asc(events.startsAt), asc(bookings.id))
    .limit(max);
  return rows.map(({ booking }) => booking);
}

/**
 * Bookings of one event for its therapist: the live ones, and until they are erased those that ended because the event
 * was cancelled.
 */
export function readOfEvent(on: Queryable, eventId: number): Promise<BookingRow[]> {
  const endedWithEvent = eq(bookings.endedBy, 'event');
  return on
    .select()
    .from(bookings)
    .where(and(eq(bookings.eventId, eventId), or(isLive, endedWithEvent), isNull(bookings.erasedAt)))
    .orderBy(asc(bookings.createdAt), asc(bookings.id));
}

// ---- under the event's lock

/**
 * Marks the holds of an event that are over. It comes first under the event's lock: from then on states alone decide,
 * so that a hold that ends between two statements is not judged twice.
 */
export async function expire(tx: Tx, eventId: number): Promise<void> {
  await tx
    .update(bookings)
    .set({ state: 'EXPIRED', endedAt: sql`${bookings.heldUntil}`, endedBy: 'time' })
    .where(and(eq(bookings.eventId, eventId), eq(bookings.state, 'HELD'), sql`${bookings.heldUntil} <= product_now()`));
}

/** How many places of the event are taken. */
export async function countTaken(tx: Tx, eventId: number): Promise<number> {
  const [row] = await tx
    .select({ taken: sql<number>`coalesce(sum(${bookings.places}), 0)::integer` })
    .from(bookings)
    .where(and(eq(bookings.eventId, eventId), hasPlace));
  return row!.taken;
}

/** Places of all events that are held and not confirmed yet. */
export async function countHeld(on: Queryable): Promise<number> {
  const [row] = await on
    .select({ held: sql<number>`coalesce(sum(${bookings.places}), 0)::integer` })
    .from(bookings)
    .where(and(eq(bookings.state, 'HELD'), sql`${bookings.heldUntil} > (SELECT product_now())`));
  return row!.held;
}

/** The number of decoys: places that the public sees as taken although nobody has them. */
export async function countDecoys(tx: Tx, eventId: number): Promise<number> {
  const { rows } = await tx.execute<{ decoys: number }>(sql`SELECT decoys FROM booking_counts(${eventId})`);
  return rows[0]!.decoys;
}

/** The live booking of a person at the event. */
export async function findLive(tx: Tx, eventId: number, emailNormalized: string): Promise<BookingRow | null> {
  const [row] = await tx
    .select()
    .from(bookings)
    .where(and(eq(bookings.eventId, eventId), eq(bookings.emailNormalized, emailNormalized), hasPlace));
  return row ?? null;
}

/** All live bookings of the event, in the order they were made. */
export function findAllLive(tx: Tx, eventId: number): Promise<BookingRow[]> {
  return tx
    .select()
    .from(bookings)
    .where(and(eq(bookings.eventId, eventId), hasPlace))
    .orderBy(asc(bookings.createdAt), asc(bookings.id));
}

/** Writes a booking and returns its row. */
export async function insertBooking(tx: Tx, values: typeof bookings.$inferInsert): Promise<BookingRow> {
  const [row] = await tx.insert(bookings).values(values).returning();
  return row!;
}

/** Writes the given values of a booking and returns the resulting row. */
export async function updateBooking(
  tx: Tx,
  id: number,
  values: Parameters<ReturnType<Tx['update']>['set']>[0] & object,
): Promise<BookingRow> {
  return (await updateBookings(tx, [{ id }], values))[0]!;
}

/** Writes the same values of several bookings and returns the resulting rows, in the same order. */
export async function updateBookings(
  tx: Tx,
  before: readonly Pick<BookingRow, 'id'>[],
  values: Parameters<ReturnType<Tx['update']>['set']>[0] & object,
): Promise<BookingRow[]> {
  const rows = await tx
    .update(bookings)
    .set(values)
    .where(
      inArray(
        bookings.id,
        before.map(({ id }) => id),
      ),
    )
    .returning();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return before.map(({ id }) => byId.get(id)!);
}

// ---- tokens

/** Stores tokens of bookings by their hashes, each for one purpose. */
export async function insertTokens(
  tx: Tx,
  tokens: readonly { tokenHash: Buffer; bookingId: number; purpose: Purpose }[],
): Promise<void> {
  await tx.insert(bookingTokens).values([...tokens]);
}

const byToken = (on: Queryable, tokenHash: Buffer, purpose: Purpose) =>
  on
    .select({ booking: bookings })
    .from(bookingTokens)
    .innerJoin(bookings, eq(bookings.id, bookingTokens.bookingId))
    .where(and(eq(bookingTokens.tokenHash, tokenHash), eq(bookingTokens.purpose, purpose), isNull(bookings.erasedAt)));

/** The booking that a token of this purpose belongs to; null if its personal data was erased. */
export async function findByToken(on: Queryable, tokenHash: Buffer, purpose: Purpose): Promise<BookingRow | null> {
  const [row] = await byToken(on, tokenHash, purpose);
  return row?.booking ?? null;
}

/** The same, locked: retention, which locks no event, cannot erase it before the transaction ends. */
export async function lockByToken(tx: Tx, tokenHash: Buffer, purpose: Purpose): Promise<BookingRow | null> {
  const [row] = await byToken(tx, tokenHash, purpose).for('no key update', { of: bookings });
  return row?.booking ?? null;
}

/** Ends holds and decoys of an event with its start, if it was moved into their time. */
export async function shortenHolds(tx: Tx, eventId: number, startsAt: Date): Promise<void> {
  await tx
    .update(bookings)
    .set({ heldUntil: startsAt })
    .where(and(eq(bookings.eventId, eventId), eq(bookings.state, 'HELD'), gt(bookings.heldUntil, startsAt)));
  await tx
    .update(bookingHandles)
    .set({ heldUntil: startsAt })
    .where(
      and(eq(bookingHandles.eventId, eventId), isNull(bookingHandles.usedAt), gt(bookingHandles.heldUntil, startsAt)),
    );
}

/** Marks everybody who may still come to an event that was moved. A hold that is over may be confirmed late. */
export async function markMoved(tx: Tx, eventId: number): Promise<void> {
  await tx
    .update(bookings)
    .set({ movedAt: now })
    .where(and(eq(bookings.eventId, eventId), inArray(bookings.state, ['HELD', 'CONFIRMED', 'EXPIRED'])));
}

// ---- retention (docs/product.md#12.4)

const EMPTY = { firstName: '', lastName: '', email: '', emailNormalized: '', phone: '', erasedAt: productNow as never };

/**
 * Erases names, addresses and phone numbers of bookings that ended more than `days` ago, and deletes their tokens. The
 * rows stay as numbers. Returns how many.
 */
export async function eraseEnded(tx: Tx, days: number): Promise<number> {
  const long = sql`product_now() - make_interval(days => ${days})`;
  /** Rows that an act has locked are left for the next time: acts lock in another order. */
  const unlocked = (which: SQL | undefined) =>
    inArray(
      bookings.id,
      tx.select({ id: bookings.id }).from(bookings).where(which).for('update', { skipLocked: true }),
    );
  await tx
    .update(bookings)
    .set({ state: 'EXPIRED', endedAt: sql`${bookings.heldUntil}`, endedBy: 'time' })
    .where(unlocked(and(eq(bookings.state, 'HELD'), sql`${bookings.heldUntil} < ${long}`)));
  const rows = await tx
    .update(bookings)
    .set(EMPTY)
    .where(
      unlocked(
        and(
          isNull(bookings.erasedAt),
          inArray(bookings.state, ['EXPIRED', 'DECLINED', 'CANCELLED']),
          sql`${bookings.createdAt} < ${long}`,
          sql`${bookings.endedAt} < ${long}`,
        ),
      ),
    )
    .returning({ id: bookings.id });
  if (rows.length > 0)
    await tx
      .delete(bookingTokens)
      .where(sql`${bookingTokens.bookingId} = ANY (${sql.param(rows.map(({ id }) => id))}::bigint[])`);
  return rows.length;
}

/** Removes handles that are older than `days` and of no further use. Returns how many. */
export async function removeHandles(on: Queryable, days: number): Promise<number> {
  const { rowCount } = await on
    .delete(bookingHandles)
    .where(lt(bookingHandles.createdAt, sql`product_now() - make_interval(days => ${days})`));
  return rowCount ?? 0;
}
