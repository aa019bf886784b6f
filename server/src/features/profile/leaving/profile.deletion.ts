/** Deletes an account, after some days in which its owner can cancel that. Rules: README.md. */
import type { BodyOf, ReplyOf } from '@fieldroom/contract/http';
import { Problem } from '../../../platform/problem.ts';
import type { deleteAccount } from '@fieldroom/contract/profile';
import type { Account } from '../../../access.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { Log } from '../../../platform/monitoring/log.ts';
import type { Accounts } from '../../accounts/index.ts';
import type { Events } from '../../events/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import * as rows from './profile.deletion.store.ts';
import type { ProfileEmails } from '../emails/profile.emails.ts';
import { CLOSED } from '../emails/profile.emails.words.ts';
import { provePassword } from '../profile.proof.ts';
import * as store from '../profile.store.ts';

export interface DeletionParts {
  db: Db;
  log: Log;
  accounts: Pick<Accounts, 'checkOwnPassword' | 'forget'>;
  events: Pick<Events, 'cancel'>;
  sessions: Pick<Sessions, 'end'>;
  mail: ProfileEmails;
  onEnded: (accountId: number, tokenHashes: readonly Buffer[]) => void;
}

/** Accounts of one run; the next run takes the others. */
const TOGETHER = 20;

export type Deletion = ReturnType<typeof createDeletion>;

/** Makes the deletion of accounts (docs/product.md#3.27 and #3.28). */
export function createDeletion({ db, log, accounts, events, sessions, mail, onEnded }: DeletionParts) {
  /**
   * Deletes one account that is due. Places that were booked at the last moment are cancelled as the therapist would,
   * with an email.
   */
  async function deleteNow(accountId: number): Promise<boolean> {
    const due = await store.findAccount(db, accountId);
    if (due === null) return false;
    for (const eventId of await rows.eventsWithBookings(db, accountId))
      await events.cancel(eventId, CLOSED[due.language], false);
    await sessions.end(accountId, 'signed_out');
    const ended = await db.transaction(async (tx) => {
      const row = await store.lockAccount(tx, accountId);
      // Another node may have deleted it.
      if (row === null) return null;
      const hashes = await store.endOtherSignIns(tx, accountId, null);
      await mail.send(tx, { kind: 'deleted', to: row.email, language: row.language });
      await store.removeFiles(tx, accountId);
      await rows.removeAccount(tx, accountId);
      return hashes;
    });
    accounts.forget(accountId);
    if (ended !== null) onEnded(accountId, ended);
    return ended !== null;
  }

  return {
    /**
     * Asks for the deletion. Other devices are signed out, and the public page is closed at once. Asking again changes
     * nothing. Problems: `current_password_wrong`, `account_has_bookings`, `too_many_requests`.
     */
    async request(
      account: Account,
      { password }: BodyOf<typeof deleteAccount>,
      ip: string,
    ): Promise<ReplyOf<typeof deleteAccount>> {
      const known = await provePassword({ db, accounts }, account, password, ip);
      const { deletesAt, ended } = await db.transaction(async (tx) => {
        const row = await store.lockAccount(tx, account.id);
        if (row === null) throw new Problem('session_expired');
        // The password was changed since this one was compared.
        if (row.passwordHash !== known.passwordHash) throw new Problem('current_password_wrong');
        if (row.deletesAt !== null) return { deletesAt: row.deletesAt, ended: [] };
        if ((await rows.eventsWithBookings(tx, row.id)).length > 0) throw new Problem('account_has_bookings');
        const day = await rows.setDeletion(tx, row.id);
        await mail.send(tx, {
          kind: 'deletionAsked',
          to: row.email,
          language: row.language,
          day,
          timeZone: row.timeZone,
        });
        return { deletesAt: day, ended: await store.endOtherSignIns(tx, row.id, account.tokenHash) };
      });
      accounts.forget(account.id);
      onEnded(account.id, ended);
      return { deletesOn: deletesAt.toISOString() };
    },

    /** Cancels the deletion. Harmless if none was requested. */
    async keep({ id }: Account): Promise<void> {
      await db.transaction(async (tx) => {
        const row = await store.lockAccount(tx, id);
        if (row === null) throw new Problem('session_expired');
        if (row.deletesAt === null) return;
        // It has become due since the caller was let in.
        if (!(await rows.unsetDeletion(tx, id))) throw new Problem('session_expired');
        await mail.send(tx, { kind: 'deletionTakenBack', to: row.email, language: row.language });
      });
      accounts.forget(id);
    },

    /**
     * Deletes the accounts that are due. Returns their number. Throws the last fault after all were tried, so that the
     * sweep counts as failed.
     */
    async sweep(): Promise<number> {
      let deleted = 0;
      const faults: unknown[] = [];
      for (const accountId of await rows.dueDeletions(db, TOGETHER)) {
        try {
          if (await deleteNow(accountId)) deleted += 1;
        } catch (error) {
          // One account that fails must not stop the others.
          log.error({ err: error }, 'an account could not be deleted');
          faults.push(error);
        }
      }
      if (faults.length > 0) throw faults.at(-1);
      return deleted;
    },
  };
}
