/** The monthly job: which bills it makes, with which numbers, whatever fails or runs at the same time. */
import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { aBill, aPerson, anEntity, someUsage } from '../../builders/billing.builders.ts';
import { type BillingApp, billingApp, readPdf, suspend, YEAR } from './billing.fixture.ts';
import { createBilling, type BillingParts } from './index.ts';

let t: BillingApp;
const others: { stop(): void | Promise<void> }[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const one of others.splice(0)) await one.stop();
  await t.close();
});

/** Billing of one more node on the same database, with small batches and the case's replacements. */
function anotherNode(parts: Partial<BillingParts> = {}, config: Partial<BillingParts['config']['billing']> = {}) {
  const { app } = t;
  const { usage } = app;
  const node = createBilling({
    ...{ db: app.db, clock: app.clock, outbox: app.outbox, log: app.log, usage },
    config: { publicUrl: app.config.publicUrl, billing: { ...app.config.billing, ...config } },
    batch: { bills: 2, emails: 2 },
    ...parts,
  });
  others.push(node);
  return node;
}

const billEmails = async () => (await t.emails()).filter(({ kind }) => kind === 'billing.bill');
const numbers = async () => (await t.bills()).map(({ year, sequence }) => [year, sequence]);
/** The part that stays the same, however the bills were made. */
const contents = async () => (await t.bills()).map((row) => ({ ...row, id: 0, emailed_at: row.emailed_at !== null }));

/** One use of the room in October of that year, of a length in seconds. */
const october = (seconds: number) =>
  [`${YEAR}-10-10T10:00:00Z`, new Date(Date.parse(`${YEAR}-10-10T10:00:00Z`) + seconds * 1000).toISOString()] as const;

describe('rule 2: months', () => {
  test('usage over midnight of the month counts in both months, each with its part', async () => {
    t = await billingApp(`${YEAR}-05-01T00:00:00Z`);
    // March in Budapest ends at 22:00 UTC, because summer time has begun.
    const therapist = await t.professional([[`${YEAR}-03-31T20:59:59Z`, `${YEAR}-03-31T22:00:01Z`]]);
    expect(await t.app.billing.makeMonthlyBills()).toEqual({ bills: 2, emails: 2 });
    expect(await t.bills()).toMatchObject([
      { therapist_id: therapist.id, month: `${YEAR}-03-01`, issued_on: `${YEAR}-04-01`, seconds: 3601, hours: 2 },
      { therapist_id: therapist.id, month: `${YEAR}-04-01`, issued_on: `${YEAR}-05-01`, seconds: 1, hours: 1 },
    ]);
  });

  test('the seller’s zone decides, and a month is billed when it is over there', async () => {
    t = await billingApp(`${YEAR}-11-01T04:59:00Z`, { env: { BILLING_TIME_ZONE: 'America/Chicago' } });
    await t.professional([[`${YEAR}-10-31T23:30:00Z`, `${YEAR}-11-01T00:30:00Z`]]);
    // In Chicago it is still October.
    expect(await t.app.billing.makeMonthlyBills()).toEqual({ bills: 0, emails: 0 });
    await t.moveTo(`${YEAR}-11-01T05:10:00Z`);
    expect(await t.app.billing.makeMonthlyBills()).toEqual({ bills: 1, emails: 1 });
    expect(await t.bills()).toMatchObject([{ month: `${YEAR}-10-01`, seconds: 3600, issued_on: `${YEAR}-11-01` }]);
  });

  test('the part of a running interval in the finished month is billed', async () => {
    t = await billingApp(`${YEAR}-10-31T23:20:00Z`);
    await t.professional([[`${YEAR}-10-31T22:30:00Z`, null]]);
    await t.app.billing.makeMonthlyBills();
    expect(await t.bills()).toMatchObject([{ month: `${YEAR}-10-01`, seconds: 1800 }]);
  });
});

