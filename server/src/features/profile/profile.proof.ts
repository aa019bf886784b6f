/** Proves that a signed-in person knows the password, for acts that need it. */
import { Problem } from '../../platform/problem.ts';
import type { Account } from '../../access.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Accounts } from '../accounts/index.ts';
import * as store from './profile.store.ts';

/**
 * Compares the password of the caller's account. Returns the row as it was before the comparison: the act compares its
 * `passwordHash` again under the lock, and so notices a password that was set since. Problems:
 * `current_password_wrong`, `too_many_requests`.
 */
export async function provePassword(
  { db, accounts }: { db: Db; accounts: Pick<Accounts, 'checkOwnPassword'> },
  { id }: Pick<Account, 'id'>,
  password: string,
  ip: string,
): Promise<store.AccountRow> {
  const known = await store.findAccount(db, id);
  if (known === null) throw new Problem('session_expired');
  if (!(await accounts.checkOwnPassword(id, password, ip))) throw new Problem('current_password_wrong');
  return known;
}
