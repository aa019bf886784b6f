/** Rows of bookings, their tokens and handles; and the calls of `take_holds`, which migration 0005 explains. */
import { and, asc, eq, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import type { Language } from '@fieldroom/contract/text';
import { outboxLetters, productNow } from '../../platform/platform.tables.ts';
import type { Db, Queryable, Tx } from '../../platform/db/db.ts';
import { bookingHandles, bookings, bookingTokens } from './bookings.tables.ts';
import type { BookingRow } from './bookings.types.ts';

export type HandleRow = typeof bookingHandles.$inferSelect;
export type Purpose = (typeof bookingTokens.$inferSelect)['purpose'];
export type LetterRow = typeof outboxLetters.$inferInsert & { readonly id: string };

/** What an event itself says against a booking, whoever books. */
export const REFUSALS = ['not_found', 'event_cancelled', 'event_closed', 'event_full', 'event_holds_full'] as const;
export type Refusal = (typeof REFUSALS)[number];
export const isRefusal = (verdict: Verdict): verdict is Refusal => (REFUSALS as readonly string[]).includes(verdict);
export type Verdict = Refusal | 'held' | 'known' | 'too_many_holds' | 'stale' | 'busy';

/** Somebody who wants a place, as the database takes it; hashes of what the person gets. */
export interface HoldRequest {
  readonly eventId: number;
  /** Of the event that the letter was written by; null where the caller has the event locked. */
  readonly version: string | null;
  readonly source: Buffer;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly emailNormalized: string;
  readonly phone: string;
  readonly language: string;
  readonly heldUntil: Date;
  readonly extended: boolean;
  readonly tokenHash: Buffer;
  readonly handleHash: Buffer;
  /** The live booking of this address, as it was when the letter was put together: the letter is about it. */
  readonly live: LiveBooking | null;
  /** Null sends none. In its words `mark` stands for the token; one `words` may be shared by many. */
  readonly letter: {
    readonly words: Words;
    readonly token: string;
    readonly id: string;
    readonly messageId: string;
  } | null;
}

/** What letters about one event in one language have in common. */
export interface Words {
  readonly mark: string;
  readonly row: LetterRow;
}

/** A live booking of somebody who tries to book once more. */
export interface LiveBooking {
  readonly id: number;
  readonly eventId: number;
  readonly emailNormalized: string;
  /** As its owner wrote it; letters go there. */
  readonly email: string;
  readonly language: Language;
  /** Until when it is held, as the database writes it; null for a confirmed one. */
  readonly heldUntil: string | null;
}

/** For columns that take the time of the statement. */
export const now = productNow as never;
/** For `sequence`, one up with each calendar file that changes entries. */
export const oneMore = sql`${bookings.sequence} + 1`;

const hex = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;

/**
 * Takes places for many at once, each with booking, token, handle and letter in the one statement. In: open holds of a
 * source at most (null: any number), and whether to wait for events that others have locked. Out: verdicts in the order asked.
 */
export async function takeHolds(
  on: Queryable,
  requests: readonly HoldRequest[],
  { openMax, patient }: { openMax: number | null; patient: boolean },
): Promise<Verdict[]> {
  const words = [...new Set(requests.flatMap(({ letter }) => (letter === null ? [] : [letter.words])))];
  const items = requests.map((request, index) => ({
    n: index + 1,
    event_id: request.eventId,
    version: request.version,
    source: hex(request.source),
    first_name: request.firstName,
    last_name: request.lastName,
    email: request.email,
    email_normalized: request.emailNormalized,
    phone: request.phone,
    language: request.language,
    held_until: request.heldUntil.toISOString(),
    extended: request.extended,
    token_hash: hex(request.tokenHash),
    handle_hash: hex(request.handleHash),
    ...(request.live === null
      ? {}
      : { live_id: request.live.id, live_until: request.live.heldUntil, letter_to: request.live.email }),
    ...(request.letter === null
      ? {}
      : {
          words: words.indexOf(request.letter.words) + 1,
          token: request.letter.token,
          letter_id: request.letter.id,
          message_id: request.letter.messageId,
        }),
  }));
  const letters = words.map(({ mark, row }, index) => ({
    n: index + 1,
    kind: row.kind,
    language: row.language,
    reply_to: row.replyTo ?? null,
    subject: row.subject,
    text: row.text,
    html: row.html,
    mark,
    sent: row.sentAt !== undefined,
  }));
  const { rows } = await on.execute<{ n: number; verdict: Verdict }>(
    sql`SELECT n, verdict FROM take_holds(${JSON.stringify(items)}::jsonb, ${JSON.stringify(letters)}::jsonb, ${openMax}::integer, ${patient}::boolean)`,
  );
  const verdicts: Verdict[] = [];
  for (const { n, verdict } of rows) verdicts[n - 1] = verdict;
  return verdicts;
}

/** Version of what a letter about an event tells; null where it can't be booked at all. Read before the event itself. */
export async function readVersion(on: Queryable, eventId: number): Promise<string | null> {
  const { rows } = await on.execute<{ version: string }>(
    sql`SELECT version FROM bookable_events WHERE id = ${eventId}`,
  );
  return rows[0]?.version ?? null;
}

export interface Standing {
  readonly id: number;
  /** What the event says but for its places; null for nothing. */
  readonly refusal: Refusal | null;
  readonly places: number;
  /** Decoys among them. */
  readonly held: number;
  readonly confirmed: number;
}

// drizzle keeps the pool it was made of, but its type tells so only where it is made.
const poolOf = (db: Db) => (db as unknown as { readonly $client: pg.Pool }).$client;
const dialect = new PgDialect();

/** Asks outside of transactions what a crowd waits for: prepared under a name, as reading and planning such a statement costs more than running it. */
async function readNamed<T extends pg.QueryResultRow>(db: Db, name: string, query: SQL): Promise<T[]> {
  const { sql: text, params } = dialect.sqlToQuery(query);
  return (await poolOf(db).query<T>({ name, text, values: params })).rows;
}

/** How events stand at this moment; those that can't be booked at all are left out. */
export function readStanding(db: Db, eventIds: readonly number[]): Promise<Standing[]> {
  return readNamed(
    db,
    'bookings_standing',
    sql`SELECT e.id, e.refusal, e.places, c.held + c.decoys AS held, c.confirmed FROM bookable_events e CROSS JOIN LATERAL booking_counts(e.id) c WHERE e.id = ANY (${sql.param([...eventIds])}::bigint[])`,
  );
}

// Live bookings as the clock has it, for those who only look. As a subquery the time is asked for once and not for each row.
const isLive = sql`(${bookings.state} = 'CONFIRMED' OR (${bookings.state} = 'HELD' AND ${bookings.heldUntil} > (SELECT product_now())))`;

type Person = Pick<LiveBooking, 'eventId' | 'emailNormalized'>;
const liveOf = (people: readonly Person[]) => sql`
    SELECT ${bookings.id} AS id, ${bookings.eventId} AS "eventId", ${bookings.emailNormalized} AS "emailNormalized", ${bookings.email} AS email, ${bookings.language} AS language,
           CASE WHEN ${bookings.state} = 'HELD' THEN ${bookings.heldUntil}::text END AS "heldUntil"
      FROM unnest(${sql.param(people.map(({ eventId }) => eventId))}::bigint[], ${sql.param(people.map(({ emailNormalized }) => emailNormalized))}::text[]) AS asked(event_id, email)
      JOIN ${bookings} ON ${bookings.eventId} = asked.event_id AND ${bookings.emailNormalized} = asked.email AND ${bookings.state} IN ('HELD', 'CONFIRMED')
     WHERE ${isLive}`;

/** The live bookings of people at events. */
export const readLiveOf = (db: Db, people: readonly Person[]): Promise<LiveBooking[]> =>
  readNamed(db, 'bookings_live_of', liveOf(people));

/** The same within a transaction. */
export async function findLiveOf(tx: Tx, people: readonly Person[]): Promise<LiveBooking[]> {
  return (await tx.execute<LiveBooking & Record<string, unknown>>(liveOf(people))).rows;
}

export async function findBooking(on: Queryable, id: number): Promise<BookingRow | null> {
  const [row] = await on.select().from(bookings).where(eq(bookings.id, id));
  return row ?? null;
}

/** Live bookings of events, in the order they were made. */
export function readLive(on: Queryable, eventIds: readonly number[]): Promise<BookingRow[]> {
  return on
    .select()
    .from(bookings)
    .where(and(inArray(bookings.eventId, [...eventIds]), inArray(bookings.state, ['HELD', 'CONFIRMED']), isLive))
    .orderBy(asc(bookings.createdAt), asc(bookings.id));
}

// ---- under the event's lock

/**
 * Marks the holds of an event that are over. First thing under the event's lock: from then on states alone decide, so that a
 * hold that ends between two statements is not seen in two ways.
 */
export async function expire(tx: Tx, eventId: number): Promise<void> {
  await tx
    .update(bookings)
    .set({ state: 'EXPIRED', endedAt: sql`${bookings.heldUntil}`, endedBy: 'time' })
    .where(and(eq(bookings.eventId, eventId), eq(bookings.state, 'HELD'), sql`${bookings.heldUntil} <= product_now()`));
}

const hasPlace = inArray(bookings.state, ['HELD', 'CONFIRMED']);

/** How many places of the event are taken. */
export async function countTaken(tx: Tx, eventId: number): Promise<number> {
  const [row] = await tx
    .select({ taken: sql<number>`count(*)` })
    .from(bookings)
    .where(and(eq(bookings.eventId, eventId), hasPlace));
  return row!.taken;
}

/** How many places of the event the public sees taken that nobody has. */
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

export async function insertBooking(tx: Tx, values: typeof bookings.$inferInsert): Promise<BookingRow> {
  const [row] = await tx.insert(bookings).values(values).returning();
  return row!;
}

export async function updateBooking(
  tx: Tx,
  id: number,
  values: Parameters<ReturnType<Tx['update']>['set']>[0] & object,
): Promise<BookingRow> {
  const [row] = await tx.update(bookings).set(values).where(eq(bookings.id, id)).returning();
  return row!;
}

// ---- tokens

export async function insertToken(tx: Tx, tokenHash: Buffer, bookingId: number, purpose: Purpose): Promise<void> {
  await tx.insert(bookingTokens).values({ tokenHash, bookingId, purpose });
}

/** A letter about a booking with the token that stands in it. Without a booking the same statement writes nothing. */
export async function insertLetterAbout(
  tx: Tx,
  bookingId: number | null,
  letter: LetterRow,
  { tokenHash, purpose }: { tokenHash: Buffer; purpose: Purpose },
): Promise<void> {
  await tx.execute(sql`
    WITH about AS MATERIALIZED (SELECT ${bookingId}::bigint AS id),
    tokened AS (INSERT INTO ${bookingTokens} (token_hash, booking_id, purpose) SELECT ${tokenHash}::bytea, id, ${purpose} FROM about WHERE id IS NOT NULL)
    INSERT INTO ${outboxLetters} (id, message_id, kind, language, to_address, subject, text, html, about, sent_at)
    SELECT ${letter.id}::uuid, ${letter.messageId}, ${letter.kind}, ${letter.language}, ${letter.to}, ${letter.subject}, ${letter.text}, ${letter.html}, 'booking ' || id, CASE WHEN ${letter.sentAt !== undefined}::boolean THEN product_now() END
      FROM about WHERE id IS NOT NULL`);
}

/** The booking that a token of this purpose belongs to; none for people whose data was taken away. */
export async function findByToken(on: Queryable, tokenHash: Buffer, purpose: Purpose): Promise<BookingRow | null> {
  const [row] = await on
    .select({ booking: bookings })
    .from(bookingTokens)
    .innerJoin(bookings, eq(bookings.id, bookingTokens.bookingId))
    .where(and(eq(bookingTokens.tokenHash, tokenHash), eq(bookingTokens.purpose, purpose), isNull(bookings.erasedAt)));
  return row?.booking ?? null;
}

// ---- handles

export async function findHandle(on: Queryable, handleHash: Buffer): Promise<(HandleRow & { open: boolean }) | null> {
  const [row] = await on
    .select({ handle: bookingHandles, open: sql<boolean>`${bookingHandles.heldUntil} > product_now()` })
    .from(bookingHandles)
    .where(eq(bookingHandles.handleHash, handleHash));
  return row ? { ...row.handle, open: row.open } : null;
}

export async function useHandle(tx: Tx, handleHash: Buffer): Promise<void> {
  await tx.update(bookingHandles).set({ usedAt: productNow }).where(eq(bookingHandles.handleHash, handleHash));
}

/** Makes a hold longer, once; nothing happens to what is held no more, was made longer before, or is none. */
export async function extendHold(tx: Tx, bookingId: number | null, heldUntil: Date): Promise<void> {
  await tx
    .update(bookings)
    .set({ heldUntil, extended: true })
    .where(and(sql`${bookings.id} = ${bookingId}::bigint`, eq(bookings.state, 'HELD'), eq(bookings.extended, false)));
}

/** Ends what is held still, with its tokens, because its address is corrected. Out: its id; null where there was nothing to end. */
export async function endHold(tx: Tx, bookingId: number | null): Promise<number | null> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    WITH ended AS (UPDATE ${bookings} SET state = 'CANCELLED', ended_at = product_now(), ended_by = 'client' WHERE id = ${bookingId}::bigint AND state = 'HELD' RETURNING id),
    forgotten AS (DELETE FROM ${bookingTokens} USING ended WHERE booking_id = ended.id)
    SELECT id FROM ended`);
  return rows[0]?.id ?? null;
}

export async function insertHandle(tx: Tx, values: typeof bookingHandles.$inferInsert): Promise<void> {
  await tx.insert(bookingHandles).values(values);
}

// ---- retention (PRODUCT 12)

const EMPTY = { firstName: '', lastName: '', email: '', emailNormalized: '', phone: '', erasedAt: productNow as never };

/** Takes names, addresses and numbers away from bookings that ended before `days`, with what leads to them; the rows stay as numbers. Out: how many. */
export async function eraseEnded(tx: Tx, days: number): Promise<number> {
  const long = sql`product_now() - make_interval(days => ${days})`;
  await tx
    .update(bookings)
    .set({ state: 'EXPIRED', endedAt: sql`${bookings.heldUntil}`, endedBy: 'time' })
    .where(and(eq(bookings.state, 'HELD'), sql`${bookings.heldUntil} < ${long}`));
  const rows = await tx
    .update(bookings)
    .set(EMPTY)
    .where(
      and(
        isNull(bookings.erasedAt),
        inArray(bookings.state, ['EXPIRED', 'DECLINED', 'CANCELLED']),
        sql`${bookings.createdAt} < ${long}`,
        sql`${bookings.endedAt} < ${long}`,
      ),
    )
    .returning({ id: bookings.id });
  if (rows.length > 0)
    await tx
      .delete(bookingTokens)
      .where(sql`${bookingTokens.bookingId} = ANY (${sql.param(rows.map(({ id }) => id))}::bigint[])`);
  return rows.length;
}

/** Removes handles of people who booked longer ago; they can do nothing any more. */
export async function removeHandles(on: Queryable, days: number): Promise<void> {
  await on
    .delete(bookingHandles)
    .where(lt(bookingHandles.createdAt, sql`product_now() - make_interval(days => ${days})`));
}
