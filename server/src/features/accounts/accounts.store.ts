/** Rows of the accounts feature. What has a deadline is decided here, in SQL, on the product's clock. */
import { and, asc, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { randomBytes } from 'node:crypto';
import type { Language } from '@fieldroom/contract/text';
import type { Queryable as Queries } from '../../platform/db/db.ts';
import { productNow } from '../../platform/platform.tables.ts';
import {
  accountAgreements,
  accounts,
  accountSecrets,
  accountTokens,
  signInDelays,
  signIns,
  spentCaptchas,
} from './accounts.tables.ts';

export type AccountRow = typeof accounts.$inferSelect;
export type NewAccount = Pick<
  AccountRow,
  'email' | 'emailNormalized' | 'passwordHash' | 'firstName' | 'lastName' | 'gender' | 'language' | 'roles' | 'joinLink'
> &
  Partial<Pick<AccountRow, 'timeZone'>>;
export type TokenPurpose = 'verify' | 'reset';

const VERIFY_HOURS = 24;
const RESET_HOURS = 1;
const SIGN_IN_IDLE_DAYS = 7;
const SIGN_IN_DAYS = 30;
const LAST_USED_STEP_SECONDS = 60;

const ago = (amount: number, unit: 'seconds' | 'hours' | 'days') =>
  sql`product_now() - ${`${amount} ${unit}`}::interval`;
const ahead = (amount: number, unit: 'seconds' | 'hours') => sql`product_now() + ${`${amount} ${unit}`}::interval`;

// ---- accounts

export async function findAccount(db: Queries, id: number): Promise<AccountRow | null> {
  const [row] = await db.select().from(accounts).where(eq(accounts.id, id));
  return row ?? null;
}

export async function findAccountByEmail(db: Queries, emailNormalized: string): Promise<AccountRow | null> {
  const [row] = await db.select().from(accounts).where(eq(accounts.emailNormalized, emailNormalized));
  return row ?? null;
}

/** Locks the row: two registrations of one address take turns. */
export async function lockAccountByEmail(tx: Queries, emailNormalized: string): Promise<AccountRow | null> {
  const [row] = await tx.select().from(accounts).where(eq(accounts.emailNormalized, emailNormalized)).for('update');
  return row ?? null;
}

/** Out: the new row, or null where the address has an account already. */
export async function insertAccount(tx: Queries, account: NewAccount): Promise<AccountRow | null> {
  const [row] = await tx
    .insert(accounts)
    .values(account)
    .onConflictDoNothing({ target: accounts.emailNormalized })
    .returning();
  return row ?? null;
}

export async function updateAccount(
  tx: Queries,
  id: number,
  values: Partial<Pick<AccountRow, 'firstName' | 'lastName' | 'gender' | 'language' | 'passwordHash' | 'timeZone'>>,
): Promise<void> {
  await tx.update(accounts).set(values).where(eq(accounts.id, id));
}

/** Locks the row while a sign-in is made. Out: whether the password is still the one that was compared. */
export async function lockPassword(tx: Queries, id: number, passwordHash: string): Promise<boolean> {
  const [row] = await tx
    .select({ passwordHash: accounts.passwordHash })
    .from(accounts)
    .where(eq(accounts.id, id))
    .for('update');
  return row?.passwordHash === passwordHash;
}

export async function markVerified(tx: Queries, id: number): Promise<void> {
  await tx
    .update(accounts)
    .set({ emailVerifiedAt: sql`coalesce(${accounts.emailVerifiedAt}, product_now())` })
    .where(eq(accounts.id, id));
}

export async function allTherapists(db: Queries): Promise<AccountRow[]> {
  return db
    .select()
    .from(accounts)
    .where(sql`'ROLE_THERAPIST' = any(${accounts.roles})`)
    .orderBy(asc(accounts.id));
}

export async function insertAgreements(
  tx: Queries,
  accountId: number,
  agreements: readonly { kind: 'license' | 'data'; version: string; language: Language }[],
): Promise<void> {
  await tx.insert(accountAgreements).values(agreements.map((agreement) => ({ accountId, ...agreement })));
}

// ---- tokens of letters

export async function insertToken(
  tx: Queries,
  token: { hash: Buffer; accountId: number; purpose: TokenPurpose },
): Promise<void> {
  const expiresAt = ahead(token.purpose === 'verify' ? VERIFY_HOURS : RESET_HOURS, 'hours');
  await tx
    .insert(accountTokens)
    .values({ tokenHash: token.hash, accountId: token.accountId, purpose: token.purpose, expiresAt });
}

const holds = (hash: Buffer, purpose: TokenPurpose) =>
  and(
    eq(accountTokens.tokenHash, hash),
    eq(accountTokens.purpose, purpose),
    isNull(accountTokens.usedAt),
    gt(accountTokens.expiresAt, productNow),
  );

/** Whose token it is while it holds; spends nothing. */
export async function findTokenOwner(db: Queries, hash: Buffer, purpose: TokenPurpose): Promise<AccountRow | null> {
  const [row] = await db
    .select({ account: accounts })
    .from(accountTokens)
    .innerJoin(accounts, eq(accounts.id, accountTokens.accountId))
    .where(holds(hash, purpose));
  return row?.account ?? null;
}

/** Spends a token by one statement, so that of two at once one wins. Out: whose it was, or null. */
export async function spendToken(tx: Queries, hash: Buffer, purpose: TokenPurpose): Promise<number | null> {
  const [row] = await tx
    .update(accountTokens)
    .set({ usedAt: productNow })
    .where(holds(hash, purpose))
    .returning({ accountId: accountTokens.accountId });
  return row?.accountId ?? null;
}

/** Makes all open tokens of an account worthless. */
export async function endTokens(tx: Queries, accountId: number, purposes: readonly TokenPurpose[]): Promise<void> {
  await tx
    .update(accountTokens)
    .set({ usedAt: productNow })
    .where(
      and(
        eq(accountTokens.accountId, accountId),
        inArray(accountTokens.purpose, [...purposes]),
        isNull(accountTokens.usedAt),
      ),
    );
}

// ---- sign-ins

const valid = and(
  isNull(signIns.endedAt),
  gt(signIns.lastUsedAt, ago(SIGN_IN_IDLE_DAYS, 'days')),
  gt(signIns.createdAt, ago(SIGN_IN_DAYS, 'days')),
);

export async function insertSignIn(tx: Queries, hash: Buffer, accountId: number): Promise<void> {
  await tx.insert(signIns).values({ tokenHash: hash, accountId });
}

/**
 * The account of a valid sign-in. Its last use is written at most once a minute, so that a busy room costs one read a
 * request and not one write.
 */
export async function useSignIn(db: Queries, hash: Buffer): Promise<AccountRow | null> {
  const [row] = await db
    .select({
      account: accounts,
      stale: sql<boolean>`${signIns.lastUsedAt} < ${ago(LAST_USED_STEP_SECONDS, 'seconds')}`,
    })
    .from(signIns)
    .innerJoin(accounts, eq(accounts.id, signIns.accountId))
    .where(and(eq(signIns.tokenHash, hash), valid, isNull(accounts.suspendedAt)));
  if (row === undefined) return null;
  if (row.stale) {
    await db
      .update(signIns)
      .set({ lastUsedAt: productNow })
      .where(and(eq(signIns.tokenHash, hash), lt(signIns.lastUsedAt, ago(LAST_USED_STEP_SECONDS, 'seconds'))));
  }
  return row.account;
}

export async function hasValidSignIn(db: Queries, accountId: number): Promise<boolean> {
  const [row] = await db
    .select({ accountId: signIns.accountId })
    .from(signIns)
    .innerJoin(accounts, eq(accounts.id, signIns.accountId))
    .where(and(eq(signIns.accountId, accountId), valid, isNull(accounts.suspendedAt)))
    .limit(1);
  return row !== undefined;
}

export async function endSignIn(tx: Queries, hash: Buffer): Promise<void> {
  await tx
    .update(signIns)
    .set({ endedAt: productNow })
    .where(and(eq(signIns.tokenHash, hash), isNull(signIns.endedAt)));
}

export async function endAllSignIns(tx: Queries, accountId: number): Promise<void> {
  await tx
    .update(signIns)
    .set({ endedAt: productNow })
    .where(and(eq(signIns.accountId, accountId), isNull(signIns.endedAt)));
}

// ---- the delay of an address after wrong passwords

/** Tries in a row that cost no waiting. */
const FREE_TRIES = 4;
const DELAY_MAX_SECONDS = 300;
/** After this time without a try the count begins anew. */
const FORGOTTEN_AFTER_HOURS = 1;

/**
 * Counts a try before its password is looked at, so that a storm of tries at once meets the delay too; a right password
 * takes the count back (`forgetTries`). From the fifth try in a row on the next one has to wait 2, 4, 8 … 300 seconds.
 * Out: 0 = go on; else the seconds to wait, and nothing was counted.
 */
export async function countTry(db: Queries, key: Buffer): Promise<number> {
  const failures = sql`case when ${signInDelays.lastTriedAt} < ${ago(FORGOTTEN_AFTER_HOURS, 'hours')} then 1 else ${signInDelays.failures} + 1 end`;
  const seconds = sql`case when ${failures} <= ${FREE_TRIES}::int then 0 else least(${DELAY_MAX_SECONDS}::float8, power(2, least(${failures} - ${FREE_TRIES}::int, 20))) end`;
  const [counted] = await db
    .insert(signInDelays)
    .values({ key, failures: 1, lastTriedAt: productNow as never, blockedUntil: productNow as never })
    .onConflictDoUpdate({
      target: signInDelays.key,
      set: { failures, lastTriedAt: productNow, blockedUntil: sql`product_now() + ${seconds} * interval '1 second'` },
      setWhere: sql`${signInDelays.blockedUntil} <= product_now()`,
    })
    .returning({ failures: signInDelays.failures });
  if (counted !== undefined) return 0;
  const [blocked] = await db
    .select({
      seconds: sql<number>`greatest(1, ceil(extract(epoch from ${signInDelays.blockedUntil} - product_now())))::int`,
    })
    .from(signInDelays)
    .where(eq(signInDelays.key, key));
  return blocked?.seconds ?? 1;
}

export async function forgetTries(db: Queries, key: Buffer): Promise<void> {
  await db.delete(signInDelays).where(eq(signInDelays.key, key));
}

// ---- captcha and chance

/** Marks a challenge as spent unless it is late or was spent before. Out: whether it did. */
export async function spendCaptcha(db: Queries, challengeHash: Buffer, until: Date): Promise<boolean> {
  const spent = await db.execute(
    sql`insert into ${spentCaptchas} (challenge_hash, expires_at) select ${challengeHash}, ${until.toISOString()}::timestamptz where ${until.toISOString()}::timestamptz > product_now() on conflict do nothing returning challenge_hash`,
  );
  return spent.rows.length === 1;
}

/** 32 bytes that stay: made by whoever asks first, the same for all nodes and after every restart. */
export async function secretBytes(db: Queries, name: string): Promise<Buffer> {
  await db
    .insert(accountSecrets)
    .values({ name, bytes: randomBytes(32) })
    .onConflictDoNothing();
  const [row] = await db.select().from(accountSecrets).where(eq(accountSecrets.name, name));
  if (row === undefined) throw new Error(`the secret ${name} was removed while it was read`);
  return row.bytes;
}

// ---- tidying

const UNVERIFIED_KEPT_DAYS = 30;

/** Removes what has no use any more: spent and late tokens, ended sign-ins, delays, and people who never verified their address. */
export async function removeOutdated(db: Queries): Promise<void> {
  await db.delete(spentCaptchas).where(lt(spentCaptchas.expiresAt, productNow));
  await db.delete(signInDelays).where(lt(signInDelays.lastTriedAt, ago(FORGOTTEN_AFTER_HOURS, 'hours')));
  await db.delete(accountTokens).where(lt(accountTokens.expiresAt, ago(1, 'days')));
  await db
    .delete(signIns)
    .where(
      or(
        lt(signIns.endedAt, ago(1, 'days')),
        lt(signIns.lastUsedAt, ago(SIGN_IN_IDLE_DAYS, 'days')),
        lt(signIns.createdAt, ago(SIGN_IN_DAYS, 'days')),
      ),
    );
  await db
    .delete(accounts)
    .where(and(isNull(accounts.emailVerifiedAt), lt(accounts.createdAt, ago(UNVERIFIED_KEPT_DAYS, 'days'))));
}
