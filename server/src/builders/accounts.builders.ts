/**
 * Builders of people with an account: each makes all that it needs and returns what a test (or the demo practice) uses
 * afterwards. The call names what matters in a case; the rest has sensible defaults.
 */
import { sql } from 'drizzle-orm';
import type { Role } from '@fieldroom/contract/accounts';
import { type Language, normalizeEmail } from '@fieldroom/contract/text';
import { accounts, accountAgreements, signIns } from '../features/accounts/accounts.tables.ts';
import {
  AGREEMENT_VERSIONS,
  createPasswords,
  newJoinLink,
  newSlug,
  normalizePassword,
} from '../features/accounts/index.ts';
import { productNow } from '../platform/platform.tables.ts';
import type { Queryable } from '../platform/db/db.ts';
import { newToken } from '../platform/tokens.ts';

/** The default password. */
export const BUILT_PASSWORD = 'seven blue kettles';

export interface AccountWish {
  email?: string;
  password?: string;
  firstName?: string;
  lastName?: string;
  gender?: 'male' | 'female' | null;
  language?: Language;
  roles?: readonly Role[];
  slug?: string;
  joinLink?: string;
  /** Verified long enough ago for the account to be proven (`isProven` of accounts); otherwise new. */
  proven?: boolean;
  /** IANA zone of the therapist's events. */
  timeZone?: string;
  /** false: the email to verify is still unanswered. */
  verified?: boolean;
  suspended?: boolean;
}

export interface BuiltAccount {
  id: number;
  email: string;
  password: string;
  firstName: string;
  lastName: string;
  language: Language;
  slug: string;
  joinLink: string;
  /** A valid bearer token, also for an account that could not sign in. */
  token: string;
}

const passwords = createPasswords();
/** Hashing is slow by design; the people of a test can share one hash for each password. */
const hashes = new Map<string, Promise<string>>();
let count = 0;

/**
 * Makes an account as registration and verification leave it. Takes a database or transaction, and what the case needs.
 */
export async function anAccount(db: Queryable, wish: AccountWish = {}): Promise<BuiltAccount> {
  count += 1;
  const password = wish.password ?? BUILT_PASSWORD;
  const passwordHash = hashes.get(password) ?? passwords.hash(normalizePassword(password));
  hashes.set(password, passwordHash);
  const firstName = wish.firstName ?? 'Judit';
  const email = wish.email ?? `person-${process.pid}-${count}@practice.example`;
  const language = wish.language ?? 'en';
  const [row] = await db
    .insert(accounts)
    .values({
      email,
      emailNormalized: normalizeEmail(email),
      passwordHash: await passwordHash,
      firstName,
      lastName: wish.lastName ?? 'Halász',
      gender: wish.gender === undefined ? 'female' : wish.gender,
      language,
      roles: [...(wish.roles ?? ['ROLE_THERAPIST'])],
      slug: wish.slug ?? newSlug(firstName),
      joinLink: wish.joinLink ?? newJoinLink(),
      timeZone: wish.timeZone,
      emailVerifiedAt:
        wish.verified === false ? null : sql`product_now() - make_interval(days => ${wish.proven ? 30 : 0}::int)`,
      suspendedAt: wish.suspended === true ? sql`product_now()` : null,
    })
    .returning();
  if (row === undefined) throw new Error('the account was not written');
  await db.insert(accountAgreements).values(
    (['license', 'data'] as const).map((kind) => ({
      accountId: row.id,
      kind,
      version: AGREEMENT_VERSIONS[kind],
      language,
      agreedAt: productNow,
    })),
  );
  return {
    id: row.id,
    email,
    password,
    firstName,
    lastName: row.lastName,
    language,
    slug: row.slug,
    joinLink: row.joinLink,
    token: await aSignIn(db, row.id),
  };
}

/** A therapist who is verified and signed in. */
export function aTherapist(db: Queryable, wish: AccountWish = {}): Promise<BuiltAccount> {
  return anAccount(db, wish);
}

/**
 * An operator: a therapist with the extra menu entries. The first role decides what the web shows, so it stays the
 * therapist's.
 */
export function anAdmin(db: Queryable, wish: AccountWish = {}): Promise<BuiltAccount> {
  return anAccount(db, { firstName: 'Olga', roles: ['ROLE_THERAPIST', 'ROLE_ADMIN'], ...wish });
}

/** Makes one more sign-in of an account. Returns the bearer token. */
export async function aSignIn(db: Queryable, accountId: number): Promise<string> {
  const { token, hash } = newToken();
  await db.insert(signIns).values({ tokenHash: hash, accountId });
  return token;
}
