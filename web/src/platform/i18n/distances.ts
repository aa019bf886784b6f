/** How far away a moment is, in words. */
import { daysBetween } from '@fieldroom/contract/events';
import type { Language } from '@fieldroom/contract/text';
import { browserZone, distanceFormat, fixedDateFormat } from './formats.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The day on a zone's calendar at an instant, `YYYY-MM-DD`. */
const dayIn = (instant: number, timeZone: string): string =>
  fixedDateFormat('en-GB', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone })
    .format(instant)
    .split('/')
    .toReversed()
    .join('-');

/**
 * "in 3 hours", "5 minutes ago", and from 24 hours on in calendar days: "tomorrow", "in 2 days". Takes the language,
 * both instants in milliseconds, and an IANA zone.
 */
export function distanceWords(language: Language, instant: number, now: number, zone: string = browserZone()): string {
  const distance = instant - now;
  const format = distanceFormat(language);
  // 30 hours after a late evening is not tomorrow but the day after; a day on which the clocks change may have 25
  // hours.
  const days = daysBetween(dayIn(now, zone), dayIn(instant, zone));
  if (Math.abs(distance) >= DAY_MS && days !== 0) return format.format(days, 'day');
  if (Math.abs(distance) >= HOUR_MS) return format.format(Math.trunc(distance / HOUR_MS), 'hour');
  return format.format(Math.trunc(distance / MINUTE_MS), 'minute');
}
