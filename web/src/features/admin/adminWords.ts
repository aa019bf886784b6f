/** How the operator's pages say names, moments and numbers. */
import type { TherapistUsage } from '@fieldroom/contract/admin';
import { daysBetween } from '@fieldroom/contract/events';
import { fullName } from '@fieldroom/contract/names';
import { currentLanguage } from '../../platform/i18n/app.ts';
import { browserZone, CLOCK_TIME, dateFormat, distanceFormat, numberFormat } from '../../platform/i18n/formats.ts';
import { dayAt } from '../events/index.ts';

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

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * "in 3 hours", "5 minutes ago", and from 24 hours on by the days of the calendar: "tomorrow", "in 2 days". Takes an
 * instant as ISO text, the present in milliseconds, and an IANA zone.
 */
export function distanceWords(instant: string, now: number, zone: string = browserZone()): string {
  const at = Date.parse(instant);
  const distance = at - now;
  const format = distanceFormat(currentLanguage());
  // 30 hours from late in the evening are not tomorrow but the day after; a day on which the clocks change has 25.
  const days = daysBetween(dayAt(now, zone), dayAt(at, zone));
  if (Math.abs(distance) >= DAY_MS && days !== 0) return format.format(days, 'day');
  if (Math.abs(distance) >= HOUR_MS) return format.format(Math.trunc(distance / HOUR_MS), 'hour');
  return format.format(Math.trunc(distance / MINUTE_MS), 'minute');
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
