/** What the tests of profiles share: a whole server, people, and signing in as a browser does. */
import * as accounts from '@fieldroom/contract/accounts';
import type { Problem } from '../../platform/problem.ts';
import type { TestApp } from '../../../tests/support/test-app.ts';

/** Settings with which only a test's own limits count. */
export const NO_LIMITS = {
  LIMIT_SIGN_IN: '1000000/60',
  LIMIT_UPLOADS: '1000000/60',
  LIMIT_FORM_EMAILS: '1000000/60',
  LIMIT_ADDRESS_EMAILS: '1000000/60',
} as const;

export const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** The refusal of a call; null if it was not refused. */
export const refusal = (work: Promise<unknown>): Promise<Problem | null> =>
  work.then(
    () => null,
    (problem: unknown) => problem as Problem,
  );
/** The code of the problem with which a call was refused; null if it was not refused. */
export const codeOf = async (work: Promise<unknown>): Promise<string | null> => (await refusal(work))?.code ?? null;

/** Signs in. Returns the token. */
export async function signIn(
  t: TestApp,
  { email, password }: { email: string; password: string },
  userAgent = FIREFOX,
): Promise<string> {
  return (await t.api(accounts.login, { body: { email, password } }, { headers: { 'user-agent': userAgent } })).token;
}

/** Whether a token still signs in. */
export const isIn = async (t: TestApp, token: string): Promise<boolean> =>
  (await t.call(accounts.getCurrentUserData, {}, { token })).status === 200;

/** The token of the link in the newest email of a kind to an address. */
export async function linkTo(t: TestApp, address: string, kind: string): Promise<string> {
  const email = (await t.emails(address)).findLast((one) => one.kind === `profile.${kind}`);
  return /#token=([\w-]{43})/.exec(email?.text ?? '')![1]!;
}
