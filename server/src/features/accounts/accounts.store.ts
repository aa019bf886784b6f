/** Rows of the accounts feature. The SQL here decides all deadlines, by the product's clock. */
import { and, asc, eq, gt, inArray, isNull, lt, ne, notExists, or, sql } from 'drizzle-orm';
import type { Language } from '@fieldroom/contract/text';
import type { Limit } from '../../platform/config.ts';
import type { Queryable as Queries } from '../../platform/db/db.ts';
import { productNow } from '../../platform/platform.tables.ts';
import {
  accountAgreements,
  accounts,
  accountTokens,
  signInDelays,
  signInDevices,
  signIns,
  spentCaptchas,
} from './accounts.tables.ts';

export type AccountRow = typeof accounts.$inferSelect;
export type NewAccount = Pick<
  AccountRow,
  | 'email'
  | 'emailNormalized'
  | 'passwordHash'
  | 'firstName'
  | 'lastName'
  | 'gender'
  | 'language'
  | 'roles'
  | 'slug'
  | 'joinLink'
> &
  Partial<Pick<AccountRow, 'timeZone'>>;

export interface SignInDevice {
  readonly browser: string | null;
  readonly system: string | null;
}
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

/** Whether its owner may be signed in: neither suspended, nor due to be deleted (docs/product.md#3.27). */
const mayBeUsed = and(isNull(accounts.suspendedAt), or(isNull(accounts.deletesAt), gt(accounts.deletesAt, productNow)));

/** Finds an account by its id; null if there is none. */
export async function findAccount(db: Queries, id: number): Promise<AccountRow | null> {
  const [row] = await db.select().from(accounts).where(eq(accounts.id, id));
  return row ?? null;
}

/** Finds an account by its normalised email address; null if there is none. */
export async function findAccountByEmail(db: Queries, emailNormalized: string): Promise<AccountRow | null> {
  const [row] = await db.select().from(accounts).where(eq(accounts.emailNormalized, emailNormalized));
  return row ?? null;
}

/** Days after the address was verified until an account counts as proven. */
const PROVEN_AFTER_DAYS = 7;

/**
 * Whether the account of the row is proven, by product time. Anybody can become a therapist within a minute, so emails
 * from new accounts to other people are limited, and no mail program makes links of their words. Only this function
 * decides it.
 */
export const isProven = sql<boolean>`coalesce(${accounts.emailVerifiedAt} <= product_now() - make_interval(days => ${PROVEN_AFTER_DAYS}), false)`;

/** Locks the row, so that two registrations of one address take turns. */
export async function lockAccountByEmail(tx: Queries, emailNormalized: string): Promise<AccountRow | null> {
  const [row] = await tx.select().from(accounts).where(eq(accounts.emailNormalized, emailNormalized)).for('update');
  return row ?? null;
}

/** Returns the new row, or null if the address already has an account. */
export async function insertAccount(tx: Queries, account: NewAccount): Promise<AccountRow | null> {
  const [row] = await tx
    .insert(accounts)
    .values(account)
    .onConflictDoNothing({ target: accounts.emailNormalized })
    .returning();
  return row ?? null;
}

/** Writes the given columns of an account and leaves the others as they are. */
export async function updateAccount(
  tx: Queries,
  id: number,
  values: Partial<
    Pick<AccountRow, 'firstName' | 'lastName' | 'gender' | 'language' | 'passwordHash' | 'timeZone' | 'joinLink'>
  >,
): Promise<void> {
  await tx.update(accounts).set(values).where(eq(accounts.id, id));
}

/** Suspends or reinstates an account. A suspension keeps its first moment. */
export async function setSuspended(tx: Queries, id: number, suspended: boolean): Promise<void> {
  await tx
    .update(accounts)
    .set({ suspendedAt: suspended ? sql`coalesce(${accounts.suspendedAt}, product_now())` : null })
    .where(eq(accounts.id, id));
}

/**
 * Locks the row while somebody signs in. Returns whether the password is still the one that was compared, and the
 * account is neither suspended nor due to be deleted.
 */
export async function lockPassword(tx: Queries, id: number, passwordHash: string): Promise<boolean> {
  const [row] = await tx
    .select({ passwordHash: accounts.passwordHash })
    .from(accounts)
    .where(and(eq(accounts.id, id), mayBeUsed))
    .for('update');
  return row?.passwordHash === passwordHash;
}

/** The email address is verified. A repetition keeps the first moment. */
const VERIFIED = { emailVerifiedAt: sql`coalesce(${accounts.emailVerifiedAt}, product_now())` };

