/** Accounts: therapists and admins, sign-ins, emails to verify and reset. */
import type { Account, Principal } from '../../access.ts';
import type { Feature } from '../../feature.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Db, Queryable, Tx } from '../../platform/db/db.ts';
import type { Limits } from '../../platform/limits.ts';
import type { Log } from '../../platform/monitoring/log.ts';
import type { Outbox } from '../../platform/mail/outbox.ts';
import type { Secrets } from '../../platform/secrets.ts';
import { gates } from './accounts.gates.ts';
import { createAccountsEmails } from './emails/accounts.emails.ts';
import { accountsRoutes } from './accounts.routes.ts';
import { createAccountsService } from './accounts.service.ts';
import { findContact, findFirstName, type Removed, removeOutdated, spendCaptcha } from './accounts.store.ts';
import { createAfterAnswer } from '../../platform/scheduling/after-answer.ts';
import { type Captcha, type CaptchaEffort, createCaptcha } from './sign-ins/captcha.ts';
import { createCountries } from './sign-ins/countryOfIp.ts';
import { createPasswords } from './passwords/passwords.ts';

export { DEMO_SIGN_IN } from './accounts.routes.ts';
export { AGREEMENT_VERSIONS } from './accounts.service.ts';
export { isProven, validSignIn } from './accounts.store.ts';
export { picturePathOf } from './picture-path.ts';
export { latin, newJoinLink, newSlug } from './join-link.ts';
export { createPasswords, NO_PASSWORD, normalizePassword } from './passwords/passwords.ts';

export interface AccountsParts {
  db: Db;
  outbox: Outbox;
  limits: Limits;
  clock: Clock;
  config: Config;
  secrets: Secrets;
  log: Log;
  /** Reduces the captcha's work in tests. */
  captchaEffort?: CaptchaEffort;
}

export interface Accounts extends Required<Pick<Feature, 'routes' | 'stop'>> {
  /**
   * The account of a sign-in, which ends after 7 days without use and after 30 days at most, in product time. Takes the
   * SHA-256 of the bearer token (`hashToken`), and the pool to use if it is not that of calls.
   */
  identifyAccount(tokenHash: Buffer, db?: Db): Promise<Account | null>;
  /** Suspends an account and ends its sign-ins. Problems: `not_found`; `forbidden` for an admin. */
  suspend(accountId: number): Promise<void>;
  /** Reinstates an account. */
  reinstate(accountId: number): Promise<void>;
  /** Whether a therapist has a valid sign-in anywhere. */
  hasValidSignIn(therapistId: number): Promise<boolean>;
  /**
   * Whether a password is that of somebody who is signed in; wrong tries are counted and delayed. Takes the caller's
   * address. Problem: `too_many_requests`.
   */
  checkOwnPassword(accountId: number, password: string, ip: string): Promise<boolean>;
  /** Hashes a new password of a person. Problem: `password_too_common`. */
  hashNewPassword(person: { firstName: string; lastName: string; email: string }, password: string): Promise<string>;
  /** Call it after something read about an account has changed, or sign-ins of it have ended, and this is committed. */
  forget(accountId: number): void;
  /** Makes a new join link for a therapist; the old one is invalid after the commit. */
  renewJoinLink(tx: Tx, therapistId: number): Promise<string>;
  /** Gates of the rules that concern only accounts, by the words of the contract. */
  readonly gates: typeof gates;
  /** The first name of an account, '' if there is none; uses the caller's connection to the database. */
  firstNameOf(accountId: number, db: Queryable): Promise<string>;
  /** The current address and name of an account; null if it no longer exists. */
  contactOf(accountId: number): Promise<{ email: string; firstName: string; lastName: string } | null>;
  /** Sets what else ends when somebody signs out. The sign-in has ended before. */
  onSignOut(listener: (principal: Principal) => void | Promise<void>): void;
  /** Sets what else ends in the transaction that sets a new password by a link. */
  onReset(listener: (tx: Tx, accountId: number) => Promise<void>): void;
  /** Sets what to close after a new password has ended all sign-ins of an account. */
  onSignInsEnded(listener: (accountId: number) => void | Promise<void>): void;
  /** The captcha of all forms that anybody may send. `spend(solution)` throws `captcha_failed`. */
  readonly captcha: Captcha;
  /** Removes tokens, sign-ins and accounts of no further use. Returns the number of each. */
  removeOutdated(): Promise<Removed>;
  /** Resolves when the work deferred until after an answer is done. */
  idle(): Promise<void>;
}

/** Makes accounts. Rules: docs/product.md#3 and #13. */
export function createAccounts({
  db,
  outbox,
  limits,
  clock,
  config,
  secrets,
  log,
  captchaEffort,
}: AccountsParts): Accounts {
  const captcha = createCaptcha({
    secret: () => secrets.get('captcha'),
    clock,
    spend: (challengeHash, until) => spendCaptcha(db, challengeHash, until),
    effort: captchaEffort,
  });
  const afterAnswer = createAfterAnswer(log);
  let signedOut: Parameters<Accounts['onSignOut']>[0] = () => {};
  let signInsEnded: Parameters<Accounts['onSignInsEnded']>[0] = () => {};
  let reset: Parameters<Accounts['onReset']>[0] = async () => {};
  const service = createAccountsService({
    db,
    limits,
    config,
    log,
    mail: createAccountsEmails(outbox, config.publicUrl),
    captcha,
    passwords: createPasswords(),
    afterAnswer,
    secret: () => secrets.get('sign-in delays'),
    moment: clock.moment,
    onSignOut: async (principal) => signedOut(principal),
    onReset: (tx, accountId) => reset(tx, accountId),
    onSignInsEnded: async (accountId) => signInsEnded(accountId),
  });
  return {
    identifyAccount: service.identifyAccount,
    suspend: service.suspend,
    reinstate: service.reinstate,
    hasValidSignIn: service.hasValidSignIn,
    checkOwnPassword: service.checkOwnPassword,
    hashNewPassword: service.hashNewPassword,
    forget: service.forget,
    renewJoinLink: service.renewJoinLink,
    firstNameOf: (accountId, queries) => findFirstName(queries, accountId),
    contactOf: (accountId) => findContact(db, accountId),
    onSignOut: (listener) => void (signedOut = listener),
    onReset: (listener) => void (reset = listener),
    onSignInsEnded: (listener) => void (signInsEnded = listener),
    gates,
    routes: (http) => accountsRoutes(http, { service, captcha, countries: createCountries(), clock, limits, config }),
    captcha,
    removeOutdated: () => removeOutdated(db),
    idle: afterAnswer.idle,
    stop: afterAnswer.stop,
  };
}
