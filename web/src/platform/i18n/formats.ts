/**
 * The browser's formats of days, numbers and lists, each made once: making one costs a weak phone milliseconds, and a
 * page needs few formats for many values.
 */
import { localeOf } from '@fieldroom/contract/locales';
import type { Language } from '@fieldroom/contract/text';

/** Keeps what is made for a locale and options. Takes the function that makes it. */
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

/** Remembered during one synchronous run: each query costs most of a millisecond, and a list of events needs the zone
 * twice a row. */
let zone: string | null = null;

/** The browser's own zone; UTC if it does not reveal one. */
export function browserZone(): string {
  if (zone === null) {
    zone = new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';
    // Somebody who travels changes the zone.
    queueMicrotask(() => {
      zone = null;
    });
  }
  return zone;
}

/** Days and times in the form of a fixed locale, for programs and calculations. The options name the zone. */
export const fixedDateFormat = (
  locale: 'en-GB' | 'en-US',
  options: Intl.DateTimeFormatOptions & { timeZone: string },
): Intl.DateTimeFormat => dates(locale, options);

/** Days and times in a language. The options say what to show; the zone is the browser's unless they name one. */
export const dateFormat = (language: Language, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  dates(localeOf(language), { timeZone: browserZone(), ...options });

/** Hours and minutes on the 24-hour clock: "09:30". */
export const CLOCK_TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** Numbers, shares and amounts in a language. */
export const numberFormat = (language: Language, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat =>
  numbers(localeOf(language), options);

/** Several texts as one list in a language: "Anna, Ben and Cleo". */
export const listFormat = (language: Language): Intl.ListFormat => lists(localeOf(language), { type: 'conjunction' });

/** The distance to a time in a language: "yesterday", "in 3 hours". */
export const distanceFormat = (language: Language): Intl.RelativeTimeFormat =>
  distances(localeOf(language), { numeric: 'auto' });

/** The order of a language's alphabet. `numeric`: 2 comes before 10. */
export const alphabet = (language: Language, options: Intl.CollatorOptions = {}): Intl.Collator =>
  orders(localeOf(language), options);
