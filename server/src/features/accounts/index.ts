/** Door of accounts: therapists and admins, sign-ins, letters to verify and reset. */
import type { AccessValues, Account, Principal } from '../../access.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Http } from '../../platform/http/http.ts';
import type { Limits } from '../../platform/limits.ts';
import type { Log } from '../../platform/log.ts';
import type { Outbox } from '../../platform/mail/outbox.ts';
import { gates } from './accounts.gates.ts';
import { createAccountsMail } from './accounts.mail.ts';
import { accountsRoutes } from './accounts.routes.ts';
import { createAccountsService } from './accounts.service.ts';
import { removeOutdated, secretBytes, spendCaptcha } from './accounts.store.ts';
import { type Captcha, type CaptchaEffort, createCaptcha } from './captcha.ts';
import { createCountries } from './countries.ts';
import { createPasswords } from './passwords.ts';

export { DEMO_SIGN_IN } from './accounts.routes.ts';
export { AGREEMENT_VERSIONS } from './accounts.service.ts';
export { secretBytes } from './accounts.store.ts';
export type { Captcha } from './captcha.ts';
export { newJoinLink } from './join-link.ts';
export { createPasswords, normalizePassword } from './passwords.ts';
export { hashToken, newToken, type NewToken } from './tokens.ts';

export interface AccountsParts {
  db: Db;
  outbox: Outbox;
  limits: Limits;
  clock: Clock;
  config: Config;
  log: Log;
  /**
   * After somebody signed out: ends a therapist's live session, frees a client's seat and ends the client's token.
   * In: who it was. A fault is logged by the caller's side; the sign-in has ended already.
   */
  onSignOut?: (principal: Principal) => void | Promise<void>;
  /** After a new password ended all sign-ins of an account: closes what still stands open by one of them. */
  onSignInsEnded?: (accountId: number) => void | Promise<void>;
  /** Less work for the captcha of tests. */
  captchaEffort?: CaptchaEffort;
}

export interface Accounts {
  /** The account behind a sign-in: 7 days of no use end it, 30 days at most, product time. In: SHA-256 of the bearer token (`hashToken`). */
  identifyAccount(tokenHash: Buffer): Promise<Account | null>;
  /** Whether a therapist has a valid sign-in anywhere. */
  hasValidSignIn(therapistId: number): Promise<boolean>;
  /** Gates of the rules about accounts alone, by the words of the contract. */
  readonly gates: typeof gates;
  /** Mounts the calls of accounts. */
  routes(http: Http<Principal, AccessValues>): void;
  /** The captcha of all forms that anybody may send. `spend(solution)` throws `captcha_failed`. */
  readonly captcha: Captcha;
  /** Removes tokens, delays and never verified accounts that are outdated; for a job every hour. */
  removeOutdated(): Promise<void>;
}

/** Makes accounts. In: the platform's parts and whom to tell. Source: PRODUCT 3, SAFE, specification 7.1 and 8. */
export function createAccounts({
  db,
  outbox,
  limits,
  clock,
  config,
  log,
  onSignOut,
  onSignInsEnded,
  captchaEffort,
}: AccountsParts): Accounts {
  const captcha = createCaptcha({
    secret: () => secretBytes(db, 'captcha'),
    clock,
    spend: (challengeHash, until) => spendCaptcha(db, challengeHash, until),
    effort: captchaEffort,
  });
  const service = createAccountsService({
    db,
    limits,
    config,
    log,
    mail: createAccountsMail(outbox, config.publicUrl),
    captcha,
    passwords: createPasswords(),
    secret: remembered(() => secretBytes(db, 'sign-in delays')),
    onSignOut: async (principal) => onSignOut?.(principal),
    onSignInsEnded: async (accountId) => onSignInsEnded?.(accountId),
  });
  return {
    identifyAccount: service.identifyAccount,
    hasValidSignIn: service.hasValidSignIn,
    gates,
    routes: (http) => accountsRoutes(http, { service, captcha, countries: createCountries(), clock, limits, config }),
    captcha,
    removeOutdated: () => removeOutdated(db),
  };
}

/** Asks once and keeps the answer; a fault is not kept. */
function remembered<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | null = null;
  return () => {
    answer ??= ask().catch((fault: unknown) => {
      answer = null;
      throw fault;
    });
    return answer;
  };
}
