/**
 * The days on which a series comes back (PRODUCT 9): counted on the calendar from the first day, never by hours, so that
 * daylight saving moves nothing. Months are added to the first day itself and kept inside the month, as Temporal's
 * `PlainDate.add` with overflow "constrain" does it: 31 January comes back on 28 or 29 February and on 31 March.
 */
import { isDay, type REPETITION_UNITS } from '@fieldroom/contract/events.rules';
// Function by function, as days are a fifth of the whole library's weight.
import * as Calendar from 'temporal-polyfill/fns/Calendar';
import * as PlainDate from 'temporal-polyfill/fns/PlainDate';

export type RepetitionUnit = (typeof REPETITION_UNITS)[number];
export interface Rule {
  unit: RepetitionUnit;
  /** Every so many units. */
  frequency: number;
  /** How often in all, the first time included. */
  occasions: number;
}

const dateOf = (day: string) => PlainDate.fromString(day, Calendar.getISO);

/** A day so many months later, kept inside the month. In and out: `YYYY-MM-DD`. */
export function monthPlus(day: string, months: number): string {
  return PlainDate.toString(PlainDate.addMonths(dateOf(day), months, { overflow: 'constrain' }));
}

/** First days of the further occurrences, in order. In: first day of the first one, the rule. Out: `occasions - 1` days; none for a rule that is none. */
export function repeatedFirsts(first: string, { unit, frequency, occasions }: Rule): string[] {
  if (!isDay(first) || !Number.isSafeInteger(frequency) || frequency < 1 || !Number.isSafeInteger(occasions)) return [];
  const add = { day: PlainDate.addDays, week: PlainDate.addWeeks, month: PlainDate.addMonths }[unit];
  return Array.from({ length: Math.max(0, occasions - 1) }, (_, index) =>
    PlainDate.toString(add(dateOf(first), (index + 1) * frequency)),
  );
}