describe('rule 4: who gets a bill', () => {
  test('everybody with billed usage, by id; nobody for the trial, for no usage, or twice', async () => {
    t = await billingApp(`${YEAR}-11-01T00:10:00Z`);
    const first = await t.professional([october(1)]);
    const second = await t.professional([october(3601)], { customer: anEntity(), language: 'ro' });
    await t.professional();
    const trial = await t.professional();
    await someUsage(t.db, {
      therapistId: trial.id,
      from: new Date(`${YEAR}-10-02T10:00:00Z`),
      until: new Date(`${YEAR}-10-02T14:00:00Z`),
      plan: 'TRIAL',
    });
    const suspended = await t.professional([october(7200)]);
    await suspend(t.db, suspended.id);
    expect(await t.app.billing.makeMonthlyBills()).toEqual({ bills: 3, emails: 3 });
    const made = await contents();
    expect(made).toMatchObject([
      { therapist_id: first.id, year: YEAR, sequence: 1, currency: 'HUF', net: 90_000, tax: 24_300, gross: 114_300 },
      { therapist_id: second.id, sequence: 2, currency: 'EUR', net: 600, tax: 0, gross: 600, reverse_charge: true },
      { therapist_id: suspended.id, sequence: 3, hours: 2 },
    ]);
    expect(made[1]).toMatchObject({
      due_on: `${YEAR}-11-11`,
      language: 'ro',
      email: second.email,
      customer: anEntity(),
      seller: { name: 'Fieldroom demo seller' },
    });
    expect(await t.app.billing.makeMonthlyBills()).toEqual({ bills: 0, emails: 0 });
    expect(await contents()).toEqual(made);
    expect(await billEmails()).toHaveLength(3);
  });

  test('a customer’s changed data is only on later bills', async () => {
    t = await billingApp(`${YEAR}-11-01T00:10:00Z`);
    const therapist = await t.professional([october(10), [`${YEAR}-11-05T10:00:00Z`, `${YEAR}-11-05T10:30:00Z`]]);
    await t.app.billing.makeMonthlyBills();
    const [before] = await contents();
    await t.db.execute(
      sql`UPDATE billing_customers SET customer = ${JSON.stringify(aPerson({ name: 'New Name', country: 'DE' }))}::jsonb WHERE therapist_id = ${therapist.id}`,
    );
    await t.moveTo(`${YEAR}-12-01T00:10:00Z`);
    await t.app.billing.makeMonthlyBills();
    const [still, next] = await contents();
    expect(still).toEqual(before);
    expect(next).toMatchObject({ currency: 'EUR', customer: { name: 'New Name' } });
  });

  test('bills stay when the account is deleted', async () => {
    t = await billingApp(`${YEAR}-11-01T00:10:00Z`);
    const therapist = await t.professional([october(10)]);
    await t.app.billing.makeMonthlyBills();
    const made = await t.bills();
    await t.db.execute(sql`DELETE FROM accounts WHERE id = ${therapist.id}`);
    expect(await t.bills()).toEqual(made);
    expect(await t.app.billing.makeMonthlyBills()).toEqual({ bills: 0, emails: 0 });
  });
});

