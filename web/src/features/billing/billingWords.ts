/** How the subscription page formats faults, money, months and days. */
import type { BillCurrency } from '@fieldroom/contract/billing';
import type { TFunction } from 'i18next';
import { currentLanguage, sayProblem } from '../../platform/i18n/app.ts';
import { faultText } from '../../platform/i18n/faults.ts';
import { numberFormat } from '../../platform/i18n/formats.ts';
import { formatDay, formatPrice } from '../events/index.ts';

/** The page's `t` of the namespace `billing`. */
export type Say = TFunction<'billing'>;

/** The sentence for a fault at a field: this feature's own words first, then the shared ones. */
export function faultWords(t: Say, field: string, code: string): string {
  for (const key of [`fault.${field}.${code}`, `fault.any.${code}`]) {
    const text = t(key);
    if (text !== key && text !== '') return text;
  }
  return faultText(sayProblem, 'customer', code);
}

/** An amount in its currency. Takes a decimal string. Nobody pays fractions of a forint. */
export const money = (amount: string, currency: BillCurrency): string =>
  formatPrice(amount, currency, currentLanguage(), { short: currency === 'HUF' });

/** The price of an hour, without zeros after the decimal point. */
export const shortMoney = (amount: string, currency: BillCurrency): string =>
  formatPrice(amount, currency, currentLanguage(), { short: true });

/** "November 2026". Takes `YYYY-MM`. */
export const monthWords = (month: string): string =>
  formatDay(`${month}-01`, currentLanguage(), { month: 'long', year: 'numeric' });

/** "3 November 2026". Takes `YYYY-MM-DD`. */
export const dayWords = (day: string): string => formatDay(day, currentLanguage());

/** A day in few characters, for tables. Takes `YYYY-MM-DD`. */
export const shortDayWords = (day: string): string =>
  formatDay(day, currentLanguage(), { day: 'numeric', month: 'short', year: 'numeric' });

/** "27 %". Takes whole percent. */
export const percent = (whole: number): string =>
  numberFormat(currentLanguage(), { style: 'percent' }).format(whole / 100);
