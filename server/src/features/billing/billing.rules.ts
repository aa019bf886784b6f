/**
 * The rules of bills: months, dates, numbers and amounts. Pure: the time is passed in. Source: docs/product.md#8.
 */
import {
  type Amounts,
  amountsOf,
  type BillCurrency,
  billingCountry,
  currencyOf,
  type Customer,
  isTaxed,
} from '@fieldroom/contract/billing';
import { Temporal } from 'temporal-polyfill';

/** A calendar month, `YYYY-MM`. */
export type Month = string;

/** The cost of a number of seconds for a customer; amounts in the currency's smallest unit. */
export interface Costs extends Amounts {
  readonly seconds: number;
  readonly currency: BillCurrency;
  readonly hourPrice: number;
  readonly taxPercent: number;
  readonly reverseCharge: boolean;
}

/**
 * Takes whole seconds of one month, the price of a started hour by currency and the tax. Source: docs/product.md#8.2.
 */
export function costsOf(
  customer: Pick<Customer, 'kind' | 'country' | 'entity'>,
  seconds: number,
  { prices, taxPercent }: { prices: Readonly<Record<BillCurrency, number>>; taxPercent: number },
): Costs {
  const currency = currencyOf(billingCountry(customer));
  const taxed = isTaxed(customer);
  const hourPrice = prices[currency];
  const percent = taxed ? taxPercent : 0;
  return {
    seconds,
    currency,
    hourPrice,
    taxPercent: percent,
    reverseCharge: !taxed,
    ...amountsOf(seconds, hourPrice, percent),
  };
}

/** Returns the month to which an instant belongs in a zone (docs/product.md#8.4). */
export const monthAt = (instant: Date, timeZone: string): Month =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .toPlainYearMonth()
    .toString();

/** Returns when a month begins and when the next one does. */
export function spanOf(month: Month, timeZone: string): { from: Date; until: Date } {
  const first = Temporal.PlainYearMonth.from(month);
  // Midnight of the zone, or the first moment after it if clocks skip it.
  const begin = (of: Temporal.PlainYearMonth) =>
    new Date(of.toPlainDate({ day: 1 }).toZonedDateTime({ timeZone }).startOfDay().epochMilliseconds);
  return { from: begin(first), until: begin(first.add({ months: 1 })) };
}

/** Returns the months from one to before another, in order. */
export function monthsBefore(first: Month, end: Month): Month[] {
  const months: Month[] = [];
  for (
    let month = Temporal.PlainYearMonth.from(first);
    Temporal.PlainYearMonth.compare(month, end) < 0;
    month = month.add({ months: 1 })
  )
    months.push(month.toString());
  return months;
}

/** Returns the days of issue and payment of a month's bills, `YYYY-MM-DD`, and the year whose numbers they have. */
export function datesOf(month: Month, dueDays: number): { issuedOn: string; dueOn: string; year: number } {
  const issued = Temporal.PlainYearMonth.from(month).add({ months: 1 }).toPlainDate({ day: 1 });
  return { issuedOn: issued.toString(), dueOn: issued.add({ days: dueDays }).toString(), year: issued.year };
}

/** `2026`, `123` → `FR-2026-000123`. */
export const numberOf = ({ year, sequence }: { year: number; sequence: number }): string =>
  `FR-${year}-${String(sequence).padStart(6, '0')}`;