describe('rule 5: late, missed and interrupted runs make the same bills', () => {
  /** Usage of five therapists in two months. */
  async function usage() {
    for (let nth = 1; nth <= 5; nth++)
      await t.professional([october(nth * 1000), [`${YEAR}-11-20T10:00:00Z`, `${YEAR}-11-20T1${nth}:00:00Z`]]);
  }
  /** Bills without what differs between two databases. */
  const comparable = async () => {
    const made = await contents();
    const least = Math.min(...made.map(({ therapist_id }) => therapist_id));
    return made.map((row) => ({ ...row, email: '', therapist_id: row.therapist_id - least }));
  };

  test('three days late', async () => {
    const made = [];
    for (const at of [`${YEAR}-12-01T00:10:00Z`, `${YEAR}-12-04T09:00:00Z`]) {
      t = await billingApp(at);
      await usage();
      await t.app.billing.makeMonthlyBills();
      made.push(await comparable());
      if (made.length < 2) await t.close();
    }
    expect(made[0]).toHaveLength(10);
    expect(made[1]).toEqual(made[0]);
  });

  test('two months missed: the oldest first, so that numbers rise with dates, and each year begins with 1', async () => {
    t = await billingApp(`${YEAR + 1}-02-03T00:00:00Z`);
    await t.professional([october(10), [`${YEAR}-12-31T22:00:00Z`, `${YEAR}-12-31T23:30:00Z`]]);
    await t.professional([[`${YEAR}-12-05T10:00:00Z`, `${YEAR}-12-05T11:00:00Z`]]);
    await t.app.billing.makeMonthlyBills();
    expect((await t.bills()).map((row) => [row.issued_on, row.year, row.sequence, row.seconds])).toEqual([
      [`${YEAR}-11-01`, YEAR, 1, 10],
      [`${YEAR + 1}-01-01`, YEAR + 1, 1, 3600],
      [`${YEAR + 1}-01-01`, YEAR + 1, 2, 3600],
      [`${YEAR + 1}-02-01`, YEAR + 1, 3, 1800],
    ]);
    // Complete months are not looked at again.
    const spans: Date[] = [];
    const usageOfRooms = t.app.usage;
    const billedSeconds: typeof usageOfRooms.billedSeconds = (on, span) => {
      spans.push(span.from);
      return usageOfRooms.billedSeconds(on, span);
    };
    await anotherNode({ usage: { ...usageOfRooms, billedSeconds } }).makeMonthlyBills();
    expect(spans).toEqual([new Date(`${YEAR}-12-31T23:00:00Z`)]);
  });

  test('a crash between two batches, and one in the middle of a batch, leave no gap', async () => {
    t = await billingApp(`${YEAR}-12-01T00:10:00Z`);
    await usage();
    const node = anotherNode();
    const third = (await t.db.execute<{ id: number }>(sql`SELECT therapist_id AS id FROM billing_customers ORDER BY 1`))
      .rows[3]!.id;
    // The second batch has the third and the fourth therapist: its first bill is written when the second one fails.
    await t.db.execute(
      sql.raw(`
      CREATE FUNCTION crash() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF NEW.therapist_id = ${third} THEN RAISE 'crashed'; END IF; RETURN NEW; END $$;
      CREATE TRIGGER crash BEFORE INSERT ON bills FOR EACH ROW EXECUTE FUNCTION crash()`),
    );
    await expect(node.makeMonthlyBills()).rejects.toThrow();
    expect(await numbers()).toEqual([
      [YEAR, 1],
      [YEAR, 2],
    ]);
    expect(await billEmails()).toEqual([]);
    await t.db.execute(sql`DROP TRIGGER crash ON bills`);
    expect(await node.makeMonthlyBills()).toEqual({ bills: 8, emails: 10 });
    expect(await numbers()).toEqual(Array.from({ length: 10 }, (_, index) => [YEAR, index + 1]));
    expect((await t.bills()).map(({ issued_on }) => issued_on)).toEqual([
      ...Array.from({ length: 5 }, () => `${YEAR}-11-01`),
      ...Array.from({ length: 5 }, () => `${YEAR}-12-01`),
    ]);
  });

  test('usage that was noticed late is settled before months are counted', async () => {
    t = await billingApp(`${YEAR}-11-01T00:10:00Z`);
    const therapist = await t.professional();
    const usageOfRooms = t.app.usage;
    const settle = async () => {
      const [from, until] = october(60).map((instant) => new Date(instant));
      await someUsage(t.db, { therapistId: therapist.id, from: from!, until: until! });
    };
    expect(await anotherNode({ usage: { ...usageOfRooms, settle } }).makeMonthlyBills()).toMatchObject({ bills: 1 });
  });
});

