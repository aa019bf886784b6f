/** Describes in words when a cron expression runs. Pure, except for the words. */
import type { Language } from '@fieldroom/contract/text';
import type { TFunction } from 'i18next';
import { dateFormat } from '../../../platform/i18n/formats.ts';

/** A plain number in its range, or null. */
function plain(part: string | undefined, min: number, max: number): number | null {
  if (part === undefined || !/^\d{1,2}$/.test(part)) return null;
  const number = Number(part);
  return number >= min && number <= max ? number : null;
}
/** The step of `*` (1) or of a pattern such as `*` followed by `/5`, or null. */
function step(part: string | undefined, max: number): number | null {
  if (part === '*') return 1;
  return part?.startsWith('*/') ? plain(part.slice(2), 1, max) : null;
}

export type Schedule =
  | { every: 'minutes'; count: number }
  | { every: 'hours'; count: number; minute: number }
  | { every: 'day'; hour: number; minute: number }
  | { every: 'week'; hour: number; minute: number; weekday: number }
  | { every: 'month'; hour: number; minute: number; day: number };

/**
 * Reads the usual schedules: every few minutes or hours, or once a day, week or month. Takes five fields: minute, hour,
 * day of the month, month, day of the week. Returns null for everything else, also for what cannot be read.
 */
export function readSchedule(expression: string): Schedule | null {
  const [minutes, hours, days, months, weekdays, ...more] = expression.trim().split(/\s+/);
  if (months !== '*' || weekdays === undefined || more.length > 0) return null;
  const minute = plain(minutes, 0, 59);
  const hour = plain(hours, 0, 23);
  if (days === '*' && weekdays === '*') {
    const minuteStep = step(minutes, 59);
    if (minuteStep !== null) return hours === '*' ? { every: 'minutes', count: minuteStep } : null;
    const hourStep = step(hours, 23);
    if (minute !== null && hourStep !== null) return { every: 'hours', count: hourStep, minute };
    return minute !== null && hour !== null ? { every: 'day', hour, minute } : null;
  }
  if (minute === null || hour === null) return null;
  const day = plain(days, 1, 31);
  if (day !== null && weekdays === '*') return { every: 'month', hour, minute, day };
  // Sunday is 0 and 7.
  const weekday = plain(weekdays, 0, 7);
  return days === '*' && weekday !== null ? { every: 'week', hour, minute, weekday: weekday % 7 } : null;
}

const two = (number: number) => String(number).padStart(2, '0');

/** The schedule in words; null if only the expression describes it. */
export function scheduleWords(t: TFunction<'admin'>, expression: string, language: Language): string | null {
  const schedule = readSchedule(expression);
  if (schedule === null) return null;
  switch (schedule.every) {
    case 'minutes':
      return t('schedule.minutes', { count: schedule.count });
    case 'hours':
      return t('schedule.hours', { count: schedule.count, minute: two(schedule.minute) });
    case 'day':
      return t('schedule.day', { time: `${two(schedule.hour)}:${two(schedule.minute)}` });
    case 'week': {
      // The fourth of January 1970 was a Sunday.
      const weekday = dateFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(
        Date.UTC(1970, 0, 4 + schedule.weekday),
      );
      return t('schedule.week', { weekday, time: `${two(schedule.hour)}:${two(schedule.minute)}` });
    }
    case 'month':
      return t('schedule.month', { day: schedule.day, time: `${two(schedule.hour)}:${two(schedule.minute)}` });
  }
}
