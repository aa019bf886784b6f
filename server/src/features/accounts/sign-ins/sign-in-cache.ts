/**
 * Remembers to which account a token belongs: nearly every call asks, and the answer seldom changes. When this process
 * ends or changes a sign-in, it is forgotten at once. A change by another process takes effect after two seconds.
 */
import type { Account } from '../../../access.ts';
import type { Queryable } from '../../../platform/db/db.ts';
import { setBounded } from '../../../platform/small.ts';

/** How long an answer is used, in product milliseconds. */
const USED_MS = 2000;
/** More than are used in that time. When there are more, the oldest are dropped. */
const MAX_ENTRIES = 10_000;

export interface SignInCache {
  /**
   * The account of a sign-in; null if it is unknown or has ended. Takes the SHA-256 of the bearer token, and the
   * database to query if it is not cached.
   */
  find(tokenHash: Buffer, db: Queryable): Promise<Account | null>;
  /** Call it after something read about an account has changed, or one of its sign-ins has ended, and this is
   * committed. */
  forget(accountId: number): void;
}

/**
 * Makes the cache. Takes a function that reads a sign-in from the database, and product time in milliseconds, which has
 * to come from memory (`Clock.moment`).
 */
export function createSignInCache(
  read: (tokenHash: Buffer, db: Queryable) => Promise<Account | null>,
  moment: () => number,
): SignInCache {
  const known = new Map<string, { account: Account; since: number }>();
  let changes = 0;

  return {
    async find(tokenHash, db) {
      const key = tokenHash.toString('latin1');
      const now = moment();
      const found = known.get(key);
      if (found !== undefined && now >= found.since && now - found.since < USED_MS) return found.account;
      const before = changes;
      const account = await read(tokenHash, db);
      known.delete(key);
      // Something was forgotten during the read, which may have seen the old state.
      if (account === null || before !== changes) return account;
      setBounded(known, MAX_ENTRIES, key, { account, since: now });
      return account;
    },

    forget(accountId) {
      changes += 1;
      for (const [key, { account }] of known) if (account.id === accountId) known.delete(key);
    },
  };
}
