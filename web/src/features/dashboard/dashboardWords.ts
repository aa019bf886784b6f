/** How the dashboard formats times, trees and weeks. Pure. */
import type { Language } from '@fieldroom/contract/text';
import { TREE_SECONDS, treesOf } from '@fieldroom/contract/usage';
import { distanceFormat, numberFormat } from '../../platform/i18n/formats.ts';
import { formatDay } from '../events/index.ts';

/** Greets by the hour of the person's own clock. */
export function greetingKey(hour: number): 'morning' | 'day' | 'evening' {
  if (hour >= 4 && hour < 11) return 'morning';
  return hour >= 11 && hour < 18 ? 'day' : 'evening';
}

/** Trees planted for the seconds used, and the progress of the next one: hours and minutes of its three hours. */
export function treesAndNext(seconds: number): { trees: number; towards: string } {
  const minutes = Math.floor((seconds % TREE_SECONDS) / 60);
  return {
    trees: treesOf(seconds),
    towards: `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`,
  };
}

/** "today", "tomorrow", "in 3 weeks". Takes whole days from today. */
export function untilWords(days: number, language: Language): string {
  const format = distanceFormat(language);
  if (days < 14) return format.format(days, 'day');
  return days < 60 ? format.format(Math.floor(days / 7), 'week') : format.format(Math.floor(days / 30), 'month');
}

/** The name of a week under its bar, and in full. Takes its Monday, `YYYY-MM-DD`. */
export const weekNames = (monday: string, language: Language): { short: string; long: string } => ({
  short: formatDay(monday, language, { day: 'numeric', month: 'short' }),
  long: formatDay(monday, language, { day: 'numeric', month: 'long', year: 'numeric' }),
});

/** Hours with one decimal unless it is zero: "2.5", "12". Takes seconds. */
export const hoursWords = (seconds: number, language: Language): string =>
  numberFormat(language, { maximumFractionDigits: 1 }).format(seconds / 3600);

/** Whole minutes until an instant, started ones counted; 0 once it has passed. Takes milliseconds. */
export const minutesLeft = (until: number, now: number): number => Math.max(0, Math.ceil((until - now) / 60_000));
