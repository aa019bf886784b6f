/** What a therapist does with the subscription: completing the registration, seeing costs and bills. */
import {
  BILL_CURRENCIES,
  type Bill,
  type BillCurrency,
  type Billing as BillingView,
  type Customer,
  type findBills,
} from '@fieldroom/contract/billing';
import { minorToPrice } from '@fieldroom/contract/events';
import type { QueryOf, ReplyOf } from '@fieldroom/contract/http';
import { Problem } from '../../platform/problem.ts';
import type { Plan } from '@fieldroom/contract/usage';
import type { Clock } from '../../platform/clock.ts';
import type { BillingConfig } from '../../platform/config.ts';
import type { Db, Queryable, Tx } from '../../platform/db/db.ts';
import type { Printer } from './pdf/billing.printer.ts';
import { type Costs, costsOf, monthAt, numberOf, spanOf } from './billing.rules.ts';
import * as store from './billing.store.ts';
import { isTaxNumber } from './billing.tax-numbers.ts';

/** What billing needs from the usage feature. */
export interface BilledUsage {
  /** Ends the trial of a therapist in the transaction; does nothing if it has ended. */
  becomeProfessional(tx: Tx, therapistId: number): Promise<void>;
  planOf(on: Queryable, therapistId: number): Promise<{ plan: Plan; professionalSince: Date | null }>;
  /**
   * Returns the seconds that count for bills between two instants, running intervals up to now. Therapists without any
   * are left out. Takes the therapists to look at; all, if left out.
   */
  billedSeconds(
    on: Queryable,
    span: { from: Date; until: Date; therapistIds?: readonly number[] },
  ): Promise<readonly { therapistId: number; seconds: number }[]>;
  /** Settles usage that has ended but was not noticed yet. */
  settle(): Promise<void>;
}

export interface BillingService {
  getBilling(therapistId: number): Promise<BillingView>;
  /** Stores the customer of future bills and ends the trial. Problem: `invalid_input` for a wrong tax number. */
  completeRegistration(therapistId: number, customer: Customer): Promise<BillingView>;
  findBills(therapistId: number, query: QueryOf<typeof findBills>): Promise<ReplyOf<typeof findBills>>;
  /** Prints one of the therapist's own bills. Problem: `not_found`. */
  getPdf(therapistId: number, billId: number): Promise<{ number: string; bytes: Uint8Array }>;
  /** Prints a bill for its own email. */
  printForEmail(billId: number): Promise<Uint8Array>;
}

export interface BillingServiceParts {
  db: Db;
  clock: Pick<Clock, 'now'>;
  config: BillingConfig;
  usage: Pick<BilledUsage, 'becomeProfessional' | 'planOf' | 'billedSeconds'>;
  printer: Pick<Printer, 'print'>;
}

/** Makes the service. Rules: docs/product.md#8. */
export function createBillingService({ db, clock, config, usage, printer }: BillingServiceParts): BillingService {
  const { prices, taxPercent, dueDays, timeZone } = config;

  async function getBilling(therapistId: number): Promise<BillingView> {
    const { plan, professionalSince } = await usage.planOf(db, therapistId);
    const customer = await store.findCustomer(db, therapistId);
    return {
      plan,
      customer,
      professionalSince: professionalSince?.toISOString() ?? null,
      prices: Object.fromEntries(
        BILL_CURRENCIES.map((currency) => [currency, minorToPrice(prices[currency], currency)]),
      ) as Record<BillCurrency, string>,
      taxPercent,
      dueDays,
      thisMonth: customer === null ? null : await thisMonth(therapistId, customer),
    };
  }

  async function thisMonth(therapistId: number, customer: Customer): Promise<BillingView['thisMonth']> {
    const now = await clock.now();
    const month = monthAt(now, timeZone);
    const { from } = spanOf(month, timeZone);
    const [used] = await usage.billedSeconds(db, { from, until: now, therapistIds: [therapistId] });
    return { month, ...costsView(costsOf(customer, Math.floor(used?.seconds ?? 0), config)) };
  }

  return {
    getBilling,

    async completeRegistration(therapistId, customer) {
      if (customer.entity !== null && !(await isTaxNumber(customer.entity.country, customer.entity.taxNumber)))
        throw new Problem('invalid_input', { fields: [{ path: 'entity.taxNumber', code: 'tax_number_invalid' }] });
      await db.transaction(async (tx) => {
        await store.saveCustomer(tx, therapistId, customer);
        await usage.becomeProfessional(tx, therapistId);
      });
      return getBilling(therapistId);
    },

    async findBills(therapistId, { page, size }) {
      const { rows, total } = await store.findBills(db, therapistId, { page, size });
      return { content: rows.map(billView), page, size, totalElements: total };
    },

    async getPdf(therapistId, billId) {
      const bill = await store.findBill(db, therapistId, billId);
      if (bill === null) throw new Problem('not_found');
      return { number: numberOf(bill), bytes: await printer.print(bill) };
    },

    async printForEmail(billId) {
      const bill = await store.getBill(db, billId);
      return printer.print(bill);
    },
  };
}

function costsView(costs: Costs) {
  const { seconds, hours, currency, taxPercent, reverseCharge } = costs;
  const amount = (minor: number) => minorToPrice(minor, currency);
  return {
    seconds,
    hours,
    currency,
    hourPrice: amount(costs.hourPrice),
    net: amount(costs.net),
    taxPercent,
    tax: amount(costs.tax),
    gross: amount(costs.gross),
    reverseCharge,
  };
}

const billView = (row: store.BillRow): Bill => ({
  id: row.id,
  number: numberOf(row),
  month: row.month.slice(0, 7),
  issuedOn: row.issuedOn,
  dueOn: row.dueOn,
  ...costsView(row),
});
