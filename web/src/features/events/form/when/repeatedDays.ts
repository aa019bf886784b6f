/**
 * The days on which a series takes place: counted on the calendar from the first day, never in hours, so that daylight
 * saving has no effect. Months are added to the first day itself: 31 January repeats on 28 or 29 February and on 31
 * March.
 */
import { type RepetitionRule, isDay } from '@fieldroom/contract/events';
import { unitsLater } from '../../dates/calendarDays.ts';

export type RepetitionUnit = RepetitionRule['unit'];

/**
 * Returns the first days of the further occurrences, in order: `occasions - 1` days, or none for an invalid rule. Takes
 * the first day of the first occurrence and the rule.
 */
export function repeatedFirsts(first: string, { unit, frequency, occasions }: RepetitionRule): string[] {
  if (!isDay(first) || !Number.isSafeInteger(frequency) || frequency < 1 || !Number.isSafeInteger(occasions)) return [];
  return Array.from({ length: Math.max(0, occasions - 1) }, (_, index) =>
    unitsLater(first, unit, (index + 1) * frequency),
  );
}
