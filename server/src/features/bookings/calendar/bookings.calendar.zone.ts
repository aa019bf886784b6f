/**
 * The VTIMEZONE of a calendar file (RFC 5545, 3.6.5). Libraries for it carry tables of zones that grow old; this one
 * writes what this machine knows: every change of offset around the days, each separately and without a recurrence, so
 * nothing is extrapolated.
 */
import { Temporal } from 'temporal-polyfill';

/**
 * Takes an IANA zone and the days `YYYY-MM-DD` in the file, at least one, in any order. Returns the component as
 * content lines: the observance in force before the first day, and every change until the end of the last. Later
 * changes stay out: no entry needs them, and some readers (ruby-icalendar 2.8) fail at a change that comes after the
 * entry.
 */
export function zoneComponent(zone: string, days: readonly string[]): string {
  const sorted = days.map((day) => Temporal.PlainDate.from(day)).toSorted((a, b) => Temporal.PlainDate.compare(a, b));
  const first = sorted[0]!.subtract({ days: 1 }).toZonedDateTime(zone);
  const last = sorted.at(-1)!.add({ days: 1 }).toZonedDateTime(zone);
  const lines: string[] = [];
  const observe = (onset: string, from: Temporal.ZonedDateTime, to: Temporal.ZonedDateTime) => {
    const kind = to.offsetNanoseconds > standardOffset(to) ? 'DAYLIGHT' : 'STANDARD';
    lines.push(
      `BEGIN:${kind}`,
      `DTSTART:${onset}`,
      `TZOFFSETFROM:${utcOffset(from)}`,
      `TZOFFSETTO:${utcOffset(to)}`,
      `END:${kind}`,
    );
  };
  const latest = first.add({ seconds: 1 }).getTimeZoneTransition('previous');
  // For a zone that has not changed for long, programs need no entry of 1942, nor offsets with seconds.
  const isSteady = !latest || latest.year < first.year - 1;
  if (isSteady) observe('19700101T000000', first, first);
  for (
    let change = isSteady ? first.getTimeZoneTransition('next') : latest;
    change && Temporal.ZonedDateTime.compare(change, last) < 0;
    change = change.getTimeZoneTransition('next')
  ) {
    const eve = change.subtract({ seconds: 1 });
    // The onset is in the local time that was valid before it.
    observe(
      eve.toPlainDateTime().add({ seconds: 1 }).toString({ smallestUnit: 'second' }).replace(/[-:]/g, ''),
      eve,
      change,
    );
  }
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, ...lines, 'END:VTIMEZONE'].join('\r\n');
}

/** The smaller offset of the year's January and July, in nanoseconds. */
function standardOffset(day: Temporal.ZonedDateTime): number {
  return Math.min(...[1, 7].map((month) => day.with({ month, day: 1 }).offsetNanoseconds));
}

/** A UTC-OFFSET value (3.3.14): `+0200`, with seconds if the offset has any. */
const utcOffset = ({ offset }: Temporal.ZonedDateTime): string => offset.replaceAll(':', '');
