/**
 * The days on which a series comes back (PRODUCT 9): counted on the calendar from the first day, never by hours, so that
 * daylight saving moves nothing. Months are added to the first day itself and kept inside the month, as Temporal's
 * `PlainDate.add` with overflow "constrain" does it: 31 January comes back on 28 or 29 February and on 31 March.
 */
import { dayPlus, isDay, type REPETITION_UNITS } from '@fieldroom/contract/events.rules';

export type RepetitionUnit = (typeof REPETITION_UNITS)[number];
export interface Rule {
  unit: RepetitionUnit;
  /** Every so many units. */
  frequency: number;
  /** How often in all, the first time included. */
  occasions: number;
}

/** A day so many months later, kept inside the month. In and out: `YYYY-MM-DD`. */
export function monthPlus(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const count = year * 12 + (month - 1) + months;
  const [toYear, toMonth] = [Math.floor(count / 12), (count % 12) + 1];
  // Day 0 of the month behind it is the last one of this month.
  const last = new Date(Date.UTC(toYear, toMonth, 0)).getUTCDate();
  return `${String(toYear).padStart(4, '0')}-${String(toMonth).padStart(2, '0')}-${String(Math.min(date, last)).padStart(2, '0')}`;
}

/** First days of the further occurrences, in order. In: first day of the first one, the rule. Out: `occasions - 1` days; none for a rule that is none. */
export function repeatedFirsts(first: string, { unit, frequency, occasions }: Rule): string[] {
  if (!isDay(first) || !Number.isSafeInteger(frequency) || frequency < 1 || !Number.isSafeInteger(occasions)) return [];
  return Array.from({ length: Math.max(0, occasions - 1) }, (_, index) => {
    const times = (index + 1) * frequency;
    return unit === 'month' ? monthPlus(first, times) : dayPlus(first, times * (unit === 'week' ? 7 : 1));
  });
}