/** Writes that the email address was verified. */
export async function markVerified(tx: Queries, id: number): Promise<void> {
  await tx.update(accounts).set(VERIFIED).where(eq(accounts.id, id));
}

/** Reads the accounts of all therapists in the order of their ids, suspended ones and those to be deleted included. */
export async function allTherapists(db: Queries): Promise<AccountRow[]> {
  return db
    .select()
    .from(accounts)
    .where(sql`'ROLE_THERAPIST' = any(${accounts.roles})`)
    .orderBy(asc(accounts.id));
}

/** Writes which versions of the agreements a person accepted, with language and time (docs/product.md#3.8). */
export async function insertAgreements(
  tx: Queries,
  accountId: number,
  agreements: readonly { kind: 'license' | 'data'; version: string; language: Language }[],
): Promise<void> {
  await tx.insert(accountAgreements).values(agreements.map((agreement) => ({ accountId, ...agreement })));
}

// ---- tokens of emails

/** Stores a token of an email by its hash. It is valid for VERIFY_HOURS or RESET_HOURS, as its purpose says. */
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

/** Returns the owner of a valid token; does not use it up. */
export async function findTokenOwner(db: Queries, hash: Buffer, purpose: TokenPurpose): Promise<AccountRow | null> {
  const [row] = await db
    .select({ account: accounts })
    .from(accountTokens)
    .innerJoin(accounts, eq(accounts.id, accountTokens.accountId))
    .where(holds(hash, purpose));
  return row?.account ?? null;
}

/**
 * Proves an address by its token, and uses up all such tokens of the account, in one statement: of two calls at once
 * one wins. Returns the address, or null if the token is not valid.
 */
export async function verifyByToken(db: Queries, hash: Buffer): Promise<{ email: string } | null> {
  const spent = db
    .$with('spent')
    .as(
      db
        .update(accountTokens)
        .set({ usedAt: productNow })
        .where(holds(hash, 'verify'))
        .returning({ accountId: accountTokens.accountId }),
    );
  const owner = sql`(SELECT account_id FROM ${spent})`;
  const others = db.$with('others').as(
    db
      .update(accountTokens)
      .set({ usedAt: productNow })
      .where(
        and(
          sql`${accountTokens.accountId} = ${owner}`,
          eq(accountTokens.purpose, 'verify'),
          ne(accountTokens.tokenHash, hash),
          isNull(accountTokens.usedAt),
        ),
      )
      .returning({ accountId: accountTokens.accountId }),
  );
  const [verified] = await db
    .with(spent, others)
    .update(accounts)
    .set(VERIFIED)
    .where(sql`${accounts.id} = ${owner}`)
    .returning({ email: accounts.email });
  return verified ?? null;
}

/** Uses up a token in one statement, so that only one of two calls at once wins. Returns its owner, or null. */
export async function spendToken(tx: Queries, hash: Buffer, purpose: TokenPurpose): Promise<number | null> {
  const [row] = await tx
    .update(accountTokens)
    .set({ usedAt: productNow })
    .where(holds(hash, purpose))
    .returning({ accountId: accountTokens.accountId });
  return row?.accountId ?? null;
}

/** No second link is sent while the link in the mailbox is valid for at least this long. */
const FRESH_LINK_MINUTES = 30;

/**
 * Whether one more email with a link to set a password may go to an account; locks its row. A few a day go out at once.
 * After that, one goes out whenever no link is left that is valid for another half hour. So the owner always has a link
 * that works, and a stranger who asks all day causes only two emails an hour.
 */
export async function mayWriteReset(tx: Queries, accountId: number, { max, windowSeconds }: Limit): Promise<boolean> {
  const [row] = await tx
    .select({
      recent:
        sql<number>`count(*) FILTER (WHERE ${accountTokens.expiresAt} > ${ahead(RESET_HOURS, 'hours')} - make_interval(secs => ${windowSeconds}))`.mapWith(
          Number,
        ),
      fresh:
        sql<number>`count(*) FILTER (WHERE ${accountTokens.usedAt} IS NULL AND ${accountTokens.expiresAt} > product_now() + make_interval(mins => ${FRESH_LINK_MINUTES}))`.mapWith(
          Number,
        ),
    })
    .from(accountTokens)
    .where(and(eq(accountTokens.accountId, accountId), eq(accountTokens.purpose, 'reset')));
  return row!.recent < max || row!.fresh === 0;
}

/** Makes all open tokens of an account invalid. */
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

/** Whether the sign-in of a row is still valid, by product time. */
export const validSignIn = and(
  isNull(signIns.endedAt),
  gt(signIns.lastUsedAt, ago(SIGN_IN_IDLE_DAYS, 'days')),
  gt(signIns.createdAt, ago(SIGN_IN_DAYS, 'days')),
);

