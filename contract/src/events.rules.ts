/** The rules of events that need no schema, so that the public pages carry no schema library. PRODUCT section 9. */
import type { EventType } from './events.ts';

export const EVENT_TYPES = ['GROUP', 'ONE_ON_ONE'] as const;
/** There are no drafts: what is finalized is published (PRODUCT 9). */
export const EVENT_STATUSES = ['PUBLISHED', 'CANCELLED'] as const;
export const REPETITION_UNITS = ['day', 'week', 'month'] as const;

export const EVENT_NAME_MAX = 120;
export const EVENT_LOCATION_MAX = 120;
export const EVENT_ADDRESS_MAX = 200;
export const EVENT_DESCRIPTION_MAX = 10_000;
/** Days of one bookable event. */
export const EVENT_DATES_MAX = 60;
/** Occurrences of a series, the first one included. */
export const OCCASIONS_MAX = 100;
export const FREQUENCY_MAX = 52;
export const PLACES_MAX = 500;
/** Events may be planned this far ahead. */
export const YEARS_AHEAD_MAX = 5;
export const KEYWORD_MAX = 100;
export const PAGE_SIZE_MAX = 100;
export const REASON_MAX = 2000;
export const IMAGE_BYTES_MAX = 5 * 1024 * 1024;

/** Digits after the decimal point by currency; what is not here is refused. */
export const CURRENCIES = {
  EUR: 2,
  HUF: 2,
  RON: 2,
  USD: 2,
  GBP: 2,
  CHF: 2,
  AUD: 2,
  BGN: 2,
  CAD: 2,
  CZK: 2,
  DKK: 2,
  ILS: 2,
  JPY: 0,
  NOK: 2,
  NZD: 2,
  PLN: 2,
  RSD: 2,
  SEK: 2,
  TRY: 2,
  UAH: 2,
} as const;
export type Currency = keyof typeof CURRENCIES;
/** The dearest price in the currency's smallest unit. */
export const PRICE_MAX = 999_999_999;

/** A decimal string as an integer of the currency's smallest unit: `"240.5"`, EUR → 24050. null where it is none, negative, too fine or too large. */
export function priceToMinor(price: string, currency: Currency): number | null {
  const parts = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(price.trim());
  if (!parts) return null;
  const digits = CURRENCIES[currency];
  const fraction = parts[2] ?? '';
  if (fraction.replace(/0+$/, '').length > digits) return null;
  const minor = Number(parts[1]) * 10 ** digits + Number(fraction.padEnd(digits, '0').slice(0, digits) || '0');
  return minor <= PRICE_MAX ? minor : null;
}

/** The decimal string of an amount in the smallest unit: 24050, EUR → `"240.50"`. */
export function minorToPrice(minor: number, currency: Currency): string {
  const digits = CURRENCIES[currency];
  const text = String(minor).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** `9`, `5` → `"09:05"` (specification section 5). */
export function paddedTime(hours: number, minutes: number): string {
  return `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
}

/** Whether a text is a day of the calendar, `YYYY-MM-DD`: 2027-02-29 is none. */
export function isDay(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!parts) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Whole days from one day to another, both `YYYY-MM-DD`. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}
/** A day so many days later. */
export function dayPlus(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
/** The days of an occurrence that begins on `first`: the pattern of `dates`, shifted. */
export function shiftedDates(dates: readonly string[], first: string): string[] {
  const by = daysBetween(dates[0]!, first);
  return dates.map((day) => dayPlus(day, by));
}

/** An IANA zone that this machine knows. */
export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    // Offsets such as +02:00 know no daylight saving.
    return /^[A-Za-z]/.test(zone);
  } catch {
    return false;
  }
}

/** One-to-one events have one place. */
export function placesOf(type: EventType, wanted: number): number {
  return type === 'ONE_ON_ONE' ? 1 : wanted;
}
