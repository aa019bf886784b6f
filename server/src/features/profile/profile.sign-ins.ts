/** The owner's password and the devices that are signed in. Rules: README.md. */
import type { BodyOf } from '@fieldroom/contract/http';
import { Problem } from '../../platform/problem.ts';
import type { changeOwnPassword, Device } from '@fieldroom/contract/profile';
import type { Account } from '../../access.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Accounts } from '../accounts/index.ts';
import type { ProfileEmails } from './emails/profile.emails.ts';
import { provePassword } from './profile.proof.ts';
import * as store from './profile.store.ts';

export interface SignInsParts {
  db: Db;
  accounts: Pick<Accounts, 'checkOwnPassword' | 'forget' | 'hashNewPassword'>;
  mail: ProfileEmails;
  /** Called after sign-ins have ended: closes their connections. */
  onEnded: (accountId: number, tokenHashes: readonly Buffer[]) => void;
}

export type OwnSignIns = ReturnType<typeof createOwnSignIns>;

/** Makes the acts on a person's own password and devices (docs/product.md#3.24 and #3.26). */
export function createOwnSignIns({ db, accounts, mail, onEnded }: SignInsParts) {
  return {
    /**
     * Changes the password. The sign-ins of all other devices end, even of somebody who signs in with the old password
     * at this moment. Problems: `current_password_wrong`, `password_too_common`, `too_many_requests`.
     */
    async changePassword(
      account: Account,
      { current, password }: BodyOf<typeof changeOwnPassword>,
      ip: string,
    ): Promise<void> {
      const known = await provePassword({ db, accounts }, account, current, ip);
      const passwordHash = await accounts.hashNewPassword(known, password);
      const ended = await db.transaction(async (tx) => {
        const row = await store.lockAccount(tx, account.id);
        // It was changed from another device while this one was hashed: the given current password is no longer the
        // current one.
        if (row?.passwordHash !== known.passwordHash) throw new Problem('current_password_wrong');
        await store.updateAccount(tx, row.id, { passwordHash });
        await store.endOpenChange(tx, row.id);
        await mail.send(tx, { kind: 'passwordChanged', to: row.email, language: row.language });
        return store.endOtherSignIns(tx, row.id, account.tokenHash);
      });
      accounts.forget(account.id);
      onEnded(account.id, ended);
    },

    /** The devices that are signed in, the caller's first. */
    async devices(account: Account): Promise<Device[]> {
      const rows = await store.readDevices(db, account.id);
      const shown = rows.map(({ id, tokenHash, browser, system, createdAt, lastUsedAt }) => ({
        id,
        browser,
        system,
        current: tokenHash.equals(account.tokenHash),
        signedInAt: createdAt.toISOString(),
        lastUsedAt: lastUsedAt.toISOString(),
      }));
      return shown.toSorted((one, other) => Number(other.current) - Number(one.current));
    },

    /** Signs a device out. Problem: `not_found`. */
    async endDevice(account: Account, deviceId: string): Promise<void> {
      const tokenHash = await store.endDevice(db, account.id, deviceId);
      if (tokenHash === null) throw new Problem('not_found');
      accounts.forget(account.id);
      onEnded(account.id, [tokenHash]);
    },

    /** Signs out all devices except the caller's. */
    async endOthers(account: Account): Promise<void> {
      const ended = await db.transaction(async (tx) => {
        await store.lockAccount(tx, account.id);
        return store.endOtherSignIns(tx, account.id, account.tokenHash);
      });
      accounts.forget(account.id);
      onEnded(account.id, ended);
    },
  };
}
