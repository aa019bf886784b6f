/** How bills and their emails write amounts, days and months in the customer's language. */
import { type BillCurrency, billDigits } from '@fieldroom/contract/billing';
import { localeOf } from '@fieldroom/contract/locales';
import type { Language } from '@fieldroom/contract/text';

/** Making one takes longer than using it, and a month's bills use few. */
const formats = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();
function kept<T extends Intl.NumberFormat | Intl.DateTimeFormat>(key: string, make: () => T): T {
  const format = (formats.get(key) as T | undefined) ?? make();
  formats.set(key, format);
  return format;
}

/** Takes an amount in the smallest unit. Whole forints are written without fillér; other currencies with cents. */
export function amountText(language: Language, minor: number, currency: BillCurrency): string {
  const amount = minor / 10 ** billDigits(currency);
  const whole = currency === 'HUF' && Number.isInteger(amount);
  return kept(`${language} ${currency} ${whole}`, () => {
    const digits = whole ? 0 : billDigits(currency);
    return new Intl.NumberFormat(localeOf(language), {
      style: 'currency',
      currency,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  }).format(amount);
}

/** `27 %` as the language writes it. */
export const percentText = (language: Language, percent: number): string =>
  kept(`${language} %`, () => new Intl.NumberFormat(localeOf(language), { style: 'percent' })).format(percent / 100);

/** Takes `YYYY-MM-DD`. */
export const dayText = (language: Language, day: string): string =>
  kept(
    `${language} day`,
    () => new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }),
  ).format(new Date(`${day}T00:00:00Z`));

/** Takes any day of the month. Returns `October 2026`. */
export const monthText = (language: Language, day: string): string =>
  kept(
    `${language} month`,
    () => new Intl.DateTimeFormat(localeOf(language), { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  ).format(new Date(`${day}T00:00:00Z`));

/** The country's name in the language. */
export function countryText(language: Language, country: string): string {
  const key = `${language} countries`;
  const names = (countries.get(key) ??
    new Intl.DisplayNames(localeOf(language), { type: 'region' })) as Intl.DisplayNames;
  countries.set(key, names);
  return names.of(country) ?? country;
}
const countries = new Map<string, Intl.DisplayNames>();
