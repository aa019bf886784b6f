/** Days of the calendar as `YYYY-MM-DD`: months and weeks from a day on, without hours or zones. */
import { dayPlus } from '@fieldroom/contract/events';
import { localeOf } from '@fieldroom/contract/locales';
import type { Language } from '@fieldroom/contract/text';
// Imported function by function, because these are a fifth of the whole library's size.
import * as Calendar from 'temporal-polyfill/fns/Calendar';
import * as PlainDate from 'temporal-polyfill/fns/PlainDate';

/** Units in which a series repeats. */
export type DateUnit = 'day' | 'week' | 'month';

const ADD = { day: PlainDate.addDays, week: PlainDate.addWeeks, month: PlainDate.addMonths };

/**
 * The day some units later. Months are kept inside the month, as Temporal's `PlainDate.add` with overflow "constrain":
 * 31 January plus one month is 28 or 29 February.
 */
export function unitsLater(day: string, unit: DateUnit, count: number): string {
  const from = PlainDate.fromString(day, Calendar.getISO);
  return PlainDate.toString(ADD[unit](from, count, { overflow: 'constrain' }));
}

/** The day some months later, or earlier where the number is negative; kept inside the month. */
export const monthPlus = (day: string, months: number): string => unitsLater(day, 'month', months);

/** The weekday of a day; 0 is Sunday. */
export const weekdayOf = (day: string): number => new Date(`${day}T12:00:00Z`).getUTCDay();

/**
 * The first day of the week; 0 is Sunday. English alone does not say where it is spoken, so its region comes from the
 * browser's languages.
 */
export function firstWeekday(language: Language, wishes: readonly string[]): number {
  const locale = new Intl.Locale(
    wishes.find((wish) => wish.startsWith(`${language}-`)) ?? localeOf(language),
  ) as Intl.Locale & { getWeekInfo?(): { firstDay: number }; weekInfo?: { firstDay: number } };
  return (locale.getWeekInfo?.() ?? locale.weekInfo ?? { firstDay: 1 }).firstDay % 7;
}

/** The six whole weeks that show a month. Takes any day of the month and the first weekday (0 is Sunday). */
export function weeksOf(day: string, first: number): string[][] {
  const start = `${day.slice(0, 7)}-01`;
  const from = dayPlus(start, -((weekdayOf(start) - first + 7) % 7));
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_day, index) => dayPlus(from, week * 7 + index)),
  );
}
