/**
 * What is stored after the server was killed, and what arrives when the mail server fails. Contract, invariant 3;
 * README rule 6.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { listBookings } from '@fieldroom/contract/bookings';
import { aBooking } from '../../../builders/bookings.builders.ts';
import { aTherapist } from '../../../builders/accounts.builders.ts';
import { anEvent } from '../../../builders/events.builders.ts';
import { createCaller, type FakeSmtp, fakeSmtp, testApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { chaosProxy } from '../../../../tests/support/programs/chaos-proxy.ts';
import { answering, freePort, MAIN, startProcess } from '../../../../tests/support/programs/process.ts';
import {
  aNewEmail,
  BEHIND_PROXY,
  book,
  cancel,
  confirm,
  countsOf,
  decline,
  decoysOf,
  rowsOf,
  tokenTo,
} from '../bookings.fixture.ts';

const OPEN = { LIMIT_BOOKING: '100000/60', LIMIT_OPEN_HOLDS: '100000/60' };

test('kill -9 during 200 bookings, half of them with known addresses: every accepted booking exists once with its email; none is partial', async () => {
  const t = await testApp({ env: { DATABASE_CONNECTIONS: '4' } });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...OPEN,
    ...BEHIND_PROXY,
    NODE_ENV: 'test',
    PORT: String(port),
    HOST: '127.0.0.1',
    DEMO: '0',
    DATABASE_URL: t.app.config.databaseUrl!,
    DATA_DIR: t.app.config.dataDir,
    LIMIT_REQUESTS: '100000/60',
    LIMIT_OPEN_CALLS: '100000/60',
    LOG_LEVEL: 'warn',
  };
  let server = startProcess(process.execPath, [MAIN], { env });
  try {
    await answering(server, `${url}/readyz`);
    const caller = createCaller(url);
    const therapist = await aTherapist(t.db);
    const { id } = await anEvent(t.db, { therapistId: therapist.id, places: 500 });
    const known: string[] = [];
    for (let nth = 0; nth < 100; nth++) known.push((await aBooking(t.db, { eventId: id })).email);
    const accepted: string[] = [];
    let killing: Promise<void> | undefined;
    // Like real people: one after another over twenty connections, so that some are answered, some are in progress and
    // some have not arrived yet.
    let left = 200;
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        while (left > 0) {
          left -= 1;
          const email = left % 2 === 0 ? aNewEmail() : known[(left - 1) / 2]!;
          const held = await book(caller, id, { email }).then(
            () => true,
            () => false,
          );
          if (held) accepted.push(email);
          if (accepted.length >= 70) killing ??= server.stop('SIGKILL');
        }
      }),
    );
    await killing;
    expect(accepted.length).toBeGreaterThanOrEqual(70);
    expect(accepted.length).toBeLessThan(200);

    // With the event locked: PostgreSQL may still commit what the server sent last.
    const { rows, emails, told, decoys, counts } = await t.db.transaction(async (tx) => {
      await t.app.events.lock(tx, id);
      const on = { db: tx as unknown as TestApp['db'] };
      const held = await tx.execute<{ about: string; to: string; messageId: string }>(
        sql`SELECT about, to_address AS "to", message_id AS "messageId" FROM outbox_emails WHERE kind = 'bookings.held'`,
      );
      const again = await tx.execute<{ to: string }>(
        sql`SELECT to_address AS "to" FROM outbox_emails WHERE kind = 'bookings.alreadyBooked'`,
      );
      return {
        rows: (await rowsOf(on, id)).filter(({ state }) => state === 'HELD'),
        emails: held.rows,
        told: again.rows.map(({ to }) => to),
        decoys: await decoysOf(on, id),
        counts: await countsOf(on, id),
      };
    });
    for (const email of accepted)
      expect(
        [rows.filter((row) => row.email === email).length, told.filter((to) => to === email).length],
        email,
      ).toEqual(known.includes(email) ? [0, 1] : [1, 0]);
    expect(told.length).toBe(decoys);
    expect(new Set(accepted.map((email) => known.includes(email))).size).toBe(2);
    // Also those whose answer was cut off are stored completely or not at all.
    expect(emails.map(({ about, to }) => `${about} ${to}`).toSorted()).toEqual(
      rows.map((row) => `booking ${row.id} ${row.email}`).toSorted(),
    );
    expect(new Set(emails.map(({ messageId }) => messageId)).size).toBe(emails.length);
    expect(counts).toEqual({ held: rows.length, confirmed: 100 });

    // The next start continues from there.
    server = startProcess(process.execPath, [MAIN], { env });
    await answering(server, `${url}/readyz`);
    await book(caller, id);
    expect(
      (
        await confirm(
          caller,
          await tokenTo(
            t,
            accepted.find((email) => !known.includes(email))!,
          ),
        )
      ).state,
    ).toBe('CONFIRMED');
    expect(await countsOf(t, id)).toEqual({ held: rows.length, confirmed: 101 });
  } finally {
    await server.stop('SIGKILL');
    await t.close();
  }
}, 120_000);

let smtp: FakeSmtp;
let mailed: TestApp;
beforeAll(async () => {
  smtp = await fakeSmtp();
  mailed = await testApp({
    env: { ...OPEN, ...BEHIND_PROXY, SMTP_URL: smtp.url, MAIL_FROM: 'Fieldroom <room@fieldroom.test>' },
  });
});
afterAll(async () => {
  smtp.release();
  await mailed.close();
  await smtp.close();
});
const send = () => mailed.app.jobs.runNow('mail.send');
const anOpenEvent = async () =>
  (await anEvent(mailed.db, { therapistId: (await aTherapist(mailed.db)).id, places: 20 })).id;
const received = (email: string) => smtp.received.filter(({ to }) => to.includes(email));
/** The newest token that arrived; the outbox does not keep sent texts. */
const tokenReceived = (email: string) => /#token=([\w-]{43})/.exec(received(email).at(-1)!.mail.text!)![1]!;

