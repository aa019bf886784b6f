/** One delivery to a mail server that takes its time. Real SMTP; the outbox's tests have all else. */
import { afterEach, expect, test } from 'vitest';
import { fakeSmtp, testPlatform } from '../../../tests/support/test-app.ts';
import { createLoneNode } from '../nodes/nodes.ts';
import { createMailServer } from './mail-server.ts';
import { createOutboxQueue } from './outbox.queue.store.ts';
import { createOutboxSending } from './outbox.sending.ts';
import { type Email, endedWords } from './outbox.store.ts';

/** Much less than the default, and enough that a connection is usually made. */
const LIMIT_MS = 1_000;
const SLOW = 'slow@practice.example';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close();
});

async function ground() {
  const smtp = await fakeSmtp();
  open.push(smtp);
  const platform = await testPlatform({ SMTP_URL: smtp.url, MAIL_FROM: 'mail@fieldroom.test' });
  open.push(platform);
  const { db, log, outbox } = platform;
  const put = (to: string) =>
    outbox.put(db, { to, subject: 'Hello', text: 'Hello', html: '', kind: 'test', language: 'en' });
  /** What sends the emails of the platform's outbox with a short limit. */
  const mailServer = createMailServer({
    url: smtp.url,
    requireTls: false,
    from: 'mail@fieldroom.test',
    bytesOf: outbox.bytesOf,
    limitMs: LIMIT_MS,
  });
  open.push(mailServer);
  const queue = createOutboxQueue({ db, nodes: createLoneNode(), ended: endedWords(false) });
  const impatient = createOutboxSending({ queue, mailServer, log });
  return { smtp, platform, put, impatient };
}

test('answers that trickle hold nobody up: the try ends, others go out, it is tried again', async () => {
  const { smtp, platform, put, impatient } = await ground();
  const { outbox } = platform;
  // As many as there are workers.
  const slow = await Promise.all(Array.from({ length: 5 }, () => put(SLOW)));
  smtp.moods.set(SLOW, 'slow');
  expect(await impatient.sendDue()).toBe(0);
  for (const id of slow)
    expect(await outbox.find(id)).toMatchObject({ attempts: 1, leaseUntil: null, sentAt: null, failedAt: null });
  // Their connections have ended, so nothing of the first try goes on beside the second.
  await expect.poll(() => smtp.slow).toBe(0);
  const tried = smtp.received.length;
  expect(tried).toBeLessThanOrEqual(5);

  const other = await put('other@practice.example');
  // A busy machine may need more than the limit for it.
  await expect
    .poll(async () => {
      await platform.move(6);
      await impatient.sendDue();
      return (await outbox.find(other))?.sentAt;
    })
    .toBeInstanceOf(Date);

  await expect.poll(() => smtp.slow).toBe(0);
  smtp.moods.clear();
  await platform.move(600);
  expect(await outbox.sendDue()).toBe(5);
  const ids = smtp.received.filter(({ to }) => to[0] === SLOW).map(({ mail }) => mail.messageId);
  expect(new Set(ids.slice(-5)).size).toBe(5);
  expect(platform.logged.text()).toContain('"fault":"ETIMEDOUT"');
});

test('a file that is never made holds nobody up either', async () => {
  const { smtp, platform, impatient } = await ground();
  const { db, outbox } = platform;
  outbox.makeAttachments('test.pdf', () => new Promise(() => {}));
  const id = await outbox.put(db, {
    to: 'judit@practice.example',
    subject: 'Bill',
    text: 'Hello',
    html: '',
    kind: 'test',
    language: 'en',
    attachments: [{ filename: 'bill.pdf', contentType: 'application/pdf', maker: 'test.pdf', key: '1' }],
  });
  expect(await impatient.sendDue()).toBe(0);
  expect(await outbox.find(id)).toMatchObject({ attempts: 1, failures: 1, leaseUntil: null } satisfies Partial<Email>);
  expect(smtp.received).toEqual([]);
});