describe('rule 4: two runs at once', () => {
  /** Resolves for everybody when this many have arrived. */
  function barrier(many: number) {
    let come = 0;
    let open: () => void;
    const opened = new Promise<void>((resolve) => (open = resolve));
    return async () => {
      come += 1;
      if (come === many) open();
      return opened;
    };
  }

  test('make each bill and each email once, without gaps in the numbers', async () => {
    t = await billingApp(`${YEAR}-12-01T00:10:00Z`);
    for (let nth = 1; nth <= 9; nth++)
      await t.professional([october(nth), [`${YEAR}-11-20T10:00:00Z`, `${YEAR}-11-20T11:00:00Z`]]);
    const usageOfRooms = t.app.usage;
    const met = barrier(2);
    let first = 0;
    const node = () =>
      anotherNode({
        usage: {
          ...usageOfRooms,
          // Both have read who used the room before one of them makes a bill.
          billedSeconds: async (...asked) => {
            const used = await usageOfRooms.billedSeconds(...asked);
            if (first < 2) {
              first += 1;
              await met();
            }
            return used;
          },
        },
      });
    const [one, other] = await Promise.all([node().makeMonthlyBills(), node().makeMonthlyBills()]);
    expect(one.bills + other.bills).toBe(18);
    expect(one.emails + other.emails).toBe(18);
    expect(await numbers()).toEqual(Array.from({ length: 18 }, (_, index) => [YEAR, index + 1]));
    expect((await t.bills()).map(({ issued_on }) => issued_on)).toEqual(
      (await t.bills()).map(({ issued_on }) => issued_on).toSorted(),
    );
    const abouts = (await billEmails()).map(({ about }) => about);
    expect(new Set(abouts).size).toBe(18);
    expect(abouts).toHaveLength(18);
  });

  test('a run waits for a transaction that takes numbers, and then sees its bills', async () => {
    t = await billingApp(`${YEAR}-11-01T00:10:00Z`);
    const [first, second] = [await t.professional([october(10)]), await t.professional([october(20)])];
    const { app } = t;
    let run: Promise<unknown>;
    await app.db.transaction(async (tx) => {
      await tx.execute(sql`INSERT INTO bill_numbers VALUES (${YEAR}, 0)`);
      await tx.execute(sql`UPDATE bill_numbers SET last = 1`);
      await aBill(tx, { therapistId: first.id });
      await tx.execute(sql`UPDATE bills SET year = ${YEAR}, sequence = 1, month = ${`${YEAR}-10-01`}`);
      run = app.billing.makeMonthlyBills();
      run.catch(() => {});
      await expect
        .poll(async () => (await app.db.execute(sql`SELECT FROM pg_locks WHERE NOT granted`)).rowCount)
        .toBe(1);
    });
    expect(await run!).toEqual({ bills: 1, emails: 1 });
    expect((await t.bills()).map((row) => [row.sequence, row.therapist_id])).toEqual([
      [1, first.id],
      [2, second.id],
    ]);
    // From now on the row of the year exists. A lock on it keeps others out, before anything is written.
    const third = await t.professional([october(30)]);
    await app.db.transaction(async (tx) => {
      await tx.execute(sql`SELECT FROM bill_numbers FOR UPDATE`);
      run = app.billing.makeMonthlyBills();
      run.catch(() => {});
      await expect
        .poll(async () => (await app.db.execute(sql`SELECT FROM pg_locks WHERE NOT granted`)).rowCount)
        .toBe(1);
      await tx.execute(sql`UPDATE bill_numbers SET last = 3`);
      await tx.execute(sql`UPDATE bills SET sequence = 3 WHERE therapist_id = ${second.id}`);
    });
    await run!;
    expect((await t.bills()).at(-1)).toMatchObject({ sequence: 4, therapist_id: third.id });
  });

  test('a run that is slow between reading and writing makes no duplicate bill', async () => {
    t = await billingApp(`${YEAR}-11-01T00:10:00Z`);
    await t.professional([october(10)]);
    const usageOfRooms = t.app.usage;
    const slow = anotherNode({
      usage: {
        ...usageOfRooms,
        billedSeconds: async (...asked) => {
          const used = await usageOfRooms.billedSeconds(...asked);
          await t.app.billing.makeMonthlyBills();
          return used;
        },
      },
    });
    expect(await slow.makeMonthlyBills()).toEqual({ bills: 0, emails: 0 });
    expect(await numbers()).toEqual([[YEAR, 1]]);
  });
});

