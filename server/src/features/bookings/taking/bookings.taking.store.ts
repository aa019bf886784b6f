/** Taking places: the call of `take_holds` (take_holds.sql), what is read before it, and handles. */
import { and, eq, gt, inArray, or, type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type pg from 'pg';
import type { Language } from '@fieldroom/contract/text';
import { productNow } from '../../../platform/platform.tables.ts';
import type { Db, Queryable, Tx } from '../../../platform/db/db.ts';
import type { Counter } from '../../../platform/limits.ts';
import type { PreparedAddress, PreparedWords } from '../../../platform/mail/outbox.ts';
import { isLive, type Purpose } from '../bookings.store.ts';
import { bookingHandles, bookings, bookingTokens } from '../bookings.tables.ts';

/** Why an event refuses every booking. */
const REFUSALS = ['not_found', 'event_cancelled', 'event_closed', 'event_full', 'event_holds_full'] as const;
export type Refusal = (typeof REFUSALS)[number];
/** Whether a verdict refuses everybody at the event, and not only this request. */
export const isRefusal = (verdict: Verdict): verdict is Refusal => (REFUSALS as readonly string[]).includes(verdict);
export type Verdict = Refusal | 'held' | 'known' | 'too_few_places' | 'too_many_holds' | 'stale' | 'busy';

/** A request for a place, as the statement takes it. What the person gets is here as hashes. */
export interface HoldRequest {
  readonly eventId: number;
  /** Of the event when the email was composed; null if the caller has locked the event. */
  readonly version: string | null;
  readonly source: Buffer;
  readonly places: number;
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
  /** The live booking of this address when the email was composed, which is about it. */
  readonly live: LiveBooking | null;
  /**
   * The email. Its words may be shared by many; each email's token replaces their mark. It is counted with its place,
   * and omitted beyond the limits of its counters.
   */
  readonly message: PreparedAddress & {
    readonly words: PreparedWords;
    readonly token: string;
    readonly counters: readonly Counter[];
  };
}

/** A live booking of somebody who tries to book again. */
export interface LiveBooking {
  readonly id: number;
  readonly eventId: number;
  readonly emailNormalized: string;
  /** The owner's own spelling. Emails are sent to it. */
  readonly email: string;
  readonly language: Language;
  readonly places: number;
  /** The end of the hold, in the database's notation; null if it is confirmed. */
  readonly heldUntil: string | null;
}

/** As `put_prepared_emails` takes them. */
const numbered = (words: readonly PreparedWords[]) =>
  JSON.stringify(words.map((one, index) => ({ n: index + 1, ...one })));

const hex = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;

/**
 * Takes places for many people at once, each with booking, token, handle and email, in one statement. Takes the maximum
 * number of open holds of a source (null for any number), and whether to wait for events that others have locked.
 * Returns verdicts in the order of the requests.
 */
export async function takeHolds(
  on: Queryable,
  requests: readonly HoldRequest[],
  { openMax, patient }: { openMax: number | null; patient: boolean },
): Promise<Verdict[]> {
  const words = [...new Set(requests.map(({ message }) => message.words))];
  const items = requests.map((request, index) => ({
    n: index + 1,
    event_id: request.eventId,
    version: request.version,
    source: hex(request.source),
    places: request.places,
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
      : { live_id: request.live.id, live_until: request.live.heldUntil, live_email: request.live.email }),
    words: words.indexOf(request.message.words) + 1,
    token: request.message.token,
    email_id: request.message.id,
    message_id: request.message.messageId,
    counters: request.message.counters,
  }));
  const { rows } = await on.execute<{ n: number; verdict: Verdict }>(
    sql`SELECT n, verdict FROM take_holds(${JSON.stringify(items)}::jsonb, ${numbered(words)}::jsonb, ${openMax}::integer, ${patient}::boolean)`,
  );
  const verdicts: Verdict[] = [];
  for (const { n, verdict } of rows) verdicts[n - 1] = verdict;
  return verdicts;
}

/** The version of what an email about an event says; null if it cannot be booked. Read it before the event itself. */
export async function readVersion(on: Queryable, eventId: number): Promise<string | null> {
  const { rows } = await on.execute<{ version: string }>(
    sql`SELECT version FROM bookable_events WHERE id = ${eventId}`,
  );
  return rows[0]?.version ?? null;
}

export interface Standing {
  readonly id: number;
  /** Why it refuses, its places apart; null if it does not. */
  readonly refusal: Refusal | null;
  readonly places: number;
  /** With decoys. */
  readonly held: number;
  readonly confirmed: number;
}

const dialect = new PgDialect();

/**
 * Runs a query for a crowd. Under a name it is a prepared statement: parsing and planning it costs more than running
 * it.
 */
async function read<T extends pg.QueryResultRow>(db: Db, name: string | undefined, query: SQL): Promise<T[]> {
  const { sql: text, params } = dialect.sqlToQuery(query);
  return (await db.$client.query<T>({ name, text, values: params })).rows;
}

/** The current state of events. Events that cannot be booked at all are left out. */
export function readStanding(db: Db, eventIds: readonly number[]): Promise<Standing[]> {
  return read(
    db,
    'bookings_standing',
    sql`SELECT e.id, e.refusal, e.places, c.held + c.decoys AS held, c.confirmed FROM bookable_events e CROSS JOIN LATERAL booking_counts(e.id) c WHERE e.id = ANY (${sql.param([...eventIds])}::bigint[])`,
  );
}

/** Up to this many people are looked up by a prepared plan. */
const FEW_PEOPLE = 16;

