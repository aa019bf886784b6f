/**
 * From what a clock on the wall shows to the instant it means, by Temporal and the IANA rules that this Node carries. Where the
 * wall is not clear, `compatible` (Temporal, DisambiguatePossibleEpochNanoseconds) chooses: a time that daylight saving skips is
 * moved forward by what was skipped, of a time that comes twice the first is meant.
 */
import { Temporal } from 'temporal-polyfill';

const zoned = (day: string, time: string, zone: string) =>
  Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(zone, { disambiguation: 'compatible' });

/** In: a day `YYYY-MM-DD`, a time `HH:mm` and an IANA zone. Out: the instant. */
export function instantOf(day: string, time: string, zone: string): Date {
  return new Date(zoned(day, time, zone).epochMilliseconds);
}

/** The day that the calendar of a zone shows at an instant, `YYYY-MM-DD`. */
export function dayAt(instant: Date, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone).toPlainDate().toString();
}

/** A wall-clock time with the offset that holds then, as ISO 8601 has it: `2027-03-28T10:00:00+02:00`. A skipped time is written as the one it is moved to. */
export function withOffset(day: string, time: string, zone: string): string {
  return zoned(day, time, zone).toString({ timeZoneName: 'never', smallestUnit: 'second' });
}
