/** Changes the email address by a link in an email to it. Rules: README.md. */
import type { BodyOf, ReplyOf } from '@fieldroom/contract/http';
import { Problem } from '../../platform/problem.ts';
import {
  type confirmEmail,
  EMAIL_CHANGES_A_DAY,
  type requestEmail,
  type restoreEmail,
} from '@fieldroom/contract/profile';
import { normalizeEmail } from '@fieldroom/contract/text';
import type { Account } from '../../access.ts';
import type { Config } from '../../platform/config.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { Counter, Limits } from '../../platform/limits.ts';
import { actEmailsTo, mailboxOf } from '../../platform/mail/mailbox.ts';
import { hashToken, newToken } from '../../platform/tokens.ts';
import { type Accounts, NO_PASSWORD } from '../accounts/index.ts';
import type { ProfileEmails } from './emails/profile.emails.ts';
import { provePassword } from './profile.proof.ts';
import { unsetDeletionSince } from './leaving/profile.deletion.store.ts';
import * as store from './profile.store.ts';

export interface EmailChangeParts {
  db: Db;
  limits: Pick<Limits, 'counter' | 'takeTogether'>;
  config: Pick<Config, 'limits'>;
  accounts: Pick<Accounts, 'checkOwnPassword' | 'forget'>;
  mail: ProfileEmails;
  /** Called after sign-ins have ended: closes their connections. */
  onEnded: (accountId: number, tokenHashes: readonly Buffer[]) => void;
}

export type EmailChange = ReturnType<typeof createEmailChange>;

const UNIQUE_VIOLATION = '23505';
const isDouble = (error: unknown) => (error as { cause?: { code?: string } }).cause?.code === UNIQUE_VIOLATION;

