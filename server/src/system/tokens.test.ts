/** Tokens that have run out, were used, or belong to something else, on every door that takes one: calls, letters, lines. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as accounts from '@fieldroom/contract/accounts';
import * as clients from '@fieldroom/contract/clients';
import { ownDestination } from '@fieldroom/contract/realtime';
import { aSignIn, aTherapist, BUILT_PASSWORD } from '../testing/builders.ts';
import { aClient, inRoom } from '../testing/builders.clients.ts';
import { testApp, type TestApp } from '../testing/index.ts';
import { openClientScreen, openScreen, openTherapistScreen } from '../testing/screen.ts';
import { COMMON_FORM, everyRow, solvedCaptcha, tokenTo } from './system.fixture.ts';

const DAY = 86_400;

let t: TestApp;
// Each its own: clocks are moved, and what runs out by it is swept meanwhile.
beforeEach(async () => {
  t = await testApp();
});
afterEach(() => t.close());

const problem = (code: string) => expect.objectContaining({ code });
const me = (token: string | null) => t.api(accounts.getCurrentUserData, {}, { token });

describe('a sign-in that has run out', () => {
  test('opens no call and no line, and the line it opened is closed', async () => {
    const therapist = await aTherapist(t.db);
    const screen = await openTherapistScreen(t.url, therapist);
    const younger = await aTherapist(t.db);
    await t.move(7 * DAY + 1);
    await expect(me(therapist.token)).rejects.toEqual(problem('session_expired'));
    await expect(openScreen(t.url, therapist.token)).rejects.toMatchObject({ code: 'session_expired' });
    const fresh = await aSignIn(t.db, younger.id);
    const other = await openScreen(t.url, fresh);
    await t.app.realtime.checkSignIns();
    expect(await screen.closed).toBe('session_expired');
    expect(other.isOpen()).toBe(true);
    await other.leave();
  });

  test('by a new password: every sign-in and every line of the account', async () => {
    const therapist = await aTherapist(t.db);
    const screen = await openTherapistScreen(t.url, therapist);
    await t.api(accounts.reset, { query: { email: therapist.email } });
    await t.api(accounts.changePassword, {
      body: { token: await tokenTo(t, therapist.email), password: 'nine slow green boats' },
    });
    expect(await screen.closed).toBe('session_expired');
    await expect(me(therapist.token)).rejects.toEqual(problem('session_expired'));
    await expect(t.api(accounts.login, { body: { email: therapist.email, password: BUILT_PASSWORD } })).rejects.toEqual(
      problem('invalid_credentials'),
    );
    await me(
      (await t.api(accounts.login, { body: { email: therapist.email, password: 'nine slow green boats' } })).token,
    );
  });
});

describe('a client’s token', () => {
  test('tells by what its time ended, on calls and lines, and brings nobody back', async () => {
    const therapist = await aTherapist(t.db);
    const [removed, left, stays] = [
      await inRoom(t.app, therapist),
      await inRoom(t.app, therapist),
      await inRoom(t.app, therapist),
    ];
    const declined = await aClient(t.app, therapist);
    await t.api(clients.remove, { body: { clientId: removed.id } }, { token: therapist.token });
    await t.api(clients.decline, { body: { clientIds: [declined.id] } }, { token: therapist.token });
    await t.api(clients.leaveRoom, {}, { token: left.token });
    const page = await openClientScreen(t.url, stays);
    await t.api(clients.endLiveSession, {}, { token: therapist.token });
    await page.closed;
    const rows = await everyRow(t.db);
    for (const [client, code] of [
      [removed, 'sent_out'],
      [declined, 'declined'],
      [left, 'session_expired'],
      [stays, 'live_session_over'],
    ] as const) {
      await expect(t.api(clients.getSeat, {}, { token: client.token }), code).rejects.toEqual(problem(code));
      await expect(
        t.api(clients.setActive, { params: { userId: client.id } as never }, { token: client.token }),
        code,
      ).rejects.toEqual(problem(code));
      await expect(openScreen(t.url, client.token), code).rejects.toMatchObject({ code });
    }
    expect(await everyRow(t.db)).toEqual(rows);
    // Nor in the therapist's next live session.
    await t.api(clients.openRoom, {}, { token: therapist.token });
    for (const { token } of [removed, declined, left, stays])
      await expect(openScreen(t.url, token)).rejects.toMatchObject({
        code: expect.stringMatching(/^(?:sent_out|declined|session_expired|live_session_over)$/),
      });
    expect((await t.api(clients.getRoom, {}, { token: therapist.token })).people).toEqual([]);
  });

  test('is no sign-in, and a sign-in no client’s token', async () => {
    const therapist = await aTherapist(t.db);
    const client = await inRoom(t.app, therapist);
    await expect(me(client.token)).rejects.toEqual(problem('forbidden'));
    await expect(t.api(clients.getSeat, {}, { token: therapist.token })).rejects.toEqual(problem('forbidden'));
    await expect(t.api(clients.leaveRoom, {}, { token: therapist.token })).rejects.toEqual(problem('forbidden'));
    const page = await openScreen(t.url, client.token);
    await expect(page.subscribe(ownDestination(therapist.id))).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('a letter’s token', () => {
  test('is used once, for what it was written, in its time, and signs nobody in', async () => {
    const email = 'ildiko@mailbox.example';
    await t.api(accounts.register, {
      body: { ...COMMON_FORM, email, password: 'six quiet paper moons', captcha: await solvedCaptcha(t) },
    });
    const toVerify = await tokenTo(t, email);
    await expect(me(toVerify)).rejects.toEqual(problem('session_expired'));
    await expect(openScreen(t.url, toVerify)).rejects.toMatchObject({ code: 'session_expired' });
    await expect(
      t.api(accounts.changePassword, { body: { token: toVerify, password: 'nine slow green boats' } }),
    ).rejects.toEqual(problem('link_invalid'));
    await t.api(accounts.verify, { query: { token: toVerify } });
    await expect(t.api(accounts.verify, { query: { token: toVerify } })).rejects.toEqual(problem('link_invalid'));

    await t.api(accounts.reset, { query: { email } });
    const toReset = await tokenTo(t, email);
    await expect(t.api(accounts.verify, { query: { token: toReset } })).rejects.toEqual(problem('link_invalid'));
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) =>
        t.api(accounts.changePassword, { body: { token: toReset, password: `nine slow green boats ${n}` } }),
      ),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const tried of tries) if (tried.status === 'rejected') expect(tried.reason).toEqual(problem('link_invalid'));

    await t.api(accounts.reset, { query: { email } });
    const late = await tokenTo(t, email);
    expect(late).not.toBe(toReset);
    await t.move(3601);
    await expect(t.api(accounts.checkPasswordToken, { query: { token: late } })).rejects.toEqual(
      problem('link_invalid'),
    );
    const rows = await everyRow(t.db);
    await expect(
      t.api(accounts.changePassword, { body: { token: late, password: 'nine slow green boats' } }),
    ).rejects.toEqual(problem('link_invalid'));
    // A sign-in's token is no letter's.
    const therapist = await aTherapist(t.db);
    for (const token of [therapist.token, therapist.token.toLowerCase(), `${late} `, '', 'null', late.slice(0, -1)])
      await expect(
        t.api(accounts.changePassword, { body: { token, password: 'nine slow green boats' } }),
      ).rejects.toEqual(expect.objectContaining({ code: expect.stringMatching(/^(?:link_invalid|invalid_input)$/) }));
    expect((await everyRow(t.db)).account_tokens).toEqual(rows.account_tokens);
  });

  test('a solved captcha is good once, and not a foreign one', async () => {
    const body = { ...COMMON_FORM, password: 'six quiet paper moons' };
    const captcha = await solvedCaptcha(t);
    await t.api(accounts.register, { body: { ...body, email: 'first@mailbox.example', captcha } });
    const rows = await everyRow(t.db);
    await expect(
      t.api(accounts.register, { body: { ...body, email: 'second@mailbox.example', captcha } }),
    ).rejects.toEqual(problem('captcha_failed'));
    const own = await testApp();
    await expect(
      t.api(accounts.register, {
        body: { ...body, email: 'second@mailbox.example', captcha: await solvedCaptcha(own) },
      }),
    ).rejects.toEqual(problem('captcha_failed'));
    await own.close();
    expect(await everyRow(t.db)).toEqual(rows);
  });
});
