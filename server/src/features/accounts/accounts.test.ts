/** Accounts through HTTP on a real PostgreSQL: docs/product.md#3 and #13. */
import { randomBytes } from 'node:crypto';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { and, asc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import * as calls from '@fieldroom/contract/accounts';
import type { Endpoint } from '@fieldroom/contract/http';
import type { ProblemBody } from '@fieldroom/contract/problems';
import type { ClientSeat } from '../../access.ts';
import { allEmailsTo, mailboxOf } from '../../platform/mail/mailbox.ts';
import { outboxEmails } from '../../platform/platform.tables.ts';
import { hashToken } from '../../platform/tokens.ts';
import { DatabaseUnavailable } from '../../platform/db/db.ts';
import { holdLock } from '../../../tests/support/locks.ts';
import { countTry } from './accounts.store.ts';
import { aSignIn, aTherapist, anAccount, anAdmin, BUILT_PASSWORD } from '../../builders/accounts.builders.ts';
import { type AccountsWorld, startAccounts } from './accounts.fixture.ts';
import { accountAgreements, accounts, accountTokens, signInDelays, signIns, spentCaptchas } from './accounts.tables.ts';

let world: AccountsWorld;
beforeAll(async () => {
  world = await startAccounts();
});
afterAll(async () => {
  await world?.stop();
});

const DAY = 86_400;
/** A password that cannot appear in a log by accident. */
const SECRET = 'Ziegenpeter-Xylophon-77';
let people = 0;
const freshEmail = () => `ildi-${(people += 1)}@mailbox.example`;
/**
 * Each case has its own source, so that limits of one case do not affect another; a /64 cannot be shared by accident.
 */
let sources = 0;
const freshSource = () => `2001:db8:${(sources += 1).toString(16)}::1`;

interface Answer {
  status: number;
  body: unknown;
  code: string | undefined;
  retryAfterSeconds: number | undefined;
  headers: Headers;
}
interface Given {
  params?: Record<string, string | number>;
  query?: Record<string, string>;
  body?: unknown;
  token?: string;
  from?: string;
}

async function call(
  endpoint: Endpoint,
  { params = {}, query = {}, body, token, from = freshSource() }: Given = {},
): Promise<Answer> {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams(query).toString();
  const response = await fetch(`${world.url}${path}${search === '' ? '' : `?${search}`}`, {
    method: endpoint.method,
    headers: {
      'x-forwarded-for': from,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const parsed: unknown = text === '' ? null : JSON.parse(text);
  const problem = response.ok ? null : (parsed as ProblemBody);
  return {
    status: response.status,
    body: parsed,
    code: problem?.code,
    retryAfterSeconds: problem?.retryAfterSeconds,
    headers: response.headers,
  };
}

async function solvedCaptcha(): Promise<string> {
  const { body } = await call(calls.getCaptcha);
  const challenge = body as Parameters<typeof solveChallenge>[0]['challenge'];
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

const form = (more: Record<string, unknown> = {}) => ({
  firstName: 'Ildikó',
  lastName: 'Szabó-Varga',
  gender: 'female',
  language: 'hu',
  licenseAccepted: true,
  dataAccepted: true,
  password: SECRET,
  ...more,
});

async function register(more: Record<string, unknown> = {}, from?: string): Promise<Answer> {
  return call(calls.register, {
    body: form({ captcha: await solvedCaptcha(), ...more }),
    ...(from === undefined ? {} : { from }),
  });
}

async function emailsTo(address: string) {
  await world.accounts.idle();
  return world.db.select().from(outboxEmails).where(eq(outboxEmails.to, address)).orderBy(asc(outboxEmails.number));
}
/** The token of the newest email to an address. */
async function tokenTo(address: string): Promise<string> {
  const sentEmail = (await emailsTo(address)).at(-1);
  const found = /#token=([\w-]{43})/.exec(sentEmail?.text ?? '');
  if (found === null) throw new Error('there is no email with a token');
  return found[1]!;
}
const signIn = (email: string, password: string = SECRET, from?: string) =>
  call(calls.login, { body: { email, password }, ...(from === undefined ? {} : { from }) });
/** Almost stops product time until the test ends: delays of seconds are exact then, however slow the machine is. */
async function stopTime(): Promise<void> {
  onTestFinished(() => world.clock.setSpeed(1));
  await world.clock.setSpeed(0.001);
}
async function rowOf(email: string) {
  const [row] = await world.db.select().from(accounts).where(eq(accounts.email, email));
  return row;
}

describe('register', () => {
  test('makes an account; the email verifies it, and then it can sign in', async () => {
    const email = freshEmail();
    expect(await register({ email })).toMatchObject({ status: 204 });
    expect(await signIn(email)).toMatchObject({ status: 403, code: 'email_not_verified' });
    expect(await call(calls.verify, { query: { token: await tokenTo(email) } })).toMatchObject({ status: 200 });
    const { status, body } = await signIn(email);
    expect(status).toBe(200);
    const row = await rowOf(email);
    expect(body).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      device: expect.stringMatching(/^[\w-]{43}$/),
      user: {
        id: row!.id,
        firstName: 'Ildikó',
        lastName: 'Szabó-Varga',
        email,
        roles: ['ROLE_THERAPIST'],
        authorities: ['ROLE_THERAPIST'],
        language: 'hu',
        picture: null,
        deletesOn: null,
        slug: expect.stringMatching(/^ildiko-[a-hjkmnp-z2-9]{8}$/),
        joinLink: expect.stringMatching(/^([a-hjkmnp-z2-9]{4}-){3}[a-hjkmnp-z2-9]{4}$/),
      },
    });
    const me = await call(calls.getCurrentUserData, { token: (body as { token: string }).token });
    expect(me.body).toEqual((body as { user: unknown }).user);
  });

  test('keeps agreements with version, language and time, and the password only as a hash', async () => {
    const email = freshEmail();
    await register({ email, language: 'ro' });
    const row = await rowOf(email);
    expect(row!.passwordHash).toMatch(/^\$argon2id\$/);
    const agreements = await world.db
      .select()
      .from(accountAgreements)
      .where(eq(accountAgreements.accountId, row!.id))
      .orderBy(asc(accountAgreements.kind));
    expect(agreements).toMatchObject([
      { kind: 'data', language: 'ro' },
      { kind: 'license', language: 'ro' },
    ]);
    for (const { version, agreedAt } of agreements) {
      expect(version).toMatch(/^\d{4}-\d{2}(-\d)?$/);
      expect(Math.abs(agreedAt.getTime() - row!.createdAt.getTime())).toBeLessThan(60_000);
    }
  });

  test('uses the browser’s zone for the therapist’s events; an unknown or missing one counts as UTC', async () => {
    const zoneAfter = async (more: Record<string, unknown>) => {
      const email = freshEmail();
      expect(await register({ email, ...more })).toMatchObject({ status: 204 });
      const [row] = await world.db
        .select({ timeZone: accounts.timeZone })
        .from(accounts)
        .where(eq(accounts.email, email));
      return row!.timeZone;
    };
    expect(await zoneAfter({ timeZone: 'Europe/Budapest' })).toBe('Europe/Budapest');
    for (const more of [{}, { timeZone: 'Europe/Atlantis' }, { timeZone: '' }, { timeZone: '+02:00' }])
      expect(await zoneAfter(more), JSON.stringify(more)).toBe('UTC');
    expect(await register({ email: freshEmail(), timeZone: 'x'.repeat(65) })).toMatchObject({ code: 'invalid_input' });
  });

  test('writes the email in the language of the form, with the link in the fragment and the token stored as a hash only', async () => {
    const email = freshEmail();
    await register({ email });
    const [sentEmail] = await emailsTo(email);
    expect(sentEmail).toMatchObject({
      kind: 'accounts.verify',
      language: 'hu',
      subject: 'Kérjük, erősítse meg e-mail-címét',
    });
    const token = await tokenTo(email);
    expect(sentEmail!.text).toContain(`${world.config.publicUrl}/user/verify#token=${token}`);
    expect(sentEmail!.html).toContain(`/user/verify#token=${token}`);
    // Our emails must not contain what a stranger typed.
    expect(sentEmail!.text + sentEmail!.html + sentEmail!.subject).not.toMatch(/Ildikó|Szabó/);
    const [stored] = await world.db
      .select()
      .from(accountTokens)
      .where(eq(accountTokens.tokenHash, hashToken(token)));
    expect(stored).toMatchObject({ purpose: 'verify', usedAt: null });
  });

  test('gives the same answer for a known address, changes nothing and informs its owner', async () => {
    const known = await anAccount(world.db, { email: freshEmail(), language: 'de', password: 'an older good phrase' });
    const before = await rowOf(known.email);
    const unknown = await register({ email: freshEmail() });
    const again = await register({ email: known.email.toUpperCase() });
    expect([again.status, again.body]).toEqual([unknown.status, unknown.body]);
    expect(await rowOf(known.email)).toEqual(before);
    const emails = await emailsTo(known.email);
    expect(emails).toHaveLength(1);
    expect(emails[0]).toMatchObject({
      kind: 'accounts.alreadyRegistered',
      language: 'de',
      subject: 'Sie haben bereits ein Konto',
    });
    expect(await call(calls.checkPasswordToken, { query: { token: await tokenTo(known.email) } })).toMatchObject({
      status: 204,
    });
    expect(await signIn(known.email, 'an older good phrase')).toMatchObject({ status: 200 });
  });

  test('sends another email to verify an unverified address; both links work until one is used', async () => {
    const email = freshEmail();
    await register({ email });
    const first = await tokenTo(email);
    await register({ email, firstName: 'Ildi' });
    const second = await tokenTo(email);
    expect((await emailsTo(email)).map(({ kind }) => kind)).toEqual(['accounts.verify', 'accounts.verify']);
    expect(await rowOf(email)).toMatchObject({ firstName: 'Ildi' });
    expect(await call(calls.verify, { query: { token: first } })).toMatchObject({ status: 200 });
    expect(await call(calls.verify, { query: { token: second } })).toMatchObject({ status: 400, code: 'link_invalid' });
    expect(await signIn(email)).toMatchObject({ status: 200 });
  });

  test('keeps no stranger’s password: of two different ones before verifying neither is valid, the mailbox decides', async () => {
    const email = freshEmail();
    await register({ email, password: 'the strangers own phrase' });
    const first = await tokenTo(email);
    await register({ email });
    const second = await tokenTo(email);
    expect((await emailsTo(email)).map(({ kind }) => kind)).toEqual(['accounts.verify', 'accounts.finish']);
    // The stranger's email is worthless, and a third try with the stranger's password changes nothing.
    expect(await call(calls.verify, { query: { token: first } })).toMatchObject({ code: 'link_invalid' });
    await register({ email, password: 'the strangers own phrase' });
    expect((await emailsTo(email)).at(-1)).toMatchObject({ kind: 'accounts.finish' });
    expect(await signIn(email, 'the strangers own phrase')).toMatchObject({ code: 'invalid_credentials' });
    expect(await call(calls.changePassword, { body: { token: second, password: SECRET } })).toMatchObject({
      status: 204,
    });
    expect(await signIn(email)).toMatchObject({ status: 200 });
    expect(await signIn(email, 'the strangers own phrase')).toMatchObject({ code: 'invalid_credentials' });
  });

  test('makes one account of two at once for one address, and both get the same answer', async () => {
    const email = freshEmail();
    const captchas = [await solvedCaptcha(), await solvedCaptcha()];
    const answers = await world.together(
      sql`lock table accounts in share mode`,
      captchas.map((captcha) => () => call(calls.register, { body: form({ email, captcha }) })),
    );
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
    expect(await world.db.select().from(accounts).where(eq(accounts.emailNormalized, email))).toHaveLength(1);
    // The same person clicked twice: two emails to verify, no suspicion.
    expect((await emailsTo(email)).map(({ kind }) => kind)).toEqual(['accounts.verify', 'accounts.verify']);
  });

  test('sends three emails a day to one address and answers the same afterwards, and nothing changes without an email', async () => {
    const email = freshEmail();
    for (let nth = 0; nth < 3; nth += 1) await register({ email });
    const token = await tokenTo(email);
    expect(await register({ email, password: 'another phrase than before', firstName: 'Stranger' })).toMatchObject({
      status: 204,
    });
    expect(await emailsTo(email)).toHaveLength(3);
    expect(await rowOf(email)).toMatchObject({ firstName: 'Ildikó' });
    expect(await call(calls.verify, { query: { token } })).toMatchObject({ status: 200 });
    expect(await signIn(email)).toMatchObject({ status: 200 });
  });

  test('is counted per address block', async () => {
    const source = freshSource();
    const { max } = world.config.limits.register;
    // Without a captcha nothing is registered, but the attempt counts.
    for (let nth = 0; nth < max; nth += 1)
      expect(
        await call(calls.register, { body: form({ email: freshEmail(), captcha: 'none' }), from: source }),
      ).toMatchObject({ code: 'captcha_failed' });
    const refused = await register({ email: freshEmail() }, source);
    expect(refused).toMatchObject({ status: 429, code: 'too_many_requests' });
    expect(refused.retryAfterSeconds).toBeGreaterThan(0);
    expect(refused.headers.get('retry-after')).toBe(String(refused.retryAfterSeconds));
    // Another host of the same home network counts together with it, another home does not.
    expect(await register({ email: freshEmail() }, source.replace('::1', '::2'))).toMatchObject({ status: 429 });
    expect(await register({ email: freshEmail() })).toMatchObject({ status: 204 });
  });

  test.each([
    ['common', { password: 'Password123!' }, 'password_too_common'],
    ['made of the name', { password: 'szabovargaildiko' }, 'password_too_common'],
    ['too short', { password: 'Xy7-klöp' }, 'invalid_input'],
    ['longer than 128 characters', { password: 'ab7-'.repeat(33) }, 'invalid_input'],
    ['with an agreement missing', { dataAccepted: false }, 'invalid_input'],
    ['with a role of its own choice', { roles: ['ROLE_ADMIN'] }, 'invalid_input'],
    ['with a line break in the address', { email: 'a@b.example\r\nBcc: c@d.example' }, 'invalid_input'],
    ['with a control character in the name', { firstName: 'Il\u0007di' }, 'invalid_input'],
    ['with a direction override in the name', { firstName: 'Il\u202Edi' }, 'invalid_input'],
    ['with a name of 10 kB', { firstName: 'x'.repeat(10_000) }, 'invalid_input'],
    ['in a language we do not speak', { language: 'fr' }, 'invalid_input'],
  ])('refuses one %s and makes nothing', async (_, more, code) => {
    const email = freshEmail();
    expect(await register({ email, ...more })).toMatchObject({ status: 400, code });
    expect(await rowOf(email)).toBeUndefined();
  });
});

describe('captcha', () => {
  const attempt = (captcha: string, email = freshEmail()) => call(calls.register, { body: form({ email, captcha }) });
  const open = (solution: string) =>
    JSON.parse(Buffer.from(solution, 'base64').toString()) as {
      challenge: { parameters: Record<string, unknown>; signature: string };
      solution: { counter: number; derivedKey: string };
    };
  const close = (payload: unknown) => Buffer.from(JSON.stringify(payload)).toString('base64');

  test('is valid once', async () => {
    const captcha = await solvedCaptcha();
    expect(await attempt(captcha)).toMatchObject({ status: 204 });
    expect(await attempt(captcha)).toMatchObject({ status: 400, code: 'captcha_failed' });
    // Written differently, but the same challenge.
    const payload = open(captcha);
    expect(await attempt(close({ ...payload, extra: 1 }))).toMatchObject({ code: 'captcha_failed' });
  });

  test('is accepted in one of two simultaneous uses', async () => {
    const captcha = await solvedCaptcha();
    const answers = await world.together(sql`lock table spent_captchas in share mode`, [
      () => attempt(captcha),
      () => attempt(captcha),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 400]);
  });

  test('is valid for ten minutes of product time', async () => {
    const [inTime, late] = [await solvedCaptcha(), await solvedCaptcha()];
    await world.clock.move(540);
    expect(await attempt(inTime)).toMatchObject({ status: 204 });
    await world.clock.move(61);
    expect(await attempt(late)).toMatchObject({ code: 'captcha_failed' });
  });

  test.each([
    ['a word', () => 'solved'],
    ['JSON of another kind', () => close([1, 2, 3])],
    ['null', () => close(null)],
    ['no work done', (good: string) => close({ ...open(good), solution: { counter: 0, derivedKey: '00'.repeat(32) } })],
    [
      'an easier challenge',
      (good: string) =>
        close({
          ...open(good),
          challenge: { ...open(good).challenge, parameters: { ...open(good).challenge.parameters, cost: 1 } },
        }),
    ],
    [
      'a longer life',
      (good: string) =>
        close({
          ...open(good),
          challenge: {
            ...open(good).challenge,
            parameters: { ...open(good).challenge.parameters, data: { until: 9e15 } },
          },
        }),
    ],
    [
      'a signature of its own',
      (good: string) => close({ ...open(good), challenge: { ...open(good).challenge, signature: 'ab'.repeat(32) } }),
    ],
    [
      'no signature',
      (good: string) =>
        close({ solution: open(good).solution, challenge: { parameters: open(good).challenge.parameters } }),
    ],
    [
      'odd hexadecimal',
      (good: string) =>
        close({
          ...open(good),
          challenge: { ...open(good).challenge, parameters: { ...open(good).challenge.parameters, nonce: 'zz1' } },
        }),
    ],
  ])('refuses %s', async (_, spoil) => {
    const email = freshEmail();
    expect(await attempt(spoil(await solvedCaptcha()), email)).toMatchObject({ status: 400, code: 'captcha_failed' });
    expect(await rowOf(email)).toBeUndefined();
  });

  test('is still valid after a restart', async () => {
    const captcha = await solvedCaptcha();
    const again = await world.startAgain();
    await expect(again.captcha.spend(captcha)).resolves.toBeUndefined();
    await expect(again.captcha.spend(captcha)).rejects.toMatchObject({ code: 'captcha_failed' });
  });
});

describe('verify', () => {
  async function registered() {
    const email = freshEmail();
    await register({ email });
    return { email, token: await tokenTo(email) };
  }

  test('accepts a token once, and returns the verified address', async () => {
    const { email, token } = await registered();
    expect(await call(calls.verify, { query: { token } })).toMatchObject({ status: 200, body: { email } });
    expect(await call(calls.verify, { query: { token } })).toMatchObject({ status: 400, code: 'link_invalid' });
  });

  test('accepts one of two simultaneous uses', async () => {
    const { email, token } = await registered();
    const row = await rowOf(email);
    const answers = await world.together(
      sql`select 1 from account_tokens where account_id = ${row!.id} for update`,
      [1, 2].map(() => () => call(calls.verify, { query: { token } })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  test('accepts it for 24 hours', async () => {
    const [inTime, late] = [await registered(), await registered()];
    await world.clock.move(DAY - 60);
    expect(await call(calls.verify, { query: { token: inTime.token } })).toMatchObject({ status: 200 });
    await world.clock.move(61);
    expect(await call(calls.verify, { query: { token: late.token } })).toMatchObject({ code: 'link_invalid' });
    expect(await signIn(late.email)).toMatchObject({ code: 'email_not_verified' });
  });

  test('refuses tokens of another kind or origin', async () => {
    const { email } = await aTherapist(world.db, { email: freshEmail() });
    await call(calls.reset, { query: { email } });
    for (const token of [await tokenTo(email), 'x'.repeat(43), 'short', "'; drop table accounts; --"])
      expect(await call(calls.verify, { query: { token } })).toMatchObject({ status: 400, code: 'link_invalid' });
    expect(await call(calls.verify)).toMatchObject({ status: 400, code: 'invalid_input' });
  });
});

describe('sending the email to verify again', () => {
  const again = (email: string, password = SECRET, from = freshSource()) =>
    call(calls.sendVerification, { body: { email, password }, from });

  test('sends another link to a person who knows the password; both work until one is used', async () => {
    const email = freshEmail();
    await register({ email });
    const first = await tokenTo(email);
    expect(await again(email)).toMatchObject({ status: 204 });
    const second = await tokenTo(email);
    expect(second).not.toBe(first);
    expect(await call(calls.verify, { query: { token: second } })).toMatchObject({ status: 200 });
    expect(await call(calls.verify, { query: { token: first } })).toMatchObject({ code: 'link_invalid' });
  });

  test('sends nothing for a verified address', async () => {
    const { email, password } = await aTherapist(world.db, { email: freshEmail() });
    expect(await again(email, password)).toMatchObject({ status: 204 });
    expect(await emailsTo(email)).toEqual([]);
  });

  test('gives the same answer for a wrong password and an unknown address, and counts as a sign-in try', async () => {
    const email = freshEmail();
    await register({ email });
    expect(await again(email, 'not this one at all')).toMatchObject({ status: 401, code: 'invalid_credentials' });
    expect(await again(freshEmail())).toMatchObject({ status: 401, code: 'invalid_credentials' });
    expect(await emailsTo(email)).toHaveLength(1);
    const source = freshSource();
    for (let nth = 0; nth < world.config.limits.signIn.max; nth += 1) await again(freshEmail(), 'wrong', source);
    expect(await again(freshEmail(), 'wrong', source)).toMatchObject({ status: 429 });
    expect(await call(calls.login, { body: { email: freshEmail(), password: 'wrong' }, from: source })).toMatchObject({
      status: 429,
    });
  });

  test('sends three emails a day to one address, together with the form, and says when none are left', async () => {
    const email = freshEmail();
    await register({ email });
    for (let nth = 0; nth < 2; nth += 1) expect(await again(email)).toMatchObject({ status: 204 });
    expect(await again(email)).toMatchObject({ status: 429, code: 'too_many_requests' });
    expect(await emailsTo(email)).toHaveLength(3);
  });

  test('is refused for suspended accounts', async () => {
    const { email, password } = await anAccount(world.db, {
      email: freshEmail(),
      verified: false,
      suspended: true,
    });
    expect(await again(email, password)).toMatchObject({ status: 403, code: 'account_suspended' });
    expect(await emailsTo(email)).toEqual([]);
  });
});

describe('sign in', () => {
  test('gives the same answer for a wrong password and an unknown address', async () => {
    const { email } = await aTherapist(world.db, { email: freshEmail() });
    const [wrong, unknown] = [await signIn(email, 'not the password'), await signIn(freshEmail())];
    expect(wrong).toMatchObject({ status: 401, code: 'invalid_credentials' });
    expect(unknown.body).toEqual(wrong.body);
  });

  test('accepts every equivalent spelling of address and password', async () => {
    const email = freshEmail();
    await anAccount(world.db, { email, password: 'Kov\u00e1cs l\u00e1ng \u00e9g' });
    expect(await signIn(` ${email.toUpperCase()} `, 'Kova\u0301cs la\u0301ng e\u0301g')).toMatchObject({ status: 200 });
  });

  test('reveals an unverified address or a suspension only after the right password', async () => {
    const waiting = await anAccount(world.db, { email: freshEmail(), verified: false });
    expect(await signIn(waiting.email, 'not the password')).toMatchObject({ code: 'invalid_credentials' });
    expect(await signIn(waiting.email, waiting.password)).toMatchObject({ status: 403, code: 'email_not_verified' });
    const suspended = await anAccount(world.db, { email: freshEmail(), suspended: true });
    expect(await signIn(suspended.email, 'not the password')).toMatchObject({ code: 'invalid_credentials' });
    expect(await signIn(suspended.email, suspended.password)).toMatchObject({ status: 403, code: 'account_suspended' });
    // A sign-in from before the suspension is invalid too.
    expect(await call(calls.getCurrentUserData, { token: suspended.token })).toMatchObject({ status: 401 });
  });

  test('counts wrong tries per address block, not right ones; after 15 minutes it is open again', async () => {
    const source = freshSource();
    const { max, windowSeconds } = world.config.limits.signIn;
    const { email, password } = await aTherapist(world.db, { email: freshEmail() });
    for (let nth = 0; nth < max; nth += 1) {
      expect(await signIn(email, password, source)).toMatchObject({ status: 200 });
      expect(await signIn(freshEmail(), 'not the password', source)).toMatchObject({ status: 401 });
    }
    const refused = await signIn(email, password, source);
    expect(refused).toMatchObject({ status: 429, code: 'too_many_requests' });
    expect(refused.retryAfterSeconds).toBeLessThanOrEqual(windowSeconds);
    expect(await signIn(email, password)).toMatchObject({ status: 200 });
    await world.clock.move(refused.retryAfterSeconds!);
    expect(await signIn(email, password, source)).toMatchObject({ status: 200 });
  });

  test.each(['a known', 'an unknown'])(
    'delays %s address longer and longer after wrong passwords, from any source',
    async (which) => {
      await stopTime();
      const email = freshEmail();
      if (which === 'a known') await aTherapist(world.db, { email });
      // Four tries cause no wait; the fifth has to wait.
      for (let nth = 0; nth < 5; nth += 1)
        expect(await signIn(email, 'not the password')).toMatchObject({ code: 'invalid_credentials' });
      const waits: number[] = [];
      for (let nth = 0; nth < 10; nth += 1) {
        // The right password has to wait too; otherwise the answer would reveal it.
        const blocked = await signIn(email, BUILT_PASSWORD);
        expect(blocked).toMatchObject({ status: 429, code: 'captcha_required' });
        waits.push(blocked.retryAfterSeconds!);
        await world.clock.move(blocked.retryAfterSeconds!);
        expect(await signIn(email, 'not the password')).toMatchObject({ code: 'invalid_credentials' });
      }
      expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300]);
      // After an hour without a try the count begins again.
      await world.clock.move(3_601);
      for (let nth = 0; nth < 4; nth += 1)
        expect(await signIn(email, 'not the password')).toMatchObject({ code: 'invalid_credentials' });
      expect(await signIn(email, BUILT_PASSWORD)).toMatchObject(
        which === 'a known' ? { status: 200 } : { code: 'invalid_credentials' },
      );
    },
  );

  test('applies the delay to many simultaneous tries', async () => {
    await stopTime();
    const { email } = await aTherapist(world.db, { email: freshEmail() });
    const answers = await Promise.all(Array.from({ length: 12 }, () => signIn(email, 'not the password')));
    const looked = answers.filter(({ code }) => code === 'invalid_credentials');
    expect(looked.length).toBeLessThanOrEqual(5);
    expect(answers.filter(({ code }) => code === 'captcha_required')).toHaveLength(12 - looked.length);
  });

  test('has no delay after the password was reset by email', async () => {
    await stopTime();
    const { email } = await aTherapist(world.db, { email: freshEmail() });
    for (let nth = 0; nth < 5; nth += 1) await signIn(email, 'not the password');
    expect(await signIn(email, BUILT_PASSWORD)).toMatchObject({ status: 429 });
    await call(calls.reset, { query: { email } });
    await call(calls.changePassword, { body: { token: await tokenTo(email), password: SECRET } });
    expect(await signIn(email)).toMatchObject({ status: 200 });
  });

  test('stores no address in the table of delays', async () => {
    const email = freshEmail();
    await signIn(email);
    const rows = await world.db.select({ key: signInDelays.key }).from(signInDelays);
    expect(rows.every(({ key }) => key.length === 32)).toBe(true);
    const plain = hashToken(`sign-in ${email}`);
    expect(rows.some(({ key }) => key.equals(plain))).toBe(false);
  });

  test.each([
    [{}],
    [{ email: 'a@b.example' }],
    [{ email: 'a@b.example', password: '' }],
    [{ email: 'a@b.example', password: 'x'.repeat(1024) }],
    [{ email: 'a@b.example', password: 'x', remember: true }],
    [[]],
    ['text'],
    [{ email: { $ne: null }, password: 'x' }],
  ])('refuses %j', async (body) => {
    expect(await call(calls.login, { body })).toMatchObject({ status: 400, code: 'invalid_input' });
  });

  test('leaves no sign-in behind if the password changes at the same moment', async () => {
    const { id, email, password } = await aTherapist(world.db, { email: freshEmail() });
    await world.db.delete(signIns).where(eq(signIns.accountId, id));
    await call(calls.reset, { query: { email } });
    const token = await tokenTo(email);
    // The change locks the row; the sign-in has already compared the old password and waits for it.
    const [answer] = await world.together(sql`update accounts set password_hash = '!' where id = ${id}`, [
      () => signIn(email, password),
    ]);
    expect(answer).toMatchObject({ code: 'invalid_credentials' });
    expect(await world.accounts.hasValidSignIn(id)).toBe(false);
    expect(token).toHaveLength(43);
  });
});

describe('a sign-in', () => {
  const me = (token?: string) => call(calls.getCurrentUserData, token === undefined ? {} : { token });

  test('is required, and has to be one of ours', async () => {
    expect(await me()).toMatchObject({ status: 401, code: 'not_signed_in' });
    expect(await me('x'.repeat(43))).toMatchObject({ status: 401, code: 'session_expired' });
  });

  test('ends after seven days without use', async () => {
    const { token } = await aTherapist(world.db);
    await world.clock.move(7 * DAY - 60);
    expect(await me(token)).toMatchObject({ status: 200 });
    await world.clock.move(7 * DAY - 60);
    expect(await me(token)).toMatchObject({ status: 200 });
    await world.clock.move(7 * DAY + 1);
    expect(await me(token)).toMatchObject({ status: 401, code: 'session_expired' });
  });

  test('ends after thirty days in spite of use', async () => {
    const { token } = await aTherapist(world.db);
    for (let day = 0; day < 29; day += 5) {
      expect(await me(token)).toMatchObject({ status: 200 });
      await world.clock.move(5 * DAY - 10);
    }
    expect(await me(token)).toMatchObject({ status: 200 });
    await world.clock.move(61);
    expect(await me(token)).toMatchObject({ status: 401 });
  });

  test('records its last use at most once a minute', async () => {
    const { token } = await aTherapist(world.db);
    const lastUsed = async () =>
      (
        await world.db
          .select()
          .from(signIns)
          .where(eq(signIns.tokenHash, hashToken(token)))
      )[0]!.lastUsedAt.getTime();
    const first = await lastUsed();
    await world.clock.move(20);
    await me(token);
    expect(await lastUsed()).toBe(first);
    await world.clock.move(50);
    await me(token);
    expect(await lastUsed()).toBeGreaterThan(first);
  });

  test('is stored as a hash only', async () => {
    const { token, id } = await aTherapist(world.db);
    const rows = await world.db.select().from(signIns).where(eq(signIns.accountId, id));
    expect(rows.map(({ tokenHash }) => tokenHash)).toEqual([hashToken(token)]);
  });
});

describe('sign out', () => {
  test('ends this sign-in and no other, and notifies the other features', async () => {
    const { id, token } = await aTherapist(world.db);
    const other = await aSignIn(world.db, id);
    expect(await call(calls.logout, { params: { userId: id }, token })).toMatchObject({ status: 204 });
    expect(world.signedOut.at(-1)).toMatchObject({ kind: 'account', id });
    expect(await call(calls.getCurrentUserData, { token })).toMatchObject({ status: 401 });
    expect(await call(calls.getCurrentUserData, { token: other })).toMatchObject({ status: 200 });
    expect(await world.accounts.hasValidSignIn(id)).toBe(true);
    await call(calls.logout, { params: { userId: id }, token: other });
    expect(await world.accounts.hasValidSignIn(id)).toBe(false);
  });

  test('works only for the caller: another’s id gets the same answer as an unknown one', async () => {
    const [anna, bela] = [await aTherapist(world.db), await aTherapist(world.db)];
    const before = world.signedOut.length;
    const foreign = await call(calls.logout, { params: { userId: bela.id }, token: anna.token });
    const nobody = await call(calls.logout, { params: { userId: 999_999_999 }, token: anna.token });
    expect(foreign).toMatchObject({ status: 404, code: 'not_found' });
    expect(nobody.body).toEqual(foreign.body);
    expect(await call(calls.logout, { params: { userId: bela.id } })).toMatchObject({ status: 401 });
    expect(world.signedOut).toHaveLength(before);
    expect(await call(calls.getCurrentUserData, { token: bela.token })).toMatchObject({ status: 200 });
  });

  test('frees the seat of a client who leaves, and only that one', async () => {
    const therapist = await aTherapist(world.db);
    const seat: ClientSeat = {
      kind: 'client',
      id: therapist.id + 5_000,
      therapistId: therapist.id,
      name: 'Kata',
      state: 'in',
    };
    const token = world.seat(seat);
    expect(await call(calls.logout, { params: { userId: therapist.id }, token })).toMatchObject({ status: 404 });
    expect(await call(calls.logout, { params: { userId: seat.id }, token })).toMatchObject({ status: 204 });
    expect(world.signedOut.at(-1)).toEqual(seat);
  });
});

describe('a forgotten password', () => {
  test('is reset by email: all sign-ins end, the owner is informed', async () => {
    const { id, email, token: signedIn } = await aTherapist(world.db, { email: freshEmail(), language: 'de' });
    const other = await aSignIn(world.db, id);
    expect(await call(calls.reset, { query: { email: email.toUpperCase() } })).toMatchObject({ status: 204 });
    const token = await tokenTo(email);
    expect((await emailsTo(email)).at(-1)).toMatchObject({
      kind: 'accounts.reset',
      language: 'de',
      subject: 'Neues Passwort festlegen',
      text: expect.stringContaining(`${world.config.publicUrl}/user/reset-password#token=${token}`),
    });

    // Checking does not use up the token.
    for (let nth = 0; nth < 3; nth += 1)
      expect(await call(calls.checkPasswordToken, { query: { token } })).toMatchObject({ status: 204 });
    expect(await call(calls.changePassword, { body: { token, password: SECRET } })).toMatchObject({ status: 204 });
    expect(await call(calls.checkPasswordToken, { query: { token } })).toMatchObject({
      status: 400,
      code: 'link_invalid',
    });
    expect(await call(calls.changePassword, { body: { token, password: 'yet another good phrase' } })).toMatchObject({
      code: 'link_invalid',
    });

    for (const ended of [signedIn, other])
      expect(await call(calls.getCurrentUserData, { token: ended })).toMatchObject({ status: 401 });
    expect(world.signInsEnded.at(-1)).toBe(id);
    expect(await signIn(email, BUILT_PASSWORD)).toMatchObject({ code: 'invalid_credentials' });
    expect(await signIn(email)).toMatchObject({ status: 200 });
    const told = (await emailsTo(email)).at(-1)!;
    expect(told).toMatchObject({ kind: 'accounts.passwordChanged', subject: 'Ihr Passwort wurde geändert' });
    expect(told.text).toContain(`${world.config.publicUrl}/user/forgot-password`);
    expect(told.text).not.toContain('token=');
  });

  test('closes open connections even if something fails after the password was set', async () => {
    const { id, email } = await anAccount(world.db, { email: freshEmail() });
    await call(calls.reset, { query: { email } });
    const token = await tokenTo(email);
    vi.spyOn(world.limits, 'clear').mockRejectedValueOnce(new Error('the database is away'));
    expect(await call(calls.changePassword, { body: { token, password: SECRET } })).toMatchObject({ status: 500 });
    expect(world.signInsEnded.at(-1)).toBe(id);
  });

  test('marks the address as verified, because the reader of the email owns it', async () => {
    const { email } = await anAccount(world.db, { email: freshEmail(), verified: false });
    await call(calls.reset, { query: { email } });
    await call(calls.changePassword, { body: { token: await tokenTo(email), password: SECRET } });
    expect(await signIn(email)).toMatchObject({ status: 200 });
  });

  test('gives the same answer for an unknown address, and sends nothing there', async () => {
    const { email } = await aTherapist(world.db, { email: freshEmail() });
    const nobody = freshEmail();
    const [known, unknown] = [
      await call(calls.reset, { query: { email } }),
      await call(calls.reset, { query: { email: nobody } }),
    ];
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    expect(await emailsTo(email)).toHaveLength(1);
    expect(await emailsTo(nobody)).toHaveLength(0);
  });

  test('accepts the token for an hour', async () => {
    const [anna, bela] = [
      await aTherapist(world.db, { email: freshEmail() }),
      await aTherapist(world.db, { email: freshEmail() }),
    ];
    for (const { email } of [anna, bela]) await call(calls.reset, { query: { email } });
    await world.accounts.idle();
    await world.clock.move(3_540);
    expect(
      await call(calls.changePassword, { body: { token: await tokenTo(anna.email), password: SECRET } }),
    ).toMatchObject({ status: 204 });
    await world.clock.move(61);
    expect(await call(calls.checkPasswordToken, { query: { token: await tokenTo(bela.email) } })).toMatchObject({
      code: 'link_invalid',
    });
    expect(
      await call(calls.changePassword, { body: { token: await tokenTo(bela.email), password: SECRET } }),
    ).toMatchObject({ code: 'link_invalid' });
  });

  test('refuses a common password without using up the token, and refuses a token to verify', async () => {
    const { email } = await aTherapist(world.db, { email: freshEmail(), firstName: 'Borbála' });
    await call(calls.reset, { query: { email } });
    const token = await tokenTo(email);
    for (const password of ['password12345', 'borbala-1984'])
      expect(await call(calls.changePassword, { body: { token, password } })).toMatchObject({
        status: 400,
        code: 'password_too_common',
      });
    expect(await call(calls.changePassword, { body: { token, password: 'short' } })).toMatchObject({
      code: 'invalid_input',
    });
    expect(await call(calls.checkPasswordToken, { query: { token } })).toMatchObject({ status: 204 });
    const fresh = freshEmail();
    await register({ email: fresh });
    expect(await call(calls.changePassword, { body: { token: await tokenTo(fresh), password: SECRET } })).toMatchObject(
      { code: 'link_invalid' },
    );
  });

  test('is set by one of two simultaneous uses of a token', async () => {
    const { id, email } = await aTherapist(world.db, { email: freshEmail() });
    await call(calls.reset, { query: { email } });
    const token = await tokenTo(email);
    const phrases = ['first of two good phrases', 'second of two good phrases'];
    const answers = await world.together(
      sql`select 1 from account_tokens where account_id = ${id} for update`,
      phrases.map((password) => () => call(calls.changePassword, { body: { token, password } })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 400]);
    const winner = answers.findIndex(({ status }) => status === 204);
    expect(await signIn(email, phrases[winner]!)).toMatchObject({ status: 200 });
    expect(await signIn(email, phrases[1 - winner]!)).toMatchObject({ status: 401 });
    expect((await emailsTo(email)).filter(({ kind }) => kind === 'accounts.passwordChanged')).toHaveLength(1);
  });

  test('is limited: three an hour from one source, three emails a day to one address', async () => {
    const source = freshSource();
    const { email } = await aTherapist(world.db, { email: freshEmail() });
    for (let nth = 0; nth < 3; nth += 1)
      expect(await call(calls.reset, { query: { email: freshEmail() }, from: source })).toMatchObject({ status: 204 });
    expect(await call(calls.reset, { query: { email }, from: source })).toMatchObject({
      status: 429,
      code: 'too_many_requests',
    });
    for (let nth = 0; nth < 5; nth += 1)
      expect(await call(calls.reset, { query: { email } })).toMatchObject({ status: 204 });
    expect(await emailsTo(email)).toHaveLength(3);
  });

  test('sends an unproven address no more emails than other forms may send', async () => {
    const { addressEmails } = world.config.limits;
    const email = freshEmail();
    await anAccount(world.db, { email, verified: false });
    for (let nth = 1; nth < addressEmails.max; nth += 1)
      await world.limits.allows(allEmailsTo(mailboxOf(email)), addressEmails);
    for (let nth = 0; nth < 2; nth += 1) await call(calls.reset, { query: { email } });
    expect(await emailsTo(email)).toHaveLength(1);
  });
});

test('does not treat a try that began before another one and is counted after it as wrong', async () => {
  const key = randomBytes(32);
  // As if the statement of the other one had begun a moment later, on another connection.
  const later = sql`product_now() + interval '1 second'`;
  await world.db.insert(signInDelays).values({ key, failures: 1, lastTriedAt: later, blockedUntil: later } as never);
  expect(await countTry(world.db, key)).toBe(0);
  // The delay of the fifth in a row stands.
  for (let nth = 0; nth < 3; nth += 1) expect(await countTry(world.db, key)).toBe(0);
  expect(await countTry(world.db, key)).toBeGreaterThan(0);
});

describe('emails', () => {
  test('to one mailbox on behalf of strangers are ten a day in total, however the address is spelled', async () => {
    const { formEmails, addressEmails } = world.config.limits;
    const email = freshEmail();
    const [local, domain] = email.split('@') as [string, string];
    const variants = [
      email,
      `${local}+a@${domain}`,
      `${local}+b@${domain}`,
      `${local[0]}.${local.slice(1)}@${domain}`,
      email.toUpperCase(),
    ];
    await aTherapist(world.db, { email });
    for (const address of variants) await register({ email: address });
    const all = async () => (await Promise.all(variants.map(emailsTo))).flat().length;
    expect(await all()).toBe(formEmails.max);
    // Other forms of the server used up the rest of the day's emails.
    for (let nth = 0; nth < addressEmails.max; nth += 1)
      await world.limits.allows(allEmailsTo(mailboxOf(email)), addressEmails);
    await world.limits.clear(`emails register ${mailboxOf(email)}`);
    await register({ email });
    expect(await all()).toBe(formEmails.max);
  });
});

test('are not used up by registrations that fail', async () => {
  const email = freshEmail();
  const failing = vi.spyOn(world.db, 'transaction');
  for (let nth = 0; nth < world.config.limits.formEmails.max; nth += 1) {
    failing.mockRejectedValueOnce(new Error('the database is away'));
    expect(await register({ email })).toMatchObject({ status: 500 });
  }
  failing.mockRestore();
  await register({ email });
  expect(await emailsTo(email)).toMatchObject([{ kind: 'accounts.verify' }]);
});

test('for a registration and a password reset of one unproven address cause no deadlock', async () => {
  const email = freshEmail();
  const { id } = await anAccount(world.db, { email, verified: false });
  const locked = await holdLock(world.db, (tx) => tx.execute(sql`SELECT FROM accounts WHERE id = ${id} FOR UPDATE`));
  expect(await call(calls.reset, { query: { email } })).toMatchObject({ status: 204 });
  await locked.waited(1);
  const registering = register({ email });
  await locked.waited(2);
  await locked.release();
  expect(await registering).toMatchObject({ status: 204 });
  expect((await emailsTo(email)).map(({ kind }) => kind).toSorted()).toEqual(['accounts.finish', 'accounts.reset']);
});

test('to reset the password arrive even if the database was down when they were to be written', async () => {
  const { email } = await aTherapist(world.db);
  const failing = vi.spyOn(world.db, 'transaction');
  failing.mockRejectedValueOnce(new DatabaseUnavailable('stopped'));
  expect(await call(calls.reset, { query: { email } })).toMatchObject({ status: 204 });
  await world.accounts.idle();
  failing.mockRestore();
  expect(await emailsTo(email)).toMatchObject([{ kind: 'accounts.reset' }]);
});

describe('the person', () => {
  test('changes only the caller’s language', async () => {
    const [anna, bela] = [await aTherapist(world.db), await aTherapist(world.db)];
    expect(
      await call(calls.updateLanguage, { body: { userId: anna.id, languageCode: 'ro' }, token: anna.token }),
    ).toMatchObject({ status: 204 });
    expect((await call(calls.getCurrentUserData, { token: anna.token })).body).toMatchObject({ language: 'ro' });
    expect(
      await call(calls.updateLanguage, { body: { userId: bela.id, languageCode: 'hu' }, token: anna.token }),
    ).toMatchObject({ status: 404, code: 'not_found' });
    expect(
      await call(calls.updateLanguage, { body: { userId: anna.id, languageCode: 'fr' }, token: anna.token }),
    ).toMatchObject({ status: 400 });
    expect((await call(calls.getCurrentUserData, { token: bela.token })).body).toMatchObject({ language: 'en' });
    const seat: ClientSeat = { kind: 'client', id: bela.id + 5_000, therapistId: bela.id, name: 'Kata', state: 'in' };
    expect(
      await call(calls.updateLanguage, { body: { userId: seat.id, languageCode: 'hu' }, token: world.seat(seat) }),
    ).toMatchObject({ status: 403 });
  });

  test('is shown in full to themself and by name to others; one without a public page does not exist', async () => {
    const [anna, bela] = [await aTherapist(world.db), await aTherapist(world.db, { firstName: 'Béla' })];
    expect((await call(calls.getUser, { params: { therapistId: anna.id }, token: anna.token })).body).toMatchObject({
      id: anna.id,
      email: anna.email,
      slug: anna.slug,
      joinLink: anna.joinLink,
    });
    const shown = { id: bela.id, firstName: 'Béla', lastName: bela.lastName, picture: null };
    for (const token of [anna.token, undefined])
      expect(
        (await call(calls.getUser, { params: { therapistId: bela.id }, ...(token === undefined ? {} : { token }) }))
          .body,
      ).toEqual(shown);
    const absent = (await call(calls.getUser, { params: { therapistId: 999_999_999 } })).body;
    for (const hidden of [
      await anAccount(world.db, { verified: false }),
      await anAccount(world.db, { suspended: true }),
      await anAccount(world.db, { roles: ['ROLE_ADMIN'] }),
    ]) {
      expect((await call(calls.getUser, { params: { therapistId: hidden.id } })).body).toEqual(absent);
    }
    expect(absent).toMatchObject({ code: 'not_found' });
    expect(await call(calls.getUser, { params: { therapistId: '12x' } })).toMatchObject({
      status: 400,
      code: 'invalid_input',
    });
  });

  test('lists all therapists only as an admin, by role or by PRIVILEGED_USER_IDS', async () => {
    const [anna, admin, privileged] = [await aTherapist(world.db), await anAdmin(world.db), await aTherapist(world.db)];
    expect(await call(calls.getAllTherapist)).toMatchObject({ status: 401, code: 'not_signed_in' });
    expect(await call(calls.getAllTherapist, { token: anna.token })).toMatchObject({ status: 403, code: 'forbidden' });
    const { status, body } = await call(calls.getAllTherapist, { token: admin.token });
    expect(status).toBe(200);
    expect((body as { id: number }[]).map(({ id }) => id)).toEqual(
      expect.arrayContaining([anna.id, admin.id, privileged.id]),
    );
    expect(JSON.stringify(body)).not.toMatch(/argon2|passwordHash/);

    expect(await call(calls.getAllTherapist, { token: privileged.token })).toMatchObject({ status: 403 });
    const again = await world.startAgain({ privilegedUserIds: [privileged.id] });
    expect(await again.identifyAccount(hashToken(privileged.token))).toMatchObject({
      roles: ['ROLE_THERAPIST', 'ROLE_ADMIN'],
    });
    expect(await again.identifyAccount(hashToken(anna.token))).toMatchObject({ roles: ['ROLE_THERAPIST'] });
    // Nothing of it stays in the database.
    expect((await world.db.select().from(accounts).where(eq(accounts.id, privileged.id)))[0]!.roles).toEqual([
      'ROLE_THERAPIST',
    ]);
  });
});

describe('what anybody may read', () => {
  test.each([
    ['127.0.0.1', null, false],
    ['::1', null, false],
    ['10.1.2.3', null, false],
    ['193.0.6.139', 'NL', true],
    ['8.8.8.8', 'US', false],
    ['2001:67c:2e8:22::c100:68b', 'NL', true],
  ])('the country of %s is %s', async (from, countryCode, insideEu) => {
    expect((await call(calls.getUserLocation, { from })).body).toEqual({ countryCode, insideEu });
  });

  test('the clock, and the demo practice only if it is offered', async () => {
    const { body } = await call(calls.getPublicConfig);
    expect(body).toEqual({
      clock: {
        anchorReal: expect.any(String),
        anchorProduct: expect.any(String),
        speed: 1,
        serverNow: expect.any(String),
      },
      demo: world.config.demo ? { email: 'anna@demo.example', password: 'constellation' } : null,
      operator: expect.any(Object),
    });
    // 11.38: who runs the service, without their bank account.
    const { bank: _, ...operator } = world.config.billing.seller!;
    expect((body as calls.PublicConfig).operator).toEqual(operator);
  });

  test('challenges are limited per source', async () => {
    const { max } = world.config.limits.captcha;
    const source = freshSource();
    const answers = await Promise.all(Array.from({ length: max + 5 }, () => call(calls.getCaptcha, { from: source })));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(max);
    expect(answers.filter(({ code }) => code === 'too_many_requests')).toHaveLength(5);
  });
});

describe('removing old rows', () => {
  test('removes outdated rows and nothing that is still valid', async () => {
    const stays = await aTherapist(world.db);
    const never = freshEmail();
    await register({ email: never });
    const again = freshEmail();
    await register({ email: again });
    await world.clock.move(31 * DAY);
    await register({ email: again });
    const lately = freshEmail();
    await register({ email: lately });
    const fresh = await aSignIn(world.db, stays.id);
    await world.accounts.removeOutdated();
    expect(await rowOf(never)).toBeUndefined();
    expect(await rowOf(lately)).toBeDefined();
    expect(await rowOf(stays.email)).toBeDefined();
    expect(await call(calls.getCurrentUserData, { token: fresh })).toMatchObject({ status: 200 });
    expect(
      await world.db
        .select()
        .from(signIns)
        .where(and(eq(signIns.accountId, stays.id))),
    ).toHaveLength(1);
    expect(await world.db.select().from(spentCaptchas)).toHaveLength(2);
    for (const email of [lately, again])
      expect(await call(calls.verify, { query: { token: await tokenTo(email) } })).toMatchObject({ status: 200 });
  });
});

describe('the log', () => {
  test('contains nothing personal from all these tests', async () => {
    const log = world.logged();
    // Something was logged, so the silence below means something.
    expect(log).toContain('"msg"');
    const { rows } = await world.db.execute<{
      email: string;
      first_name: string;
      last_name: string;
      join_link: string;
    }>(sql`select email, first_name, last_name, join_link from accounts`);
    expect(rows.length).toBeGreaterThan(20);
    const secrets = new Set(rows.flatMap((row) => [row.email, row.first_name, row.last_name, row.join_link]));
    for (const secret of [
      ...secrets,
      SECRET,
      BUILT_PASSWORD,
      '@mailbox.example',
      'not the password',
      'strangers own phrase',
      '2001:db8',
    ])
      expect(log).not.toContain(secret);
    const emails = await world.db.select({ text: outboxEmails.text }).from(outboxEmails);
    for (const { text } of emails)
      for (const [, token] of text.matchAll(/#token=([\w-]{43})/g)) expect(log).not.toContain(token);
  });
});
