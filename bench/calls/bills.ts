/**
 * The month's bills of many therapists: rows, then PDFs and emails, compared with one INSERT … SELECT of the same rows
 * and with a bare pdfkit document with the same words. See README.md. Settings: BENCH_THERAPISTS (10000),
 * BENCH_PLAIN_PDFS (60).
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createApp } from '@fieldroom/server/app';
import { createBilling } from '@fieldroom/server/features/billing/index';
import { type PrintedBill, printBill } from '@fieldroom/server/features/billing/pdf/billing.pdf';
import { readConfig } from '@fieldroom/server/platform/config';
import { createLog } from '@fieldroom/server/platform/monitoring/log';
import PDFDocument from 'pdfkit';
import { makeTherapists, startDatabase } from '../lib/service/database.ts';
import { type Aim, aimRows, keep, setting, show, table } from '../lib/numbers.ts';
import { program, tempFolder } from '../lib/service/processes.ts';

const THERAPISTS = setting('BENCH_THERAPISTS', 10_000);
const PLAIN_PDFS = setting('BENCH_PLAIN_PDFS', 60);
const AIM_SECONDS = 60;
const LETTERS = 'árvíztűrő tükörfúrógép Ștefania Țurcanu';

/** Runs work. Returns its result and the seconds it took. */
async function timed<T>(work: () => Promise<T>): Promise<{ seconds: number; result: T }> {
  const start = performance.now();
  const result = await work();
  return { seconds: (performance.now() - start) / 1000, result };
}

/** A document that opens its own fonts, as in pdfkit's guide, with as many words as a bill. */
async function plainPdf(nth: number): Promise<void> {
  const font = (file: string) => createRequire(import.meta.url).resolve(`@expo-google-fonts/noto-sans/${file}`);
  const document = new PDFDocument({ size: 'A4', margin: 56 });
  document.registerFont('regular', readFileSync(font('400Regular/NotoSans_400Regular.ttf')));
  document.registerFont('bold', readFileSync(font('600SemiBold/NotoSans_600SemiBold.ttf')));
  for (let line = 0; line < 35; line++)
    document
      .font(line % 5 === 0 ? 'bold' : 'regular')
      .fontSize(9.5)
      .text(`${LETTERS} ${nth} ${line}`);
  const ended = once(document, 'end');
  document.resume();
  document.end();
  await ended;
}

