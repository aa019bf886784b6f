/** The outbox with a mail server that takes, refuses, hangs or is away. On a real database. */
import { eq, gt, sql } from 'drizzle-orm';
import { afterEach, describe, expect, test } from 'vitest';
import { outboxEmails } from '../platform.tables.ts';
import { type FakeSmtp, fakeSmtp, type TestPlatform, testPlatform } from '../../../tests/support/test-app.ts';
import { chaosProxy } from '../../../tests/support/programs/chaos-proxy.ts';
import { renderEmail } from '../../emails/emails.layout.ts';
import { createOutbox, type NewEmail, type Outbox } from './outbox.ts';
import { createOutboxWriting } from './outbox.writing.ts';

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

const anEmail = (wish: Partial<NewEmail> = {}): NewEmail => ({
  to: 'judit@practice.example',
  subject: 'Grüße',
  text: 'Jó napot',
  html: '<p>Jó napot</p>',
  kind: 'test',
  language: 'hu',
  ...wish,
});
const rowOf = async ({ db }: TestPlatform, id: string) =>
  (await db.select().from(outboxEmails).where(eq(outboxEmails.id, id)))[0]!;

describe('with a mail server', () => {
  test('an email goes out once, whole, with its fixed Message-ID', async () => {
    const { smtp, platform } = await ground();
    const id = await platform.db.transaction((tx) =>
      platform.outbox.put(
        tx,
        anEmail({
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

  test('a file that is made later is made when its email is sent; a fault puts that email off and no other', async () => {
    const { smtp, platform } = await ground();
    const later = (key: string) => [{ filename: 'bill.pdf', contentType: 'application/pdf', maker: 'test.pdf', key }];
    let broken = true;
    platform.outbox.makeAttachments('test.pdf', async (key) => {
      if (key === '1' && broken) throw new Error('cannot be made');
      return Buffer.from(`bytes of ${key}`);
    });
    await platform.outbox.putAll(platform.db, []);
    await platform.outbox.putAll(
      platform.db,
      ['1', '2'].map((key) => anEmail({ subject: key, attachments: later(key) })),
    );
    expect(await platform.outbox.sendDue()).toBe(1);
    expect(smtp.received.map(({ mail }) => mail.subject)).toEqual(['2']);
    expect(Buffer.from(smtp.received[0]!.mail.attachments[0]!.content as ArrayBuffer).toString()).toBe('bytes of 2');
    expect(await platform.outbox.stats()).toMatchObject({ waiting: 1, retrying: 1 });
    broken = false;
    await platform.move(60);
    expect(await platform.outbox.sendDue()).toBe(1);
    expect(smtp.received.map(({ mail }) => mail.subject)).toEqual(['2', '1']);
  });

  test('emails with large files are written in several statements, in order', async () => {
    const written: string[][] = [];
    const tx = {
      insert: () => ({ values: async (rows: NewEmail[]) => written.push(rows.map(({ subject }) => subject)) }),
    };
    const { putAll } = createOutboxWriting({ publicUrl: 'http://127.0.0.1', sentAtOnce: false });
    const bytes = new Uint8Array(150_000);
    const attachments = [{ filename: 'days.ics', contentType: 'text/calendar', bytes }];
    const emails = ['a', 'b', 'c', 'd', 'e'].map((subject) =>
      anEmail({ subject, ...(subject < 'd' ? { attachments } : {}) }),
    );
    await putAll(tx as never, emails);
    await putAll(tx as never, []);
    expect(written).toEqual([
      ['a', 'b'],
      ['c', 'd', 'e'],
    ]);
  });

  test('a domain in other emails than ASCII is written as mail servers know it', async () => {
    const { smtp, platform } = await ground();
    await platform.outbox.put(platform.db, anEmail({ to: 'info@müller.at', replyTo: 'judit@példa.hu' }));
    expect(await platform.outbox.sendDue()).toBe(1);
    // The tests' mail server shows the envelope's address in the emails.
    expect(smtp.received[0]!.to).toEqual(['info@müller.at']);
    for (const header of [/^To: info@xn--mller-kva\.at\r$/m, /^Reply-To: judit@xn--plda-bpa\.hu\r$/m])
      expect(smtp.received[0]!.source).toMatch(header);
  });

  test('a transaction taken back sends nothing', async () => {
    const { smtp, platform } = await ground();
    await expect(
      platform.db.transaction(async (tx) => {
        await platform.outbox.put(tx, anEmail());
        throw new Error('taken back');
      }),
    ).rejects.toThrow('taken back');
    expect(await platform.outbox.sendDue()).toBe(0);
    expect(smtp.received).toHaveLength(0);
  });

  test('an email the server cannot take now is tried again, later each time, under the same Message-ID', async () => {
    const { smtp, platform } = await ground();
    const id = await platform.outbox.put(platform.db, anEmail());
    smtp.mood = 'busy';
    expect(await platform.outbox.sendDue()).toBe(0);
    const first = await rowOf(platform, id);
    expect(first).toMatchObject({ attempts: 1, failures: 1, sentAt: null, failedAt: null, leaseUntil: null });
    expect(await platform.outbox.sendDue()).toBe(0);
    expect((await rowOf(platform, id)).attempts, 'not before its time').toBe(1);

    await platform.move(31);
    const tried = await platform.clock.now();
    expect(await platform.outbox.sendDue()).toBe(0);
    const second = await rowOf(platform, id);
    expect(second.attempts).toBe(2);
    expect(second.notBefore.getTime() - tried.getTime()).toBeGreaterThan(50_000);

    smtp.mood = 'well';
    await platform.move(61);
    expect(await platform.outbox.sendDue()).toBe(1);
    expect(smtp.received.map(({ mail }) => mail.messageId)).toEqual([first.messageId]);
  });

  test('one that waits for another try is not overtaken by a newer one about the same thing', async () => {
    const { smtp, platform } = await ground();
    const { db, outbox } = platform;
    const about = 'booking 1';
    await outbox.put(db, anEmail({ subject: 'confirmed', about }));
    smtp.mood = 'busy';
    expect(await outbox.sendDue()).toBe(0);
    smtp.mood = 'well';
    await outbox.put(db, anEmail({ subject: 'changed', about }));
    await outbox.put(db, anEmail({ subject: 'another', about: 'booking 2' }));
    expect(await outbox.sendDue()).toBe(1);
    await platform.move(31);
    await outbox.sendDue();
    await outbox.sendDue();
    expect(smtp.received.map(({ mail }) => mail.subject)).toEqual(['another', 'confirmed', 'changed']);
  });

  test.each([
    { what: 'is away', leave: (smtp: FakeSmtp) => smtp.down(), comeBack: (smtp: FakeSmtp) => smtp.up() },
    {
      what: 'closes its connections (421)',
      leave: async (smtp: FakeSmtp) => void (smtp.mood = 'closing'),
      comeBack: async (smtp: FakeSmtp) => void (smtp.mood = 'well'),
    },
  ])(
    'a mail server that $what costs one try a pause, and all that waited goes out within a minute of its return',
    async ({ leave, comeBack }) => {
      const { smtp, platform } = await ground();
      // A connection is open.
      await platform.outbox.put(platform.db, anEmail());
      expect(await platform.outbox.sendDue()).toBe(1);
      for (let number = 0; number < 12; number++)
        await platform.outbox.put(platform.db, anEmail({ subject: `email ${number}` }));
      await leave(smtp);
      expect(await platform.outbox.sendDue()).toBe(0);
      const triesNow = async () => (await platform.outbox.stats()).failedTries;
      const first = await triesNow();
      expect(first, 'the workers that met it at once').toBeLessThanOrEqual(5);
      for (let minute = 0; minute < 10; minute++) {
        await platform.move(60);
        expect(await platform.outbox.sendDue()).toBe(0);
      }
      expect(await triesNow()).toBe(first + 10);
      // It says nothing about the emails.
      const failed = await platform.db.select().from(outboxEmails).where(gt(outboxEmails.failures, 0));
      expect(failed).toEqual([]);
      await comeBack(smtp);
      await platform.move(60);
      expect(await platform.outbox.sendDue()).toBe(12);
      expect(new Set(smtp.received.map(({ mail }) => mail.messageId)).size).toBe(13);
      expect(smtp.received).toHaveLength(13);
    },
  );

  test('after a server that put everything off, the first success wakes what waits', async () => {
    const { smtp, platform } = await ground();
    await platform.outbox.put(platform.db, anEmail({ to: 'waits@practice.example' }));
    smtp.mood = 'busy';
    for (let tries = 0; tries < 4; tries++) {
      await platform.outbox.sendDue();
      await platform.move(tries < 3 ? 1000 : 60);
    }
    smtp.mood = 'well';
    expect(await platform.outbox.sendDue(), 'its own time is a quarter of an hour away').toBe(0);
    await platform.outbox.put(platform.db, anEmail({ to: 'fresh@practice.example' }));
    await platform.outbox.sendDue();
    await platform.outbox.sendDue();
    expect(smtp.received.map(({ to }) => to[0])).toEqual(['fresh@practice.example', 'waits@practice.example']);
  });

  test('what is being withdrawn meanwhile is not woken, and nobody waits for it', async () => {
    const { smtp, platform } = await ground();
    const { db, outbox } = platform;
    const withdrawn = await outbox.put(db, anEmail({ to: 'withdrawn@practice.example' }));
    await outbox.put(db, anEmail({ to: 'waits@practice.example' }));
    smtp.mood = 'busy';
    for (let tries = 0; tries < 4; tries++) {
      await outbox.sendDue();
      await platform.move(tries < 3 ? 1000 : 60);
    }
    smtp.mood = 'well';
    await outbox.put(db, anEmail({ to: 'fresh@practice.example' }));
    await db.transaction(async (tx) => {
      await tx.select().from(outboxEmails).where(eq(outboxEmails.id, withdrawn)).for('update');
      await outbox.sendDue();
      await outbox.sendDue();
    });
    expect(smtp.received.map(({ to }) => to[0])).toEqual(['fresh@practice.example', 'waits@practice.example']);
  });

  test('one that breaks every connection does not hold up the others, and is given up in the end', async () => {
    const { smtp, platform } = await ground();
    const breaker = await platform.outbox.put(platform.db, anEmail({ to: 'breaks@practice.example' }));
    smtp.moods.set('breaks@practice.example', 'cut');
    for (let round = 0; round < 4; round++) {
      await platform.outbox.put(platform.db, anEmail({ to: `other${round}@practice.example` }));
      await platform.outbox.sendDue();
      await platform.move(60);
      await platform.outbox.sendDue();
      await platform.move(60);
    }
    await platform.outbox.sendDue();
    const others = smtp.received.map(({ to }) => to[0]!).filter((to) => to.startsWith('other'));
    expect(new Set(others).size).toBe(4);
    expect((await rowOf(platform, breaker)).failures).toBeGreaterThan(1);
    for (let day = 0; day < 40 && (await rowOf(platform, breaker)).failedAt === null; day++) {
      await platform.move(86_400);
      await platform.outbox.put(platform.db, anEmail({ to: `later${day}@practice.example` }));
      await platform.outbox.sendDue();
    }
    expect((await rowOf(platform, breaker)).failedAt).not.toBeNull();
  });

  describe.each([
    { what: 'of the recipient (550)', mood: 'unknown' },
    { what: 'of the email itself, after its last byte (554)', mood: 'refusing' },
  ] as const)('a refusal $what', ({ mood }) => {
    /** Tries at each due time. Returns the seconds until the email was given up. */
    async function givenUpAfter(platform: TestPlatform, id: string): Promise<number> {
      const began = await platform.clock.now();
      for (;;) {
        await platform.outbox.sendDue();
        const { failedAt, notBefore } = await rowOf(platform, id);
        if (failedAt !== null) return (failedAt.getTime() - began.getTime()) / 1000;
        await platform.move(Math.max(1, (notBefore.getTime() - (await platform.clock.now()).getTime()) / 1000 + 1));
      }
    }

    test('by a server set up wrongly for a minute loses nothing', async () => {
      const { smtp, platform } = await ground();
      const ids = [];
      for (const about of ['booking 1', 'booking 2', undefined])
        ids.push(await platform.outbox.put(platform.db, anEmail(about ? { about } : {})));
      smtp.mood = mood;
      await platform.outbox.sendDue();
      await platform.move(61);
      await platform.outbox.sendDue();
      smtp.mood = 'well';
      await platform.move(61);
      expect(await platform.outbox.sendDue()).toBe(3);
      for (const id of ids) expect(await rowOf(platform, id)).toMatchObject({ failedAt: null });
    });

    test('ends: after hours for what concerns a booking, after minutes for the rest', async () => {
      const { smtp, platform } = await ground();
      smtp.mood = mood;
      const booking = await givenUpAfter(
        platform,
        await platform.outbox.put(platform.db, anEmail({ about: 'booking 1' })),
      );
      const other = await givenUpAfter(platform, await platform.outbox.put(platform.db, anEmail()));
      expect(booking).toBeGreaterThan(3 * 3600);
      expect(booking).toBeLessThan(5 * 3600);
      expect(other).toBeGreaterThan(300);
      expect(other).toBeLessThan(600);
      smtp.mood = 'well';
      await platform.move(90_000);
      expect(await platform.outbox.sendDue()).toBe(0);
      expect(await platform.outbox.stats()).toMatchObject({ givenUp: 2, waiting: 0 });
    });

    test('of a mailbox that does not exist ends too while others get through', async () => {
      const { smtp, platform } = await ground();
      smtp.moods.set('nobody@practice.example', mood);
      const id = await platform.outbox.put(platform.db, anEmail({ to: 'nobody@practice.example', about: 'booking 1' }));
      let tries = 0;
      for (; tries < 100 && (await rowOf(platform, id)).failedAt === null; tries++) {
        await platform.outbox.put(platform.db, anEmail());
        await platform.outbox.sendDue();
        await platform.move(7201);
      }
      expect((await rowOf(platform, id)).failedAt).not.toBeNull();
      expect((await rowOf(platform, id)).attempts).toBeLessThanOrEqual(8 + 5);
    });
  });

  test('cut off before the answer: sent again, and the mailbox knows it by its Message-ID', async () => {
    const { smtp, platform } = await ground();
    const id = await platform.outbox.put(platform.db, anEmail());
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
    const id = await platform.outbox.put(platform.db, anEmail());
    // What the dead worker left behind: taken, handed to the mail server, never marked.
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

  test('one that the server took and the database could not mark is marked later, and not sent again', async () => {
    const { smtp, platform } = await ground();
    let broken = false;
    const outbox = createOutbox({
      db: new Proxy(platform.db, {
        get(db, name) {
          if (broken && name === 'update') throw new Error('no database');
          return Reflect.get(db, name) as unknown;
        },
      }),
      config: platform.config,
      log: platform.log,
      jobs: { every: () => {} },
    });
    const id = await outbox.put(platform.db, anEmail());
    smtp.mood = 'held';
    const sending = outbox.sendDue();
    await smtp.waitFor(1);
    broken = true;
    smtp.mood = 'well';
    smtp.release();
    await expect(sending).rejects.toThrow('no database');
    expect((await rowOf(platform, id)).sentAt).toBeNull();
    broken = false;
    await platform.move(301);
    expect(await outbox.sendDue()).toBe(0);
    expect(smtp.received).toHaveLength(1);
    expect((await rowOf(platform, id)).sentAt).not.toBeNull();
    outbox.close();
  });

  test('a process that starts sends at once what a dead one had taken', async () => {
    const { smtp, platform } = await ground();
    await platform.outbox.put(platform.db, anEmail());
    smtp.mood = 'held';
    const dying = platform.outbox.sendDue();
    await smtp.waitFor(1);
    const next = createOutbox({
      db: platform.db,
      config: platform.config,
      log: platform.log,
      jobs: { every: () => {} },
    });
    smtp.mood = 'well';
    await next.afterStart();
    expect(await next.sendDue()).toBe(1);
    next.close();
    smtp.release();
    await dying;
  });

  describe('several nodes', () => {
    /** The outbox of one node, which may have a mail server of its own. The nodes in `alive` may live. */
    function onNode(id: string, { db, config, log }: TestPlatform, alive: ReadonlySet<string>, to?: FakeSmtp): Outbox {
      const mayLive = () => sql`SELECT unnest(${sql.param([...alive])}::text[])`;
      const outbox = createOutbox({
        ...{ db, log, jobs: { every: () => {} }, nodes: { isShared: true, id, mayLive } },
        config: to === undefined ? config : { ...config, smtpUrl: to.url },
      });
      open.push({ close: async () => outbox.close() });
      return outbox;
    }

    test('what a dead node had taken another sends at once; of one that may live, when its lease ends', async () => {
      const { smtp, platform } = await ground();
      const alive = new Set(['one', 'two', 'three']);
      const [one, two, three] = [...alive].map((id) => onNode(id, platform, alive)) as [Outbox, Outbox, Outbox];
      const about = 'booking 1';
      const [early, late] = ['early', 'late'].map((subject) => anEmail({ subject, kind: subject, about }));
      await one.put(platform.db, early!);
      smtp.mood = 'held';
      const sending = [one.sendDue()];
      await smtp.waitFor(1);
      // What follows waits for it, as before.
      await one.withdraw(platform.db, [about], ['early']);
      await one.put(platform.db, late!);
      expect(await two.sendDue()).toBe(0);
      alive.delete('one');
      sending.push(two.sendDue());
      await smtp.waitFor(2);
      expect(await three.sendDue()).toBe(0);
      // A node never takes from itself, even where the others may have taken it for dead.
      alive.delete('two');
      expect(await two.sendDue()).toBe(0);
      smtp.mood = 'well';
      expect(await three.sendDue()).toBe(1);
      smtp.release();
      await Promise.all(sending);
      expect(smtp.received.map(({ mail }) => mail.subject)).toEqual(['early', 'late', 'late']);
      expect(new Set(smtp.received.map(({ mail }) => mail.messageId)).size).toBe(2);
    });

    test('one that was taken for dead and goes on changes nothing about what another has taken', async () => {
      const { smtp, platform } = await ground();
      const broken = await fakeSmtp();
      open.push(broken);
      const alive = new Set(['one', 'two', 'three']);
      const [still, two, three] = [
        onNode('one', platform, alive, broken),
        onNode('two', platform, alive),
        onNode('three', platform, alive),
      ] as const;
      await still.put(platform.db, anEmail());
      broken.mood = 'held';
      const failing = still.sendDue();
      await broken.waitFor(1);
      alive.delete('one');
      smtp.mood = 'held';
      const sending = two.sendDue();
      await smtp.waitFor(1);
      await broken.down();
      expect(await failing).toBe(0);
      await platform.move(60);
      expect(await three.sendDue(), 'the other one still has it').toBe(0);
      smtp.release();
      expect(await sending).toBe(1);
      expect(smtp.received).toHaveLength(1);
    });
  });

  test('one that takes its time for each answer gets each email once, and none is put off', async () => {
    const { smtp, platform } = await ground();
    const proxy = await chaosProxy(smtp.url);
    open.push(proxy);
    proxy.delay(30, 'down');
    const outbox = createOutbox({
      db: platform.db,
      config: { ...platform.config, smtpUrl: proxy.url },
      log: platform.log,
      jobs: { every: () => {} },
    });
    const ids: string[] = [];
    for (let number = 0; number < 7; number++) ids.push(await outbox.put(platform.db, anEmail()));
    expect(await outbox.sendDue()).toBe(7);
    outbox.close();
    expect(smtp.received).toHaveLength(7);
    for (const id of ids) expect(await rowOf(platform, id)).toMatchObject({ attempts: 1, failures: 0 });
  });

  test('several go out at once', async () => {
    const { smtp, platform } = await ground();
    for (let number = 0; number < 7; number++) await platform.outbox.put(platform.db, anEmail());
    smtp.mood = 'held';
    const sending = platform.outbox.sendDue();
    await smtp.waitFor(5);
    smtp.mood = 'well';
    smtp.release();
    expect(await sending).toBe(7);
  });

  test('stopped, it takes no further email', async () => {
    const { smtp, platform } = await ground();
    for (let number = 0; number < 9; number++) await platform.outbox.put(platform.db, anEmail());
    smtp.mood = 'held';
    const sending = platform.outbox.sendDue();
    await smtp.waitFor(5);
    platform.outbox.stopSending();
    smtp.release();
    expect(await sending).toBe(5);
  });

  test('what is withdrawn is not sent; what was on its way then arrives before what followed', async () => {
    const { smtp, platform } = await ground();
    const { db, outbox } = platform;
    const about = 'booking 1';
    // Five that occupy all workers, so that a sixth waits although it is due.
    for (let number = 0; number < 4; number++) await outbox.put(db, anEmail());
    const onItsWay = await outbox.put(db, anEmail({ subject: 'confirmed', kind: 'ask', about }));
    const waiting = await outbox.put(
      db,
      anEmail({ subject: 'changed', kind: 'ask', about, to: 'other@practice.example' }),
    );
    smtp.mood = 'held';
    const sending = outbox.sendDue();
    await smtp.waitFor(5);
    await db.transaction(async (tx) => {
      expect(await outbox.withdraw(tx, [about], ['ask'])).toBe(2);
      await outbox.put(tx, anEmail({ subject: 'cancelled', kind: 'end', about }));
    });
    // A free worker does not overtake: the mail server still has the first one.
    const other = createOutbox({ db, config: platform.config, log: platform.log, jobs: { every: () => {} } });
    expect(await other.sendDue()).toBe(0);
    other.close();
    smtp.mood = 'well';
    smtp.release();
    await sending;
    await outbox.sendDue();
    // Those that left at the same time as the first one came in any order.
    const about1 = smtp.received.map(({ mail }) => mail.subject).filter((subject) => subject !== 'Grüße');
    expect(about1).toEqual(['confirmed', 'cancelled']);
    expect(await rowOf(platform, onItsWay), 'it did arrive').toMatchObject({
      withdrawnAt: null,
      sentAt: expect.any(Date),
    });
    expect(await rowOf(platform, waiting)).toMatchObject({ sentAt: null, withdrawnAt: expect.any(Date) });
  });

  test('withdrawn on its way and not taken by the server: it is not tried again', async () => {
    const { smtp, platform } = await ground();
    const id = await platform.outbox.put(platform.db, anEmail({ kind: 'ask', about: 'booking 1' }));
    smtp.mood = 'held';
    const sending = platform.outbox.sendDue();
    await smtp.waitFor(1);
    await platform.outbox.withdraw(platform.db, ['booking 1'], ['ask']);
    await smtp.down();
    expect(await sending).toBe(0);
    smtp.mood = 'well';
    await smtp.up();
    await platform.move(3600);
    expect(await platform.outbox.sendDue()).toBe(0);
    expect(await rowOf(platform, id)).toMatchObject({ sentAt: null, withdrawnAt: expect.any(Date) });
  });

  test('words and attachments are gone once the way of an email has ended, tokens with them', async () => {
    const { smtp, platform } = await ground();
    const attachments = [{ filename: 'a.ics', contentType: 'text/calendar', bytes: Buffer.from('X') }];
    const sent = await platform.outbox.put(platform.db, anEmail({ attachments }));
    await platform.outbox.sendDue();
    expect(smtp.received[0]!.mail.text).toContain('Jó napot');
    smtp.mood = 'unknown';
    const failed = await platform.outbox.put(platform.db, anEmail({ attachments }));
    for (let tries = 0; tries < 4; tries++) {
      await platform.outbox.sendDue();
      await platform.move(1000);
    }
    const withdrawn = await platform.outbox.put(platform.db, anEmail({ attachments, about: 'booking 1' }));
    await platform.outbox.withdraw(platform.db, ['booking 1'], ['test']);
    for (const id of [sent, failed, withdrawn])
      expect(await rowOf(platform, id)).toMatchObject({ text: '', html: '', attachments: [], subject: 'Grüße' });
  });

  test('the demo keeps the words for /dev/mail; a later start without it blanks them', async () => {
    const smtp = await fakeSmtp();
    open.push(smtp);
    const platform = await testPlatform({ SMTP_URL: smtp.url, MAIL_FROM: 'mail@fieldroom.test', DEMO: '1' });
    open.push(platform);
    const id = await platform.outbox.put(platform.db, anEmail());
    await platform.outbox.sendDue();
    expect(await rowOf(platform, id)).toMatchObject({ text: 'Jó napot', sentAt: expect.any(Date) });
    const without = createOutbox({
      db: platform.db,
      config: { ...platform.config, demo: false },
      log: platform.log,
      jobs: { every: () => {} },
    });
    await without.afterStart();
    without.close();
    expect(await rowOf(platform, id)).toMatchObject({ text: '', html: '' });
  });

  test('a server without encryption gets nothing where encryption is required', async () => {
    const smtp = await fakeSmtp();
    open.push(smtp);
    const platform = await testPlatform({
      SMTP_URL: smtp.url,
      MAIL_FROM: 'mail@fieldroom.test',
      SMTP_REQUIRE_TLS: '1',
    });
    open.push(platform);
    await platform.outbox.put(platform.db, anEmail());
    expect(await platform.outbox.sendDue()).toBe(0);
    expect(smtp.received).toEqual([]);
  });

  test('one bad mailbox makes no alarm: emails that fail by their own fault, and those behind them, have no age', async () => {
    const { smtp, platform } = await ground();
    const oldest = async () => (await platform.outbox.stats()).oldestSeconds;
    await platform.outbox.putAll(platform.db, [
      anEmail({ about: 'booking:1', subject: 'first' }),
      anEmail({ about: 'booking:1', subject: 'behind' }),
    ]);
    smtp.mood = 'busy';
    await platform.outbox.sendDue();
    await platform.move(100);
    expect(await platform.outbox.stats()).toMatchObject({ waiting: 2, retrying: 1, oldestSeconds: 0, sent: 0 });
    await platform.outbox.put(platform.db, anEmail({ about: 'booking:2' }));
    await platform.move(100);
    expect(await oldest()).toBeGreaterThanOrEqual(100);
    expect(await oldest()).toBeLessThan(200);
    smtp.mood = 'well';
    await platform.outbox.sendDue();
    expect(await platform.outbox.stats()).toMatchObject({ oldestSeconds: 0 });
    expect((await platform.outbox.stats()).sent).toBeGreaterThan(0);
  });

  test('the operator reads how many wait, since when, and how many were given up', async () => {
    const { smtp, platform } = await ground();
    await platform.outbox.put(platform.db, anEmail());
    smtp.mood = 'busy';
    await platform.outbox.sendDue();
    await platform.outbox.put(platform.db, anEmail());
    await platform.move(100);
    const text = await platform.metrics.text();
    expect(text).toMatch(/^mail_waiting 2$/m);
    expect(text).toMatch(/^mail_retrying 1$/m);
    expect(text).toMatch(/^mail_given_up 0$/m);
    expect(text).toMatch(/^mail_failed_tries 1$/m);
    expect(Number(/^mail_oldest_seconds (\d+)$/m.exec(text)![1])).toBeGreaterThanOrEqual(100);
  });

  test('two workers at once send each email once', async () => {
    const { smtp, platform } = await ground();
    for (let number = 0; number < 25; number++)
      await platform.outbox.put(platform.db, anEmail({ subject: `email ${number}` }));
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

  test('the log contains nothing of an email, whatever goes wrong', async () => {
    const { smtp, platform } = await ground();
    for (const mood of ['unknown', 'refusing'] as const) {
      await platform.outbox.put(platform.db, anEmail({ subject: 'secret-subject', text: 'secret-text' }));
      smtp.mood = mood;
      for (let tries = 0; tries < 4; tries++) {
        await platform.outbox.sendDue();
        await platform.move(1000);
      }
    }
    expect(await platform.outbox.stats()).toMatchObject({ givenUp: 2, waiting: 0 });
    expect(platform.logged.text()).toContain('given up');
    for (const word of ['judit', 'practice.example', 'secret-subject', 'secret-text'])
      expect(platform.logged.text()).not.toContain(word);
  });

  test('the started jobs send by themselves', async () => {
    const { smtp, platform } = await ground();
    platform.jobs.start();
    await platform.outbox.put(platform.db, anEmail());
    await smtp.waitFor(1);
  });

  test('emails are forgotten 30 days after their way ended, not before', async () => {
    const { platform } = await ground();
    await platform.outbox.put(platform.db, anEmail());
    await platform.outbox.sendDue();
    await platform.outbox.put(platform.db, anEmail());
    await platform.move(29 * 86_400);
    await platform.outbox.removeOld();
    expect(await platform.outbox.list()).toHaveLength(2);
    await platform.move(2 * 86_400);
    await platform.outbox.removeOld();
    expect((await platform.outbox.list()).map(({ sentAt }) => sentAt)).toEqual([null]);
  });
});

test('without a mail server an email counts as delivered, and is never sent when there is one', async () => {
  const platform = await testPlatform();
  open.push(platform);
  const id = await platform.outbox.put(platform.db, anEmail());
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
  await expect(platform.outbox.put(platform.db, anEmail({ [place]: value }))).rejects.toThrow();
  expect(await platform.outbox.list()).toEqual([]);
});

test('a rendered email: words stay words, the link is there in both forms', () => {
  const { html, text } = renderEmail({
    language: 'de',
    title: 'Bitte <bestätigen>',
    greeting: 'Guten Tag,',
    paragraphs: ['<script>alert(1)</script> & "mehr"'],
    button: {
      label: 'Bestätigen',
      url: 'https://room.example.org/user/verify#token=a&b=1',
      fallback: 'Oder <hier>:',
    },
    after: ['Danach.'],
    brand: 'Fieldroom',
    footer: ['Mit freundlichen Grüßen', 'Fieldroom'],
  });
  expect(html).toMatch(/^<!DOCTYPE html><html lang="de">/);
  expect(html).not.toContain('<script>');
  expect(html).toContain('&lt;script&gt;');
  // The button, and the address below it with a sentence before it.
  expect(html.split('href="https://room.example.org/user/verify#token=a&amp;b=1"')).toHaveLength(3);
  expect(html).toMatch(
    /Oder &lt;hier&gt;:<br\/><a [^>]*>https:\/\/room\.example\.org\/user\/verify#token=a&amp;b=1<\/a>/,
  );
  // The mark is above the heading, and needs no picture.
  expect(html.indexOf('Fieldroom')).toBeLessThan(html.indexOf('<h1'));
  expect(html).not.toContain('<img');
  expect(text).toContain('Bestätigen:\nhttps://room.example.org/user/verify#token=a&b=1');
  expect(text).toContain('<script>alert(1)</script> & "mehr"');
  expect(() =>
    renderEmail({
      language: 'de',
      title: '',
      greeting: '',
      paragraphs: [],
      button: { label: 'x', url: 'data:text/html,x', fallback: 'x' },
      brand: 'x',
      footer: '',
    }),
  ).toThrow();
});
