/** The meaning of a repetition's fields, as one sentence. */
import { shiftedDates } from '@fieldroom/contract/events';
import type { Language } from '@fieldroom/contract/text';
import type { TFunction } from 'i18next';
import { listFormat } from '../../../../platform/i18n/formats.ts';
import { weekdayOf } from '../../dates/calendarDays.ts';
import { formatDay } from '../../formatting.ts';
import { type EventFormValues, furtherOf, ruleOf } from '../formValues.ts';

/** By their number, as in `weekdayOf`. Their words are in the texts: Hungarian and Romanian inflect them. */
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
/** More weekdays than these are left out. */
const WEEKDAYS_MAX = 3;
/** The number of days that every month has. */
const DAYS_OF_ALL_MONTHS = 28;

type Repeated = Pick<EventFormValues, 'dates' | 'repeat' | 'unit' | 'frequency' | 'occasions' | 'removed'>;

/**
 * "Every 2 weeks on Monday, until 3 December 2026". Takes the form's values. Returns only how often while no day is
 * chosen, and null while the rule is invalid. The last day is that of the last date that was not removed.
 */
export function repetitionSentence(t: TFunction<'events'>, language: Language, values: Repeated): string | null {
  const rule = ruleOf(values);
  if (rule === null) return null;
  const { unit, frequency } = rule;
  const every = t(`form.rule.every.${unit}`, { count: frequency });
  const { dates } = values;
  const [first] = dates;
  if (first === undefined) return every;
  const last = furtherOf(values).kept.at(-1);
  if (last === undefined) return t('form.rule.once', { day: formatDay(first, language) });
  const day = formatDay(shiftedDates(dates, last).at(-1) ?? last, language);
  const weekdays = unit === 'week' ? weekdaysOf(t, language, dates) : '';
  if (weekdays !== '') return t('form.rule.onWeekdays', { every, weekdays, day });
  if (unit !== 'month' || dates.length > 1) return t('form.rule.plain', { every, day });
  const number = Number(first.slice(-2));
  return t(number > DAYS_OF_ALL_MONTHS ? 'form.rule.onDayOrLast' : 'form.rule.onDay', { every, number, day });
}

/** "Saturday and Sunday" of the days of one date; nothing if there are many. Takes sorted days. */
function weekdaysOf(t: TFunction<'events'>, language: Language, dates: readonly string[]): string {
  const numbers = [...new Set(dates.map(weekdayOf))];
  if (numbers.length > WEEKDAYS_MAX || numbers.length < dates.length) return '';
  const names = numbers.map((number) => t(`form.rule.weekdays.${WEEKDAYS[number] ?? 'monday'}`));
  return listFormat(language).format(names);
}
