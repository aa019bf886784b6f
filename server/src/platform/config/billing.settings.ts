/** Settings of the bills for hours: prices, tax, due dates, and the seller (docs/product.md#8.2). */
import { BILL_CURRENCIES, type BillCurrency } from '@fieldroom/contract/billing';
import { PRICE_MAX, priceToMinor } from '@fieldroom/contract/events';
import { isTimeZone } from '@fieldroom/contract/text/timeZones';
import { z } from 'zod';
import { whole, type Read } from './values.ts';

export interface BillingConfig {
  /** Net price of one started hour by currency, in its smallest unit. */
  readonly prices: Readonly<Record<BillCurrency, number>>;
  readonly taxPercent: number;
  /** Days from the date of a bill to the day by which it is to be paid. */
  readonly dueDays: number;
  /** The seller's IANA zone, in which months begin. */
  readonly timeZone: string;
  /** The seller, who issues bills; null if settings are missing, so that none can be made. */
  readonly seller: {
    readonly name: string;
    readonly address: string;
    readonly taxNumber: string;
    readonly email: string;
    readonly bank: string;
  } | null;
  /** The settings that `seller` misses, by name. */
  readonly missing: readonly string[];
}

/** A decimal amount as an integer in the currency's smallest unit. */
const hourPrice = (currency: BillCurrency) =>
  z.string().transform((text, context) => {
    const minor = priceToMinor(text, currency);
    // A month has at most 745 hours; their price has to fit into an exact number with room for tax.
    if (minor !== null && minor > 0 && minor <= PRICE_MAX / 100) return minor;
    context.addIssue({ code: 'custom', message: 'has to be an amount above 0, such as 900 or 2.50' });
    return z.NEVER;
  });

/** One line that a bill shows; its length is limited by the page. */
const sellerLine = (most: number) =>
  z
    .string()
    .transform((text) => text.trim())
    .pipe(
      z
        .string()
        .regex(/^\P{Cc}+$/u, 'has to be one line')
        .max(most, `has to be at most ${most} characters long`),
    );

export const billingSettings = {
  BILLING_PRICE_HUF: hourPrice('HUF').optional(),
  BILLING_PRICE_EUR: hourPrice('EUR').optional(),
  BILLING_PRICE_USD: hourPrice('USD').optional(),
  BILLING_TAX_PERCENT: whole(0, 100).optional(),
  BILLING_DUE_DAYS: whole(0, 365).optional(),
  BILLING_TIME_ZONE: z.string().refine(isTimeZone, 'has to be a time zone, such as Europe/Budapest').optional(),
  SELLER_NAME: sellerLine(120).optional(),
  SELLER_ADDRESS: sellerLine(200).optional(),
  SELLER_TAX_NUMBER: sellerLine(60).optional(),
  SELLER_EMAIL: sellerLine(100)
    .pipe(z.string().regex(/^[^\s<>@]+@[^\s<>@]+$/, 'has to be an email address, such as bills@example.org'))
    .optional(),
  SELLER_BANK: sellerLine(120).optional(),
};

type BillingRead = Read<typeof billingSettings>;

/** Net price of one started hour (docs/product.md#8.2). */
const PRICES: Readonly<Record<BillCurrency, number>> = { HUF: 90_000, EUR: 300, USD: 400 };

/** Bills that nobody owes: they name no real seller. */
const DEMO_SELLER = {
  name: 'Fieldroom demo seller',
  address: 'No real address, no real bill',
  taxNumber: 'none (demo)',
  email: 'bills@demo.example',
  bank: 'none (demo): please do not pay',
};

/** The seller of bills. In production all data has to be set: a bill with invented data must not reach a customer. */
function sellerOf(read: BillingRead, production: boolean): Pick<BillingConfig, 'seller' | 'missing'> {
  const names = ['SELLER_NAME', 'SELLER_ADDRESS', 'SELLER_TAX_NUMBER', 'SELLER_EMAIL', 'SELLER_BANK'] as const;
  const missing = production ? names.filter((name) => read[name] === undefined) : [];
  if (missing.length > 0) return { seller: null, missing };
  const seller = {
    name: read.SELLER_NAME ?? DEMO_SELLER.name,
    address: read.SELLER_ADDRESS ?? DEMO_SELLER.address,
    taxNumber: read.SELLER_TAX_NUMBER ?? DEMO_SELLER.taxNumber,
    email: read.SELLER_EMAIL ?? DEMO_SELLER.email,
    bank: read.SELLER_BANK ?? DEMO_SELLER.bank,
  };
  return { seller, missing };
}

/** Returns these settings with their defaults. */
export function billingConfig(read: BillingRead, production: boolean): BillingConfig {
  return {
    prices: Object.fromEntries(
      BILL_CURRENCIES.map((code) => [code, read[`BILLING_PRICE_${code}`] ?? PRICES[code]]),
    ) as Record<BillCurrency, number>,
    taxPercent: read.BILLING_TAX_PERCENT ?? 27,
    dueDays: read.BILLING_DUE_DAYS ?? 10,
    timeZone: read.BILLING_TIME_ZONE ?? 'Europe/Budapest',
    ...sellerOf(read, production),
  };
}
