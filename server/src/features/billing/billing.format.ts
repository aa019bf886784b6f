/** How bills and their emails write amounts, days and months in the customer's language. */
import { type BillCurrency, billDigits } from '@fieldroom/contract/billing';
import { localeOf } from '@fieldroom/contract/locales';
import type { Language } from '@fieldroom/contract/text';
import { dateFormat, numberFormat } from '../../platform/formats.ts';

/** Takes an amount in the smallest unit. Whole forints are written without fillér; other currencies with cents. */
export function amountText(language: Language, minor: number, currency: BillCurrency): string {
  const amount = minor / 10 ** billDigits(currency);
  const whole = currency === 'HUF' && Number.isInteger(amount);
  const digits = whole ? 0 : billDigits(currency);
  return numberFormat(language, {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amount);
}

/** `27 %` as the language writes it. */
export const percentText = (language: Language, percent: number): string =>
  numberFormat(language, { style: 'percent' }).format(percent / 100);

/** Takes `YYYY-MM-DD`. */
export const dayText = (language: Language, day: string): string =>
  dateFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));

/** Takes any day of the month. Returns `October 2026`. */
export const monthText = (language: Language, day: string): string =>
  dateFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));

/** The country's name in the language. */
export function countryText(language: Language, country: string): string {
  const key = `${language} countries`;
  const names = (countries.get(key) ??
    new Intl.DisplayNames(localeOf(language), { type: 'region' })) as Intl.DisplayNames;
  countries.set(key, names);
  return names.of(country) ?? country;
}
const countries = new Map<string, Intl.DisplayNames>();
