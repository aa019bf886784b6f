/**
 * The browser's formats of days, numbers and lists, each made once: making one costs a weak phone milliseconds, and a
 * page says many things in few ways.
 */
import { localeOf } from '@fieldroom/contract/locales';
import type { Language } from '@fieldroom/contract/text';

/** Keeps what is made for a locale and options. Takes how it is made. */
function keep<Options, Format>(make: (locale: string, options: Options) => Format) {
  const kept = new Map<string, Format>();
  return (locale: string, options: Options): Format => {
    const way = `${locale} ${JSON.stringify(options)}`;
    let format = kept.get(way);
    if (!format) kept.set(way, (format = make(locale, options)));
    return format;
  };
}

const dates = keep((locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options));
const numbers = keep((locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options));
const lists = keep((locale, options: Intl.ListFormatOptions) => new Intl.ListFormat(locale, options));
const distances = keep(
  (locale, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(locale, options),
);
const orders = keep((locale, options: Intl.CollatorOptions) => new Intl.Collator(locale, options));

/** For what is drawn in one go: each question costs most of a millisecond, and a list of events asks twice a row. */
let zone: string | null = null;

/** The browser's own zone; UTC where it does not tell. */
export function browserZone(): string {
  if (zone === null) {
    zone = new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
    // Somebody who travels sets another one.
    queueMicrotask(() => {
      zone = null;
    });
  }
  return zone;
}

/** Days and times in the form of a fixed locale, for programs and calculations. Takes also in which zone. */
export const fixedDateFormat = (
  locale: 'en-GB' | 'en-US',
  options: Intl.DateTimeFormatOptions & { timeZone: string },
): Intl.DateTimeFormat => dates(locale, options);

/** Days and times as a language says them. Takes what to show of them, in the browser's zone or in the one it names. */
export const dateFormat = (language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  dates(localeOf(language), { timeZone: browserZone(), ...options });

/** Hours and minutes by a clock of 24 hours: "09:30". */
export const CLOCK_TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** Numbers, shares and amounts as a language writes them. */
export const numberFormat = (language: Language, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat =>
  numbers(localeOf(language), options);

/** Several as one list, in a language: "Anna, Ben and Cleo". */
export const listFormat = (language: Language): Intl.ListFormat => lists(localeOf(language), { type: 'conjunction' });

/** How far away a time is, in a language: "yesterday", "in 3 hours". */
export const distanceFormat = (language: Language): Intl.RelativeTimeFormat =>
  distances(localeOf(language), { numeric: 'auto' });

/** The order of a language's alphabet. `numeric`: 2 stands before 10. */
export const alphabet = (language: Language, options: Intl.CollatorOptions = {}): Intl.Collator =>
  orders(localeOf(language), options);
