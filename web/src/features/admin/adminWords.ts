/** How the operator's pages format names, times and numbers. */
import type { TherapistUsage } from '@fieldroom/contract/admin';
import { fullName } from '@fieldroom/contract/names';
import { currentLanguage } from '../../platform/i18n/app.ts';
import { CLOCK_TIME, dateFormat, numberFormat } from '../../platform/i18n/formats.ts';

/** A therapist's full name, in the order of the language (docs/product.md#11.73). */
export const nameOf = (person: Pick<TherapistUsage, 'firstName' | 'lastName'>): string =>
  fullName(currentLanguage(), person);

/** Day and time by this browser's clock. Takes an instant as ISO text. */
export function instantWords(instant: string): string {
  return dateFormat(currentLanguage(), {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...CLOCK_TIME,
  }).format(new Date(instant));
}

/** A number with the language's separators of thousands. */
export const numberWords = (count: number): string => numberFormat(currentLanguage()).format(count);

/** Day and time to the second, by this browser's clock. Takes an instant as ISO text. */
export function momentWords(instant: string): string {
  return dateFormat(currentLanguage(), {
    day: 'numeric',
    month: 'short',
    ...CLOCK_TIME,
    second: '2-digit',
  }).format(new Date(instant));
}

/** A day that was counted in UTC. Takes `2026-11-24`. */
export const utcDayWords = (day: string): string =>
  dateFormat(currentLanguage(), { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));

/** Bytes as kilobytes. */
export const sizeWords = (bytes: number): string =>
  numberFormat(currentLanguage(), {
    style: 'unit',
    unit: 'kilobyte',
    maximumFractionDigits: 1,
  }).format(bytes / 1000);