/** Stores a new sign-in: the SHA-256 of its token, the account, and what is known of the device. */
export async function insertSignIn(tx: Queries, hash: Buffer, accountId: number, device: SignInDevice): Promise<void> {
  await tx.insert(signIns).values({ tokenHash: hash, accountId, ...device });
}

/** The statement that every call of a signed-in person needs: made once, and parsed once by each connection. */
const findSignIn = (db: Queries) =>
  db
    .select({
      account: accounts,
      stale: sql<boolean>`${signIns.lastUsedAt} < ${ago(LAST_USED_STEP_SECONDS, 'seconds')}`,
    })
    .from(signIns)
    .innerJoin(accounts, eq(accounts.id, signIns.accountId))
    .where(and(eq(signIns.tokenHash, sql.placeholder('hash')), validSignIn, mayBeUsed))
    .prepare('use_sign_in');
const findSignInOf = new WeakMap<Queries, ReturnType<typeof findSignIn>>();

/**
 * The account of a valid sign-in. Its last use is written at most once a minute, so that a busy room costs reads, not
 * writes.
 */
export async function useSignIn(db: Queries, hash: Buffer): Promise<AccountRow | null> {
  const prepared = findSignInOf.get(db) ?? findSignIn(db);
  findSignInOf.set(db, prepared);
  const [row] = await prepared.execute({ hash });
  if (row === undefined) return null;
  if (row.stale) {
    await db
      .update(signIns)
      .set({ lastUsedAt: productNow })
      .where(and(eq(signIns.tokenHash, hash), lt(signIns.lastUsedAt, ago(LAST_USED_STEP_SECONDS, 'seconds'))));
  }
  return row.account;
}

/** Whether an account that may be used has a valid sign-in on any device. */
export async function hasValidSignIn(db: Queries, accountId: number): Promise<boolean> {
  const [row] = await db
    .select({ accountId: signIns.accountId })
    .from(signIns)
    .innerJoin(accounts, eq(accounts.id, signIns.accountId))
    .where(and(eq(signIns.accountId, accountId), validSignIn, mayBeUsed))
    .limit(1);
  return row !== undefined;
}

/** Ends the sign-in of a token. Does nothing if it has ended already. */
export async function endSignIn(tx: Queries, hash: Buffer): Promise<void> {
  await tx
    .update(signIns)
    .set({ endedAt: productNow })
    .where(and(eq(signIns.tokenHash, hash), isNull(signIns.endedAt)));
}

/** Ends every sign-in of an account. */
export async function endAllSignIns(tx: Queries, accountId: number): Promise<void> {
  await tx
    .update(signIns)
    .set({ endedAt: productNow })
    .where(and(eq(signIns.accountId, accountId), isNull(signIns.endedAt)));
}

// ---- known browsers

const DEVICE_DAYS = 180;
/** If there are more, the one unused for longest is forgotten. */
const DEVICES_MAX = 20;
const knownDevice = gt(signInDevices.lastUsedAt, ago(DEVICE_DAYS, 'days'));

/**
 * Whether this is the token of a browser that signed in to the address's account within the last DEVICE_DAYS. One
 * query, starting from the token: a second one only for addresses with an account would show in the time.
 */
export async function isDeviceOf(db: Queries, hash: Buffer, emailNormalized: string): Promise<boolean> {
  const [row] = await db
    .select({ accountId: signInDevices.accountId })
    .from(signInDevices)
    .innerJoin(accounts, eq(accounts.id, signInDevices.accountId))
    .where(and(eq(signInDevices.tokenHash, hash), eq(accounts.emailNormalized, emailNormalized), knownDevice));
  return row !== undefined;
}

/** Stores that a browser of an account signed in, or did so again. */
export async function keepDevice(tx: Queries, hash: Buffer, accountId: number): Promise<void> {
  await tx
    .insert(signInDevices)
    .values({ tokenHash: hash, accountId })
    .onConflictDoUpdate({ target: signInDevices.tokenHash, set: { lastUsedAt: productNow } });
  await tx.execute(sql`
    DELETE FROM ${signInDevices} WHERE token_hash IN (
      SELECT token_hash FROM ${signInDevices} WHERE account_id = ${accountId}
       ORDER BY last_used_at DESC, created_at DESC OFFSET ${DEVICES_MAX})`);
}

/** Forgets every browser that signed in to the account, so that none has its own tries any more. */
export async function forgetDevices(tx: Queries, accountId: number): Promise<void> {
  await tx.delete(signInDevices).where(eq(signInDevices.accountId, accountId));
}

