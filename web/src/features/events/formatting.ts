/**
 * How days, times, prices and zones of events are formatted in a language. Pure. Days are `YYYY-MM-DD` and times
 * `HH:mm` by the event's own clock (docs/product.md#9.1), so they are formatted without any zone of the browser.
 */
import { CURRENCIES, type Currency, dayPlus, minorToPrice, paddedTime, priceToMinor } from '@fieldroom/contract/events';
import type { Language } from '@fieldroom/contract/text';
import { dateFormat, listFormat, numberFormat } from '../../platform/i18n/formats.ts';

/** A day as an instant for Intl; noon keeps it away from the day's boundaries. */
const at = (day: string) => new Date(`${day}T12:00:00Z`);
const dayFormat = (language: Language, options: Intl.DateTimeFormatOptions) =>
  dateFormat(language, { ...options, timeZone: 'UTC' });

/** One day. Takes `YYYY-MM-DD`, the language, and the parts to show. */
export function formatDay(
  day: string,
  language: Language,
  options: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'long', year: 'numeric' },
): string {
  return dayFormat(language, options).format(at(day));
}

/** Names of a day's weekday; the short one without the dot that some languages add. */
export function weekdayNames(day: string, language: Language): { short: string; long: string } {
  return {
    short: formatDay(day, language, { weekday: 'short' }).replace('.', ''),
    long: formatDay(day, language, { weekday: 'long' }),
  };
}

/** Consecutive days, as pairs of first and last. Takes sorted days. */
export function dayRuns(dates: readonly string[]): [first: string, last: string][] {
  const runs: [string, string][] = [];
  for (const day of dates) {
    const run = runs.at(-1);
    if (run && dayPlus(run[1], 1) === day) run[1] = day;
    else runs.push([day, day]);
  }
  return runs;
}

/**
 * All days of an event: "12.–13. Dezember 2026", or "Dec 12, 19 …" as a list of short ones when they are not
 * consecutive; a common year is written once. Takes sorted days.
 */
export function formatDays(dates: readonly string[], language: Language): string {
  const runs = dayRuns(dates);
  const first = dates[0];
  if (!first) return '';
  const oneYear = first.slice(0, 4) === dates.at(-1)?.slice(0, 4);
  // Hungarian puts the year first, the others last.
  const yearAt = language === 'hu' ? 0 : runs.length - 1;
  const texts = runs.map(([from, to], index) => {
    const format = dayFormat(language, {
      day: 'numeric',
      month: runs.length > 1 ? 'short' : 'long',
      ...(!oneYear || index === yearAt ? { year: 'numeric' } : {}),
    });
    return from === to ? format.format(at(from)) : format.formatRange(at(from), at(to));
  });
  return listFormat(language).format(texts);
}

/** "Sat and Sun": the weekdays of the days, each once. More than three are left out. */
export function formatWeekdays(dates: readonly string[], language: Language): string {
  const names = [...new Set(dates.map((day) => formatDay(day, language, { weekday: 'short' })))];
  return names.length > 3 ? '' : listFormat(language).format(names);
}

/** Decimal string and currency in the language's own form; `short` leaves out zero decimals. */
export function formatPrice(price: string, currency: string, language: Language, { short = false } = {}): string {
  // Hungarian and Romanian would write EUR; everybody understands the sign.
  return numberFormat(language, {
    style: 'currency',
    currency,
    currencyDisplay: currency === 'EUR' ? 'narrowSymbol' : 'symbol',
    ...(short ? { trailingZeroDisplay: 'stripIfInteger' } : {}),
  }).format(price as `${number}`);
}

/**
 * A typed price as the wire's decimal string with the currency's digits; null if it is invalid. Takes the language's
 * own decimal mark and grouping ("1.240,50" in German), the other mark where it can only be decimal ("240.5"), spaces
 * between thousands and the ",-" of price tags. "1,240" stays a thousand in English and is refused in German.
 */
export function parsePrice(text: string, currency: Currency, language: Language): string | null {
  const typed = text.replace(/[\s\u00A0\u202F'’]/g, '').replace(/[.,][-–—]$/, '');
  if (!/^\d+(?:[.,]\d+)*$/.test(typed)) return null;
  const decimal = language === 'en' ? '.' : ',';
  const group = decimal === '.' ? ',' : '.';
  const marks = typed.replace(/\d/g, '');
  let whole = typed;
  let fraction = '';
  const last = marks.at(-1);
  // Exactly three digits after the language's grouping mark are thousands; else the last mark is the decimal one.
  const grouped = (part: string, mark: string) =>
    (mark === '.' ? /^\d{1,3}(?:\.\d{3})*$/ : /^\d{1,3}(?:,\d{3})*$/).test(part);
  if (last !== undefined && !(marks === group.repeat(marks.length) && grouped(typed, group))) {
    const cut = typed.lastIndexOf(last);
    whole = typed.slice(0, cut);
    fraction = typed.slice(cut + 1);
    const other = last === '.' ? ',' : '.';
    if (whole.includes(last) || !(/^\d+$/.test(whole) || grouped(whole, other))) return null;
  }
  const digits = whole.replace(/[.,]/g, '').replace(/^0+(?=\d)/, '');
  const minor = priceToMinor(fraction === '' ? digits : `${digits}.${fraction}`, currency);
  return minor === null ? null : minorToPrice(minor, currency);
}

/** A wire price as the form shows it: the language's decimal mark, no grouping, no currency. */
export function typedPrice(price: string, currency: Currency, language: Language): string {
  const minor = priceToMinor(price, currency);
  if (minor === null) return price;
  const text = minorToPrice(minor, currency);
  return language === 'en' ? text : text.replace('.', ',');
}

/**
 * A typed time as `HH:mm` (zero padded): "9", "9:5", "930", "9.30", "19h", "7pm", "7:30 p.m."; null if it is invalid.
 */
export function parseTime(text: string): string | null {
  const typed = text.trim().toLowerCase();
  const half = /([ap])\.?m\.?$/.exec(typed);
  const clock = (half ? typed.slice(0, half.index) : typed.replace(/(?:h|uhr|óra)$/, '')).trimEnd();
  const parts = /^(\d{1,2})(?:\s*[:.,h]\s*(\d{1,2}))?$/.exec(clock) ?? /^(\d{1,2})(\d{2})$/.exec(clock);
  if (!parts) return null;
  const said = Number(parts[1]);
  const minutes = Number(parts[2] ?? '0');
  if (half && (said < 1 || said > 12)) return null;
  // Twelve is the first hour of each half of the day.
  const hours = half ? (said % 12) + (half[1] === 'p' ? 12 : 0) : said;
  return hours > 23 || minutes > 59 ? null : paddedTime(hours, minutes);
}

/** The currency that speakers of a language most likely use. */
export function usualCurrency(language: Language): Currency {
  return language === 'hu' ? 'HUF' : language === 'ro' ? 'RON' : 'EUR';
}

/** All currencies that may be chosen, the usual ones first. */
export const CURRENCY_CODES = Object.keys(CURRENCIES) as Currency[];