test('with the mail server down, people can still book and confirm, and every email arrives when it is back', async () => {
  const id = await anOpenEvent();
  await smtp.down();
  const [one, two] = [aNewEmail(), aNewEmail()];
  await book(mailed, id, { email: one });
  await book(mailed, id, { email: two });
  await send();
  expect(await countsOf(mailed, id)).toEqual({ held: 2, confirmed: 0 });
  await smtp.up();
  await mailed.move(60);
  await send();
  for (const email of [one, two]) expect(received(email)).toHaveLength(1);
});

test('if it cuts the connection before its answer, the email is sent again with the same Message-ID', async () => {
  const id = await anOpenEvent();
  const email = aNewEmail();
  await send();
  smtp.mood = 'cut';
  await book(mailed, id, { email });
  await send();
  smtp.mood = 'well';
  await mailed.move(120);
  await send();
  await mailed.move(600);
  await send();
  const came = received(email);
  expect(came).toHaveLength(2);
  expect(new Set(came.map(({ mail }) => mail.messageId)).size).toBe(1);
  expect(came[0]!.mail.text).toBe(came[1]!.mail.text);
});

test('if it is slow, bookings do not wait for it', async () => {
  const id = await anOpenEvent();
  await send();
  smtp.mood = 'held';
  const first = aNewEmail();
  await book(mailed, id, { email: first });
  const sending = send();
  await expect.poll(() => received(first).length).toBe(1);
  // The mail server has the email and has not answered.
  for (let nth = 0; nth < 5; nth++) await book(mailed, id);
  expect((await countsOf(mailed, id)).held).toBe(6);
  smtp.mood = 'well';
  smtp.release();
  await sending;
});

test('if it accepts connections but does not answer, bookings do not wait, and every email arrives once when it answers', async () => {
  const proxy = await chaosProxy(smtp.url);
  const silent = await testApp({
    env: { ...OPEN, ...BEHIND_PROXY, SMTP_URL: proxy.url, MAIL_FROM: 'Fieldroom <room@fieldroom.test>' },
  });
  const sendThere = () => silent.app.jobs.runNow('mail.send');
  try {
    proxy.hang();
    const { id } = await anEvent(silent.db, { therapistId: (await aTherapist(silent.db)).id, places: 20 });
    const [confirms, waits] = [aNewEmail(), aNewEmail()];
    for (const email of [confirms, waits]) await book(silent, id, { email });
    const sending = sendThere();
    await expect.poll(() => proxy.connections()).toBeGreaterThan(0);
    // Emails that it has not accepted can still be read in the outbox.
    await confirm(silent, await tokenTo(silent, confirms));
    await book(silent, id);
    expect(await countsOf(silent, id)).toEqual({ held: 2, confirmed: 1 });
    proxy.resume();
    await sending;
    const calendars = () => received(confirms).filter(({ mail }) => mail.attachments.length > 0);
    await expect
      .poll(async () => {
        await silent.move(60);
        await sendThere();
        return [calendars().length, received(waits).length];
      })
      .toEqual([1, 1]);
    const ids = [confirms, waits].flatMap((email) => received(email).map(({ mail }) => mail.messageId));
    expect(new Set(ids).size).toBe(ids.length);
  } finally {
    proxy.resume();
    await silent.close();
    await proxy.close();
  }
});

test('a confirmation that could not be sent before the cancellation is never sent', async () => {
  const id = await anOpenEvent();
  const [cancels, declines] = [aNewEmail(), aNewEmail()];
  await book(mailed, id, { email: cancels });
  await send();
  await smtp.down();
  const { bookingToken } = await confirm(mailed, tokenReceived(cancels));
  await send();
  await book(mailed, id, { email: declines });
  await decline(mailed, await tokenTo(mailed, declines));
  await cancel(mailed, bookingToken);
  await smtp.up();
  for (const seconds of [60, 600, 3600]) {
    await mailed.move(seconds);
    await send();
  }
  expect(received(cancels).map(({ mail }) => mail.attachments.map(({ method }) => method))).toEqual([[], ['CANCEL']]);
  expect(received(declines)).toEqual([]);
});

test('the therapist sees the state of the email at the booking: on its way, delayed, delivered, or given up', async () => {
  const therapist = await aTherapist(mailed.db);
  const { id } = await anEvent(mailed.db, { therapistId: therapist.id, places: 20 });
  const [fine, lost] = [aNewEmail(), aNewEmail()];
  const list = async () => {
    const all = await mailed.api(listBookings, { params: { eventId: id } }, { token: therapist.token });
    return Object.fromEntries(
      all.map(({ participant, emailState }) => [participant.email === fine ? 'fine' : 'lost', emailState]),
    );
  };
  await send();
  // The outbox sends every second, so the mail server holds the emails back.
  smtp.mood = 'held';
  for (const email of [fine, lost]) await book(mailed, id, { email });
  expect(await list()).toEqual({ fine: 'waiting', lost: 'waiting' });
  smtp.mood = 'well';
  smtp.release();
  await send();
  const tokens = [fine, lost].map(tokenReceived);
  // The mailbox is gone before the confirmation is written.
  smtp.moods.set(lost, 'unknown');
  for (const token of tokens) await confirm(mailed, token);
  await send();
  expect(await list()).toEqual({ fine: 'sent', lost: 'delayed' });
  for (let tries = 0; tries < 12; tries++) {
    await mailed.move(7201);
    await send();
  }
  expect(await list()).toEqual({ fine: 'sent', lost: 'failed' });
});
