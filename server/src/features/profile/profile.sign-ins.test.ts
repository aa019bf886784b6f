/** Password, devices and email address of a person's own account. Numbers are those of docs/product.md#3. */
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import * as accountCalls from '@fieldroom/contract/accounts';
import * as calls from '@fieldroom/contract/profile';
import type { Principal } from '../../access.ts';
import { aSignIn, aTherapist, type BuiltAccount } from '../../builders/accounts.builders.ts';
import { openTherapistScreen } from '../../../tests/support/people/screen.ts';
import { holdLock } from '../../../tests/support/locks.ts';
import { failOften } from '../../../tests/support/refused-rows.ts';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';
import { hashToken } from '../../platform/tokens.ts';
import { accounts } from '../accounts/accounts.tables.ts';
import { deviceOf } from '../accounts/sign-ins/devices.ts';
import { codeOf, FIREFOX, isIn, linkTo, NO_LIMITS, refusal, signIn } from './profile.fixture.ts';

let t: TestApp;
let me: BuiltAccount;
let as: { token: string };
let elsewhere: string;
beforeAll(async () => {
  t = await testApp({ env: NO_LIMITS });
});
afterAll(() => t.close());
beforeEach(async () => {
  me = await aTherapist(t.db, { language: 'de' });
  as = { token: me.token };
  elsewhere = await aSignIn(t.db, me.id);
});

let count = 0;
const freshEmail = () => `another-${(count += 1)}@mailbox.example`;
const NEW_PASSWORD = 'four green umbrellas';

