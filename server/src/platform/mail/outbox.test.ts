import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, test } from 'vitest';
import { outboxLetters } from '../platform.tables.ts';
import { type FakeSmtp, fakeSmtp, type TestPlatform, testPlatform } from '../../testing/index.ts';
import { renderLetter } from './letter.ts';
import { createOutbox, type NewLetter } from './outbox.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

async function ground(): Promise<{ smtp: FakeSmtp; platform: TestPlatform }> {
  const smtp = await fakeSmtp();
  open.push(smtp);
  const platform = await testPlatform({ SMTP_URL: smtp.url, MAIL_FROM: 'Fieldroom <mail@fieldroom.test>' });
  open.push(platform);
  return { smtp, platform };
}

const aLetter = (wish: Partial<NewLetter> = {}): NewLetter => ({
  to: 'judit@practice.example',
  subject: 'Grüße',
  text: 'Jó napot',
  html: '<p>Jó napot</p>',
  kind: 'test',
  language: 'hu',
  ...wish,
});
const rowOf = async ({ db }: TestPlatform, id: string) =>
  (await db.select().from(outboxLetters).where(eq(outboxLetters.id, id)))[0]!;

describe('with a mail server', () => {
  test('a letter goes out once, whole, with its fixed Message-ID', async () => {
    const { smtp, platform } = await ground();
    const id = await platform.db.transaction((tx) =>
      platform.outbox.put(
        tx,
        aLetter({
          attachments: [
            { filename: 'termin.ics', contentType: 'text/calendar', bytes: Buffer.from('BEGIN:VCALENDAR') },
          ],
        }),
      ),
    );
    expect(await platform.outbox.sendDue()).toBe(1);
    expect(await platform.outbox.sendDue()).toBe(0);
    expect(smtp.received).toHaveLength(1);
    const [{ mail, to, from }] = smtp.received as [(typeof smtp.received)[number]];
    expect({ to, from }).toEqual({ to: ['judit@practice.example'], from: 'mail@fieldroom.test' });
    expect(mail).toMatchObject({
      subject: 'Grüße',
      messageId: `<${id}@fieldroom.test>`,
      text: expect.stringContaining('Jó napot'),
      html: expect.stringContaining('Jó napot'),
    });
    expect(mail.attachments[0]).toMatchObject({ filename: 'termin.ics', mimeType: 'text/calendar' });
    expect((await rowOf(platform, id)).sentAt).not.toBeNull();
  });

  test('a transaction taken back sends nothing', async () => {
    const { smtp, platform } = await ground();
    await expect(
      platform.db.transaction(async (tx) => {
        await platform.outbox.put(tx, aLetter());
        throw new Error('taken back');
      }),
    ).rejects.toThrow('taken back');
    expect(await platform.outbox.sendDue()).toBe(0);
    expect(smtp.received).toHaveLength(0);
  });

  test('while the server is busy or down it is tried again, later each time, under the same Message-ID', async () => {
    const { smtp, platform } = await ground();
    const id = await platform.outbox.put(platform.db, aLetter());
    smtp.mood = 'busy';
    expect(await platform.outbox.sendDue()).toBe(0);
    const first = await rowOf(platform, id);
    expect(first).toMatchObject({ attempts: 1, sentAt: null, failedAt: null, leaseUntil: null });
    expect(await platform.outbox.sendDue()).toBe(0);
    expect((await rowOf(platform, id)).attempts, 'not before its time').toBe(1);

    await smtp.down();
    await platform.move(31);
    expect(await platform.outbox.sendDue()).toBe(0);
    const second = await rowOf(platform, id);
    expect(second.attempts).toBe(2);
    const now = await platform.clock.now();
    expect(second.notBefore.getTime() - now.getTime()).toBeGreaterThan(50_000);

    smtp.mood = 'well';
    await smtp.up();
    await platform.move(61);
    expect(await platform.outbox.sendDue()).toBe(1);
    expect(smtp.received.map(({ mail }) => mail.messageId)).toEqual([first.messageId]);
  });

  test('an unknown recipient is final', async () => {
    const { smtp, platform } = await ground();
    const id = await platform.outbox.put(platform.db, aLetter());
    smtp.mood = 'unknown';
    await platform.outbox.sendDue();
    expect((await rowOf(platform, id)).failedAt).not.toBeNull();
    smtp.mood = 'well';
    await platform.move(90_000);
    expect(await platform.outbox.sendDue()).toBe(0);
  });

  test('cut off before the answer: sent again, and the mailbox knows it by its Message-ID', async () => {
    const { smtp, platform } = await ground();
    const id = await platform.outbox.put(platform.db, aLetter());
    smtp.mood = 'cut';
    expect(await platform.outbox.sendDue()).toBe(0);
    smtp.mood = 'well';
    await platform.move(31);
    expect(await platform.outbox.sendDue()).toBe(1);
    expect(smtp.received.map(({ mail }) => mail.messageId)).toEqual([
      `<${id}@fieldroom.test>`,
      `<${id}@fieldroom.test>`,
    ]);
  });

  test('a worker that dies between sending and marking: the lease ends, another sends it under the same Message-ID', async () => {
    const { smtp, platform } = await ground();
    const id = await platform.outbox.put(platform.db, aLetter());
    // What the dead worker left: taken, given to the mail server, never marked.
    smtp.mood = 'held';
    const dying = platform.outbox.sendDue();
    await smtp.waitFor(1);
    const other = createOutbox({
      db: platform.db,
      config: platform.config,
      log: platform.log,
      jobs: { every: () => {} },
    });
    expect(await other.sendDue(), 'while the lease stands').toBe(0);
    await platform.move(301);
    smtp.mood = 'well';
    expect(await other.sendDue()).toBe(1);
    expect(smtp.received.map(({ mail }) => mail.messageId)).toEqual([
      `<${id}@fieldroom.test>`,
      `<${id}@fieldroom.test>`,
    ]);
    other.close();
    smtp.release();
    await dying;
  });

  test('two workers at once send each letter once', async () => {
    const { smtp, platform } = await ground();
    for (let number = 0; number < 25; number++)
      await platform.outbox.put(platform.db, aLetter({ subject: `letter ${number}` }));
    const other = createOutbox({
      db: platform.db,
      config: platform.config,
      log: platform.log,
      jobs: { every: () => {} },
    });
    const sent = await Promise.all([platform.outbox.sendDue(), other.sendDue()]);
    other.close();
    expect(sent[0] + sent[1]).toBe(25);
    expect(new Set(smtp.received.map(({ mail }) => mail.subject)).size).toBe(25);
    expect(smtp.received).toHaveLength(25);
  });

  test('nothing of a letter stands in the log, whatever goes wrong', async () => {
    const { smtp, platform } = await ground();
    await platform.outbox.put(platform.db, aLetter({ subject: 'secret-subject', text: 'secret-text' }));
    smtp.mood = 'unknown';
    await platform.outbox.sendDue();
    expect(platform.logged.text()).toContain('given up');
    for (const word of ['judit', 'practice.example', 'secret-subject', 'secret-text'])
      expect(platform.logged.text()).not.toContain(word);
  });

  test('the started jobs send by themselves', async () => {
    const { smtp, platform } = await ground();
    await platform.jobs.start();
    await platform.outbox.put(platform.db, aLetter());
    await smtp.waitFor(1);
  });

  test('letters are forgotten 30 days after their way ended, not before', async () => {
    const { platform } = await ground();
    await platform.outbox.put(platform.db, aLetter());
    await platform.outbox.sendDue();
    await platform.outbox.put(platform.db, aLetter());
    await platform.move(29 * 86_400);
    await platform.outbox.removeOld();
    expect(await platform.outbox.list()).toHaveLength(2);
    await platform.move(2 * 86_400);
    await platform.outbox.removeOld();
    expect((await platform.outbox.list()).map(({ sentAt }) => sentAt)).toEqual([null]);
  });
});

