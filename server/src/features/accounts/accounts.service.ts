/**
 * The rules of accounts: registering, proving the address, signing in and staying signed in. Rules: docs/product.md#3
 * and #13.
 */
import { createHmac } from 'node:crypto';
import type { Account, Principal } from '../../access.ts';
import type { Config, Limit } from '../../platform/config.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { Counter, Limits } from '../../platform/limits.ts';
import type { Log } from '../../platform/monitoring/log.ts';
import { allEmailsTo, mailboxOf } from '../../platform/mail/mailbox.ts';
import { hashToken, newToken } from '../../platform/tokens.ts';
import type { BodyOf, ReplyOf } from '@fieldroom/contract/http';
import type {
  changePassword,
  getAllTherapist,
  getUser,
  login,
  PasswordProof,
  register,
  Role,
  User,
} from '@fieldroom/contract/accounts';
import { isTimeZone } from '@fieldroom/contract/text/timeZones';
import { Problem } from '../../platform/problem.ts';
import { type Language, normalizeEmail } from '@fieldroom/contract/text';
import type { AccountsEmails } from './emails/accounts.emails.ts';
import type { AfterAnswer } from '../../platform/scheduling/after-answer.ts';
import * as store from './accounts.store.ts';
import { picturePathOf } from './picture-path.ts';
import type { Captcha } from './sign-ins/captcha.ts';
import { isCommonPassword } from './passwords/common-passwords.ts';
import { newJoinLink, newSlug } from './join-link.ts';
import { NO_PASSWORD, normalizePassword, type Passwords } from './passwords/passwords.ts';
import { deviceOf } from './sign-ins/devices.ts';
import { createSignInCache } from './sign-ins/sign-in-cache.ts';

/** Versions of the agreements that a person accepts at registration; a new text gets a new version. */
export const AGREEMENT_VERSIONS = { license: '2026-11-2', data: '2026-11-2' } as const;

export interface ServiceParts {
  db: Db;
  limits: Limits;
  config: Pick<Config, 'limits' | 'privilegedUserIds'>;
  log: Log;
  mail: AccountsEmails;
  captcha: Captcha;
  passwords: Passwords;
  afterAnswer: AfterAnswer;
  /** Secret bytes for the hash of an address in the table of delays. */
  secret: () => Promise<Buffer>;
  /** Product time in milliseconds, from memory. */
  moment: () => number;
  /** Called after somebody has signed out: ends a therapist's live session, frees a client's seat. */
  onSignOut: (principal: Principal) => Promise<void>;
  /** Called inside the transaction that sets a new password by a link. */
  onReset: (tx: Tx, accountId: number) => Promise<void>;
  /** Called after all sign-ins of an account have ended: closes the connections that they opened. */
  onSignInsEnded: (accountId: number) => Promise<void>;
}

export type AccountsService = ReturnType<typeof createAccountsService>;

/**
 * How often a solved captcha may replace the waiting time of an address: enough for the owner to get past strangers,
 * too little for guessing.
 */
const CAPTCHA_TRIES: Limit = { max: 60, windowSeconds: 3600 };

/**
 * Thrown if the address of a registration has had its emails for today. Nothing may change without an email: otherwise
 * a stranger could make the links in the owner's mailbox worthless.
 */
class NoEmailLeft extends Error {
  override readonly name = 'NoEmailLeft';
}

