/** The rules of accounts: registering, proving the address, signing in and staying signed in. PRODUCT 3, SAFE, specification 7.1. */
import { createHmac } from 'node:crypto';
import type { Account, Principal } from '../../access.ts';
import type { Config } from '../../platform/config.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { Limits } from '../../platform/limits.ts';
import type { Log } from '../../platform/log.ts';
import type { BodyOf, ReplyOf } from '@fieldroom/contract/http';
import type {
  changePassword,
  getAllTherapist,
  getUser,
  login,
  register,
  Role,
  User,
} from '@fieldroom/contract/accounts';
import { isTimeZone } from '@fieldroom/contract/events.rules';
import { Problem } from '@fieldroom/contract/problems';
import { type Language, normalizeEmail } from '@fieldroom/contract/text';
import type { AccountsMail } from './accounts.mail.ts';
import * as store from './accounts.store.ts';
import type { Captcha } from './captcha.ts';
import { isCommonPassword } from './common-passwords.ts';
import { newJoinLink } from './join-link.ts';
import { NO_PASSWORD, normalizePassword, type Passwords } from './passwords.ts';
import { hashToken, newToken } from './tokens.ts';

/** The texts of the agreements a person accepts at registration; a new text gets a new version. */
export const AGREEMENT_VERSIONS = { license: '2026-11', data: '2026-11' } as const;

export interface ServiceParts {
  db: Db;
  limits: Limits;
  config: Pick<Config, 'limits' | 'privilegedUserIds'>;
  log: Log;
  mail: AccountsMail;
  captcha: Captcha;
  passwords: Passwords;
  /** Bytes that key the hash of an address in the table of delays. */
  secret: () => Promise<Buffer>;
  /** After a sign-in has ended by signing out: ends a therapist's live session, frees a client's seat. */
  onSignOut: (principal: Principal) => Promise<void>;
  /** After all sign-ins of an account have ended: open connections that were let in by one of them have to go. */
  onSignInsEnded: (accountId: number) => Promise<void>;
}

export type AccountsService = ReturnType<typeof createAccountsService>;

/** Takes a transaction back without a fault. */
class TakenBack extends Error {}

