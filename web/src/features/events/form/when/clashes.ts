/** Which of the planned occurrences clash with other events of the same therapist, or with one another. */
import { dayPlus } from '@fieldroom/contract/events';
import { parseTime } from '../../formatting.ts';
import { instantOf } from '../../dates/wallClock.ts';

export interface Planned {
  /** Days of one occurrence, in order. */
  dates: readonly string[];
  startTime: string;
  endTime: string;
  timeZone: string;
}
export interface Other extends Planned {
  eventName: string;
}
/**
 * The clash of an occurrence: with another event by name, or (null) with another occurrence of its own series; and on
 * which of its days.
 */
export interface Clash {
  day: string;
  eventName: string | null;
}

interface Span {
  day: string;
  from: number;
  to: number;
}
const spansOf = ({ dates, startTime, endTime, timeZone }: Planned): Span[] =>
  dates.map((day) => ({ day, from: instantOf(day, startTime, timeZone), to: instantOf(day, endTime, timeZone) }));
const meet = (a: Span, b: Span) => a.from < b.to && b.from < a.to;

/**
 * The first clash of each occurrence, null when it is free. Takes planned occurrences of one series, and the
 * therapist's other events that are not cancelled. Adjacent events (one ends when the other begins) do not clash. While
 * the times are incomplete, nothing clashes.
 */
export function clashesOf(planned: readonly Planned[], others: readonly Other[]): (Clash | null)[] {
  const isTime = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
  if (!planned.every(({ startTime, endTime }) => isTime(startTime) && isTime(endTime) && startTime < endTime))
    return planned.map(() => null);
  const first = planned.reduce((least, { dates }) => (dates[0] && dates[0] < least ? dates[0] : least), '9999-12-31');
  const last = planned.reduce(
    (most, { dates }) => ((dates.at(-1) ?? '') > most ? (dates.at(-1) as string) : most),
    '0000-01-01',
  );
  if (last < first) return planned.map(() => null);
  // Zones differ by slightly more than a day at most.
  const [from, to] = [dayPlus(first, -2), dayPlus(last, 2)];
  const theirs = others.map((other) => ({
    other,
    spans: spansOf({ ...other, dates: other.dates.filter((day) => day >= from && day <= to) }),
  }));
  const ours = planned.map(spansOf);
  return ours.map((spans, index) => {
    for (const span of spans) {
      const met = theirs.find((one) => one.spans.some((their) => meet(span, their)));
      if (met) return { day: span.day, eventName: met.other.eventName };
      if (ours.some((sibling, at) => at !== index && sibling.some((their) => meet(span, their))))
        return { day: span.day, eventName: null };
    }
    return null;
  });
}

/** The days of one occurrence that clash with other events. */
function clashingDays(planned: Planned, others: readonly Other[]): ReadonlySet<string> {
  return new Set(planned.dates.filter((day) => clashesOf([{ ...planned, dates: [day] }], others)[0] !== null));
}

/**
 * All that a form shows about clashes. Takes the form's times, the days of each planned occurrence, and the therapist's
 * other published events.
 *
 * @returns the clash of each occurrence, the days of the first one that clash, and the days of the other events with
 * their names.
 */
export function clashesIn(
  { dates, startTime, endTime, timeZone }: Planned,
  occurrences: readonly (readonly string[])[],
  others: readonly Other[],
): { clashes: (Clash | null)[]; clashing: ReadonlySet<string>; marked: ReadonlyMap<string, string> } {
  const times = { startTime: parseTime(startTime) ?? '', endTime: parseTime(endTime) ?? '', timeZone };
  return {
    clashes: clashesOf(
      occurrences.map((days) => ({ dates: days, ...times })),
      others,
    ),
    clashing: clashingDays({ dates, ...times }, others),
    marked: new Map(others.flatMap((other) => other.dates.map((day): [string, string] => [day, other.eventName]))),
  };
}
