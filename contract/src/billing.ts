/**
 * Billing: the customer's data that completes a registration, prices, and monthly bills. Rules: docs/product.md#8.
 *
 * Invariants
 *  1. Amounts are integers in the currency's smallest unit; on the wire they are decimal strings beside `currency`.
 *  2. A therapist has at most one bill for a month, and numbers of bills have no gaps.
 *  3. A bill never changes: it holds a copy of the customer, the seller, prices and tax as they were.
 */
import * as z from 'zod/mini';
import { COUNTRIES } from './countries.ts';
import { CURRENCIES } from './events.ts';
import { endpoint } from './http.ts';
import { pageOf, pageQuery } from './lists.ts';
import { id, idInPath, line, timestamp } from './text.ts';
import { PLANS } from './usage.ts';

export const CUSTOMER_KINDS = ['person', 'entity'] as const;
export type CustomerKind = (typeof CUSTOMER_KINDS)[number];

/** A country by its ISO 3166-1 code. */
const country = z.enum(COUNTRIES, { error: 'unknown_country' });

/** Characters of each part of a customer's data. */
export const CUSTOMER_MAX = {
  name: 120,
  contactPerson: 120,
  telephone: 40,
  city: 100,
  zip: 20,
  address: 200,
  entityName: 160,
  taxNumber: 40,
} as const;

const place = {
  country,
  city: line(CUSTOMER_MAX.city),
  zip: line(CUSTOMER_MAX.zip),
  address: line(CUSTOMER_MAX.address),
};
const telephone = line(CUSTOMER_MAX.telephone).check(z.regex(/^\+?[\d\s()/.-]{5,40}$/, 'not_a_phone'));

export const customerInput = z
  .strictObject({
    kind: z.enum(CUSTOMER_KINDS),
    name: line(CUSTOMER_MAX.name),
    ...place,
    telephone,
    /** Required for a legal entity, null for a private person. */
    entity: z.nullable(
      z.strictObject({ name: line(CUSTOMER_MAX.entityName), taxNumber: line(CUSTOMER_MAX.taxNumber), ...place }),
    ),
    contactPerson: line(CUSTOMER_MAX.contactPerson),
  })
  .check(
    z.check(({ value, issues }) => {
      if ((value.kind === 'entity') === (value.entity !== null)) return;
      issues.push({
        code: 'custom',
        input: value.entity,
        path: ['entity'],
        message: value.kind === 'entity' ? 'required' : 'not_wanted',
      });
    }),
  );
export type Customer = z.output<typeof customerInput>;

/** The currencies of bills; each has a price of one started hour. */
export const BILL_CURRENCIES = ['HUF', 'EUR', 'USD'] as const;
export type BillCurrency = (typeof BILL_CURRENCIES)[number];

/**
 * Member states of the European Union (27 since 2020), by ISO 3166-1 code. Åland and the outermost territories have
 * codes of their own.
 */
const EU: ReadonlySet<string> = new Set(
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK'.split(' '),
);
/** Whether a country is in the European Union. Takes its ISO 3166-1 code. */
export const isInEu = (countryCode: string): boolean => EU.has(countryCode);

/** The country that decides currency and tax: the legal entity's if there is one, else the person's. */
export const billingCountry = ({ country: own, entity }: Pick<Customer, 'country' | 'entity'>): string =>
  entity?.country ?? own;

/** Source: docs/product.md#8.2. */
export function currencyOf(countryCode: string): BillCurrency {
  if (countryCode === 'HU') return 'HUF';
  return isInEu(countryCode) ? 'EUR' : 'USD';
}

/**
 * Whether the customer is charged tax; otherwise the bill carries the reverse-charge note. Source: docs/product.md#8.2.
 */
export const isTaxed = ({ kind, country: own, entity }: Pick<Customer, 'kind' | 'country' | 'entity'>): boolean =>
  kind === 'person' || !isInEu(billingCountry({ country: own, entity }));

/** The amounts of a bill, in the currency's smallest unit. */
export interface Amounts {
  readonly hours: number;
  readonly net: number;
  readonly tax: number;
  readonly gross: number;
}

/**
 * Calculates the amounts of a bill. Takes the month's seconds, the price of a started hour (smallest unit) and the tax
 * in percent. Source: docs/product.md#8.1.
 */
export function amountsOf(seconds: number, hourPrice: number, taxPercent: number): Amounts {
  const hours = Math.ceil(seconds / 3600);
  const net = hours * hourPrice;
  // Half a unit and more is rounded up.
  const tax = Math.floor((net * taxPercent + 50) / 100);
  return { hours, net, tax, gross: net + tax };
}

/** A decimal string in the currency beside it. */
const amount = z.string();
const currency = z.enum(BILL_CURRENCIES);
/** What a number of hours costs. */
const costs = {
  /** Seconds used in the month. */
  seconds: z.int(),
  /** Started hours. */
  hours: z.int(),
  currency,
  hourPrice: amount,
  net: amount,
  taxPercent: z.int(),
  tax: amount,
  gross: amount,
  /** Whether the customer owes the tax instead of the seller. */
  reverseCharge: z.boolean(),
};
/** `YYYY-MM`. */
const month = z.string();

export const billing = z.strictObject({
  plan: z.enum(PLANS),
  /** null until the registration is complete. */
  customer: z.nullable(customerInput),
  /** Since when usage is billed. */
  professionalSince: z.nullable(timestamp),
  /** The price of one started hour, net, by currency. */
  prices: z.record(currency, amount),
  taxPercent: z.int(),
  dueDays: z.int(),
  /** The running month so far; null until the registration is complete. */
  thisMonth: z.nullable(z.strictObject({ month, ...costs })),
});
export type Billing = z.infer<typeof billing>;

export const bill = z.strictObject({
  id,
  number: z.string(),
  month,
  /** Days, `YYYY-MM-DD`. */
  issuedOn: z.string(),
  dueOn: z.string(),
  ...costs,
});
export type Bill = z.infer<typeof bill>;

export const getBilling = endpoint({
  method: 'GET',
  path: '/api/me/billing',
  access: 'therapist',
  summary: 'The plan, the customer, prices, and what the running month costs so far',
  reply: billing,
});
export const completeRegistration = endpoint({
  method: 'POST',
  path: '/api/me/billing/customer',
  access: 'therapist',
  summary: 'Stores the customer of future bills; the first time it completes the registration and ends the trial',
  body: customerInput,
  reply: billing,
});
export const findBills = endpoint({
  method: 'GET',
  path: '/api/me/bills',
  access: 'therapist',
  summary: 'The therapist’s bills, the newest first',
  query: pageQuery,
  reply: pageOf(bill),
});
export const getBillPdf = endpoint({
  method: 'GET',
  path: '/api/me/bills/{billId}/pdf',
  access: 'therapist',
  summary: 'A bill as PDF',
  params: z.strictObject({ billId: idInPath }),
  bytes: ['application/pdf'],
  problems: ['not_found'],
});

/** Digits after the decimal point of a bill's currency. */
export const billDigits = (code: BillCurrency): number => CURRENCIES[code];