/** Makes the acts on the email address: request another one, confirm it, undo it (docs/product.md#3.25). */
export function createEmailChange({ db, limits, config, accounts, mail, onEnded }: EmailChangeParts) {
  /**
   * The counters of an email to an unproven address, used in the transaction that writes it. It counts whether or not
   * the address has an account.
   */
  function emailCounters(accountId: number, address: string): Promise<Counter[]> {
    const mailbox = mailboxOf(normalizeEmail(address));
    return Promise.all([
      limits.counter(`email change ${accountId}`, { max: EMAIL_CHANGES_A_DAY, windowSeconds: 86_400 }),
      limits.counter(`emails change ${mailbox}`, config.limits.formEmails),
      limits.counter(actEmailsTo(mailbox), config.limits.addressEmails),
    ]);
  }

  /** Writes to the new address. If it has an account, its owner is informed instead, and the link is never sent. */
  async function writeToNew(
    tx: Tx,
    { id, language }: store.AccountRow,
    change: store.EmailChangeRow,
    token: string,
  ): Promise<void> {
    const taken = await store.isTaken(tx, normalizeEmail(change.newEmail), id);
    await (taken
      ? mail.send(tx, { kind: 'emailTaken', to: change.newEmail, language })
      : mail.send(tx, { kind: 'confirmEmail', to: change.newEmail, language, token }));
  }

  const pending = ({ newEmail, expiresAt }: store.EmailChangeRow) => ({
    email: newEmail,
    expiresAt: expiresAt.toISOString(),
  });

  /** Sets the address in the transaction. Problem: `email_taken`, even if somebody takes it at the same moment. */
  async function setAddress(tx: Tx, accountId: number, email: string, more: Partial<store.AccountRow> = {}) {
    const emailNormalized = normalizeEmail(email);
    await store.dropUnverified(tx, emailNormalized, accountId);
    await store.updateAccount(tx, accountId, { email, emailNormalized, ...more }).catch((error: unknown) => {
      throw isDouble(error) ? new Problem('email_taken') : error;
    });
  }

  return {
    /**
     * Requests another address. Takes it and the current password. Only sends an email; nothing changes yet. Problems:
     * `current_password_wrong`, `too_many_requests`.
     */
    async request(
      account: Account,
      { email, password }: BodyOf<typeof requestEmail>,
      ip: string,
    ): Promise<ReplyOf<typeof requestEmail>> {
      const known = await provePassword({ db, accounts }, account, password, ip);
      if (known.emailNormalized === normalizeEmail(email))
        throw new Problem('invalid_input', { fields: [{ path: 'email', code: 'unchanged' }] });
      const counters = await emailCounters(account.id, email);
      return db.transaction(async (tx) => {
        const row = await store.lockAccount(tx, account.id);
        if (row === null) throw new Problem('session_expired');
        // The owner has set another password since, and so meant to stop this (README, rule 5).
        if (row.passwordHash !== known.passwordHash) throw new Problem('current_password_wrong');
        await limits.takeTogether(tx, counters);
        const { token, hash } = newToken();
        await store.endOpenChange(tx, row.id);
        const change = await store.insertChange(tx, {
          accountId: row.id,
          oldEmail: row.email,
          newEmail: email,
          tokenHash: hash,
          askedBy: account.tokenHash,
        });
        await writeToNew(tx, row, change, token);
        await mail.send(tx, { kind: 'emailAsked', to: row.email, language: row.language });
        return pending(change);
      });
    },

    /** Sends the link again; the earlier one ends. Problems: `not_found`, `too_many_requests`. */
    async again({ id }: Account): Promise<ReplyOf<typeof requestEmail>> {
      const waiting = await store.findOpenChange(db, id);
      if (waiting === null) throw new Problem('not_found');
      const counters = await emailCounters(id, waiting.newEmail);
      return db.transaction(async (tx) => {
        const row = await store.lockAccount(tx, id);
        const open = await store.findOpenChange(tx, id);
        if (row === null || open === null) throw new Problem('not_found');
        await limits.takeTogether(tx, counters);
        const { token, hash } = newToken();
        const change = await store.renewChange(tx, open.id, hash);
        await writeToNew(tx, row, change, token);
        return pending(change);
      });
    },

    /** Keeps the address. Harmless if no change is open. */
    async cancel({ id }: Account): Promise<void> {
      await db.transaction(async (tx) => {
        await store.lockAccount(tx, id);
        await store.endOpenChange(tx, id);
      });
    },

    /**
     * Changes the address by the token of the email to it. All sign-ins except the requesting one end; the old address
     * is informed and can undo the change. Problems: `link_invalid`, `email_taken`.
     */
    async confirm({ token }: BodyOf<typeof confirmEmail>): Promise<ReplyOf<typeof confirmEmail>> {
      const tokenHash = hashToken(token);
      const found = await store.findChangeByToken(db, tokenHash);
      if (found === null) throw new Problem('link_invalid');
      const ended = await db.transaction(async (tx) => {
        const row = await store.lockAccount(tx, found.accountId);
        // Read again under the lock: the link may have been used or replaced.
        const change = await store.findChangeByToken(tx, tokenHash);
        if (row === null || change === null) throw new Problem('link_invalid');
        await setAddress(tx, row.id, change.newEmail);
        const { token: restoreToken, hash } = newToken();
        await store.markConfirmed(tx, change.id, hash);
        await mail.send(tx, { kind: 'emailChanged', to: change.oldEmail, language: row.language, token: restoreToken });
        return store.endOtherSignIns(tx, row.id, change.askedBy);
      });
      accounts.forget(found.accountId);
      onEnded(found.accountId, ended);
      return { email: found.newEmail };
    },

    /**
     * Undoes a change by the token of the email to the old address. Somebody who made the change knew the password, so
     * password and sign-ins end. So does a deletion that was requested since, because its email went to the other
     * address. Returns the token with which a new password is set. Problems: `link_invalid`, `email_taken`.
     */
    async restore({ token }: BodyOf<typeof restoreEmail>): Promise<ReplyOf<typeof restoreEmail>> {
      const restoreHash = hashToken(token);
      const found = await store.findRestorable(db, restoreHash);
      if (found === null) throw new Problem('link_invalid');
      const reset = newToken();
      const ended = await db.transaction(async (tx) => {
        const row = await store.lockAccount(tx, found.accountId);
        const change = await store.findRestorable(tx, restoreHash);
        if (row === null || change === null) throw new Problem('link_invalid');
        await setAddress(tx, row.id, change.oldEmail, { passwordHash: NO_PASSWORD });
        await store.endChangesFrom(tx, change);
        const hashes = await store.endOtherSignIns(tx, row.id, null);
        await store.insertResetToken(tx, row.id, reset.hash);
        await mail.send(tx, { kind: 'emailRestored', to: row.email, language: row.language });
        if (await unsetDeletionSince(tx, row.id, change.confirmedAt!))
          await mail.send(tx, { kind: 'deletionTakenBack', to: change.oldEmail, language: row.language });
        return hashes;
      });
      accounts.forget(found.accountId);
      onEnded(found.accountId, ended);
      return { token: reset.token };
    },
  };
}