await program(async () => {
  const database = await startDatabase();
  const config = readConfig({
    DATABASE_URL: database.connectionString,
    DATA_DIR: await tempFolder('server'),
    DEMO: '0',
    PORT: '0',
  });
  const log = createLog({ logLevel: 'info', production: true }, { write: (line) => void process.stdout.write(line) });
  const app = await createApp(config, { log, longRunning: false });
  const { pool } = database;

  // Everybody used the room on twenty days of each of the last two months, and is one of three kinds of customer.
  const therapists = await makeTherapists(pool, THERAPISTS);
  const ids = therapists.map(({ id }) => id);
  // Customers for three months: months are billed from their first one on, and in Budapest the next may have begun.
  await pool.query(
    `INSERT INTO billing_customers (therapist_id, customer, created_at)
     SELECT id, jsonb_build_object('kind', CASE WHEN id % 3 = 0 THEN 'entity' ELSE 'person' END, 'name', $2 || id,
              'country', (ARRAY['HU', 'RO', 'US'])[1 + id % 3], 'city', 'Cluj-Napoca', 'zip', '400001',
              'address', 'Strada Păcii ' || id, 'telephone', '+36 30 555 0178', 'contactPerson', 'Győző ' || id,
              'entity', CASE WHEN id % 3 = 0 THEN jsonb_build_object('name', $2 || id, 'taxNumber', 'RO18547290',
                'country', 'RO', 'city', 'Cluj-Napoca', 'zip', '400001', 'address', 'Strada Păcii ' || id) END),
            product_now() - interval '3 months'
       FROM unnest($1::bigint[]) AS id`,
    [ids, LETTERS],
  );
  await pool.query(`UPDATE accounts SET language = (ARRAY['en', 'de', 'hu', 'ro'])[1 + id % 4] WHERE id = ANY ($1)`, [
    ids,
  ]);
  await pool.query(
    `INSERT INTO usage_accounts (therapist_id, plan, professional_since)
     SELECT id, 'PROFESSIONAL', product_now() - interval '3 months' FROM unnest($1::bigint[]) AS id`,
    [ids],
  );
  await pool.query(
    `INSERT INTO usage_intervals (therapist_id, plan, started_at, ended_at)
     SELECT id, 'PROFESSIONAL', at, at + make_interval(mins => (30 + id % 60)::int)
       FROM unnest($1::bigint[]) AS id,
            generate_series(date_trunc('month', product_now()) - interval '2 months' + interval '10 hours',
                            date_trunc('month', product_now()) - interval '1 day', interval '36 hours') AS at`,
    [ids],
  );
  await pool.query('ANALYZE');

  // The months one after the other: the first one with rows and emails measured apart, the second one in a single run.
  const { usage } = app;
  const until = (month: number) => ({
    ...usage,
    settle: async () => {},
    billedSeconds: async (...[on, span]: Parameters<typeof usage.billedSeconds>) =>
      span.from > new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth() - 1 - month, 15))
        ? []
        : usage.billedSeconds(on, span),
  });
  const stopped = new Error('stopped before the emails');
  const beforeEmails = createBilling({
    ...app,
    usage: until(1),
    outbox: { makeAttachments: () => {}, putAll: () => Promise.reject(stopped) },
  });
  const rows = await timed(() =>
    beforeEmails.makeMonthlyBills().catch((error: unknown) => {
      if (error !== stopped) throw error;
    }),
  );
  await beforeEmails.stop();
  const emailing = createBilling({ ...app, usage: until(1) });
  const emails = await timed(() => emailing.makeMonthlyBills());
  await emailing.stop();
  const whole = createBilling({ ...app, usage });
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const total = await timed(() => whole.makeMonthlyBills());
  delay.disable();
  const again = await timed(() => whole.makeMonthlyBills());
  await whole.stop();
  if (total.result.bills !== THERAPISTS || total.result.emails !== THERAPISTS || emails.result.emails !== THERAPISTS)
    throw new Error(`of ${THERAPISTS} were made: ${JSON.stringify([emails.result, total.result])}`);

  // The same rows with one statement, into a table with the same indexes and checks.
  await pool.query('CREATE TABLE plain_bills (LIKE bills INCLUDING ALL)');
  const plainRows = await timed(() =>
    pool.query(
      `INSERT INTO plain_bills OVERRIDING USER VALUE SELECT * FROM bills WHERE month = (SELECT max(month) FROM bills)`,
    ),
  );

  // PDFs in one thread: ours, and the bare document.
  const { rows: sample } = await pool.query<Record<string, never>>(
    `SELECT year, sequence, month::text, issued_on::text AS "issuedOn", due_on::text AS "dueOn", seconds, hours, currency,
            hour_price AS "hourPrice", net, tax_percent AS "taxPercent", tax, gross, reverse_charge AS "reverseCharge",
            customer, seller, language
       FROM bills ORDER BY id LIMIT 500`,
  );
  for (const bill of sample) await printBill(bill as unknown as PrintedBill);
  const ours = await timed(async () => {
    for (const bill of sample) await printBill(bill as unknown as PrintedBill);
  });
  await plainPdf(0);
  const plain = await timed(async () => {
    for (let nth = 1; nth <= PLAIN_PDFS; nth++) await plainPdf(nth);
  });
  const {
    rows: [size],
  } = await pool.query<{ bytes: string }>(`SELECT pg_total_relation_size('outbox_emails') AS bytes`);
  await app.close();
  await database.stop();

  const rate = (count: number, { seconds }: { seconds: number }) => Math.round(count / seconds);
  const aims: Aim[] = [
    {
      what: `bills and emails of ${THERAPISTS} therapists`,
      aim: `≤ ${AIM_SECONDS} s`,
      measured: `${show(total.seconds, 1)} s`,
      reached: total.seconds <= AIM_SECONDS,
    },
  ];
  await keep(
    'bills',
    'A month’s bills',
    [
      [
        `${THERAPISTS} therapists with 20 to 21 intervals a month, three kinds of customer, four languages; fsync on, the`,
        `mail server left out. The whole run is one month from nothing to emails in the outbox. Rows and emails are those`,
        `of another month, apart. A PDF is printed when its email is sent, in one thread; its rate is that of this thread. The`,
        `bare document opens its fonts itself. ${availableParallelism()} cores, shared with PostgreSQL.`,
      ].join(' '),
      table([
        { '': 'the whole run', seconds: show(total.seconds, 1), 'a second': rate(THERAPISTS, total) },
        { '': 'rows', seconds: show(rows.seconds, 1), 'a second': rate(THERAPISTS, rows) },
        {
          '': 'rows by one INSERT … SELECT',
          seconds: show(plainRows.seconds, 1),
          'a second': rate(THERAPISTS, plainRows),
        },
        { '': 'emails', seconds: show(emails.seconds, 1), 'a second': rate(THERAPISTS, emails) },
        { '': 'PDFs alone, one thread', seconds: '', 'a second': rate(sample.length, ours) },
        { '': 'bare pdfkit document, one thread', seconds: '', 'a second': rate(PLAIN_PDFS, plain) },
        { '': 'a second run', seconds: show(again.seconds, 1), 'a second': '' },
      ]),
      table(aimRows(aims)),
      [
        `During the run the main thread was late by ${show(delay.percentile(99) / 1e6, 1)} ms (p99) and`,
        `${show(delay.max / 1e6, 1)} ms (longest). The outbox has ${show(Number(size!.bytes) / 1e6, 0)} MB for`,
        `${2 * THERAPISTS} emails until they are sent.`,
      ].join(' '),
    ],
    {
      therapists: THERAPISTS,
      seconds: {
        whole: total.seconds,
        rows: rows.seconds,
        plainRows: plainRows.seconds,
        emails: emails.seconds,
        again: again.seconds,
      },
      pdfsPerSecond: { ours: rate(sample.length, ours), plain: rate(PLAIN_PDFS, plain) },
      mainThreadLateMs: { p99: delay.percentile(99) / 1e6, longest: delay.max / 1e6 },
      aims,
    },
  );
});