// ---- the delay of an address after wrong passwords

/** Wrong tries in a row that cost no waiting. */
const FREE_TRIES = 4;
const DELAY_MAX_SECONDS = 300;
/** After this time without a try the count starts again. */
const FORGOTTEN_AFTER_HOURS = 1;

/**
 * Counts a try before its password is compared, so that many tries at once meet the delay too; a right password takes
 * the count back (`forgetTries`). From the fifth try in a row the next one has to wait 2, 4, 8 … 300 seconds. Returns 0
 * if the caller may go on; otherwise the seconds to wait, and then nothing was counted.
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
      // Free tries have no delay, and one that was counted before this one may have begun a moment later.
      setWhere: sql`${signInDelays.failures} <= ${FREE_TRIES}::int OR ${signInDelays.blockedUntil} <= product_now()`,
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

/** Sets the count of wrong tries back to none, and with it the delay of the address. */
export async function forgetTries(db: Queries, key: Buffer): Promise<void> {
  await db.delete(signInDelays).where(eq(signInDelays.key, key));
}

// ---- captcha and random values

/** Marks a challenge as used, unless it is too old or already used. Returns whether it did. */
export async function spendCaptcha(db: Queries, challengeHash: Buffer, until: Date): Promise<boolean> {
  const spent = await db.execute(
    sql`insert into ${spentCaptchas} (challenge_hash, expires_at) select ${challengeHash}, ${until.toISOString()}::timestamptz where ${until.toISOString()}::timestamptz > product_now() on conflict do nothing returning challenge_hash`,
  );
  return spent.rows.length === 1;
}

// ---- removing old rows

const UNVERIFIED_KEPT_DAYS = 30;

/** The first name of an account; '' if there is no account. */
export async function findFirstName(db: Queries, accountId: number): Promise<string> {
  const [row] = await db.select({ firstName: accounts.firstName }).from(accounts).where(eq(accounts.id, accountId));
  return row?.firstName ?? '';
}

/** The owner's address, name and language for emails; null if there is no account. */
export async function findContact(
  db: Queries,
  accountId: number,
): Promise<Pick<AccountRow, 'email' | 'firstName' | 'lastName'> | null> {
  const [row] = await db
    .select({ email: accounts.email, firstName: accounts.firstName, lastName: accounts.lastName })
    .from(accounts)
    .where(eq(accounts.id, accountId));
  return row ?? null;
}

/** What one run removed, as numbers. */
export interface Removed {
  captchas: number;
  signInDelays: number;
  signInDevices: number;
  tokens: number;
  signIns: number;
  unverifiedAccounts: number;
}

/**
 * Removes rows of no further use: solved captchas, delays, tokens and sign-ins that are over, and people who never
 * verified their address. Returns the number of rows of each.
 */
export async function removeOutdated(db: Queries): Promise<Removed> {
  const counted = async (removal: PromiseLike<{ rowCount: number | null }>) => (await removal).rowCount ?? 0;
  return {
    captchas: await counted(db.delete(spentCaptchas).where(lt(spentCaptchas.expiresAt, productNow))),
    signInDelays: await counted(
      db.delete(signInDelays).where(lt(signInDelays.lastTriedAt, ago(FORGOTTEN_AFTER_HOURS, 'hours'))),
    ),
    signInDevices: await counted(
      db.delete(signInDevices).where(lt(signInDevices.lastUsedAt, ago(DEVICE_DAYS, 'days'))),
    ),
    tokens: await counted(db.delete(accountTokens).where(lt(accountTokens.expiresAt, ago(1, 'days')))),
    signIns: await counted(
      db
        .delete(signIns)
        .where(
          or(
            lt(signIns.endedAt, ago(1, 'days')),
            lt(signIns.lastUsedAt, ago(SIGN_IN_IDLE_DAYS, 'days')),
            lt(signIns.createdAt, ago(SIGN_IN_DAYS, 'days')),
          ),
        ),
    ),
    unverifiedAccounts: await counted(
      db.delete(accounts).where(
        and(
          isNull(accounts.emailVerifiedAt),
          lt(accounts.createdAt, ago(UNVERIFIED_KEPT_DAYS, 'days')),
          // An account whose owner registers again just before the end gets a link that must work for as long as it
          // promises.
          notExists(
            db
              .select({ accountId: accountTokens.accountId })
              .from(accountTokens)
              .where(
                and(
                  eq(accountTokens.accountId, accounts.id),
                  isNull(accountTokens.usedAt),
                  gt(accountTokens.expiresAt, productNow),
                ),
              ),
          ),
        ),
      ),
    ),
  };
}
