/** What strangers do with an address must not keep its owner out (docs/product.md#3.14). */
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { asc, eq, gte, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as calls from '@fieldroom/contract/accounts';
import type { Endpoint } from '@fieldroom/contract/http';
import type { ProblemBody } from '@fieldroom/contract/problems';
import { outboxEmails } from '../../platform/platform.tables.ts';
import { aTherapist } from '../../builders/accounts.builders.ts';
import { type AccountsWorld, startAccounts } from './accounts.fixture.ts';
import { signInDelays, signInDevices } from './accounts.tables.ts';

let world: AccountsWorld;
beforeAll(async () => {
  world = await startAccounts();
});
afterAll(async () => {
  await world?.stop();
});

let count = 0;
const freshEmail = () => `owner-${(count += 1)}@mailbox.example`;
const freshSource = () => `2001:db8:${(count += 1).toString(16)}::1`;
const WRONG = 'not the password';

interface Answer {
  readonly status: number;
  /** The code of the problem, `in` for a sign-in, `done` for an answer without content. */
  readonly code: string;
  readonly device: string | undefined;
}

async function post(endpoint: Endpoint, body: unknown, from = freshSource()): Promise<Answer> {
  const response = await fetch(world.url + endpoint.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
    body: JSON.stringify(body),
  });
  const parsed = response.status === 204 ? {} : ((await response.json()) as Partial<ProblemBody> & { device?: string });
  return {
    status: response.status,
    code: parsed.code ?? (response.status === 204 ? 'done' : 'in'),
    device: parsed.device,
  };
}

const signIn = (email: string, password: string, more: { device?: string; captcha?: string } = {}, from?: string) =>
  post(calls.login, { email, password, ...more }, from);

