/** The wording of live sessions: their day, times, length, people and end. Times are in this browser's zone. */
import type { LiveSession, LiveSessionDetails } from '@fieldroom/contract/sessions';
import type { Language } from '@fieldroom/contract/text';
import type { TFunction } from 'i18next';
import { CLOCK_TIME, dateFormat, listFormat } from '../../platform/i18n/formats.ts';

/** A `t` of the namespace `sessions`. */
type Say = TFunction<'sessions'>;

/** Whole hours and minutes of a number of seconds; an incomplete minute does not count. */
export function hoursAndMinutes(seconds: number): { hours: number; minutes: number } {
  const minutes = Math.floor(Math.max(0, seconds) / 60);
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60 };
}

/** "2 h 10 min". Takes seconds. */
export function durationWords(t: Say, seconds: number): string {
  const { hours, minutes } = hoursAndMinutes(seconds);
  if (hours === 0 && minutes === 0) return t(seconds > 0 ? 'duration.short' : 'duration.none');
  if (hours === 0) return t('duration.minutes', { minutes });
  return minutes === 0 ? t('duration.hours', { hours }) : t('duration.both', { hours, minutes });
}

/** A moment by this browser's clock. Takes a timestamp, the language, and what to show of it. */
export const momentWords = (instant: string, language: Language, options: Intl.DateTimeFormatOptions): string =>
  dateFormat(language, options).format(new Date(instant));

/** "09:30". Takes a timestamp as ISO text. */
export const timeWords = (instant: string, language: Language): string => momentWords(instant, language, CLOCK_TIME);

/** "09:30 to 11:45", or "since 09:30" while it is running. */
export function spanWords(t: Say, { startedOn, endedOn }: LiveSession, language: Language): string {
  const from = timeWords(startedOn, language);
  return endedOn === null ? t('times.since', { from }) : t('times.span', { from, to: timeWords(endedOn, language) });
}

/** How it ended, or that it is running. */
export function endWords(t: Say, { endedOn, endReason }: LiveSession): string {
  if (endedOn === null) return t('end.running');
  return endReason === null ? t('end.over') : t(`end.${endReason}`);
}

/** Names of the people who were there, each once, in order of arrival. */
const namesOf = ({ attendance }: Pick<LiveSessionDetails, 'attendance'>): string[] => [
  ...new Set(attendance.map(({ name }) => name)),
];

/** Names that a line shows before it counts the others. */
const NAMED = 2;

/** "Mirela, Levente and 3 more". Without people, or after names were erased, it says that instead. */
export function whoWords(t: Say, session: LiveSessionDetails, language: Language): string {
  const names = namesOf(session);
  if (names.length === 0) return t(session.clients > 0 ? 'who.unnamed' : 'who.nobody', { count: session.clients });
  const more = names.length - NAMED;
  const said = more > 1 ? [...names.slice(0, NAMED), t('who.more', { count: more })] : names;
  return listFormat(language).format(said);
}
