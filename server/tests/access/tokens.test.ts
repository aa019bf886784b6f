/**
 * Tokens that have expired, were used, or belong to something else, tried on everything that takes one: calls, emails,
 * connections.
 */
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as accounts from '@fieldroom/contract/accounts';
import * as clients from '@fieldroom/contract/clients';
import { ownDestination } from '@fieldroom/contract/realtime';
import { aSignIn, aTherapist, BUILT_PASSWORD } from '../../src/builders/accounts.builders.ts';
import { aClient, inRoom } from '../../src/builders/clients.builders.ts';
import { untilLockWaits } from '../support/locks.ts';
import { testApp, type TestApp } from '../support/test-app.ts';
import { openClientScreen, openScreen, openTherapistScreen } from '../support/people/screen.ts';
import { COMMON_FORM, everyRow, solvedCaptcha, tokenTo } from '../support/people/practice.ts';

const DAY = 86_400;
/** Of the eight connections that tests have; the others are for rooms and for work in the background. */
const CONNECTIONS_FOR_CALLS = 5;

let t: TestApp;
// A separate app for each: clocks are moved, and sweeps remove what expires by it.
beforeEach(async () => {
  t = await testApp();
});
afterEach(() => t.close());

const problem = (code: string) => expect.objectContaining({ code });
const me = (token: string | null) => t.api(accounts.getCurrentUserData, {}, { token });

describe('a sign-in that has run out', () => {
  test('opens no call and no connection, and the connection it opened is closed', async () => {
    const therapist = await aTherapist(t.db);
    const screen = await openTherapistScreen(t.url, therapist);
    const younger = await aTherapist(t.db);
    await t.move(7 * DAY + 1);
    await expect(me(therapist.token)).rejects.toEqual(problem('session_expired'));
    await expect(openScreen(t.url, therapist.token)).rejects.toMatchObject({ code: 'session_expired' });
    const fresh = await aSignIn(t.db, younger.id);
    const other = await openScreen(t.url, fresh);
    await t.app.jobs.runNow('realtime.checkSignIns');
    expect(await screen.closed).toBe('session_expired');
    expect(other.isOpen()).toBe(true);
    await other.leave();
  });

  test('by a new password: every sign-in and every connection of the account', async () => {
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
  test('says why it ended, on calls and connections, and brings nobody back', async () => {
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

describe('an email’s token', () => {
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
    // A sign-in's token is no email's token.
    const therapist = await aTherapist(t.db);
    for (const token of [therapist.token, therapist.token.toLowerCase(), `${late} `, '', 'null', late.slice(0, -1)])
      await expect(
        t.api(accounts.changePassword, { body: { token, password: 'nine slow green boats' } }),
      ).rejects.toEqual(expect.objectContaining({ code: expect.stringMatching(/^(?:link_invalid|invalid_input)$/) }));
    expect((await everyRow(t.db)).account_tokens).toEqual(rows.account_tokens);
  });

  test('is used once, also where those who use it at once take all connections', async () => {
    const therapist = await aTherapist(t.db);
    await t.api(accounts.reset, { query: { email: therapist.email } });
    const token = await tokenTo(t, therapist.email);
    const tries = await t.app.roomDb.transaction(async (tx) => {
      await tx.execute(sql`SELECT 1 FROM account_tokens FOR UPDATE`);
      const started = Array.from({ length: 12 }, (_, n) =>
        t.api(accounts.changePassword, { body: { token, password: `nine slow green boats ${n}` } }),
      );
      const settled = Promise.allSettled(started);
      await untilLockWaits(t.app.roomDb, CONNECTIONS_FOR_CALLS);
      return { settled };
    });
    const outcomes = await tries.settled;
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toEqual(problem('link_invalid'));
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