type Person = Pick<LiveBooking, 'eventId' | 'emailNormalized'>;

const liveOf = (people: readonly Person[]) => sql`
    SELECT ${bookings.id} AS id, ${bookings.eventId} AS "eventId", ${bookings.emailNormalized} AS "emailNormalized", ${bookings.email} AS email, ${bookings.language} AS language, ${bookings.places} AS places,
           CASE WHEN ${bookings.state} = 'HELD' THEN ${bookings.heldUntil}::text END AS "heldUntil"
      FROM unnest(${sql.param(people.map(({ eventId }) => eventId))}::bigint[], ${sql.param(people.map(({ emailNormalized }) => emailNormalized))}::text[]) AS asked(event_id, email)
      JOIN ${bookings} ON ${bookings.eventId} = asked.event_id AND ${bookings.emailNormalized} = asked.email AND ${bookings.state} IN ('HELD', 'CONFIRMED')
     WHERE ${isLive}`;

/**
 * The live bookings of people at events. For many people it is planned each time: a prepared plan is made for a few,
 * and may compare each of them with everybody who is booked. At an event of 500 places that took 26 µs for each person
 * instead of 2.
 */
export const readLiveOf = (db: Db, people: readonly Person[]): Promise<LiveBooking[]> =>
  read(db, people.length <= FEW_PEOPLE ? 'bookings_live_of' : undefined, liveOf(people));

/** The same inside a transaction. */
export async function findLiveOf(tx: Tx, people: readonly Person[]): Promise<LiveBooking[]> {
  return (await tx.execute<LiveBooking & Record<string, unknown>>(liveOf(people))).rows;
}

/**
 * Writes an email about a booking, and the token in it, in one statement. Without a booking the same statement writes
 * nothing.
 */
export async function insertEmailAbout(
  tx: Tx,
  bookingId: number | null,
  { id, messageId, to, words }: PreparedAddress & { words: PreparedWords },
  { token, tokenHash, purpose }: { token: string; tokenHash: Buffer; purpose: Purpose },
): Promise<void> {
  const email = JSON.stringify({ n: 1, id, message_id: messageId, to, words: 1, token });
  await tx.execute(sql`
    WITH about AS MATERIALIZED (SELECT ${bookingId}::bigint AS id),
    tokened AS (INSERT INTO ${bookingTokens} (token_hash, booking_id, purpose) SELECT ${tokenHash}::bytea, id, ${purpose} FROM about WHERE id IS NOT NULL)
    SELECT put_prepared_emails(
      (SELECT jsonb_build_array(${email}::jsonb || jsonb_build_object('about', 'booking ' || id)) FROM about WHERE id IS NOT NULL),
      ${numbered([words])}::jsonb, product_now())`);
}

// ---- handles

export type HandleRow = typeof bookingHandles.$inferSelect;

/** Finds a handle by its hash, even a used one. `open` is true while its time is not over. Null if there is none. */
export async function findHandle(on: Queryable, handleHash: Buffer): Promise<(HandleRow & { open: boolean }) | null> {
  const [row] = await on
    .select({ handle: bookingHandles, open: sql<boolean>`${bookingHandles.heldUntil} > product_now()` })
    .from(bookingHandles)
    .where(eq(bookingHandles.handleHash, handleHash));
  return row ? { ...row.handle, open: row.open } : null;
}

/** Marks a handle as used: it serves one act. */
export async function useHandle(tx: Tx, handleHash: Buffer): Promise<void> {
  await tx.update(bookingHandles).set({ usedAt: productNow }).where(eq(bookingHandles.handleHash, handleHash));
}

/** Stores a handle, with what a corrected address would book with. */
export async function insertHandle(tx: Tx, values: typeof bookingHandles.$inferInsert): Promise<void> {
  await tx.insert(bookingHandles).values(values);
}

/** Extends a hold, once. Does nothing if the booking is not held, was extended before, or does not exist. */
export async function extendHold(tx: Tx, bookingId: number | null, heldUntil: Date): Promise<void> {
  await tx
    .update(bookings)
    .set({ heldUntil, extended: true })
    .where(and(sql`${bookings.id} = ${bookingId}::bigint`, eq(bookings.state, 'HELD'), eq(bookings.extended, false)));
}

/**
 * Ends a hold with its tokens, because its address is corrected. Returns its id; null if there was nothing to end.
 */
export async function endHold(tx: Tx, bookingId: number | null): Promise<number | null> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    WITH ended AS (UPDATE ${bookings} SET state = 'CANCELLED', ended_at = product_now(), ended_by = 'correction' WHERE id = ${bookingId}::bigint AND state = 'HELD' RETURNING id),
    forgotten AS (DELETE FROM ${bookingTokens} USING ended WHERE booking_id = ended.id)
    SELECT id FROM ended`);
  return rows[0]?.id ?? null;
}

/**
 * Whether the owner of an address, or the therapist, has confirmed or ended a booking at the event since a moment. A
 * hold that expired or ended by a correction counts as unanswered: otherwise it would reveal whether the address was
 * known.
 */
export async function isAnsweredSince(
  on: Queryable,
  { eventId, emailNormalized }: Person,
  since: Date,
): Promise<boolean> {
  const answered = or(
    gt(bookings.confirmedAt, since),
    and(gt(bookings.endedAt, since), inArray(bookings.endedBy, ['client', 'therapist'])),
  );
  const rows = await on
    .select({ id: bookings.id })
    .from(bookings)
    .where(and(eq(bookings.eventId, eventId), eq(bookings.emailNormalized, emailNormalized), answered))
    .limit(1);
  return rows.length > 0;
}