describe('rule 7: emails', () => {
  test('a crash before the emails leaves them to the next run, and each is sent once', async () => {
    t = await billingApp(`${YEAR}-11-01T00:10:00Z`);
    for (let nth = 1; nth <= 5; nth++) await t.professional([october(nth)]);
    const { outbox } = t.app;
    let batches = 0;
    const crashing: typeof outbox = {
      ...outbox,
      async putAll(tx, emails) {
        batches += 1;
        await outbox.putAll(tx, emails);
        // Written but not committed.
        if (batches === 2) throw new Error('crashed');
      },
    };
    await expect(anotherNode({ outbox: crashing }).makeMonthlyBills()).rejects.toThrow('crashed');
    expect((await t.bills()).map(({ emailed_at }) => emailed_at !== null)).toEqual([true, true, false, false, false]);
    expect(await billEmails()).toHaveLength(2);
    expect(await t.app.billing.makeMonthlyBills()).toEqual({ bills: 0, emails: 3 });
    expect(new Set((await billEmails()).map(({ about }) => about)).size).toBe(5);
    expect(await billEmails()).toHaveLength(5);
  });

  test.each([
    ['en', 'Your monthly bill', `October ${YEAR}`, `11 November ${YEAR}`],
    ['de', 'Ihre Monatsrechnung', `Oktober ${YEAR}`, `11. November ${YEAR}`],
    ['hu', 'Havi számlája', `${YEAR}. október`, `${YEAR}. november 11.`],
    ['ro', 'Factura dumneavoastră lunară', `octombrie ${YEAR}`, `11 noiembrie ${YEAR}`],
  ] as const)('in %s, with amount, due date, link and the PDF', async (language, subject, month, due) => {
    t = await billingApp(`${YEAR}-11-01T00:10:00Z`);
    const { email: to } = await t.professional([october(43 * 3600)], { language });
    await t.app.billing.makeMonthlyBills();
    const [email, ...rest] = await t.emails(to);
    expect(rest).toEqual([]);
    expect(email).toMatchObject({ subject, language, kind: 'billing.bill' });
    const text = email!.text.replace(/[\u00A0\u202F]/gu, ' ');
    expect(text).toMatch(language === 'en' ? /HUF 49,149/ : /49[ .]149 (?:Ft|HUF)/);
    for (const part of [month, due, `FR-${YEAR}-000001`, 'http://fieldroom.test/app/subscription/professional-package'])
      expect(text).toContain(part);
    expect(text).not.toMatch(/[{}]/);
    const [attached] = email!.attachments;
    expect([attached!.filename, attached!.contentType]).toEqual([`FR-${YEAR}-000001.pdf`, 'application/pdf']);
    const pdf = await readPdf(await t.app.outbox.bytesOf(attached!));
    expect(pdf.pages).toBe(1);
    for (const part of [
      `FR-${YEAR}-000001`,
      month,
      due,
      'Győző Szűcs',
      'Pozsonyi út 12. III/4.',
      'Fieldroom demo seller',
    ])
      expect(pdf.text).toContain(part);
  });
});

describe('rule 9: the seller', () => {
  const missing = { seller: null, missing: ['SELLER_NAME', 'SELLER_BANK'] };

  test('without the seller the job fails and says which settings are missing; nothing is made', async () => {
    t = await billingApp(`${YEAR}-11-01T00:10:00Z`);
    await t.professional([october(10)]);
    await expect(anotherNode({}, missing).makeMonthlyBills()).rejects.toThrow('SELLER_NAME, SELLER_BANK');
    expect(await t.bills()).toEqual([]);
    expect(t.logged.entries()).toContainEqual(
      expect.objectContaining({ missing: ['SELLER_NAME', 'SELLER_BANK'], level: expect.anything() }),
    );
    // Once they are set, the bills are made up.
    expect(await t.app.billing.makeMonthlyBills()).toEqual({ bills: 1, emails: 1 });
  });
});

test('rule 10: the log reports the progress of a long run, only as numbers', async () => {
  t = await billingApp(`${YEAR}-11-01T00:10:00Z`);
  await t.professional([october(10)]);
  const usageOfRooms = t.app.usage;
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const settle = async () => void vi.advanceTimersByTime(5000);
  await anotherNode({ usage: { ...usageOfRooms, settle } }).makeMonthlyBills();
  expect(t.logged.entries().filter(({ job }) => job === 'MONTHLY_BILLS')).toMatchObject([{ bills: 0, emails: 0 }]);
});