describe('3.23 checking the caller’s password', () => {
  const check = (segment: string, token = me.token, id: number | string = me.id) =>
    t.fetch(`/api/profile/check/password/${segment}/${id}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });

  test('works only for the owner', async () => {
    expect(await (await check(encodeURIComponent(me.password))).json()).toBe(true);
    expect(await (await check('wrong')).json()).toBe(false);
    const other = await aTherapist(t.db);
    expect((await check(encodeURIComponent(other.password), me.token, other.id)).status).toBe(404);
    expect((await check(encodeURIComponent(me.password), 'x'.repeat(43))).status).toBe(401);
  });

  test.each(['a/b%c?d#e password', '100%', '?', '%2F', ' ', 'ű'.repeat(120)])(
    'accepts an encoded "%s"',
    async (password) => {
      const odd = await aTherapist(t.db, { password });
      expect(await (await check(encodeURIComponent(password), odd.token, odd.id)).json()).toBe(true);
    },
  );

  test.each(['a/b', 'a?b', '%', '%zz', '', 'x'.repeat(1024)])('answers 400 to an unencoded "%s"', async (segment) => {
    expect((await check(segment)).status).toBe(400);
  });

  test('delays wrong tries, and nobody else', async () => {
    // Product time is almost stopped: the delay is two seconds, and a slow machine may take longer.
    onTestFinished(() => t.clock.setSpeed(1));
    await t.clock.setSpeed(0.001);
    for (let nth = 0; nth < 5; nth += 1) expect((await check('wrong')).status).toBe(200);
    const slowed = await check(encodeURIComponent(me.password));
    expect([slowed.status, Number(slowed.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(
      await codeOf(t.api(calls.changeOwnPassword, { body: { current: me.password, password: NEW_PASSWORD } }, as)),
    ).toBe('too_many_requests');
    // Signing in has its own count, so strangers and the owner do not slow each other down.
    expect(await codeOf(signIn(t, me))).toBe(null);
    await t.move(301);
    expect(await (await check(encodeURIComponent(me.password))).json()).toBe(true);
  });

  test('counts for the source together with sign-ins', async () => {
    const strict = await testApp({ env: { LIMIT_SIGN_IN: '3/900' } });
    const owner = await aTherapist(strict.db);
    const wrong = () =>
      strict.fetch(`/api/profile/check/password/wrong/${owner.id}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${owner.token}` },
      });
    for (let nth = 0; nth < 3; nth += 1) expect((await wrong()).status).toBe(200);
    expect((await wrong()).status).toBe(429);
    expect(await codeOf(strict.api(accountCalls.login, { body: { email: owner.email, password: 'wrong' } }))).toBe(
      'too_many_requests',
    );
    await strict.close();
  });
});

describe('3.24 a new password', () => {
  const change = (current: string, password: string, token = me.token) =>
    t.api(calls.changeOwnPassword, { body: { current, password } }, { token });

  test('needs the current one, signs out all other devices, and is announced by email', async () => {
    expect(await codeOf(change('not the password', NEW_PASSWORD))).toBe('current_password_wrong');
    expect(await codeOf(change(me.password, 'password123'))).toBe('password_too_common');
    expect(await isIn(t, elsewhere)).toBe(true);
    await change(me.password, NEW_PASSWORD);
    expect([await isIn(t, me.token), await isIn(t, elsewhere)]).toEqual([true, false]);
    expect(await codeOf(signIn(t, me))).toBe('invalid_credentials');
    expect(await isIn(t, await signIn(t, { ...me, password: NEW_PASSWORD }))).toBe(true);
    expect((await t.emails(me.email)).map(({ kind, language }) => [kind, language])).toEqual([
      ['profile.passwordChanged', 'de'],
    ]);
  });

  test('ends the links that set a password, and a request for another address', async () => {
    await t.api(calls.requestEmail, { body: { email: freshEmail(), password: me.password } }, as);
    await t.api(accountCalls.reset, { body: { email: me.email } });
    const reset = /#token=([\w-]{43})/.exec((await t.emails(me.email)).at(-1)!.text)![1]!;
    await change(me.password, NEW_PASSWORD);
    expect(await codeOf(t.api(accountCalls.checkPasswordToken, { body: { token: reset } }))).toBe('link_invalid');
    expect(await t.api(calls.getProfile, {}, as)).toMatchObject({ pendingEmail: null });
  });

  test('is set once by two at the same moment, and leaves no sign-in with the old one', async () => {
    const lock = await holdLock(t.db, (tx) => tx.execute(sql`SELECT FROM accounts WHERE id = ${me.id} FOR UPDATE`));
    const acts = Promise.all([
      codeOf(change(me.password, NEW_PASSWORD)),
      codeOf(change(me.password, 'five red umbrellas', elsewhere)),
    ]);
    await lock.waited(2);
    await lock.release();
    expect((await acts).filter((code) => code === null)).toHaveLength(1);
    expect([await isIn(t, me.token), await isIn(t, elsewhere)].filter(Boolean)).toHaveLength(1);
  });
});

describe('3.26 devices', () => {
  test('are listed with browser and last use, this one first', async () => {
    const token = await signIn(t, me);
    await t.move(120);
    expect(await isIn(t, elsewhere)).toBe(true);
    const devices = await t.api(calls.getDevices, {}, { token });
    expect(devices.map(({ current, browser, system }) => [current, browser, system])).toEqual([
      [true, 'Firefox', 'Linux'],
      [false, null, null],
      [false, null, null],
    ]);
    expect(devices[1]!.lastUsedAt > devices[1]!.signedInAt).toBe(true);
    expect(JSON.stringify(devices)).not.toContain(token);
  });

  test('are signed out one by one, and the open page is closed', async () => {
    const third = await aSignIn(t.db, me.id);
    const screen = await openTherapistScreen(t.url, { id: me.id, token: elsewhere });
    const [own] = await t.api(calls.getDevices, {}, { token: elsewhere });
    const closing = vi.spyOn(t.app.realtime.broker, 'disconnect');
    await t.api(calls.endDevice, { params: { deviceId: own!.id } }, as);
    // Closed at once by this act: the sweep for ended sign-ins would close it a minute later.
    const signedOut = { kind: 'account', id: me.id, tokenHash: hashToken(elsewhere) } as Principal;
    await expect.poll(() => closing.mock.calls.some(([which]) => which(signedOut, null as never))).toBe(true);
    closing.mockRestore();
    await screen.closed;
    expect([await isIn(t, elsewhere), await isIn(t, third), await isIn(t, me.token)]).toEqual([false, true, true]);
    expect(await codeOf(t.api(calls.endDevice, { params: { deviceId: own!.id } }, as))).toBe('not_found');
    const stranger = await aTherapist(t.db);
    const [theirs] = await t.api(calls.getDevices, {}, stranger);
    expect(await codeOf(t.api(calls.endDevice, { params: { deviceId: theirs!.id } }, as))).toBe('not_found');
    expect(await isIn(t, stranger.token)).toBe(true);
  });

  test('are all signed out at once, except the caller’s', async () => {
    await t.api(calls.endOthers, {}, as);
    expect([await isIn(t, elsewhere), await isIn(t, me.token)]).toEqual([false, true]);
    expect(await t.api(calls.getDevices, {}, as)).toHaveLength(1);
  });

  test.each([
    [FIREFOX, 'Firefox', 'Linux'],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36 Edg/141.0',
      'Edge',
      'Windows',
    ],
    [
      'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Mobile Safari/537.36',
      'Chrome',
      'Android',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
      'Safari',
      'iPhone',
    ],
    ['curl/8.0', null, null],
    [undefined, null, null],
  ])('%s is %s on %s', (userAgent, browser, system) => {
    expect(deviceOf(userAgent)).toEqual({ browser, system });
  });
});

describe('3.25 another email address', () => {
  const ask = (email: string, token = me.token) =>
    t.api(calls.requestEmail, { body: { email, password: me.password } }, { token });
  const confirm = (token: string) => t.api(calls.confirmEmail, { body: { token } });
  const emailOf = async () => (await t.db.select().from(accounts).where(eq(accounts.id, me.id)))[0]!.email;
  const kindsTo = async (address: string) => (await t.emails(address)).map(({ kind }) => kind.replace('profile.', ''));

  test('counts only after its link; other devices are signed out, and the old address is informed', async () => {
    const email = freshEmail();
    const wrong = { email, password: 'not the password' };
    expect(await codeOf(t.api(calls.requestEmail, { body: wrong }, as))).toBe('current_password_wrong');
    expect(await ask(email)).toMatchObject({ email });
    expect(await emailOf()).toBe(me.email);
    expect(await t.api(calls.getProfile, {}, as)).toMatchObject({ email: me.email, pendingEmail: { email } });
    expect([await kindsTo(email), await kindsTo(me.email)]).toEqual([['confirmEmail'], ['emailAsked']]);

    const link = await linkTo(t, email, 'confirmEmail');
    expect(await confirm(link)).toEqual({ email });
    expect(await emailOf()).toBe(email);
    expect([await isIn(t, me.token), await isIn(t, elsewhere)]).toEqual([true, false]);
    expect(await kindsTo(me.email)).toEqual(['emailAsked', 'emailChanged']);
    expect(await codeOf(confirm(link))).toBe('link_invalid');
    expect(await isIn(t, await signIn(t, { email, password: me.password }))).toBe(true);
  });

  test('is not requested with a password that was replaced while it was compared', async () => {
    const email = freshEmail();
    const lock = await holdLock(t.db, (tx) =>
      tx.execute(sql`UPDATE accounts SET password_hash = password_hash || ' ' WHERE id = ${me.id}`),
    );
    const asked = codeOf(t.api(calls.requestEmail, { body: { email, password: me.password } }, as));
    await lock.waited(1);
    await lock.release();
    expect(await asked).toBe('current_password_wrong');
    expect([await kindsTo(email), await kindsTo(me.email)]).toEqual([[], []]);
  });

  test('has a daily limit, for which failed requests do not count', async () => {
    const email = freshEmail();
    await failOften(t.db, () => ask(email));
    await ask(email);
    await failOften(t.db, () => t.api(calls.resendEmail, {}, as));
    await t.api(calls.resendEmail, {}, as);
    expect(await kindsTo(email)).toEqual(['confirmEmail', 'confirmEmail']);
  });

  test('gets the same answer if the address has an account; its owner is informed', async () => {
    const owner = await aTherapist(t.db);
    const taken = await ask(owner.email);
    const shown = (await t.api(calls.getProfile, {}, as)).pendingEmail;
    const free = await ask(freshEmail());
    expect(Object.keys(taken)).toEqual(Object.keys(free));
    expect(shown).toEqual(taken);
    expect(await kindsTo(owner.email)).toEqual(['emailTaken']);
    expect((await t.emails(owner.email))[0]!.text).not.toContain('#token=');
  });

  test('can be one that was registered and never verified', async () => {
    const squatted = await aTherapist(t.db, { verified: false });
    await ask(squatted.email);
    await confirm(await linkTo(t, squatted.email, 'confirmEmail'));
    expect(await emailOf()).toBe(squatted.email);
  });

  test('goes to one of two accounts that confirm it at the same moment', async () => {
    const other = await aTherapist(t.db);
    const email = freshEmail();
    const links: string[] = [];
    for (const { token, password } of [me, other]) {
      await t.api(calls.requestEmail, { body: { email, password } }, { token });
      links.push(await linkTo(t, email, 'confirmEmail'));
    }
    const lock = await holdLock(t.db, (tx) =>
      tx.execute(sql`SELECT FROM accounts WHERE id IN (${me.id}, ${other.id}) FOR UPDATE`),
    );
    const both = Promise.all(links.map((link) => codeOf(confirm(link))));
    await lock.waited(2);
    await lock.release();
    expect(new Set(await both)).toEqual(new Set(['email_taken', null]));
  });

  test('is only one of several requests, even at the same moment', async () => {
    const [first, second, third] = [freshEmail(), freshEmail(), freshEmail()];
    await ask(first);
    const lock = await holdLock(t.db, (tx) => tx.execute(sql`SELECT FROM accounts WHERE id = ${me.id} FOR UPDATE`));
    const both = Promise.all([ask(second), ask(third, elsewhere)]);
    await lock.waited(2);
    await lock.release();
    await both;
    const codes = await Promise.all(
      [first, second, third].map(async (email) => codeOf(confirm(await linkTo(t, email, 'confirmEmail')))),
    );
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    expect(codes[0]).toBe('link_invalid');
  });

  test('can be requested again and cancelled, and expires after a day or a new password', async () => {
    const email = freshEmail();
    expect(await codeOf(t.api(calls.resendEmail, {}, as))).toBe('not_found');
    await ask(email);
    const earlier = await linkTo(t, email, 'confirmEmail');
    await t.api(calls.resendEmail, {}, as);
    expect(await codeOf(confirm(earlier))).toBe('link_invalid');
    await t.api(calls.cancelEmail, {}, as);
    expect(await t.api(calls.getProfile, {}, as)).toMatchObject({ pendingEmail: null });
    expect(await codeOf(confirm(await linkTo(t, email, 'confirmEmail')))).toBe('link_invalid');

    await ask(email);
    await t.api(accountCalls.reset, { body: { email: me.email } });
    const reset = /#token=([\w-]{43})/.exec((await t.emails(me.email)).at(-1)!.text)![1]!;
    await t.api(accountCalls.changePassword, { body: { token: reset, password: NEW_PASSWORD } });
    expect(await codeOf(confirm(await linkTo(t, email, 'confirmEmail')))).toBe('link_invalid');

    const other = await aTherapist(t.db);
    await t.api(calls.requestEmail, { body: { email, password: other.password } }, other);
    await t.move(calls.EMAIL_CHANGE_HOURS * 3600 + 1);
    expect(await codeOf(confirm(await linkTo(t, email, 'confirmEmail')))).toBe('link_invalid');
  });

  test('can be undone from the old address within seven days: sign-ins and password end, a new one is set', async () => {
    const [email, later] = [freshEmail(), freshEmail()];
    await ask(email);
    await confirm(await linkTo(t, email, 'confirmEmail'));
    await ask(later);
    await confirm(await linkTo(t, later, 'confirmEmail'));
    const undo = await linkTo(t, me.email, 'emailChanged');
    const { token } = await t.api(calls.restoreEmail, { body: { token: undo } });
    expect(await emailOf()).toBe(me.email);
    expect(await isIn(t, me.token)).toBe(false);
    expect(await codeOf(signIn(t, me))).toBe('invalid_credentials');
    expect(await kindsTo(later)).toContain('emailRestored');
    // No going back and forth: the link of the later change has ended too.
    for (const link of [undo, await linkTo(t, email, 'emailChanged')])
      expect(await codeOf(t.api(calls.restoreEmail, { body: { token: link } }))).toBe('link_invalid');
    await t.api(accountCalls.changePassword, { body: { token, password: NEW_PASSWORD } });
    expect(await isIn(t, await signIn(t, { email: me.email, password: NEW_PASSWORD }))).toBe(true);
  });

  test.each([
    ['before the change', 'kept'],
    ['after it', 'taken back'],
  ] as const)('a deletion requested %s is %s', async (when, what) => {
    const askForDeletion = (password: string) => t.api(calls.deleteAccount, { body: { password } }, as);
    const email = freshEmail();
    if (when === 'before the change') await askForDeletion(me.password);
    await t.move(1);
    await ask(email);
    await confirm(await linkTo(t, email, 'confirmEmail'));
    await t.move(1);
    if (when === 'after it') await askForDeletion(me.password);
    await t.api(calls.restoreEmail, { body: { token: await linkTo(t, me.email, 'emailChanged') } });
    const [row] = await t.db.select().from(accounts).where(eq(accounts.id, me.id));
    expect(row!.deletesAt === null).toBe(what === 'taken back');
    expect((await kindsTo(me.email)).includes('deletionTakenBack')).toBe(what === 'taken back');
  });

  test('cannot be undone after seven days', async () => {
    const email = freshEmail();
    await ask(email);
    await confirm(await linkTo(t, email, 'confirmEmail'));
    const undo = await linkTo(t, me.email, 'emailChanged');
    await t.move(calls.EMAIL_RESTORE_DAYS * 86_400 + 1);
    expect(await codeOf(t.api(calls.restoreEmail, { body: { token: undo } }))).toBe('link_invalid');
    expect(await emailOf()).toBe(email);
  });

  test('is refused if it is the same or invalid, and after five a day', async () => {
    expect(await refusal(ask(me.email.toUpperCase()))).toMatchObject({
      code: 'invalid_input',
      more: { fields: [{ path: 'email', code: 'unchanged' }] },
    });
    for (const email of ['', 'nobody', 'a@b\r\nBcc: c@d.example', `${'a'.repeat(250)}@x.example`])
      expect(await codeOf(ask(email))).toBe('invalid_input');
    for (let nth = 0; nth < calls.EMAIL_CHANGES_A_DAY; nth += 1) await ask(freshEmail());
    expect(await codeOf(ask(freshEmail()))).toBe('too_many_requests');
  });
});
