/**
 * The wall-clock time of a zone, and the instants behind it (RFC 5545 3.3.5 and Temporal's "compatible" reading of gaps
 * and repeats).
 */
import { CLOCK_TIME, fixedDateFormat } from '../../../platform/i18n/formats.ts';

const SECONDS = { year: 'numeric', month: '2-digit', day: '2-digit', ...CLOCK_TIME, second: '2-digit' } as const;

/** How far the zone's clock is ahead of UTC at an instant, in milliseconds. */
function offsetAt(instant: number, zone: string): number {
  const part = Object.fromEntries(
    fixedDateFormat('en-GB', { ...SECONDS, timeZone: zone })
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  );
  return (
    Date.UTC(part.year as number, (part.month as number) - 1, part.day, part.hour, part.minute, part.second) -
    Math.floor(instant / 1000) * 1000
  );
}

/**
 * The instant at which a zone's clock shows a day and time, in milliseconds. A time that the change in spring skips is
 * read with the offset from before it (02:30 becomes 03:30); of one that occurs twice in autumn, the first is used.
 */
export function instantOf(day: string, time: string, zone: string): number {
  const wall = Date.parse(`${day}T${time}:00Z`);
  const before = offsetAt(wall - 86_400_000, zone);
  const after = offsetAt(wall + 86_400_000, zone);
  const candidates = [wall - before, wall - after].filter((instant) => instant + offsetAt(instant, zone) === wall);
  return candidates.length > 0 ? Math.min(...candidates) : wall - before;
}

/** The day that a zone's clock shows at an instant, `YYYY-MM-DD`. */
export function dayAt(instant: number, zone: string): string {
  return new Date(instant + offsetAt(instant, zone)).toISOString().slice(0, 10);
}