test('without a mail server a letter counts as delivered, and is never sent when there is one', async () => {
  const platform = await testPlatform();
  open.push(platform);
  const id = await platform.outbox.put(platform.db, aLetter());
  expect((await rowOf(platform, id)).sentAt).not.toBeNull();
  const smtp = await fakeSmtp();
  open.push(smtp);
  const withServer = createOutbox({
    db: platform.db,
    config: { ...platform.config, smtpUrl: smtp.url },
    log: platform.log,
    jobs: { every: () => {} },
  });
  expect(await withServer.sendDue()).toBe(0);
  withServer.close();
});

test.each([
  ['to', 'a@b.example\r\nBcc: c@d.example'],
  ['to', 'a@b.example, c@d.example'],
  ['to', 'Somebody <a@b.example>'],
  ['subject', 'Hello\nBcc: c@d.example'],
] as const)('%s may not be %j', async (place, value) => {
  const platform = await testPlatform();
  open.push(platform);
  await expect(platform.outbox.put(platform.db, aLetter({ [place]: value }))).rejects.toThrow();
  expect(await platform.outbox.list()).toEqual([]);
});

test('a rendered letter: words stay words, the link is there in both forms', () => {
  const { html, text } = renderLetter({
    language: 'de',
    title: 'Bitte <bestätigen>',
    greeting: 'Guten Tag,',
    paragraphs: ['<script>alert(1)</script> & "mehr"'],
    button: { label: 'Bestätigen', url: 'https://room.example.org/user/verify#token=a&b=1' },
    after: ['Danach.'],
    footer: ['Mit freundlichen Grüßen', 'Fieldroom'],
  });
  expect(html).toMatch(/^<!DOCTYPE html><html lang="de">/);
  expect(html).not.toContain('<script>');
  expect(html).toContain('&lt;script&gt;');
  expect(html).toContain('href="https://room.example.org/user/verify#token=a&amp;b=1"');
  expect(text).toContain('Bestätigen:\nhttps://room.example.org/user/verify#token=a&b=1');
  expect(text).toContain('<script>alert(1)</script> & "mehr"');
  expect(() =>
    renderLetter({
      language: 'de',
      title: '',
      greeting: '',
      paragraphs: [],
      button: { label: 'x', url: 'data:text/html,x' },
      footer: '',
    }),
  ).toThrow();
});
