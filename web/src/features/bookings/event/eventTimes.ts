/**
 * When an event is, by its own clock and by the viewer's (docs/product.md#9.1, invariant 1 of the contract's events).
 */
import { useSyncExternalStore } from 'react';
import { dayAt, instantOf } from '../../events/index.ts';
import { browserZone, CLOCK_TIME, fixedDateFormat } from '../../../platform/i18n/formats.ts';

/** The parts of an event that say when it is. */
export interface Scheduled {
  dates: readonly string[];
  startTime: string;
  endTime: string;
  timeZone: string;
}
/** Wall-clock times: the same on each of the days. */
export interface WallTimes {
  days: string[];
  from: string;
  to: string;
  zone: string;
}

/** Takes milliseconds since 1970 and a time zone. Returns `HH:mm` in that zone. */
export const timeAt = (instant: number, zone: string): string =>
  fixedDateFormat('en-GB', { ...CLOCK_TIME, timeZone: zone }).format(instant);

const never = () => () => {};
/** The viewer's zone; null on the server and in the first drawing that takes over from it, which has to be the same. */
export const useViewerZone = (): string | null => useSyncExternalStore(never, browserZone, () => null);

/**
 * The event's times by a zone's clock. Null if the times there differ from day to day, because daylight saving changes
 * on other dates.
 */
function seenFrom({ dates, startTime, endTime, timeZone }: Scheduled, zone: string): WallTimes | null {
  const seen = dates.map((day) => {
    const start = instantOf(day, startTime, timeZone);
    return { day: dayAt(start, zone), from: timeAt(start, zone), to: timeAt(instantOf(day, endTime, timeZone), zone) };
  });
  const first = seen[0];
  if (!first || seen.some(({ from, to }) => from !== first.from || to !== first.to)) return null;
  return { days: seen.map(({ day }) => day), from: first.from, to: first.to, zone };
}

/**
 * Takes the event and the viewer's zone, null while it is not known. Returns `own` by the event's clock and `yours` by
 * the viewer's clock; `yours` is null if both show the same, or if it does not fit into one line.
 */
export function whenOf(
  event: Scheduled,
  viewerZone: string | null,
): { own: WallTimes; yours: WallTimes | null; same: boolean } {
  const own: WallTimes = { days: [...event.dates], from: event.startTime, to: event.endTime, zone: event.timeZone };
  if (viewerZone === null) return { own, yours: null, same: false };
  const yours = seenFrom(event, viewerZone);
  const same =
    yours !== null && yours.from === own.from && yours.to === own.to && yours.days.join() === own.days.join();
  return { own, yours: same ? null : yours, same };
}
