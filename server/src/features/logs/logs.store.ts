/** Rows of browser logs. Every function takes the database or the transaction it belongs to. */
import { and, asc, desc, eq, sql } from 'drizzle-orm';
import { LOG_FILES_MAX, LOGS_KEPT_DAYS, type LogDay, type LogOwner } from '@fieldroom/contract/logs';
import type { Queryable, Tx } from '../../platform/db/db.ts';
import { accounts } from '../accounts/accounts.tables.ts';
import { browserLogFiles, browserLogParts } from './logs.tables.ts';

/** A day of logs, whatever zone people are in. */
const today = sql<string>`(product_now() AT TIME ZONE 'UTC')::date`;
const secondsLeftToday = sql<number>`ceil(extract(epoch FROM
  (${today} + 1)::timestamp AT TIME ZONE 'UTC' - product_now()))::int`;

/** The person of a browser: an account's own, or a client's in the account's room. */
export interface Writer {
  readonly therapistId: number;
  readonly clientId: number | null;
}

type LogFileRow = typeof browserLogFiles.$inferSelect;

/**
 * Adds lines to today's file of a writer. Takes whole lines, their number, and the maximum bytes of the file. Returns
 * null, or the seconds until the next day if there is no space for them.
 */
export async function append(
  tx: Tx,
  { therapistId, clientId }: Writer,
  { lines, entries, bytesMax }: { lines: string; entries: number; bytesMax: number },
): Promise<number | null> {
  // Two uploads for one room would find the same number for two new files.
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`browser logs ${therapistId}`}, 0))`);
  const ofToday = and(eq(browserLogFiles.day, today), eq(browserLogFiles.therapistId, therapistId));
  const [known] = await tx
    .select()
    .from(browserLogFiles)
    .where(and(ofToday, clientId === null ? eq(browserLogFiles.number, 0) : eq(browserLogFiles.clientId, clientId)));
  if (known === undefined || known.bytes + lines.length > bytesMax) {
    const [room] = await tx
      .select({
        files: sql<number>`count(*)::int`,
        next: sql<number>`coalesce(max(${browserLogFiles.number}), 0) + 1`,
        secondsLeft: secondsLeftToday,
      })
      .from(browserLogFiles)
      .where(ofToday);
    const { files, next, secondsLeft } = room!;
    if (known !== undefined || lines.length > bytesMax || files >= LOG_FILES_MAX) return secondsLeft;
    return add(await insertFile(tx, { therapistId, clientId, number: clientId === null ? 0 : next }));
  }
  return add(known.id);

  async function add(fileId: number): Promise<null> {
    await tx.insert(browserLogParts).values({ fileId, lines });
    await tx
      .update(browserLogFiles)
      .set({
        bytes: sql`${browserLogFiles.bytes} + ${lines.length}`,
        entries: sql`${browserLogFiles.entries} + ${entries}`,
        lastAt: sql`product_now()`,
      })
      .where(eq(browserLogFiles.id, fileId));
    return null;
  }
}

async function insertFile(tx: Tx, values: Writer & { number: number }): Promise<number> {
  const [row] = await tx
    .insert(browserLogFiles)
    .values({ ...values, day: today })
    .returning({ id: browserLogFiles.id });
  return row!.id;
}

/** The lines of a file, or null if there is none. */
export async function readFile(
  db: Queryable,
  day: string,
  therapistId: number,
  number: number,
): Promise<string | null> {
  const parts = await db
    .select({ lines: browserLogParts.lines })
    .from(browserLogParts)
    .innerJoin(browserLogFiles, eq(browserLogFiles.id, browserLogParts.fileId))
    .where(
      and(
        eq(browserLogFiles.day, day),
        eq(browserLogFiles.therapistId, therapistId),
        eq(browserLogFiles.number, number),
      ),
    )
    .orderBy(asc(browserLogParts.id));
  return parts.length === 0 ? null : parts.map(({ lines }) => lines).join('');
}

/** Days with entries, the latest first, and the number of therapists and entries of each. */
export const readDays = (db: Queryable): Promise<LogDay[]> =>
  db
    .select({
      date: browserLogFiles.day,
      therapists: sql<number>`count(DISTINCT ${browserLogFiles.therapistId})::int`,
      entries: sql<number>`sum(${browserLogFiles.entries})::int`,
    })
    .from(browserLogFiles)
    .groupBy(browserLogFiles.day)
    .orderBy(desc(browserLogFiles.day));

/** The therapists with files of a day, by family name. */
export const readOwners = (db: Queryable, day: string): Promise<LogOwner[]> =>
  db
    .select({
      therapistId: accounts.id,
      firstName: accounts.firstName,
      lastName: accounts.lastName,
      files: sql<number>`count(*)::int`,
      entries: sql<number>`sum(${browserLogFiles.entries})::int`,
    })
    .from(browserLogFiles)
    .innerJoin(accounts, eq(accounts.id, browserLogFiles.therapistId))
    .where(eq(browserLogFiles.day, day))
    .groupBy(accounts.id)
    .orderBy(sql`lower(${accounts.lastName} || ' ' || ${accounts.firstName})`, accounts.id);

/** The files of a day and therapist, by number. */
export const readFiles = (db: Queryable, day: string, therapistId: number): Promise<LogFileRow[]> =>
  db
    .select()
    .from(browserLogFiles)
    .where(and(eq(browserLogFiles.day, day), eq(browserLogFiles.therapistId, therapistId)))
    .orderBy(asc(browserLogFiles.number));

/** Removes the files of days that ended longer ago than promised. Returns their number. */
export async function removeOld(db: Queryable): Promise<number> {
  const { rowCount } = await db
    .delete(browserLogFiles)
    .where(sql`${browserLogFiles.day} < ${today} - ${LOGS_KEPT_DAYS}::int`);
  return rowCount ?? 0;
}