/** Makes the service: one function for each call, with the problems that the contract lists. */
export function createAccountsService({
  db,
  limits,
  config,
  log,
  mail,
  captcha,
  passwords,
  afterAnswer,
  secret,
  moment,
  onSignOut,
  onReset,
  onSignInsEnded,
}: ServiceParts) {
  const privileged = new Set(config.privilegedUserIds);

  function rolesOf(row: store.AccountRow): Role[] {
    return privileged.has(row.id) && !row.roles.includes('ROLE_ADMIN') ? [...row.roles, 'ROLE_ADMIN'] : row.roles;
  }

  const signIns = createSignInCache(async (tokenHash, queries) => {
    const row = await store.useSignIn(queries, tokenHash);
    return row === null
      ? null
      : { kind: 'account', id: row.id, roles: rolesOf(row), language: row.language, tokenHash };
  }, moment);

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
      slug: row.slug,
      joinLink: row.joinLink,
      picture: picturePathOf(row),
      deletesOn: row.deletesAt?.toISOString() ?? null,
    };
  }

  const aboutPerson = (row: Pick<store.AccountRow, 'firstName' | 'lastName' | 'email'>) => [
    row.firstName,
    row.lastName,
    row.email,
  ];

  /** What counts the emails of all forms to an address. */
  const allEmailsCounter = (address: string) =>
    limits.counter(allEmailsTo(mailboxOf(address)), config.limits.addressEmails);
  /** What counts the emails of the registration form to an address: those of the form, and those of all forms. */
  const emailCounters = (address: string) =>
    Promise.all([
      limits.counter(`emails register ${mailboxOf(address)}`, config.limits.formEmails),
      allEmailsCounter(address),
    ]);

  const keyOf = async (what: string) =>
    createHmac('sha256', await secret())
      .update(what)
      .digest();
  const delayKey = (address: string) => keyOf(`sign-in ${address}`);
  const captchaTries = (address: string) => `sign-in captcha ${address}`;

  /**
   * Counts a try to sign in before the password is compared. Returns the counts to take back if the password is right,
   * because then it was not a guess.
   *
   * A password can be tried in three ways:
   * - a browser that signed in to this account before has its own number of tries, whatever strangers do;
   * - every other try counts for its source, and for the address, whose delay grows with each wrong try;
   * - instead of waiting for that delay, a person can solve a captcha. The source still counts, and all sources
   *   together have a limit per hour.
   */
  async function countTry(
    { email, device, captcha: solution }: PasswordProof,
    ip: string,
  ): Promise<() => Promise<void>> {
    const emailNormalized = normalizeEmail(email);
    if (device !== undefined && (await store.isDeviceOf(db, hashToken(device), emailNormalized))) {
      const own = await keyOf(`sign-in device ${device}`);
      if ((await store.countTry(db, own)) === 0) return () => store.forgetTries(db, own);
    }
    const source = `sign-in ${limits.addressBlock(ip)}`;
    await limits.take(source, config.limits.signIn);
    const key = await delayKey(emailNormalized);
    const retryAfterSeconds = await store.countTry(db, key);
    if (retryAfterSeconds === 0) {
      return async () => {
        await store.forgetTries(db, key);
        await limits.giveBack(source);
      };
    }
    if (solution === undefined) throw new Problem('captcha_required', { retryAfterSeconds });
    await captcha.spend(solution);
    await limits.take(captchaTries(emailNormalized), CAPTCHA_TRIES);
    // The strangers' tries still count.
    return () => limits.giveBack(source);
  }

  /** The account with this password, with the tries counted. Takes also the caller's address. */
  async function provePassword(input: PasswordProof, ip: string): Promise<store.AccountRow> {
    const wasRight = await countTry(input, ip);
    const row = await store.findAccountByEmail(db, normalizeEmail(input.email));
    const right = await passwords.verify(row?.passwordHash ?? null, normalizePassword(input.password));
    if (row === null || !right) throw new Problem('invalid_credentials');
    await wasRight();
    if (row.suspendedAt !== null) throw new Problem('account_suspended');
    return row;
  }

  /**
   * Whether a password is that of somebody who is signed in (docs/product.md#3.23). Wrong tries count for the source
   * together with those of signing in, and delay the next try of this account. Strangers cannot delay it: the count is
   * behind the sign-in. Problem: `too_many_requests`.
   */
  async function checkOwnPassword(accountId: number, password: string, ip: string): Promise<boolean> {
    const source = `sign-in ${limits.addressBlock(ip)}`;
    await limits.take(source, config.limits.signIn);
    const key = await keyOf(`own password ${accountId}`);
    const retryAfterSeconds = await store.countTry(db, key);
    if (retryAfterSeconds > 0) throw new Problem('too_many_requests', { retryAfterSeconds });
    const row = await store.findAccount(db, accountId);
    if (row === null || !(await passwords.verify(row.passwordHash, normalizePassword(password)))) return false;
    await store.forgetTries(db, key);
    await limits.giveBack(source);
    return true;
  }

  async function getAccount(account: Account): Promise<store.AccountRow> {
    const row = await store.findAccount(db, account.id);
    if (row === null) throw new Problem('session_expired');
    return row;
  }

  /**
   * Writes the effects of a registration on the address. There are four cases with one answer:
   * - new: an account, and an email to verify;
   * - known and verified: nothing changes, and an email tells the owner;
   * - known, not verified, same password: another email to verify;
   * - known, not verified, another password: one of the two is a stranger, and we cannot know which. So neither
   *   password is valid any more, and the owner of the mailbox chooses a new one by email.
   *
   * Throws NoEmailLeft if the address has had its emails for today.
   */
  async function writeRegistration(
    tx: Tx,
    input: BodyOf<typeof register>,
    {
      passwordHash,
      isPasswordOf,
      counters,
    }: {
      passwordHash: string;
      isPasswordOf: (row: store.AccountRow) => Promise<boolean>;
      counters: readonly Counter[];
    },
  ): Promise<void> {
    const emailNormalized = normalizeEmail(input.email);
    // If it is missing or unknown: the table's UTC, or the zone of an earlier registration of the address.
    const zone = input.timeZone !== undefined && isTimeZone(input.timeZone) ? { timeZone: input.timeZone } : {};
    const person = {
      firstName: input.firstName,
      lastName: input.lastName,
      gender: input.gender ?? null,
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
      slug: newSlug(input.firstName),
      joinLink: newJoinLink(),
    });
    const row = made ?? (await store.lockAccountByEmail(tx, emailNormalized));
    if (row === null) throw new Problem('conflict'); // Removed between the two statements.
    // After the account's lock, as everywhere. Counted in the same transaction: otherwise a few faults would use up the
    // emails, and the next registration would promise one that never comes.
    if (!(await limits.allowsTogether(tx, counters))) throw new NoEmailLeft();

    if (row.emailVerifiedAt !== null) {
      await store.insertToken(tx, { hash, accountId: row.id, purpose: 'reset' });
      await mail.send(tx, { kind: 'alreadyRegistered', to: row.email, language: row.language, token });
      return;
    }
    if (made === null) await store.updateAccount(tx, row.id, person);
    await store.insertAgreements(tx, row.id, agreements);
    if (made !== null || (await isPasswordOf(row))) {
      await store.insertToken(tx, { hash, accountId: row.id, purpose: 'verify' });
      await mail.send(tx, { kind: 'verify', to: row.email, language: input.language, token });
      return;
    }
    await store.updateAccount(tx, row.id, { passwordHash: NO_PASSWORD });
    await store.endTokens(tx, row.id, ['verify']);
    await store.insertToken(tx, { hash, accountId: row.id, purpose: 'reset' });
    await mail.send(tx, { kind: 'finish', to: row.email, language: input.language, token });
  }

  return {
    /**
     * Signs in. Takes email and password as typed, the browser's token if it has one, and the caller's address. Returns
     * a new token, the person, and the token by which this browser is known the next time. A limit answers at once,
     * with the seconds to wait, and keeps no connection open.
     */
    async signIn(
      input: BodyOf<typeof login>,
      ip: string,
      userAgent: string | undefined,
    ): Promise<ReplyOf<typeof login>> {
      const row = await provePassword(input, ip);
      if (row.emailVerifiedAt === null) throw new Problem('email_not_verified');

      const { token, hash } = newToken();
      const given = input.device;
      const known = given !== undefined && (await store.isDeviceOf(db, hashToken(given), row.emailNormalized));
      const device = known ? given : newToken().token;
      await db.transaction(async (tx) => {
        // If the password changed while this one was compared, no sign-in may remain.
        if (!(await store.lockPassword(tx, row.id, row.passwordHash))) throw new Problem('invalid_credentials');
        await store.insertSignIn(tx, hash, row.id, deviceOf(userAgent));
        await store.keepDevice(tx, hashToken(device), row.id);
      });
      return { token, user: userOf(row), device };
    },

    /** Ends this sign-in and what depends on it. Takes an account, or a client who leaves. */
    async signOut(principal: Principal): Promise<void> {
      if (principal.kind === 'account') {
        await store.endSignIn(db, principal.tokenHash);
        signIns.forget(principal.id);
      }
      await onSignOut(principal);
    },

    /** Registers. The answer, and roughly the work, is the same whether the address is known or not. */
    async register(input: BodyOf<typeof register>, ip: string): Promise<void> {
      if (isCommonPassword(input.password, aboutPerson(input))) throw new Problem('password_too_common');
      await limits.take(`register ${limits.addressBlock(ip)}`, config.limits.register);
      await captcha.spend(input.captcha);

      const emailNormalized = normalizeEmail(input.email);
      const found = await store.findAccountByEmail(db, emailNormalized);
      const passwordHash = await passwords.hash(input.password);
      const right = await passwords.verify(found?.passwordHash ?? null, input.password);
      const counters = await emailCounters(emailNormalized);
      const isPasswordOf = async (row: store.AccountRow) =>
        row.passwordHash === found?.passwordHash ? right : passwords.verify(row.passwordHash, input.password);
      try {
        await db.transaction((tx) => writeRegistration(tx, input, { passwordHash, isPasswordOf, counters }));
      } catch (fault) {
        if (!(fault instanceof NoEmailLeft)) throw fault;
        log.warn('a registration came without effect, because its address got its emails for today');
      }
    },

    /**
     * Sends the email to verify the address once more (docs/product.md#3.15). Earlier links stay valid. Problem beside
     * those of the password: `too_many_requests`, if the address has had its emails for today.
     */
    async sendVerification(input: PasswordProof, ip: string): Promise<void> {
      const { id, emailNormalized, emailVerifiedAt, passwordHash } = await provePassword(input, ip);
      if (emailVerifiedAt !== null) return;
      const counters = await emailCounters(emailNormalized);
      await db.transaction(async (tx) => {
        // It may have been verified, or got another password, in between.
        const row = await store.lockAccountByEmail(tx, emailNormalized);
        if (row?.id !== id || row.emailVerifiedAt !== null || row.passwordHash !== passwordHash) return;
        await limits.takeTogether(tx, counters);
        const { token, hash } = newToken();
        await store.insertToken(tx, { hash, accountId: row.id, purpose: 'verify' });
        await mail.send(tx, { kind: 'verify', to: row.email, language: row.language, token });
      });
    },

    /**
     * Proves the address by the email's token. Returns it, for the sign-in on the device on which the email was read.
     * If the token is used twice at once, one of the two wins.
     */
    async verifyEmail(token: string): Promise<{ email: string }> {
      const verified = await store.verifyByToken(db, hashToken(token));
      if (verified === null) throw new Problem('link_invalid');
      return verified;
    },

    /**
     * Requests the email to set a new password. The account is looked up after the answer, so that the time of the
     * answer reveals nothing. Strangers who ask for the same address cannot use up the owner's emails: see
     * `mayWriteReset`. An address that nobody has proven gets no more than other forms may send it.
     */
    async requestReset(email: string, ip: string): Promise<void> {
      await limits.take(`reset ${limits.addressBlock(ip)}`, config.limits.reset);
      const emailNormalized = normalizeEmail(email);
      const counter = await allEmailsCounter(emailNormalized);
      const taken = afterAnswer.add(() =>
        db.transaction(async (tx) => {
          const row = await store.lockAccountByEmail(tx, emailNormalized);
          if (row === null || !(await store.mayWriteReset(tx, row.id, config.limits.formEmails))) return;
          // Nobody has proven this address: its owner may never have registered.
          if (row.emailVerifiedAt === null && !(await limits.allowsTogether(tx, [counter]))) return;
          const { token, hash } = newToken();
          await store.insertToken(tx, { hash, accountId: row.id, purpose: 'reset' });
          await mail.send(tx, { kind: 'reset', to: row.email, language: row.language, token });
        }),
      );
      if (!taken) throw new Problem('too_many_requests', { retryAfterSeconds: 60 });
    },

    /** Whether a reset token is valid; does not use it up. */
    async checkResetToken(token: string): Promise<void> {
      if ((await store.findTokenOwner(db, hashToken(token), 'reset')) === null) throw new Problem('link_invalid');
    },

    /**
     * Sets a password by a reset token. All sign-ins end, the address counts as proven, and a delay after wrong tries
     * ends.
     */
    async changePassword(input: BodyOf<typeof changePassword>): Promise<void> {
      const tokenHash = hashToken(input.token);
      const owner = await store.findTokenOwner(db, tokenHash, 'reset');
      if (owner === null) throw new Problem('link_invalid');
      if (isCommonPassword(input.password, aboutPerson(owner))) throw new Problem('password_too_common');
      const passwordHash = await passwords.hash(input.password);
      // Before the transaction: hashing may ask the database on another connection. If transactions that wait for this
      // one had taken all connections, none would become free.
      const delays = await delayKey(owner.emailNormalized);
      await db.transaction(async (tx) => {
        if ((await store.spendToken(tx, tokenHash, 'reset')) === null) throw new Problem('link_invalid');
        await store.updateAccount(tx, owner.id, { passwordHash });
        await store.markVerified(tx, owner.id);
        await store.endTokens(tx, owner.id, ['verify', 'reset']);
        await store.endAllSignIns(tx, owner.id);
        await store.forgetDevices(tx, owner.id);
        await store.forgetTries(tx, delays);
        await onReset(tx, owner.id);
        await mail.send(tx, { kind: 'passwordChanged', to: owner.email, language: owner.language });
      });
      signIns.forget(owner.id);
      // Before anything that may fail: the link is used up, so nobody can try again to close what strangers have open.
      await onSignInsEnded(owner.id);
      // The reader of the mailbox is the owner, who must get in with the new password whatever strangers did before.
      await limits.clear(captchaTries(owner.emailNormalized));
    },

    /**
     * Suspends an account: all its sign-ins end, and no new one is possible. Harmless if it is suspended. Problems:
     * `not_found`; `forbidden` for an admin.
     */
    async suspend(accountId: number): Promise<void> {
      const row = await store.findAccount(db, accountId);
      if (row === null) throw new Problem('not_found');
      if (rolesOf(row).includes('ROLE_ADMIN')) throw new Problem('forbidden');
      await db.transaction(async (tx) => {
        await store.setSuspended(tx, accountId, true);
        await store.endAllSignIns(tx, accountId);
      });
      signIns.forget(accountId);
      await onSignInsEnded(accountId);
    },

    /** Reinstates an account; the person has to sign in again. */
    async reinstate(accountId: number): Promise<void> {
      await store.setSuspended(db, accountId, false);
    },

    /**
     * The account of a sign-in. Takes the SHA-256 of the bearer token. Returns null for tokens that are unknown, ended
     * or too old.
     */
    identifyAccount: (tokenHash: Buffer, queries = db): Promise<Account | null> => signIns.find(tokenHash, queries),

    /** Makes a new join link; after the commit the old one is invalid. Takes the transaction. */
    async renewJoinLink(tx: Tx, accountId: number): Promise<string> {
      const joinLink = newJoinLink();
      await store.updateAccount(tx, accountId, { joinLink });
      return joinLink;
    },

    checkOwnPassword,

    /** Hashes a new password of a person. Takes a normalised one. Problem: `password_too_common`. */
    async hashNewPassword(row: Pick<store.AccountRow, 'firstName' | 'lastName' | 'email'>, password: string) {
      if (isCommonPassword(password, aboutPerson(row))) throw new Problem('password_too_common');
      return passwords.hash(password);
    },

    /** Called after something read about an account has changed, or sign-ins of it have ended, and this is
     * committed. */
    forget: signIns.forget,

    hasValidSignIn: (therapistId: number): Promise<boolean> => store.hasValidSignIn(db, therapistId),

    async currentUser(account: Account): Promise<User> {
      return userOf(await getAccount(account));
    },

    async setLanguage(account: Account, language: Language): Promise<void> {
      await store.updateAccount(db, account.id, { language });
      signIns.forget(account.id);
    },

    async allTherapists(): Promise<ReplyOf<typeof getAllTherapist>> {
      const rows = await store.allTherapists(db);
      return rows.map((row) => {
        // Only the therapist sees the join link and whether the account is to be deleted.
        const { joinLink: _, picture: __, deletesOn: ___, ...shown } = userOf(row);
        return { ...shown, createdAt: row.createdAt.toISOString(), emailVerified: row.emailVerifiedAt !== null };
      });
    },

    /**
     * The whole account for its owner; for others the public part of a therapist with a public page. For anybody else
     * it answers as if they did not exist.
     */
    async user(therapistId: number, self: Account | null): Promise<ReplyOf<typeof getUser>> {
      if (self !== null) return userOf(await getAccount(self));
      const row = await store.findAccount(db, therapistId);
      if (
        row === null ||
        row.emailVerifiedAt === null ||
        row.suspendedAt !== null ||
        row.deletesAt !== null ||
        !row.roles.includes('ROLE_THERAPIST')
      )
        throw new Problem('not_found');
      return { id: row.id, firstName: row.firstName, lastName: row.lastName, picture: picturePathOf(row) };
    },
  };
}