/** Makes the rules. In: what they stand on. Out: one function a call; problems as the contract lists them. */
export function createAccountsService({
  db,
  limits,
  config,
  log,
  mail,
  captcha,
  passwords,
  secret,
  onSignOut,
  onSignInsEnded,
}: ServiceParts) {
  const privileged = new Set(config.privilegedUserIds);

  function rolesOf(row: store.AccountRow): Role[] {
    return privileged.has(row.id) && !row.roles.includes('ROLE_ADMIN') ? [...row.roles, 'ROLE_ADMIN'] : row.roles;
  }

  function userOf(row: store.AccountRow): User {
    const roles = rolesOf(row);
    return {
      id: row.id,
      firstName: row.firstName,
      lastName: row.lastName,
      email: row.email,
      roles,
      authorities: roles,
      language: row.language,
      joinLink: row.joinLink,
    };
  }

  const aboutPerson = (row: Pick<store.AccountRow, 'firstName' | 'lastName' | 'email'>) => [
    row.firstName,
    row.lastName,
    row.email,
  ];

  /** Whether one more letter may go to this address because somebody filled in a form. Answers nothing to the sender. */
  async function letterAllowed(form: 'register' | 'reset', address: string): Promise<boolean> {
    return (
      (await limits.allows(`letters ${form} ${address}`, config.limits.formLetters)) &&
      limits.allows(`letters ${address}`, config.limits.addressLetters)
    );
  }

  const delayKey = async (address: string) =>
    createHmac('sha256', await secret())
      .update(`sign-in ${address}`)
      .digest();

  async function getAccount(account: Account): Promise<store.AccountRow> {
    const row = await store.findAccount(db, account.id);
    if (row === null) throw new Problem('session_expired');
    return row;
  }

  /**
   * Writes what one registration means for the address. Four cases, one answer:
   * new → account and a letter to verify; known and verified → nothing changes, the owner is told;
   * known, not verified, same password → another letter to verify;
   * known, not verified, another password → one of the two is a stranger and we cannot know which, so neither password
   * stands any more and the owner of the mailbox chooses one by letter.
   */
  async function writeRegistration(
    tx: Tx,
    input: BodyOf<typeof register>,
    passwordHash: string,
    isPasswordOf: (row: store.AccountRow) => Promise<boolean>,
  ): Promise<void> {
    const emailNormalized = normalizeEmail(input.email);
    // Left out or unknown: the table's UTC, or what an earlier registration of the address brought.
    const zone = input.timeZone !== undefined && isTimeZone(input.timeZone) ? { timeZone: input.timeZone } : {};
    const person = {
      firstName: input.firstName,
      lastName: input.lastName,
      gender: input.gender,
      language: input.language,
      ...zone,
    };
    const agreements = (['license', 'data'] as const).map((kind) => ({
      kind,
      version: AGREEMENT_VERSIONS[kind],
      language: input.language,
    }));
    const { token, hash } = newToken();

    const made = await store.insertAccount(tx, {
      ...person,
      email: input.email,
      emailNormalized,
      passwordHash,
      roles: ['ROLE_THERAPIST'],
      joinLink: newJoinLink(input.firstName),
    });
    const row = made ?? (await store.lockAccountByEmail(tx, emailNormalized));
    if (row === null) throw new Problem('conflict'); // Removed between the two statements.

    if (row.emailVerifiedAt !== null) {
      await store.insertToken(tx, { hash, accountId: row.id, purpose: 'reset' });
      await mail.send(tx, { letter: 'alreadyRegistered', to: row.email, language: row.language, token });
      return;
    }
    if (made === null) await store.updateAccount(tx, row.id, person);
    await store.insertAgreements(tx, row.id, agreements);
    if (made !== null || (await isPasswordOf(row))) {
      await store.insertToken(tx, { hash, accountId: row.id, purpose: 'verify' });
      await mail.send(tx, { letter: 'verify', to: row.email, language: input.language, token });
      return;
    }
    await store.updateAccount(tx, row.id, { passwordHash: NO_PASSWORD });
    await store.endTokens(tx, row.id, ['verify']);
    await store.insertToken(tx, { hash, accountId: row.id, purpose: 'reset' });
    await mail.send(tx, { letter: 'finish', to: row.email, language: input.language, token });
  }

  return {
    /**
     * Signs in. In: e-mail and password as typed, the caller's address. Out: a fresh token and the person.
     * The delay of an address and the limit of a source answer at once, with the seconds to wait; nobody's connection is held.
     */
    async signIn(input: BodyOf<typeof login>, ip: string): Promise<ReplyOf<typeof login>> {
      const source = `sign-in ${limits.addressBlock(ip)}`;
      await limits.take(source, config.limits.signIn);
      const emailNormalized = normalizeEmail(input.email);
      const key = await delayKey(emailNormalized);
      const waitSeconds = await store.countTry(db, key);
      if (waitSeconds > 0) throw new Problem('too_many_requests', { retryAfterSeconds: waitSeconds });

      const row = await store.findAccountByEmail(db, emailNormalized);
      const right = await passwords.verify(row?.passwordHash ?? null, normalizePassword(input.password));
      if (row === null || !right) throw new Problem('invalid_credentials');
      // A right password is no guess, wherever it leads: neither the address nor the source is counted for it.
      await store.forgetTries(db, key);
      await limits.giveBack(source);
      if (row.suspendedAt !== null) throw new Problem('account_suspended');
      if (row.emailVerifiedAt === null) throw new Problem('email_not_verified');

      const { token, hash } = newToken();
      await db.transaction(async (tx) => {
        // A password that changed while this one was compared must not leave a sign-in behind.
        if (!(await store.lockPassword(tx, row.id, row.passwordHash))) throw new Problem('invalid_credentials');
        await store.insertSignIn(tx, hash, row.id);
      });
      return { token, user: userOf(row) };
    },

    /** Ends this sign-in, and with it what hangs on it. In: an account, or a client who leaves. */
    async signOut(principal: Principal): Promise<void> {
      if (principal.kind === 'account') await store.endSignIn(db, principal.tokenHash);
      await onSignOut(principal);
    },

    /** Registers. Answers alike, after about the same work, whether the address is known or not. */
    async register(input: BodyOf<typeof register>, ip: string): Promise<void> {
      if (isCommonPassword(input.password, aboutPerson(input))) throw new Problem('password_too_common');
      await limits.take(`register ${limits.addressBlock(ip)}`, config.limits.register);
      await captcha.spend(input.captcha);

      const emailNormalized = normalizeEmail(input.email);
      const found = await store.findAccountByEmail(db, emailNormalized);
      const passwordHash = await passwords.hash(input.password);
      const right = await passwords.verify(found?.passwordHash ?? null, input.password);
      if (!(await letterAllowed('register', emailNormalized))) {
        // Without a letter nothing may change: else a stranger could make worthless what the owner has in the mailbox.
        log.warn('a registration came without effect, because its address got its letters for today');
        return;
      }
      await db.transaction((tx) =>
        writeRegistration(tx, input, passwordHash, async (row) =>
          row.passwordHash === found?.passwordHash ? right : passwords.verify(row.passwordHash, input.password),
        ),
      );
    },

    /** Proves the address by the letter's token; of two at once one wins. */
    async verifyEmail(token: string): Promise<void> {
      await db.transaction(async (tx) => {
        const accountId = await store.spendToken(tx, hashToken(token), 'verify');
        if (accountId === null) throw new Problem('link_invalid');
        await store.markVerified(tx, accountId);
        await store.endTokens(tx, accountId, ['verify']);
      });
    },

    /** Sends the letter to set a new password, if there is an account; the answer and the work are the same if there is none. */
    async requestReset(email: string, ip: string): Promise<void> {
      await limits.take(`reset ${limits.addressBlock(ip)}`, config.limits.reset);
      const emailNormalized = normalizeEmail(email);
      const allowed = await letterAllowed('reset', emailNormalized);
      const row = await store.findAccountByEmail(db, emailNormalized);
      const { token, hash } = newToken();
      try {
        await db.transaction(async (tx) => {
          if (row === null) await store.endTokens(tx, 0, ['reset']);
          else await store.insertToken(tx, { hash, accountId: row.id, purpose: 'reset' });
          await mail.send(tx, { letter: 'reset', to: row?.email ?? email, language: row?.language ?? 'en', token });
          if (row === null || !allowed) throw new TakenBack();
        });
      } catch (fault) {
        if (!(fault instanceof TakenBack)) throw fault;
      }
    },

    /** Whether a reset token holds; it stays unspent. */
    async checkResetToken(token: string): Promise<void> {
      if ((await store.findTokenOwner(db, hashToken(token), 'reset')) === null) throw new Problem('link_invalid');
    },

    /** Sets a password by a reset token. All sign-ins end, the address counts as proven, a delay after wrong tries is over. */
    async changePassword(input: BodyOf<typeof changePassword>): Promise<void> {
      const tokenHash = hashToken(input.token);
      const owner = await store.findTokenOwner(db, tokenHash, 'reset');
      if (owner === null) throw new Problem('link_invalid');
      if (isCommonPassword(input.password, aboutPerson(owner))) throw new Problem('password_too_common');
      const passwordHash = await passwords.hash(input.password);
      await db.transaction(async (tx) => {
        if ((await store.spendToken(tx, tokenHash, 'reset')) === null) throw new Problem('link_invalid');
        await store.updateAccount(tx, owner.id, { passwordHash });
        await store.markVerified(tx, owner.id);
        await store.endTokens(tx, owner.id, ['verify', 'reset']);
        await store.endAllSignIns(tx, owner.id);
        await store.forgetTries(tx, await delayKey(owner.emailNormalized));
        await mail.send(tx, { letter: 'passwordChanged', to: owner.email, language: owner.language });
      });
      await onSignInsEnded(owner.id);
    },

    /** The account behind a sign-in. In: SHA-256 of the bearer token. Out: null for tokens that are unknown, ended or late. */
    async identifyAccount(tokenHash: Buffer): Promise<Account | null> {
      const row = await store.useSignIn(db, tokenHash);
      return row === null
        ? null
        : { kind: 'account', id: row.id, roles: rolesOf(row), language: row.language, tokenHash };
    },

    hasValidSignIn: (therapistId: number): Promise<boolean> => store.hasValidSignIn(db, therapistId),

    async currentUser(account: Account): Promise<User> {
      return userOf(await getAccount(account));
    },

    async setLanguage(account: Account, language: Language): Promise<void> {
      await store.updateAccount(db, account.id, { language });
    },

    async allTherapists(): Promise<ReplyOf<typeof getAllTherapist>> {
      const rows = await store.allTherapists(db);
      return rows.map((row) => ({
        ...userOf(row),
        createdAt: row.createdAt.toISOString(),
        emailVerified: row.emailVerifiedAt !== null,
      }));
    },

    /** The owner in full, for others the public part of a therapist who can be met; anybody else answers as if not there. */
    async user(therapistId: number, self: Account | null): Promise<ReplyOf<typeof getUser>> {
      if (self !== null) return userOf(await getAccount(self));
      const row = await store.findAccount(db, therapistId);
      if (
        row === null ||
        row.emailVerifiedAt === null ||
        row.suspendedAt !== null ||
        !row.roles.includes('ROLE_THERAPIST')
      )
        throw new Problem('not_found');
      return { id: row.id, firstName: row.firstName, lastName: row.lastName, picture: null };
    },
  };
}
