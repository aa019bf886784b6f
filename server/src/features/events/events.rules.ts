/** The pure rules of writing an event: when its days are, whether they can be, what of it a keyword finds, what a change means. */
import { shiftedDates, YEARS_AHEAD_MAX } from '@fieldroom/contract/events';
import { type FieldFault, Problem } from '@fieldroom/contract/problems';
import { instantOf } from './events.time.ts';
import type { EventRow } from './events.types.ts';

/** When an occurrence is, by the clock of its zone. */
export type Wall = Pick<EventRow, 'dates' | 'startTime' | 'endTime' | 'timeZone'>;

/** Instants of the first day's start and the last day's end. */
export function instantsOf({ dates, startTime, endTime, timeZone }: Wall): { startsAt: Date; endsAt: Date } {
  return { startsAt: instantOf(dates[0]!, startTime, timeZone), endsAt: instantOf(dates.at(-1)!, endTime, timeZone) };
}

/** The days of each occurrence that is written together: the first one's, and the same pattern from each of `repetitions` on. */
export function occurrencesOf(dates: readonly string[], repetitions: readonly string[]): string[][] {
  return [[...dates], ...repetitions.map((first) => shiftedDates(dates, first))];
}

/**
 * Whether new days can be, as instants of product time. In: the days with their times; only those among `days` are asked about.
 * Out: the code of a fault, or null. `end_before_start` comes from daylight saving: 02:50 to 03:10 has no length where 02:00 to 03:00 is skipped.
 */
export function dayFault(
  days: readonly string[],
  { startTime, endTime, timeZone }: Omit<Wall, 'dates'>,
  now: Date,
): 'in_past' | 'too_far' | 'end_before_start' | null {
  const furthest = new Date(now);
  furthest.setUTCFullYear(now.getUTCFullYear() + YEARS_AHEAD_MAX);
  for (const day of days) {
    const start = instantOf(day, startTime, timeZone);
    if (start <= now) return 'in_past';
    if (start > furthest) return 'too_far';
    if (start >= instantOf(day, endTime, timeZone)) return 'end_before_start';
  }
  return null;
}

/** Refuses input for what only the server knows. */
export function refuse(path: string, code: string): never {
  throw new Problem('invalid_input', { fields: [{ path, code } satisfies FieldFault] });
}

/** Refuses where days can't be. In: the field that carries them. */
export function checkDays(
  field: 'dates' | 'repetitions',
  days: readonly string[],
  wall: Omit<Wall, 'dates'>,
  now: Date,
): void {
  const code = dayFault(days, wall, now);
  if (code !== null) refuse(code === 'end_before_start' ? 'endTime' : field, code);
}

const same = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length && a.every((value, index) => value === b[index]);

/** Whether days, times or zone differ. */
export function isMoved(before: Wall, after: Wall): boolean {
  return (
    !same(before.dates, after.dates) ||
    before.startTime !== after.startTime ||
    before.endTime !== after.endTime ||
    before.timeZone !== after.timeZone
  );
}

/** Whether it is somewhere else. */
export function isElsewhere(
  before: Pick<EventRow, 'isOnline' | 'location' | 'address'>,
  after: Pick<EventRow, 'isOnline' | 'location' | 'address'>,
): boolean {
  return before.isOnline !== after.isOnline || before.location !== after.location || before.address !== after.address;
}

/**
 * Refuses a move that the time does not allow any more: what is over keeps its days and times, what has begun or is to
 * come gets no day in the past that it did not have, and nothing is moved into having begun.
 */
export function checkMove(before: EventRow, after: Wall & { startsAt: Date; endsAt: Date }, now: Date): void {
  if (!isMoved(before, after)) return;
  if (before.endsAt <= now || after.endsAt <= now) refuse('dates', 'in_past');
  if (before.startsAt > now && after.startsAt <= now)
    refuse(same(before.dates, after.dates) ? 'startTime' : 'dates', 'in_past');
  const had = before.timeZone === after.timeZone ? new Set(before.dates) : new Set<string>();
  checkDays(
    'dates',
    after.dates.filter((day) => !had.has(day) || instantOf(day, after.startTime, after.timeZone) > now),
    after,
    now,
  );
}

/** The form in which texts and keywords are compared: no case, no accents, white space single. */
export function searchable(...texts: readonly string[]): string {
  return texts
    .join(' ')
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .trim();
}

/** A keyword as a LIKE pattern in which every character means itself; null where it is empty. */
export function patternOf(keyword: string | null | undefined): string | null {
  const bare = searchable(keyword ?? '');
  return bare === '' ? null : `%${bare.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}
