/** The wording of notices: day, time and sentence. Pure. */
import { daysBetween } from '@fieldroom/contract/events';
import type { Notice } from '@fieldroom/contract/notices';
import type { Language } from '@fieldroom/contract/text';
import { fullName } from '@fieldroom/contract/names';
import type { TFunction } from 'i18next';
import { browserZone, CLOCK_TIME, dateFormat, distanceFormat } from '../../platform/i18n/formats.ts';
import { localeOf } from '@fieldroom/contract/locales';
import { dayAt, formatDay } from '../events/index.ts';

/** A `t` of the namespace `notices`. */
type Say = TFunction<'notices'>;

const MINUTE_MS = 60_000;
const NO_BREAK = '\u00A0';
const capital = (text: string, language: Language) =>
  text.charAt(0).toLocaleUpperCase(localeOf(language)) + text.slice(1);
const relative = (language: Language) => distanceFormat(language);

export interface Day {
  /** `YYYY-MM-DD` in the browser's zone. */
  readonly day: string;
  readonly notices: readonly Notice[];
}

/** Notices by the day on which they happened, in their order. Takes an IANA zone. */
export function byDay(notices: readonly Notice[], zone: string = browserZone()): Day[] {
  const days: { day: string; notices: Notice[] }[] = [];
  for (const notice of notices) {
    const day = dayAt(Date.parse(notice.at), zone);
    const last = days.at(-1);
    if (last?.day === day) last.notices.push(notice);
    else days.push({ day, notices: [notice] });
  }
  return days;
}

/**
 * "Today", "Yesterday", "Friday, 20 November"; with the year if it is not the current one. Takes days as `YYYY-MM-DD`.
 */
export function dayWords(day: string, today: string, language: Language): string {
  const ago = daysBetween(day, today);
  if (ago <= 1) return capital(relative(language).format(-Math.max(0, ago), 'day'), language);
  const year = day.slice(0, 4) === today.slice(0, 4) ? {} : ({ year: 'numeric' } as const);
  return capital(formatDay(day, language, { weekday: 'long', day: 'numeric', month: 'long', ...year }), language);
}

/** "now", "5 minutes ago", "3 hours ago" on the same day; otherwise the time of day. Takes milliseconds. */
export function whenWords(at: number, now: number, language: Language, zone: string = browserZone()): string {
  const minutes = Math.max(0, Math.floor((now - at) / MINUTE_MS));
  if (minutes < 1) return relative(language).format(0, 'second');
  if (minutes < 60) return relative(language).format(-minutes, 'minute');
  if (dayAt(at, zone) === dayAt(now, zone)) return relative(language).format(-Math.floor(minutes / 60), 'hour');
  return dateFormat(language, { ...CLOCK_TIME, timeZone: zone }).format(at);
}

/** The person: the name, or "somebody" once it was erased. */
function nameOf(t: Say, notice: Notice, language: Language): string {
  if (notice.kind === 'arrival') return notice.name ?? t('somebody');
  if (notice.kind === 'bill' || notice.person === null) return t('somebody');
  return fullName(language, notice.person);
}

/** What happened, as a sentence without a full stop. */
export function sentence(t: Say, notice: Notice, language: Language): string {
  const name = nameOf(t, notice, language);
  switch (notice.kind) {
    case 'arrival':
      return notice.others === 0 ? t('arrival', { name }) : t('arrivals', { name, count: notice.others });
    case 'bill':
      return t('bill', { month: formatDay(`${notice.month}-01`, language, { month: 'long', year: 'numeric' }) });
    default:
      return t(notice.kind, { name });
  }
}

/** The subject: the event and its day, or the number of the bill; null for arrivals. */
export function aboutWords(notice: Notice, language: Language): string | null {
  if (notice.kind === 'bill') return notice.number;
  if (notice.kind === 'arrival') return null;
  const { name, startsOn, timeZone } = notice.event;
  const day = dayAt(Date.parse(startsOn), timeZone);
  const date = formatDay(day, language, { day: 'numeric', month: 'short', year: 'numeric' });
  // A date does not break in a narrow panel.
  return `${name} · ${date.replaceAll(' ', NO_BREAK)}`;
}
