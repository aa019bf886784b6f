/**
 * Nothing personal in the log (docs/product.md#12.3), kept down to `debug`, after a session in which everything went
 * well and wrong.
 */
import { expect, test } from 'vitest';
import * as accounts from '@fieldroom/contract/accounts';
import { saveBugReport } from '@fieldroom/contract/bugReports';
import * as calls from '@fieldroom/contract/clients';
import { saveConstellation } from '@fieldroom/contract/constellations';
import * as field from '@fieldroom/contract/field';
import { FIELD_SEND } from '@fieldroom/contract/field';
import { MESSAGES_SEND } from '@fieldroom/contract/messages';
import { MOMENTS_SEND } from '@fieldroom/contract/moments';
import { inviteWords, OBSERVER_WORDS_SEND } from '@fieldroom/contract/observerWords';
import { roomDestination } from '@fieldroom/contract/realtime';
import * as profile from '@fieldroom/contract/profile';
import { completeRegistration } from '@fieldroom/contract/billing';
import { search } from '@fieldroom/contract/search';
import * as usage from '@fieldroom/contract/usage';
import { sql } from 'drizzle-orm';
import { anEntity, someUsage } from '../../src/builders/billing.builders.ts';
import { testApp } from '../support/test-app.ts';
import { fakeSmtp } from '../support/programs/fake-smtp.ts';
import { confirmBooking, CONFIRM_HEADER, sendBookingLinks } from '@fieldroom/contract/bookings';
import { findNotices } from '@fieldroom/contract/notices';
import { aBooking } from '../../src/builders/bookings.builders.ts';
import { anEvent } from '../../src/builders/events.builders.ts';
import { openClientScreen, openScreen, openTherapistScreen } from '../support/people/screen.ts';
import { COMMON_FORM, solvedCaptcha, tokenTo } from '../support/people/practice.ts';