async function solved(): Promise<string> {
  const response = await fetch(world.url + calls.getCaptcha.path, { headers: { 'x-forwarded-for': freshSource() } });
  const challenge = (await response.json()) as Parameters<typeof solveChallenge>[0]['challenge'];
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

/** Tries wrong passwords from many sources until the address has to wait five minutes, the same as after many more
 * tries. */
async function strangersTry(email: string): Promise<void> {
  for (let nth = 0; nth < 5; nth += 1) expect((await signIn(email, WRONG)).code).toBe('invalid_credentials');
  await world.db
    .update(signInDelays)
    .set({ blockedUntil: sql`product_now() + interval '300 seconds'` })
    .where(gte(signInDelays.failures, 5));
  expect((await signIn(email, WRONG)).code).toBe('captcha_required');
}

async function emailsTo(address: string) {
  await world.accounts.idle();
  return world.db.select().from(outboxEmails).where(eq(outboxEmails.to, address)).orderBy(asc(outboxEmails.number));
}
const tokenIn = ({ text }: { text: string }) => /#token=([\w-]{43})/.exec(text)![1]!;

describe('a browser that signed in before', () => {
  test('signs in whatever strangers try, and nobody else can use its token', async () => {
    const [owner, other] = [
      await aTherapist(world.db, { email: freshEmail() }),
      await aTherapist(world.db, { email: freshEmail() }),
    ];
    const { device } = await signIn(owner.email, owner.password);
    const { device: foreign } = await signIn(other.email, other.password);
    await strangersTry(owner.email);
    expect((await signIn(owner.email, owner.password)).code).toBe('captcha_required');
    expect((await signIn(owner.email, owner.password, { device: foreign! })).code).toBe('captcha_required');
    expect((await signIn(owner.email, owner.password, { device: 'A'.repeat(43) })).code).toBe('captcha_required');
    expect(await signIn(owner.email, owner.password, { device: device! })).toMatchObject({ code: 'in', device });
    // The strangers still have to wait: their tries still count.
    expect((await signIn(owner.email, owner.password)).code).toBe('captcha_required');
  });

  test('is not held back by the limit of a source shared with a stranger', async () => {
    const { email, password } = await aTherapist(world.db, { email: freshEmail() });
    const source = freshSource();
    const { device } = await signIn(email, password, {}, source);
    for (let nth = 0; nth < world.config.limits.signIn.max; nth += 1) await signIn(freshEmail(), WRONG, {}, source);
    expect((await signIn(email, password, {}, source)).code).toBe('too_many_requests');
    expect((await signIn(email, password, { device: device! }, source)).code).toBe('in');
  });

  test('has its own number of tries: a thief of its token cannot guess faster', async () => {
    const { email, password } = await aTherapist(world.db, { email: freshEmail() });
    const { device } = await signIn(email, password);
    // Each way allows five tries, then both have to wait.
    for (let nth = 0; nth < 5; nth += 1)
      expect((await signIn(email, WRONG, { device: device! })).code).toBe('invalid_credentials');
    await world.db
      .update(signInDelays)
      .set({ blockedUntil: sql`product_now() + interval '300 seconds'` })
      .where(gte(signInDelays.failures, 5));
    for (let nth = 0; nth < 5; nth += 1)
      expect((await signIn(email, WRONG, { device: device! })).code).toBe('invalid_credentials');
    await world.db
      .update(signInDelays)
      .set({ blockedUntil: sql`product_now() + interval '300 seconds'` })
      .where(gte(signInDelays.failures, 5));
    expect((await signIn(email, password, { device: device! })).code).toBe('captcha_required');
  });

  test('is known by a hash, for 180 days, twenty per account, until the password is set again', async () => {
    const { id, email, password } = await aTherapist(world.db, { email: freshEmail() });
    const { device } = await signIn(email, password);
    const rows = () => world.db.select().from(signInDevices).where(eq(signInDevices.accountId, id));
    expect((await rows())[0]!.tokenHash.toString('base64url')).not.toBe(device);
    await world.clock.move(179 * 86_400);
    await strangersTry(email);
    expect((await signIn(email, password, { device: device! })).code).toBe('in');
    await world.clock.move(181 * 86_400);
    await strangersTry(email);
    expect((await signIn(email, password, { device: device! })).code).toBe('captcha_required');

    await world.clock.move(3601);
    for (let nth = 0; nth < 22; nth += 1) await signIn(email, password);
    expect(await rows()).toHaveLength(20);
    await post(calls.reset, { email });
    await post(calls.changePassword, {
      token: tokenIn((await emailsTo(email)).at(-1)!),
      password: 'another good long phrase',
    });
    expect(await rows()).toEqual([]);
  });
});

describe('a solved captcha', () => {
  test('lets the owner try from a new browser while strangers delay the address', async () => {
    const { email, password } = await aTherapist(world.db, { email: freshEmail() });
    await strangersTry(email);
    const captcha = await solved();
    expect((await signIn(email, WRONG, { captcha })).code).toBe('invalid_credentials');
    expect((await signIn(email, password, { captcha })).code, 'each is good once').toBe('captcha_failed');
    expect((await signIn(email, password, { captcha: await solved() })).code).toBe('in');
    expect((await signIn(freshEmail(), WRONG, { captcha: 'x' })).code, 'not asked for, not looked at').toBe(
      'invalid_credentials',
    );
  });

  test('is no way to guess: it is limited per hour in total, and the source still counts; the owner can use an email', async () => {
    const { email } = await aTherapist(world.db, { email: freshEmail() });
    await strangersTry(email);
    const source = freshSource();
    const { max } = world.config.limits.signIn;
    for (let nth = 0; nth < max; nth += 1)
      expect((await signIn(email, WRONG, { captcha: await solved() }, source)).code).toBe('invalid_credentials');
    expect((await signIn(email, WRONG, { captcha: await solved() }, source)).code).toBe('too_many_requests');
    // The tries of one hour, from many more sources.
    for (let nth = max; nth < 59; nth += 1)
      await world.limits.count(`sign-in captcha ${email}`, { max: 60, windowSeconds: 3600 });
    expect((await signIn(email, WRONG, { captcha: await solved() })).code).toBe('invalid_credentials');
    expect((await signIn(email, WRONG, { captcha: await solved() })).code).toBe('too_many_requests');

    await post(calls.reset, { email });
    await post(calls.changePassword, {
      token: tokenIn((await emailsTo(email)).at(-1)!),
      password: 'another good long phrase',
    });
    expect((await signIn(email, 'another good long phrase')).code).toBe('in');
  });
});

describe('a reset email', () => {
  test('reaches the owner however often strangers ask: the mailbox always has a valid link', async () => {
    const { email } = await aTherapist(world.db, { email: freshEmail() });
    // A stranger asks every five minutes, for a day.
    for (let minutes = 0; minutes < 24 * 60; minutes += 5) {
      expect((await post(calls.reset, { email })).code).toBe('done');
      const newest = (await emailsTo(email)).at(-1)!;
      expect((await post(calls.checkPasswordToken, { token: tokenIn(newest) })).code).toBe('done');
      await world.clock.move(300);
    }
    expect((await emailsTo(email)).length, 'some at once, then two an hour').toBeLessThanOrEqual(3 + 48);
    await post(calls.reset, { email });
    const token = tokenIn((await emailsTo(email)).at(-1)!);
    expect((await post(calls.changePassword, { token, password: 'another good long phrase' })).code).toBe('done');
    // The link is used up now, so the next request gets another one.
    await post(calls.reset, { email });
    expect((await emailsTo(email)).at(-1)!.kind).toBe('accounts.reset');
  });

  test('is looked up after the answer: known and unknown addresses cost the same until then', async () => {
    const { email } = await aTherapist(world.db, { email: freshEmail() });
    // The rows of both accounts are locked; the answer waits for neither.
    await world.db.transaction(async (tx) => {
      await tx.execute(`SELECT 1 FROM accounts WHERE email = '${email}' FOR UPDATE`);
      expect((await post(calls.reset, { email })).code).toBe('done');
      expect((await post(calls.reset, { email: freshEmail() })).code).toBe('done');
    });
    expect(await emailsTo(email)).toHaveLength(1);
  });
});

test.each([calls.verify, calls.checkPasswordToken])(
  '$path takes the token in the body or the query, and requires one of them',
  async (endpoint) => {
    const inQuery = await fetch(`${world.url}${endpoint.path}?token=x`, {
      method: 'POST',
      headers: { 'x-forwarded-for': freshSource() },
    });
    expect(((await inQuery.json()) as ProblemBody).code).toBe('link_invalid');
    expect((await post(endpoint, { token: 'x' })).code).toBe('link_invalid');
    expect((await post(endpoint, {})).code).toBe('invalid_input');
    const bare = await fetch(`${world.url}${endpoint.path}`, {
      method: 'POST',
      headers: { 'x-forwarded-for': freshSource() },
    });
    expect(((await bare.json()) as ProblemBody).code).toBe('invalid_input');
  },
);
