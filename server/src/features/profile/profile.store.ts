/**
 * Rows of the profile: the owner's part of the accounts' tables, and the changes of the address. The SQL decides all
 * deadlines, by the product's clock.
 */
import { and, desc, eq, inArray, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import { EMAIL_CHANGE_HOURS, EMAIL_RESTORE_DAYS, FORMER_SLUGS_MAX } from '@fieldroom/contract/profile';
import type { Queryable, Tx } from '../../platform/db/db.ts';
import { productNow, storedFiles } from '../../platform/platform.tables.ts';
import {
  accounts,
  accountTokens,
  formerSlugs,
  publicPages,
  signInDevices,
  signIns,
} from '../accounts/accounts.tables.ts';
import { validSignIn } from '../accounts/index.ts';
import { emailChanges } from './profile.tables.ts';

export type AccountRow = typeof accounts.$inferSelect;
export type EmailChangeRow = typeof emailChanges.$inferSelect;

const ahead = (amount: number, unit: 'hours' | 'days') => sql`product_now() + ${`${amount} ${unit}`}::interval`;

/** Finds an account by its id; null if there is none. Locks nothing. */
export async function findAccount(db: Queryable, id: number): Promise<AccountRow | null> {
  const [row] = await db.select().from(accounts).where(eq(accounts.id, id));
  return row ?? null;
}

/** Locks the row. Each change of an account's address, password or deletion takes this lock first. */
export async function lockAccount(tx: Tx, id: number): Promise<AccountRow | null> {
  const [row] = await tx.select().from(accounts).where(eq(accounts.id, id)).for('update');
  return row ?? null;
}

/** Writes the given columns of an account and leaves the others as they are. */
export async function updateAccount(tx: Queryable, id: number, values: Partial<AccountRow>): Promise<void> {
  await tx.update(accounts).set(values).where(eq(accounts.id, id));
}

// ---- the public page

/** Line and text of the public page; empty if nothing was written. */
export async function readPage(db: Queryable, accountId: number): Promise<{ line: string; about: string }> {
  const [row] = await db
    .select({ line: publicPages.line, about: publicPages.about })
    .from(publicPages)
    .where(eq(publicPages.accountId, accountId));
  return row ?? { line: '', about: '' };
}

/** Writes line and text of the public page. */
export async function writePage(
  tx: Queryable,
  accountId: number,
  page: { line: string; about: string },
): Promise<void> {
  await tx
    .insert(publicPages)
    .values({ accountId, ...page })
    .onConflictDoUpdate({ target: publicPages.accountId, set: page });
}

/** Those of the slugs that lead to somebody else's page, now or formerly. */
export async function takenSlugs(db: Queryable, slugs: readonly string[], accountId: number): Promise<Set<string>> {
  const wanted = [...slugs];
  const rows = await db
    .select({ slug: accounts.slug })
    .from(accounts)
    .where(and(inArray(accounts.slug, wanted), ne(accounts.id, accountId)))
    .unionAll(
      db
        .select({ slug: formerSlugs.slug })
        .from(formerSlugs)
        .where(and(inArray(formerSlugs.slug, wanted), ne(formerSlugs.accountId, accountId))),
    );
  return new Set(rows.map(({ slug }) => slug));
}

/** Slugs are in two tables, so only one change of a slug runs at a time. */
export async function lockSlugs(tx: Tx): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended('slugs', 0))`);
}

/** Gives an account a slug. The earlier one leads to it, and the oldest of too many becomes free. */
export async function changeSlug(tx: Tx, { id, slug: former }: AccountRow, slug: string): Promise<void> {
  await tx.delete(formerSlugs).where(and(eq(formerSlugs.slug, slug), eq(formerSlugs.accountId, id)));
  await tx.update(accounts).set({ slug }).where(eq(accounts.id, id));
  await tx.insert(formerSlugs).values({ slug: former, accountId: id });
  const kept = tx
    .select({ slug: formerSlugs.slug })
    .from(formerSlugs)
    .where(eq(formerSlugs.accountId, id))
    .orderBy(desc(formerSlugs.endedAt), desc(formerSlugs.slug))
    .limit(FORMER_SLUGS_MAX);
  await tx.delete(formerSlugs).where(and(eq(formerSlugs.accountId, id), sql`${formerSlugs.slug} NOT IN ${kept}`));
}

// ---- the picture

/** The picture of a therapist with a public page; null if there is none. */
export async function findPublicPicture(db: Queryable, accountId: number): Promise<string | null> {
  const [row] = await db
    .select({ pictureFile: accounts.pictureFile })
    .from(accounts)
    .where(
      and(
        eq(accounts.id, accountId),
        isNotNull(accounts.emailVerifiedAt),
        isNull(accounts.suspendedAt),
        isNull(accounts.deletesAt),
        sql`'ROLE_THERAPIST' = ANY(${accounts.roles})`,
      ),
    );
  return row?.pictureFile ?? null;
}

// ---- devices

export interface DeviceRow {
  readonly id: string;
  readonly tokenHash: Buffer;
  readonly browser: string | null;
  readonly system: string | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}

/** The valid sign-ins of an account, the last used first. */
export async function readDevices(db: Queryable, accountId: number): Promise<DeviceRow[]> {
  return db
    .select({
      id: signIns.deviceId,
      tokenHash: signIns.tokenHash,
      browser: signIns.browser,
      system: signIns.system,
      createdAt: signIns.createdAt,
      lastUsedAt: signIns.lastUsedAt,
    })
    .from(signIns)
    .where(and(eq(signIns.accountId, accountId), validSignIn))
    .orderBy(desc(signIns.lastUsedAt), desc(signIns.createdAt), signIns.deviceId);
}

/** Ends a sign-in by its device. Returns the hash of its token; null if there is none. */
export async function endDevice(tx: Queryable, accountId: number, deviceId: string): Promise<Buffer | null> {
  const [row] = await tx
    .update(signIns)
    .set({ endedAt: productNow })
    .where(and(eq(signIns.accountId, accountId), eq(signIns.deviceId, deviceId), validSignIn))
    .returning({ tokenHash: signIns.tokenHash });
  return row?.tokenHash ?? null;
}

/**
 * Ends the sign-ins of an account except one, forgets its known browsers, and ends the links that reset the password.
 * Returns the hashes of the tokens that ended.
 */
export async function endOtherSignIns(tx: Tx, accountId: number, kept: Buffer | null): Promise<Buffer[]> {
  const rows = await tx
    .update(signIns)
    .set({ endedAt: productNow })
    .where(
      and(
        eq(signIns.accountId, accountId),
        isNull(signIns.endedAt),
        kept === null ? undefined : ne(signIns.tokenHash, kept),
      ),
    )
    .returning({ tokenHash: signIns.tokenHash });
  await tx.delete(signInDevices).where(eq(signInDevices.accountId, accountId));
  await tx
    .update(accountTokens)
    .set({ usedAt: productNow })
    .where(and(eq(accountTokens.accountId, accountId), isNull(accountTokens.usedAt)));
  return rows.map(({ tokenHash }) => tokenHash);
}

/** A token with which a new password is set within an hour. */
export async function insertResetToken(tx: Tx, accountId: number, hash: Buffer): Promise<void> {
  await tx
    .insert(accountTokens)
    .values({ tokenHash: hash, accountId, purpose: 'reset', expiresAt: ahead(1, 'hours') as never });
}

// ---- changes of the address

const isOpen = and(isNull(emailChanges.endedAt), sql`${emailChanges.expiresAt} > product_now()`);

/** The request for another address whose link is not opened yet; null if there is none. */
export async function findOpenChange(db: Queryable, accountId: number): Promise<EmailChangeRow | null> {
  const [row] = await db
    .select()
    .from(emailChanges)
    .where(and(eq(emailChanges.accountId, accountId), isOpen));
  return row ?? null;
}

/**
 * Stores a request for another address, whose link is valid for EMAIL_CHANGE_HOURS. An account has at most one open
 * request.
 */
export async function insertChange(
  tx: Tx,
  change: Pick<EmailChangeRow, 'accountId' | 'oldEmail' | 'newEmail' | 'tokenHash' | 'askedBy'>,
): Promise<EmailChangeRow> {
  const [row] = await tx
    .insert(emailChanges)
    .values({ ...change, expiresAt: ahead(EMAIL_CHANGE_HOURS, 'hours') as never })
    .returning();
  return row!;
}

/** Gives the open change another link. */
export async function renewChange(tx: Tx, id: number, tokenHash: Buffer): Promise<EmailChangeRow> {
  const [row] = await tx
    .update(emailChanges)
    .set({ tokenHash, expiresAt: ahead(EMAIL_CHANGE_HOURS, 'hours') as never })
    .where(eq(emailChanges.id, id))
    .returning();
  return row!;
}

/** Ends the request for another address, if one is open. */
export async function endOpenChange(tx: Queryable, accountId: number): Promise<void> {
  await tx
    .update(emailChanges)
    .set({ endedAt: productNow })
    .where(and(eq(emailChanges.accountId, accountId), isNull(emailChanges.endedAt)));
}

/** The open change of a link; null if the link is unknown, used or too old. */
export async function findChangeByToken(db: Queryable, tokenHash: Buffer): Promise<EmailChangeRow | null> {
  const [row] = await db
    .select()
    .from(emailChanges)
    .where(and(eq(emailChanges.tokenHash, tokenHash), isOpen));
  return row ?? null;
}

/** The confirmed change that a link to the old address can undo; null if the link is unknown, used or too old. */
export async function findRestorable(db: Queryable, restoreHash: Buffer): Promise<EmailChangeRow | null> {
  const [row] = await db
    .select()
    .from(emailChanges)
    .where(and(eq(emailChanges.restoreHash, restoreHash), sql`${emailChanges.restorableUntil} > product_now()`));
  return row ?? null;
}

/** Writes that a change was confirmed. The link of the old address can undo it for EMAIL_RESTORE_DAYS. */
export async function markConfirmed(tx: Tx, id: number, restoreHash: Buffer): Promise<void> {
  await tx
    .update(emailChanges)
    .set({
      confirmedAt: productNow,
      endedAt: productNow,
      restoreHash,
      restorableUntil: ahead(EMAIL_RESTORE_DAYS, 'days') as never,
    })
    .where(eq(emailChanges.id, id));
}

/** Ends the links that undo this change or a later one, and an open request. */
export async function endChangesFrom(tx: Tx, { accountId, id }: EmailChangeRow): Promise<void> {
  await tx
    .update(emailChanges)
    .set({ restorableUntil: null, endedAt: sql`coalesce(${emailChanges.endedAt}, product_now())` })
    .where(and(eq(emailChanges.accountId, accountId), sql`${emailChanges.id} >= ${id}`));
}

/** Whether somebody else has an address. An account whose address was never verified does not count. */
export async function isTaken(db: Queryable, emailNormalized: string, exceptId: number): Promise<boolean> {
  const [row] = await db
    .select({ id: accounts.id })
    .from(accounts)
    .where(
      and(
        eq(accounts.emailNormalized, emailNormalized),
        ne(accounts.id, exceptId),
        isNotNull(accounts.emailVerifiedAt),
      ),
    );
  return row !== undefined;
}

/** Removes a registration of this address that nobody verified: the address has just been proved by somebody else. */
export async function dropUnverified(tx: Tx, emailNormalized: string, exceptId: number): Promise<void> {
  await tx
    .delete(accounts)
    .where(
      and(eq(accounts.emailNormalized, emailNormalized), ne(accounts.id, exceptId), isNull(accounts.emailVerifiedAt)),
    );
}

/** Removes changes that can no longer be confirmed or undone. Returns their number. */
export async function removeOldChanges(db: Queryable): Promise<number> {
  const { rowCount } = await db
    .delete(emailChanges)
    .where(
      sql`coalesce(${emailChanges.restorableUntil}, ${emailChanges.expiresAt}) < product_now() - interval '1 day'`,
    );
  return rowCount ?? 0;
}

/** The files of an account; the files' sweep removes their bytes. */
export async function removeFiles(tx: Tx, ownerId: number): Promise<void> {
  await tx.delete(storedFiles).where(eq(storedFiles.ownerId, ownerId));
}