test('the log contains no name, address, code, token, password or text of anybody, whatever failed', async () => {
  const smtp = await fakeSmtp();
  const t = await testApp({ env: { SMTP_URL: smtp.url, MAIL_FROM: 'Fieldroom <mail@practice.example>' } });
  /** All secrets that were used. */
  const secrets = new Set<string>();
  const secret = (text: string) => {
    secrets.add(text);
    return text;
  };
  const failed = async (work: Promise<unknown>) =>
    expect(
      await work.then(
        () => null,
        (error: unknown) => error,
      ),
    ).not.toBe(null);

  // An account, by email; with a mail server that is busy, knows nobody, and cuts the connection.
  const email = secret('ildiko.szabo-varga@mailbox.example');
  const password = secret('six quiet paper moons');
  const form = { ...COMMON_FORM, firstName: secret('Ildikóxq'), lastName: secret('Szabóxq-Varga'), email, password };
  await failed(t.api(accounts.register, { body: { ...form, captcha: secret('not-solved-at-all') } }));
  // The outbox sends every second, and once an email is sent its words are removed: none leaves before it is read here.
  smtp.mood = 'busy';
  await t.api(accounts.register, { body: { ...form, captcha: secret(await solvedCaptcha(t)) } });
  const verifyToken = secret(await tokenTo(t, email));
  for (const mood of ['busy', 'cut', 'unknown'] as const) {
    smtp.mood = mood;
    await t.app.outbox.sendDue();
    await t.move(3600);
  }
  smtp.mood = 'busy';
  await failed(t.api(accounts.verify, { query: { token: secret('wrong-token-of-an-email') } }));
  await t.api(accounts.verify, { query: { token: verifyToken } });
  await failed(t.api(accounts.login, { body: { email, password: secret('mistyped private phrase') } }));
  await failed(
    t.api(accounts.login, {
      body: { email: secret('stranger@elsewhere.example'), password: secret('stranger’s own phrase') },
    }),
  );
  const { token, user } = await t.api(accounts.login, { body: { email, password } });
  secret(token);
  secret(user.joinLink);
  await t.api(accounts.reset, { query: { email } });
  secret(await tokenTo(t, email));

  // The profile: the password in a path, right, wrong and garbled; another address; texts of the public page.
  const as = { token };
  for (const segment of [password, secret('half/known?phrase%xq')])
    await t.api(profile.checkPassword, { params: { password: segment, therapistId: user.id } }, as);
  for (const segment of ['garbled%xqphrase', 'slashed/xqphrase', 'asked?xqphrase'])
    expect(
      (await t.fetch(`/api/profile/check/password/${secret(segment)}/${user.id}`, { method: 'POST' })).status,
    ).toBe(400);
  await t.api(
    profile.savePage,
    { body: { slug: 'a-quiet-page', line: secret('Linexq of hers'), about: secret('Aboutxq') } },
    as,
  );
  const address = secret('ildiko.elsewhere@mailbox.example');
  await t.api(profile.requestEmail, { body: { email: address, password } }, as);
  await t.api(profile.confirmEmail, { body: { token: secret(await tokenTo(t, address)) } });
  secret(await tokenTo(t, email));
  await failed(t.api(profile.deleteAccount, { body: { password: secret('not my phrasexq') } }, as));
  await t.api(profile.exportData, {}, as);

  // A room: codes, names, wrong ones too.
  const room = await t.api(calls.openRoom, {}, { token });
  const code = secret(room.code!);
  secret((await t.api(calls.renewCode, {}, { token })).code);
  const screen = await openTherapistScreen(t.url, { id: user.id, token });
  await failed(t.api(calls.enterRoom, { body: { code, name: secret('Old-code person') } }));
  await failed(t.api(calls.enterRoom, { body: { joinLink: secret('no-such-practice'), name: secret('Lost person') } }));
  await failed(t.api(calls.enterRoom, { body: { joinLink: user.joinLink, name: secret('bad\u202Ename person') } }));
  const seat = await t.api(calls.enterRoom, { body: { joinLink: user.joinLink, name: secret('Borbálaxq') } });
  secret(seat.token);
  await t.api(calls.admit, { body: { clientIds: 'all' } }, { token });
  const page = await openClientScreen(t.url, { id: seat.client.id, token: seat.token, therapistId: user.id });
  await screen.send(FIELD_SEND.act, {
    actId: crypto.randomUUID(),
    act: { kind: 'add', figure: { iconType: 'STAR', x: 1, y: 1, name: secret('grandmotherxq') } },
  });
  await page.next('PLAYER_CHANGE');
  await page.send(FIELD_SEND.act, {
    actId: crypto.randomUUID(),
    act: {
      kind: 'edit',
      figureId: 1,
      name: secret('my fatherxq'),
      relations: [{ to: 2, kind: 'plain', color: '#953300', word: secret('hates himxq') }],
    },
  });
  await page.sendText(FIELD_SEND.act, `{"secret":"${secret('broken frame text')}"`);
  for (const to of ['all', user.id, 987_654_321])
    await page.send(MESSAGES_SEND.send, { actId: crypto.randomUUID(), to, text: secret(`my brotherxq to ${to}`) });
  await page.send(MESSAGES_SEND.send, { actId: crypto.randomUUID(), to: 'all', text: secret('turned \u202Eroundxq') });
  await t.api(inviteWords, { body: { invited: true } }, as);
  for (const text of [secret('heavy-heartedxq'), secret('turned \u202Efeelingxq')])
    await page.send(OBSERVER_WORDS_SEND.say, { actId: crypto.randomUUID(), text });
  expect((await page.next('OBSERVER_WORD')).contents.text).toBe('heavy-heartedxq');
  await screen.send(MOMENTS_SEND.keep, { actId: crypto.randomUUID(), name: secret('a named momentxq') });
  await screen.next('MOMENTS', ({ contents }) => JSON.stringify(contents).includes('a named momentxq'));
  await page.send(secret('/app/private-destination'), {});
  await failed(openScreen(t.url, secret('guessed-token-of-somebody')));
  const listener = await openScreen(t.url, seat.token);
  await failed(listener.subscribe(secret(`${roomDestination(user.id)}/private-suffix`)));

  // Paths and queries contain secrets too; also bodies that cannot be read, and files.
  for (const path of [
    `/user/verify?token=${secret('token-in-a-query')}`,
    `/api/${secret('secret-in-a-path')}`,
    `/api/getUser/${secret('name-for-an-id')}`,
    `/%${secret('broken-escape')}`,
  ])
    await (
      await t.fetch(path, {
        method: path.includes('getUser') ? 'POST' : 'GET',
        headers: {
          authorization: `Bearer ${secret('bearer-in-a-header')}`,
          cookie: `sid=${secret('cookie-in-a-header')}`,
          'x-forwarded-for': secret('203.0.113.77'),
        },
      })
    ).text();
  await (
    await t.fetch('/api/room/enter', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"name":"${secret('half a body')}`,
    })
  ).text();
  await failed(
    t.api(
      field.saveIcon,
      {
        body: {
          name: secret('icon namexq'),
          image: `<svg xmlns="http://www.w3.org/2000/svg"><script>${secret('icon script text')}</script></svg>`,
        },
      },
      { token },
    ),
  );
  await failed(t.api(field.saveIcon, { body: { image: secret('no drawing at all') } }, { token }));

  // A prepared constellation: kept, with a name that is there already, and with one that cannot be.
  const constellation = { name: secret('constellation namexq') };
  await t.api(saveConstellation, { body: constellation }, as);
  await failed(t.api(saveConstellation, { body: constellation }, as));
  await failed(t.api(saveConstellation, { body: { name: secret('constellation xq '.repeat(9)) } }, as));

  // Faults of ours: the database refuses in the middle, with the values in its message.
  await t.db.execute(sql`ALTER TABLE clients ADD CONSTRAINT no_such_name CHECK (name <> 'Faultyxq')`);
  const faulty = await t.call(calls.enterRoom, { body: { joinLink: user.joinLink, name: secret('Faultyxq') } });
  const { reference } = (await faulty.json()) as { reference: string };
  expect(faulty.status).toBe(500);
  await t.db.execute(sql`ALTER TABLE figures ADD CONSTRAINT no_such_figure CHECK (name <> 'figure faultxq')`);
  const actId = crypto.randomUUID();
  await screen.send(FIELD_SEND.act, {
    actId,
    act: { kind: 'add', figure: { iconType: 'STAR', x: 1, y: 1, name: secret('figure faultxq') } },
  });
  const told = (await screen.next('PROBLEM', ({ contents }) => contents.actId === actId)).contents.problem;
  expect(told.code).toBe('unknown_fault');
  await t.db.execute(sql`ALTER TABLE messages ADD CONSTRAINT no_such_text CHECK (text <> 'message faultxq')`);
  const lostId = crypto.randomUUID();
  await page.send(MESSAGES_SEND.send, { actId: lostId, to: 'all', text: secret('message faultxq') });
  const lost = (await page.next('PROBLEM', ({ contents }) => contents.actId === lostId)).contents.problem;
  expect(lost.code).toBe('unknown_fault');

  // A booking and its notice, and one whose notice cannot be written.
  const event = await anEvent(t.db, { therapistId: user.id, name: secret('Griefxq evening') });
  const confirm = async (firstName: string) => {
    const booking = {
      eventId: event.id,
      state: 'HELD',
      firstName: secret(firstName),
      lastName: secret('Bookedxq'),
    } as const;
    const { emailToken } = await aBooking(t.db, { ...booking, email: secret(`${firstName}@booked.example`) });
    const headers = { [CONFIRM_HEADER]: '1' };
    return (await t.call(confirmBooking, { query: { token: secret(emailToken) } }, { headers })).status;
  };
  expect(await confirm('Katalinxq')).toBe(200);
  for (const typed of ['Katalinxq@booked.example', secret('nobodyxq@booked.example')])
    await t.api(sendBookingLinks, { body: { email: typed } });
  await t.app.bookings.idle();
  secret(await tokenTo(t, 'Katalinxq@booked.example'));
  expect((await t.api(findNotices, {}, { token })).content).toMatchObject([{ person: { firstName: 'Katalinxq' } }]);
  await t.db.execute(sql`ALTER TABLE notices ADD CONSTRAINT no_more CHECK (kind <> 'booked') NOT VALID`);
  expect(await confirm('Piroskaxq')).toBe(500);

  // A customer, refused and stored, and a bill that cannot be written.
  const customer = {
    ...anEntity({
      name: secret('Terápiaxq Kft.'),
      taxNumber: secret('RO18547290'),
      address: secret('Titkosxq utca 7'),
    }),
    contactPerson: secret('Kapcsolatxq Klára'),
    telephone: secret('+36 30 777 0199'),
  };
  await failed(
    t.api(
      completeRegistration,
      { body: { ...customer, entity: { ...customer.entity!, taxNumber: secret('RO99999999') } } },
      { token },
    ),
  );
  await t.api(completeRegistration, { body: customer }, { token });
  const [from, until] = [40, 39].map((days) => new Date(Date.now() - days * 86_400_000));
  await someUsage(t.db, { therapistId: user.id, from: from!, until: until! });
  await t.db.execute(sql`UPDATE billing_customers SET created_at = created_at - interval '3 months'`);
  await t.db.execute(sql`ALTER TABLE bills ADD CONSTRAINT no_bill CHECK (customer->>'kind' <> 'entity')`);
  await failed(t.app.billing.makeMonthlyBills());
  await t.db.execute(sql`ALTER TABLE bills DROP CONSTRAINT no_bill`);
  expect((await t.app.billing.makeMonthlyBills()).emails).toBeGreaterThan(0);
  smtp.mood = 'well';
  await t.app.outbox.sendDue();

  // The timer, feedback, and the fault of a timer that the database refuses.
  const tab = secret(crypto.randomUUID());
  await t.api(usage.startTimer, { params: { userId: user.id }, body: { tab } }, { token });
  await t.api(usage.scheduleTimerStop, { params: { userId: user.id, seconds: 600 }, body: { tab } }, { token });
  const feedback = {
    email: secret('claimed@feedback.example'),
    username: secret('Claimedxq'),
    text: secret('so kindxq'),
  };
  await t.api(usage.sendFeedbackEmail, { body: feedback }, { token });
  await failed(t.api(usage.sendFeedbackEmail, { body: { ...feedback, text: secret('up \u202Edownxq') } }, { token }));
  await t.db.execute(sql`ALTER TABLE usage_intervals ADD CONSTRAINT no_such_end CHECK (ended_at IS NULL) NOT VALID`);
  expect((await t.call(usage.stopTimer, { params: { userId: user.id } }, { token })).status).toBe(500);
  await t.db.execute(sql`ALTER TABLE usage_intervals DROP CONSTRAINT no_such_end`);

  // Searches: found, refused, and with a fault of the database.
  await t.api(search, { body: { key: secret('borbálaxq') } }, { token });
  await failed(t.api(search, { body: { key: secret('up \u202Esearchedxq') } }, { token }));
  await t.db.execute(sql`ALTER TABLE attendances RENAME COLUMN client_name TO other_name`);
  expect((await t.call(search, { body: { key: secret('faulty searchxq') } }, { token })).status).toBe(500);
  await t.db.execute(sql`ALTER TABLE attendances RENAME COLUMN other_name TO client_name`);

  // Bug reports, stored and refused, and one that the database refuses.
  await t.db.execute(sql`ALTER TABLE bug_reports ADD CONSTRAINT no_such_report CHECK (comment <> 'report faultxq')`);
  for (const comment of [secret('she said itxq'), secret('back \u202Ewardxq'), secret('report faultxq')]) {
    const report = new FormData();
    const claims = { name: secret('Reporterxq'), userDetails: secret('reporterxq@mail.example') };
    const where = { page: `/user/join/${secret('reported-link-xq')}` };
    const circumstances = { appId: 'fieldroom', priority: 1, noImg: true, ...claims, ...where };
    report.set('value', JSON.stringify({ ...circumstances, comment }));
    const headers = { authorization: `Bearer ${token}` };
    await (await t.fetch(saveBugReport.path, { method: 'POST', headers, body: report })).text();
  }

  await page.leave();
  await t.api(calls.endLiveSession, {}, { token });
  await t.api(accounts.logout, { params: { userId: user.id } as never }, { token });
  await t.close();
  await smtp.close();

  const log = t.logged.text();
  // Something was logged, and all faults can be found by the numbers that people were shown.
  expect(t.logged.entries().length).toBeGreaterThan(20);
  for (const number of [reference, told.reference!, lost.reference!]) expect(log).toContain(number);
  for (const text of secrets) expect(log, text).not.toContain(text);
  const hidden = [...secrets].flatMap((text) => [
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
    Buffer.from(text).toString('base64').replace(/=+$/, ''),
  ]);
  for (const text of hidden) expect(log, text).not.toContain(text);
  expect(secrets.size).toBeGreaterThan(35);
});
