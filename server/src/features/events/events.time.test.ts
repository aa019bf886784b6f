/** Wall-clock time and instants. Rule 7 of README.md. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dayPlus, paddedTime } from '@fieldroom/contract/events';
import { dayAt, instantOf, withOffset } from './events.time.ts';

const ZONES = [
  'UTC',
  'Europe/Budapest',
  'Europe/Vienna',
  'Europe/London',
  'America/New_York',
  'America/St_Johns',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Africa/Casablanca',
  'America/Santiago',
  'Asia/Tehran',
];
const someDay = fc.integer({ min: 0, max: 365 * 6 }).map((days) => dayPlus('2026-01-01', days));
const someTime = fc.integer({ min: 0, max: 1439 }).map((minutes) => paddedTime(Math.floor(minutes / 60), minutes % 60));
const readers = new Map(
  ZONES.map((zone) => [
    zone,
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }),
  ]),
);
/** What a clock in the zone shows, by an independent formulation of the same rules. */
const shown = (instant: Date, zone: string) => readers.get(zone)!.format(instant);

describe('7. an instant', () => {
  test('is shown by the zone’s clocks as it was written, or moved forward if that time is skipped', () => {
    fc.assert(
      fc.property(someDay, someTime, fc.constantFrom(...ZONES), (day, time, zone) => {
        const instant = instantOf(day, time, zone);
        const wall = shown(instant, zone);
        if (wall === `${day} ${time}`) {
          // The first of two: an hour, or half an hour, before it the offset was different.
          for (const minutes of [30, 60])
            expect(shown(new Date(instant.getTime() - minutes * 60_000), zone)).not.toBe(wall);
          expect(dayAt(instant, zone)).toBe(day);
        } else {
          expect(wall > `${day} ${time}`).toBe(true);
          // Really skipped: no instant around it shows that time.
          for (let minutes = -180; minutes <= 180; minutes += 15)
            expect(shown(new Date(instant.getTime() + minutes * 60_000), zone)).not.toBe(`${day} ${time}`);
        }
      }),
      { numRuns: 400 },
    );
  });

  test.each([
    ['2027-03-28', '02:30', 'Europe/Budapest', '2027-03-28T03:30:00+02:00'],
    ['2027-10-31', '02:30', 'Europe/Budapest', '2027-10-31T02:30:00+02:00'],
    ['2027-10-31', '03:00', 'Europe/Budapest', '2027-10-31T03:00:00+01:00'],
    ['2028-02-29', '10:00', 'Europe/Budapest', '2028-02-29T10:00:00+01:00'],
    ['2027-03-14', '02:30', 'America/New_York', '2027-03-14T03:30:00-04:00'],
    ['2027-11-07', '01:30', 'America/New_York', '2027-11-07T01:30:00-04:00'],
    ['2027-10-03', '02:15', 'Australia/Lord_Howe', '2027-10-03T02:45:00+11:00'],
    ['2011-12-30', '10:00', 'Pacific/Apia', '2011-12-31T10:00:00+14:00'],
    ['2027-01-01', '00:00', 'America/St_Johns', '2027-01-01T00:00:00-03:30'],
    ['2027-01-01', '00:00', 'UTC', '2027-01-01T00:00:00+00:00'],
  ])('of %s %s in %s is %s', (day, time, zone, expected) => {
    expect(withOffset(day, time, zone)).toBe(expected);
    expect(instantOf(day, time, zone)).toEqual(new Date(expected));
  });
});
