/**
 * Pure rules of writing an event: its days, whether they are possible, the text that a keyword finds, and the effects
 * of a change.
 */
import { createHash } from 'node:crypto';
import { dayPlus, daysBetween, placesOf, shiftedDates, YEARS_AHEAD_MAX } from '@fieldroom/contract/events';
import type { FieldFault } from '@fieldroom/contract/problems';
import { Problem } from '../../platform/problem.ts';
import { dayAt, instantOf, yearsAfter } from './events.time.ts';
import type { EventRow } from './events.types.ts';

/** The time of an occurrence, in local time of its zone. */
export type Wall = Pick<EventRow, 'dates' | 'startTime' | 'endTime' | 'timeZone'>;

/** Instants of the first day's start and the last day's end. */
export function instantsOf({ dates, startTime, endTime, timeZone }: Wall): { startsAt: Date; endsAt: Date } {
  return { startsAt: instantOf(dates[0]!, startTime, timeZone), endsAt: instantOf(dates.at(-1)!, endTime, timeZone) };
}

/**
 * The days of each occurrence that is written together: the first one's, and the same pattern from each of
 * `repetitions` on.
 */
export function occurrencesOf(dates: readonly string[], repetitions: readonly string[]): string[][] {
  return [[...dates], ...repetitions.map((first) => shiftedDates(dates, first))];
}

/**
 * Checks new days against product time. Takes the days with their times; only those in `days` are checked. Returns the
 * code of a fault, or null. `end_before_start` comes from daylight saving: 02:50 to 03:10 has no length when 02:00 to
 * 03:00 is skipped.
 */
function dayFault(
  days: readonly string[],
  { startTime, endTime, timeZone }: Omit<Wall, 'dates'>,
  now: Date,
): 'in_past' | 'too_far' | 'end_before_start' | null {
  // A whole day, because the form offers whole days; the last one counts until its end.
  const furthest = yearsAfter(dayAt(now, timeZone), YEARS_AHEAD_MAX);
  for (const day of days) {
    const start = instantOf(day, startTime, timeZone);
    if (start <= now) return 'in_past';
    if (day > furthest) return 'too_far';
    if (start >= instantOf(day, endTime, timeZone)) return 'end_before_start';
  }
  return null;
}

/** Refuses input for a reason that only the server knows. */
export function refuse(path: string, code: string): never {
  throw new Problem('invalid_input', { fields: [{ path, code } satisfies FieldFault] });
}

/** Refuses impossible days. Takes the field that carries them. */
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

/** Whether the place differs. */
export function isElsewhere(
  before: Pick<EventRow, 'isOnline' | 'location' | 'address'>,
  after: Pick<EventRow, 'isOnline' | 'location' | 'address'>,
): boolean {
  return before.isOnline !== after.isOnline || before.location !== after.location || before.address !== after.address;
}

/** The values that a change writes, without the picture and derived values. */
export type Values = Pick<
  EventRow,
  'name' | 'description' | 'type' | 'places' | 'isOnline' | 'location' | 'address' | 'priceMinor' | 'currency'
> &
  Wall;

/**
 * The days of a later occurrence after another one's days changed. It keeps its distance, and its own pattern of days
 * if only the first day moved.
 */
function carriedDates(later: string[], from: string[], to: string[]): string[] {
  if (same(from, to)) return later;
  const movedOnly = same(shiftedDates(from, to[0]!), to);
  return shiftedDates(movedOnly ? later : to, dayPlus(later[0]!, daysBetween(from[0]!, to[0]!)));
}

/**
 * The values of a later occurrence after another one of its series changed `from` one state `to` the next: it takes
 * over what changed and keeps the rest. Fields that mean something only together (times with their zone, the parts of
 * the place, price with currency) are taken over together.
 */
export function carriedOver(later: Values, from: Values, to: Values): Values {
  const { name } = from.name === to.name ? later : to;
  const { description } = from.description === to.description ? later : to;
  const { isOnline, location, address } = isElsewhere(from, to) ? to : later;
  const { priceMinor, currency } = from.priceMinor === to.priceMinor && from.currency === to.currency ? later : to;
  const timesChange = from.startTime !== to.startTime || from.endTime !== to.endTime || from.timeZone !== to.timeZone;
  const { startTime, endTime, timeZone } = timesChange ? to : later;
  const type = from.type === to.type ? later.type : to.type;
  const places = from.type === to.type && from.places === to.places ? later.places : placesOf(type, to.places);
  const dates = carriedDates(later.dates, from.dates, to.dates);
  return {
    name,
    description,
    type,
    places,
    isOnline,
    location,
    address,
    priceMinor,
    currency,
    startTime,
    endTime,
    timeZone,
    dates,
  };
}

/**
 * Refuses a move that comes too late. An event that is over keeps its days and times. One that has begun or is still to
 * come gets no new day in the past, and no move makes it begin in the past.
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

/** Joins the versions of several rows, in order. */
export function joinedVersion(versions: readonly string[]): string {
  return createHash('sha256').update(versions.join(' ')).digest('base64url').slice(0, 22);
}
