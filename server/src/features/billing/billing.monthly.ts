/**
 * The bills of all months that are over, and their emails (docs/product.md#8.3). Both steps look for what is missing,
 * so a run that follows a crash, or comes days late, makes what the first one would have made. README.md has the rules.
 */
import { setImmediate as immediate } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import type { BillingConfig } from '../../platform/config.ts';
import { type AfterCommit, transactionThen } from '../../platform/db/after-commit.ts';
import { asBackgroundWork, type Db, type Tx } from '../../platform/db/db.ts';
import type { Log } from '../../platform/monitoring/log.ts';
import type { NewEmail, Outbox } from '../../platform/mail/outbox.ts';
import { JobFault } from '../../platform/scheduling/schedule.ts';
import { billEmail } from './emails/billing.emails.ts';
import { costsOf, datesOf, type Month, monthAt, monthsBefore, spanOf } from './billing.rules.ts';
import type { BilledUsage } from './billing.service.ts';
import * as store from './billing.store.ts';

/** Called, inside their transaction, with the bills that were made; at most one for each therapist. */
export type BillsListener = (
  tx: Tx,
  made: readonly { readonly id: number; readonly therapistId: number }[],
  afterCommit: AfterCommit,
) => Promise<void>;

export interface MonthlyBillsParts {
  db: Db;
  clock: Pick<Clock, 'now'>;
  config: BillingConfig;
  publicUrl: string;
  usage: Pick<BilledUsage, 'billedSeconds' | 'settle'>;
  outbox: Pick<Outbox, 'putAll'>;
  log: Pick<Log, 'info' | 'warn'>;
  billed: BillsListener;
  /** How many bills, and how many emails, one transaction writes. */
  batch?: { bills: number; emails: number };
}

/** What a run did. */
export interface MonthlyBillsCounts extends Readonly<Record<string, number>> {
  readonly bills: number;
  readonly emails: number;
}

/** Real time between two log lines about a run's progress. */
const PROGRESS_MS = 5000;

/** Makes the monthly work. Returns a function that does the work that is due by the product's clock. */
export function createMonthlyBills({
  db,
  clock,
  config,
  publicUrl,
  usage,
  outbox,
  log,
  billed,
  batch = { bills: 200, emails: 50 },
}: MonthlyBillsParts): () => Promise<MonthlyBillsCounts> {
  /** Makes the missing bills of one month. Calls `onBills` after each transaction with the number of bills it made. */
  async function billMonth(
    month: Month,
    seller: NonNullable<BillingConfig['seller']>,
    onBills: (made: number) => void,
  ) {
    const used = (await usage.billedSeconds(db, spanOf(month, config.timeZone)))
      .map(({ therapistId, seconds }) => ({ therapistId, seconds: Math.floor(seconds) }))
      .filter(({ seconds }) => seconds > 0)
      // Always the same order, so that a run that begins again gives the same numbers.
      .toSorted((a, b) => a.therapistId - b.therapistId);
    const secondsOf = new Map(used.map(({ therapistId, seconds }) => [therapistId, seconds]));
    const { issuedOn, dueOn, year } = datesOf(month, config.dueDays);
    const firstDay = `${month}-01`;
    for (let start = 0; start < used.length; start += batch.bills) {
      const therapistIds = used.slice(start, start + batch.bills).map(({ therapistId }) => therapistId);
      const made = await transactionThen(db, async (tx, afterCommit) => {
        // The run that has the lock sees every bill of the others, so no therapist gets two and no number is lost.
        const last = await store.lockNumbers(tx, year);
        const recipients = await store.findUnbilled(tx, firstDay, therapistIds);
        if (recipients.length === 0) return 0;
        const rows = recipients.map(({ therapistId, customer, email, language }, index) => ({
          therapistId,
          year,
          sequence: last + 1 + index,
          month: firstDay,
          issuedOn,
          dueOn,
          ...costsOf(customer, secondsOf.get(therapistId)!, config),
          customer,
          seller,
          language,
          email,
        }));
        await billed(tx, await store.insertBills(tx, rows), afterCommit);
        return rows.length;
      });
      onBills(made);
    }
  }

  /** Returns the months that may lack bills, the oldest first. */
  async function monthsDue(): Promise<Month[]> {
    const { billed, customer } = await store.findBeginning(db);
    const thisMonth = monthAt(await clock.now(), config.timeZone);
    // Months are billed in order, so all before the newest billed one are complete; that one may not be.
    const first = billed?.slice(0, 7) ?? (customer === null ? thisMonth : monthAt(customer, config.timeZone));
    return monthsBefore(first, thisMonth);
  }

  /** Emails all bills that wait for it. Calls `onEmails` after each transaction with the number of emails it wrote. */
  async function emailBills(onEmails: (written: number) => void): Promise<void> {
    let waiting = await store.findNotEmailed(db, 0, batch.emails);
    while (waiting.length > 0) {
      const found = waiting;
      const emails = new Map<number, NewEmail>();
      for (const bill of found) {
        emails.set(bill.id, billEmail(bill, publicUrl));
        // Let calls and live rooms run in between.
        await immediate();
      }
      const written = await db.transaction(async (tx) => {
        const marked = await store.markEmailed(
          tx,
          found.map(({ id }) => id),
        );
        await outbox.putAll(
          tx,
          [...emails].filter(([id]) => marked.has(id)).map(([, email]) => email),
        );
        return marked.size;
      });
      onEmails(written);
      waiting = await store.findNotEmailed(db, found.at(-1)!.id, batch.emails);
    }
  }

  return () =>
    asBackgroundWork(async () => {
      const { seller, missing } = config;
      if (seller === null)
        throw new JobFault(`No bills were made, because they would name no seller. Please set ${missing.join(', ')}.`);
      const counts = { bills: 0, emails: 0 };
      const progress = setInterval(() => log.info({ job: 'MONTHLY_BILLS', ...counts }, 'bills so far'), PROGRESS_MS);
      try {
        await usage.settle();
        for (const month of await monthsDue()) await billMonth(month, seller, (made) => (counts.bills += made));
        await emailBills((written) => (counts.emails += written));
      } finally {
        clearInterval(progress);
      }
      return counts;
    });
}
