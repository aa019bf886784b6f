/** Rows of bug reports. Every function takes the database or the transaction it belongs to. */
import { BUG_REPORT_DAYS, type BugReport, type BugReportState } from '@fieldroom/contract/bugReports';
import { and, desc, eq, sql } from 'drizzle-orm';
import type { Queryable } from '../../platform/db/db.ts';
import { storedFiles } from '../../platform/platform.tables.ts';
import { accounts } from '../accounts/accounts.tables.ts';
import { bugReports } from './bugReports.tables.ts';

/** Marks pictures of bug reports among the stored files. */
export const PICTURE_KIND = 'bug report';

/** Stores a report. */
export async function insertReport(tx: Queryable, values: typeof bugReports.$inferInsert): Promise<void> {
  await tx.insert(bugReports).values(values);
}

const ofState = (state: BugReportState | null) => (state === null ? undefined : eq(bugReports.state, state));

function selectReports(db: Queryable) {
  return db
    .select({ report: bugReports, email: accounts.email })
    .from(bugReports)
    .innerJoin(accounts, eq(accounts.id, bugReports.accountId));
}

function viewOf({
  report: { accountId: _account, createdAt, picture, ...shown },
  email,
}: Awaited<ReturnType<typeof selectReports>>[number]): BugReport {
  return {
    ...shown,
    createdOn: createdAt.toISOString(),
    // A client's report has the therapist's account, who did not write it.
    email: shown.reporter === 'client' ? null : email,
    hasPicture: picture !== null,
  };
}

/** One page of reports, of a state or of all; the newest first, and the id decides among equals. */
export async function readReports(
  db: Queryable,
  state: BugReportState | null,
  { limit, offset }: { limit: number; offset: number },
): Promise<BugReport[]> {
  const rows = await selectReports(db)
    .where(ofState(state))
    .orderBy(desc(bugReports.createdAt), desc(bugReports.id))
    .limit(limit)
    .offset(offset);
  return rows.map(viewOf);
}

/** The number of reports in a state, or in total (null). */
export const countReports = (db: Queryable, state: BugReportState | null): Promise<number> =>
  db.$count(bugReports, ofState(state));

/** Returns the report; null if there is none. */
export async function findReport(db: Queryable, id: number): Promise<BugReport | null> {
  const [row] = await selectReports(db).where(eq(bugReports.id, id));
  return row === undefined ? null : viewOf(row);
}

/** Returns the inner id of a report's picture; null if there is no report or no picture. */
export async function findPicture(db: Queryable, id: number): Promise<string | null> {
  const [row] = await db.select({ picture: bugReports.picture }).from(bugReports).where(eq(bugReports.id, id));
  return row?.picture ?? null;
}

/** Writes the state of a report. Does nothing if there is no such report. */
export async function writeState(db: Queryable, id: number, state: BugReportState): Promise<void> {
  await db.update(bugReports).set({ state }).where(eq(bugReports.id, id));
}

/** Deletes reports whose time is over. Returns how many. */
export async function deleteOld(tx: Queryable): Promise<number> {
  const { rowCount } = await tx
    .delete(bugReports)
    .where(sql`${bugReports.createdAt} < product_now() - make_interval(days => ${BUG_REPORT_DAYS})`);
  return rowCount ?? 0;
}

/** Deletes pictures that no report shows any more: the report was deleted, alone or with its account. */
export async function deleteUnusedPictures(tx: Queryable): Promise<void> {
  await tx
    .delete(storedFiles)
    .where(
      and(
        eq(storedFiles.kind, PICTURE_KIND),
        sql`NOT EXISTS (SELECT FROM ${bugReports} WHERE ${bugReports.picture} = ${storedFiles.id})`,
      ),
    );
}
