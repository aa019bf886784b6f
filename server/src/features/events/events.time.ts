/**
 * From local time to instants, by Temporal and Node's IANA rules. For ambiguous local times `compatible` decides
 * (Temporal, DisambiguatePossibleEpochNanoseconds): a time that daylight saving skips moves forward by the skipped
 * interval; of a time that occurs twice, the first one counts.
 */
import { Temporal } from 'temporal-polyfill';

const zoned = (day: string, time: string, zone: string) =>
  Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(zone, { disambiguation: 'compatible' });

/** Returns the instant of a day `YYYY-MM-DD` and a time `HH:mm` in an IANA zone. */
export function instantOf(day: string, time: string, zone: string): Date {
  return new Date(zoned(day, time, zone).epochMilliseconds);
}

/** Returns the day in a zone at an instant, `YYYY-MM-DD`. */
export function dayAt(instant: Date, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(zone).toPlainDate().toString();
}

/** Returns the day that is this many years later; for 29 February the 28th if there is none. */
export function yearsAfter(day: string, years: number): string {
  return Temporal.PlainDate.from(day).add({ years }).toString();
}

/**
 * Writes a local time with the offset valid then, in ISO 8601: `2027-03-28T10:00:00+02:00`. A skipped time is written
 * as the time to which it moves.
 */
export function withOffset(day: string, time: string, zone: string): string {
  return zoned(day, time, zone).toString({ timeZoneName: 'never', smallestUnit: 'second' });
}
