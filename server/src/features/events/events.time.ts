/**
 * From what a clock on the wall shows to the instant it means, by the IANA rules that this Node carries.
 * The choice where the wall is not clear is Temporal's `compatible` (ECMA-262 proposal Temporal, DisambiguatePossibleEpochNanoseconds):
 * a time that daylight saving skips is moved forward by what was skipped, of a time that comes twice the first is meant.
 */
const DAY_MS = 86_400_000;
/** Making a formatter takes a thousand times as long as using one. Zones number a few hundred. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(zone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', { timeZone: zone, calendar: 'gregory', hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' });
    formatters.set(zone, formatter);
  }
  return formatter;
}

/** What the wall of a zone shows at an instant, as if it were UTC. In and out: milliseconds, whole seconds. */
function wallAt(zone: string, instant: number): number {
  const shown: Record<string, number> = {};
  for (const { type, value } of formatterOf(zone).formatToParts(instant)) if (type !== 'literal') shown[type] = Number(value);
  return Date.UTC(shown['year']!, shown['month']! - 1, shown['day'], shown['hour'], shown['minute'], shown['second']);
}

const offsetAt = (zone: string, instant: number) => wallAt(zone, instant) - instant;

/** In: a day `YYYY-MM-DD`, a time `HH:mm` and an IANA zone. Out: the instant. */
export function instantOf(day: string, time: string, zone: string): Date {
  const wall = Date.parse(`${day}T${time}:00Z`);
  // No zone changes twice within two days, so the offsets around it are all there can be.
  const [before, after] = [offsetAt(zone, wall - DAY_MS), offsetAt(zone, wall + DAY_MS)];
  if (before === after) return new Date(wall - before);
  const possible = [wall - before, wall - after].filter((instant) => wallAt(zone, instant) === wall);
  // None: skipped, and the offset from before the jump moves it forward.
  return new Date(possible.length === 0 ? wall - before : Math.min(...possible));
}

/** The day that the calendar of a zone shows at an instant, `YYYY-MM-DD`. */
export function dayAt(instant: Date, zone: string): string {
  return new Date(wallAt(zone, Math.floor(instant.getTime() / 1000) * 1000)).toISOString().slice(0, 10);
}

/** A wall-clock time with the offset that holds then, as ISO 8601 has it: `2027-03-28T10:00:00+02:00`. A skipped time is written as the one it is moved to. */
export function withOffset(day: string, time: string, zone: string): string {
  const instant = instantOf(day, time, zone).getTime();
  const minutes = Math.round(offsetAt(zone, instant) / 60_000);
  const padded = (value: number) => String(value).padStart(2, '0');
  return `${new Date(instant + minutes * 60_000).toISOString().slice(0, 19)}${minutes < 0 ? '-' : '+'}${padded(Math.floor(Math.abs(minutes) / 60))}:${padded(Math.abs(minutes) % 60)}`;
}
