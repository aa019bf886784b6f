/** The contact form over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contact } from '@fieldroom/contract/bookings';
import { THERAPIST_HEADER } from '@fieldroom/contract/http';
import { LANGUAGES } from '@fieldroom/contract/text';
import { sendFeedbackEmail } from '@fieldroom/contract/usage';
import { aTherapist } from '../../builders/accounts.builders.ts';
import { failOften } from '../../../tests/support/refused-rows.ts';
import { testApp, type TestApp } from '../../../tests/support/test-app.ts';
import { WORDS } from './support.emails.words.ts';

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ env: { TRUST_PROXY: '1', MAIL_FROM: 'The practice <office@practice.example>' } });
});
afterAll(() => t.close());

let addresses = 0;
const aNewAddress = () => `198.51.100.${++addresses}`;
const write = (
  body: Record<string, string>,
  { therapist, from = aNewAddress() }: { therapist?: number | string; from?: string } = {},
) =>
  t.api(
    contact,
    { body: { email: 'asker@mail.example', message: 'May I bring a friend?', ...body } },
    {
      headers: {
        'x-forwarded-for': from,
        ...(therapist === undefined ? {} : { [THERAPIST_HEADER]: String(therapist) }),
      },
    },
  );
const code = (act: Promise<unknown>) =>
  act.then(
    () => 'taken',
    (problem: { code: string; more: { fields?: { path: string; code: string }[] } }) =>
      problem.more.fields?.map((field) => `${field.path} ${field.code}`).join() ?? problem.code,
  );

describe('the recipient', () => {
  test('is the therapist of the header, with names in any case and accents, in their language; replies go to the sender', async () => {
    const therapist = await aTherapist(t.db, { firstName: 'Ádám', lastName: 'Kőszegi-Őry', language: 'hu' });
    await write({ firstName: 'adam', lastName: 'KOSZEGI-ORY' }, { therapist: therapist.id });
    const [sentEmail, ...more] = await t.emails(therapist.email);
    expect(more).toEqual([]);
    expect(sentEmail).toMatchObject({
      replyTo: 'asker@mail.example',
      subject: WORDS.hu.subject,
      language: 'hu',
      kind: 'support.contact',
      attachments: [],
    });
    expect(sentEmail!.text).toContain('May I bring a friend?');
  });

  test('is nobody if the names do not match, or the therapist has no public page', async () => {
    const therapist = await aTherapist(t.db, { firstName: 'Anna', lastName: 'Berg' });
    const unverified = await aTherapist(t.db, { firstName: 'Anna', lastName: 'Berg', verified: false });
    const suspended = await aTherapist(t.db, { firstName: 'Anna', lastName: 'Berg', suspended: true });
    const names = { firstName: 'Anna', lastName: 'Berg' };
    for (const [body, to] of [
      [{ ...names, lastName: 'Borg' }, therapist.id],
      [{ ...names, firstName: '' }, therapist.id],
      [{}, therapist.id],
      [names, unverified.id],
      [names, suspended.id],
      [names, 987_654],
      [names, 'anna'],
      [names, '0'],
      [names, '1e3'],
      [names, ''],
    ] as const)
      expect(await code(write(body, { therapist: to })), String(to)).toBe('therapist_mismatch');
    for (const { email } of [therapist, unverified, suspended]) expect(await t.emails(email)).toEqual([]);
  });

  test('is the operator without the header, whatever names are sent', async () => {
    await write({ firstName: 'Anna', lastName: 'Berg', message: 'For the operator' });
    expect((await t.emails('office@practice.example')).at(-1)).toMatchObject({
      replyTo: 'asker@mail.example',
      subject: WORDS.en.subject,
      text: expect.stringContaining('> For the operator'),
    });
  });
});

test('a message is text: markup stays what was typed, and nothing typed reaches a header', async () => {
  await write({ message: '<b>bold</b> <script>alert(1)</script>\nBcc: all@mail.example' });
  const sentEmail = (await t.emails('office@practice.example')).at(-1)!;
  expect(sentEmail.html).not.toMatch(/<script|<b>/);
  expect(sentEmail.html).toContain('&lt;b&gt;bold&lt;/b&gt;');
  expect(sentEmail.subject).toBe(WORDS.en.subject);
  const count = (await t.emails()).length;
  for (const email of [
    'a@mail.example\r\nBcc: b@mail.example',
    'a@mail.example,b@mail.example',
    'A <a@mail.example>',
    'a@mail.example\u0000',
    'nobody',
    '',
  ])
    expect(await code(write({ email })), JSON.stringify(email)).toMatch(/^email /);
  expect(await code(write({ message: ' \n ' }))).toBe('message required');
  expect(await code(write({ message: 'x'.repeat(5001) }))).toBe('message too_long');
  expect(await code(write({ message: 'left\u202Eright' }))).toBe('message unsafe_characters');
  expect(await code(write({ firstName: 'A\r\nBcc: b@mail.example' }))).toBe('firstName unsafe_characters');
  expect((await t.emails()).length).toBe(count);
});

test('three messages an hour from one address block; others may still write, up to the limit of one mailbox', async () => {
  const therapist = await aTherapist(t.db, { firstName: 'Eva', lastName: 'Nagy' });
  const to = { therapist: therapist.id, from: aNewAddress() };
  const names = { firstName: 'Eva', lastName: 'Nagy' };
  for (let nth = 0; nth < 3; nth++) await write(names, to);
  expect(await code(write(names, to))).toBe('too_many_requests');
  await write(names, { therapist: therapist.id });
  await t.move(3601);
  await write(names, to);
  expect(await t.emails(therapist.email)).toHaveLength(5);
  for (let nth = 0; nth < 29; nth++) await write(names, { therapist: therapist.id });
  expect(await code(write(names, { therapist: therapist.id }))).toBe('too_many_requests');
  expect(await t.emails(therapist.email)).toHaveLength(34);
});

const feedback = (token: string | null, body: Record<string, string> = {}, from = aNewAddress()) =>
  t.api(
    sendFeedbackEmail,
    { body: { email: 'claimed@mail.example', username: 'Claimed Name', text: 'The room is lovely.', ...body } },
    { token, headers: { 'x-forwarded-for': from } },
  );

test('guesses at the names of a therapist count like messages', async () => {
  const therapist = await aTherapist(t.db, { firstName: 'Ida', lastName: 'Nagy' });
  const to = { therapist: therapist.id, from: aNewAddress() };
  for (let nth = 0; nth < 3; nth++)
    expect(await code(write({ firstName: 'Eva', lastName: 'Nagy' }, to))).toBe('therapist_mismatch');
  for (const firstName of ['Eva', 'Ida'])
    expect(await code(write({ firstName, lastName: 'Nagy' }, to))).toBe('too_many_requests');
  expect(await t.emails(therapist.email)).toEqual([]);
});

test('messages that could not be stored are not counted: the message is sent with the next try', async () => {
  const from = aNewAddress();
  await failOften(t.db, () => write({}, { from }));
  await write({ message: 'At last.' }, { from });
  expect((await t.emails('office@practice.example')).at(-1)!.text).toContain('At last.');
  const { token } = await aTherapist(t.db);
  await failOften(t.db, () => feedback(token, {}, from));
  await feedback(token, { text: 'Lovely.' }, from);
  expect((await t.emails('office@practice.example')).at(-1)!.text).toContain('Lovely.');
});

test('the number of tries that fail is limited, too', async () => {
  const from = aNewAddress();
  const { token } = await aTherapist(t.db);
  for (const send of [() => write({}, { from }), () => feedback(token)]) {
    for (let nth = 0; nth < 3; nth++) await failOften(t.db, send);
    expect(await code(send())).toBe('too_many_requests');
  }
});

describe('feedback of somebody who is signed in', () => {
  test('is sent to the operator; address and name are those of the account, whatever the body claims', async () => {
    const therapist = await aTherapist(t.db, { firstName: 'Vera', lastName: 'www.berg.example' });
    await feedback(therapist.token, { text: 'See https://evil.example/x\n<b>bold</b>' });
    const sentEmail = (await t.emails('office@practice.example')).at(-1)!;
    expect(sentEmail).toMatchObject({
      kind: 'support.feedback',
      replyTo: therapist.email,
      subject: WORDS.en.subjects.feedback,
      attachments: [],
    });
    expect(sentEmail.text).toContain('Vera www. berg. example');
    expect(sentEmail.text).toContain('https:// evil. example/ x');
    expect(sentEmail.html).not.toMatch(/<b>|href="https:\/\/evil/);
    expect(`${sentEmail.text}${sentEmail.html}`).not.toMatch(/claimed/i);
    expect(await t.emails('claimed@mail.example')).toEqual([]);
  });

  test('needs a sign-in and a text, and is limited to three an hour by account and by address', async () => {
    const [one, other] = [await aTherapist(t.db), await aTherapist(t.db)];
    expect(await code(feedback(null))).toBe('not_signed_in');
    expect(await code(feedback(one.token, { text: ' \n ' }))).toBe('text required');
    expect(await code(feedback(one.token, { text: 'x'.repeat(5001) }))).toBe('text too_long');
    expect(await code(feedback(one.token, { email: 'a@mail.example\r\nBcc: b@mail.example' }))).toMatch(/^email /);
    const before = (await t.emails('office@practice.example')).length;
    for (let nth = 0; nth < 3; nth++) await feedback(one.token);
    expect(await code(feedback(one.token))).toBe('too_many_requests');
    const from = aNewAddress();
    await t.move(3601);
    for (let nth = 0; nth < 3; nth++) await feedback(nth < 2 ? one.token : other.token, {}, from);
    expect(await code(feedback(other.token, {}, from))).toBe('too_many_requests');
    await feedback(other.token);
    expect(await t.emails('office@practice.example')).toHaveLength(before + 7);
  });
});

test('is complete in every language and does not reveal what the product is for', () => {
  for (const language of LANGUAGES) {
    const { subjects, ...texts } = WORDS[language];
    for (const [key, text] of Object.entries({ ...texts, ...subjects }))
      expect(text.trim(), `${language} ${key}`).not.toBe('');
    for (const subject of [texts.subject, ...Object.values(subjects)])
      expect(subject).not.toMatch(/therap|terap|terápia|session|ülés/i);
  }
});
