/** Billing: customers, prices, and one bill a month. Rules: README.md and docs/product.md#8. */
import type { Feature } from '../../feature.ts';
import type { Config } from '../../platform/config.ts';
import type { Outbox } from '../../platform/mail/outbox.ts';
import { PDF_MAKER } from './emails/billing.emails.ts';
import {
  type BillsListener,
  type MonthlyBillsCounts,
  type MonthlyBillsParts,
  createMonthlyBills,
} from './billing.monthly.ts';
import { createPrinter } from './pdf/billing.printer.ts';
import { billingRoutes } from './billing.routes.ts';
import { type BilledUsage, createBillingService } from './billing.service.ts';

export { numberOf as billNumber } from './billing.rules.ts';

export interface BillingParts extends Pick<MonthlyBillsParts, 'db' | 'clock' | 'log' | 'batch'> {
  outbox: Pick<Outbox, 'putAll' | 'makeAttachments'>;
  config: Pick<Config, 'billing' | 'publicUrl'>;
  usage: BilledUsage;
}

export interface Billing extends Required<Pick<Feature, 'routes' | 'scheduled' | 'stop'>> {
  /**
   * Makes the bills of all months that are over, and their emails. Can be repeated at any time, even by two nodes at
   * once.
   */
  makeMonthlyBills(): Promise<MonthlyBillsCounts>;
  /** Calls a listener inside each transaction that makes bills. */
  onBilled(listener: BillsListener): void;
}

/** Ten minutes after midnight of the first day, when no usage of the old month is still on its way. */
const SCHEDULE = '10 0 1 * *';

/** Makes billing. Says in the log if the seller's data is missing, because then no bill can be made. */
export function createBilling({ db, clock, config, usage, outbox, log, batch }: BillingParts): Billing {
  const { billing, publicUrl } = config;
  if (billing.seller === null)
    log.warn({ missing: billing.missing }, 'no bills can be made until all data of the seller is set');
  const printer = createPrinter();
  const service = createBillingService({ db, clock, config: billing, usage, printer });
  outbox.makeAttachments(PDF_MAKER, (billId) => service.printForEmail(Number(billId)));
  const listeners: BillsListener[] = [];
  const billed: BillsListener = async (...told) => {
    for (const listener of listeners) await listener(...told);
  };
  const makeMonthlyBills = createMonthlyBills({
    ...{ db, clock, config: billing, publicUrl, usage, outbox, log, billed },
    ...(batch ? { batch } : {}),
  });
  return {
    routes: (http) => billingRoutes(http, service),
    makeMonthlyBills,
    onBilled: (listener) => void listeners.push(listener),
    scheduled: [{ type: 'MONTHLY_BILLS', schedule: SCHEDULE, timeZone: billing.timeZone, run: makeMonthlyBills }],
    stop: printer.stop,
  };
}
