import { dayPlus, isDay } from '@fieldroom/contract/events';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { monthPlus } from '../../dates/calendarDays.ts';
import { repeatedFirsts } from './repeatedDays.ts';
import { dayAt, instantOf } from '../../dates/wallClock.ts';

const aDay = fc.integer({ min: 0, max: 36_524 }).map((days) => dayPlus('2000-01-01', days));
const monthsOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
const lastOf = (day: string) => new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0)).getUTCDate();

describe('months are added on the calendar and kept within the month (Temporal PlainDate.add, constrain)', () => {
  test.each([
    ['2027-01-31', 1, '2027-02-28'],
    ['2028-01-31', 1, '2028-02-29'],
    ['2027-01-31', 2, '2027-03-31'],
    ['2027-01-31', 3, '2027-04-30'],
    ['2028-02-29', 12, '2029-02-28'],
    ['2028-02-29', 48, '2032-02-29'],
    ['2026-12-15', 1, '2027-01-15'],
    ['2027-01-15', -1, '2026-12-15'],
    ['2027-03-31', -1, '2027-02-28'],
    ['2026-11-30', 13, '2027-12-30'],
  ])('%s and %i months is %s', (day, months, expected) => expect(monthPlus(day, months)).toBe(expected));

  test('any day and any number give the right month, and the same date or the last', () => {
    fc.assert(
      fc.property(aDay, fc.integer({ min: -600, max: 600 }), (day, months) => {
        const after = monthPlus(day, months);
        expect(isDay(after)).toBe(true);
        expect(monthsOf(after)).toBe(monthsOf(day) + months);
        expect(Number(after.slice(8))).toBe(Math.min(Number(day.slice(8)), lastOf(after)));
      }),
    );
  });
});

describe('the days of a series', () => {
  test('every four weeks, across the end of summer time, keeps the weekday', () =>
    expect(repeatedFirsts('2026-10-03', { unit: 'week', frequency: 4, occasions: 4 })).toEqual([
      '2026-10-31',
      '2026-11-28',
      '2026-12-26',
    ]));
  test('every second day over 29 February', () =>
    expect(repeatedFirsts('2028-02-26', { unit: 'day', frequency: 2, occasions: 4 })).toEqual([
      '2028-02-28',
      '2028-03-01',
      '2028-03-03',
    ]));
  test('a month without the day does not shorten later ones', () =>
    expect(repeatedFirsts('2027-01-31', { unit: 'month', frequency: 1, occasions: 5 })).toEqual([
      '2027-02-28',
      '2027-03-31',
      '2027-04-30',
      '2027-05-31',
    ]));
  test('once is not a repetition, and an invalid rule has no days', () => {
    expect(repeatedFirsts('2027-01-31', { unit: 'month', frequency: 1, occasions: 1 })).toEqual([]);
    for (const rule of [
      { frequency: 0, occasions: 3 },
      { frequency: 1.5, occasions: 3 },
      { frequency: 1, occasions: Number.NaN },
    ])
      expect(repeatedFirsts('2027-01-31', { unit: 'day', ...rule })).toEqual([]);
    expect(repeatedFirsts('2027-02-29', { unit: 'day', frequency: 1, occasions: 3 })).toEqual([]);
  });
  test('generated rules give the requested number of days, ascending and evenly spaced', () => {
    fc.assert(
      fc.property(
        aDay,
        fc.constantFrom('day', 'week', 'month'),
        fc.integer({ min: 1, max: 52 }),
        fc.integer({ min: 1, max: 100 }),
        (first, unit, frequency, occasions) => {
          const days = [first, ...repeatedFirsts(first, { unit, frequency, occasions })];
          expect(days).toHaveLength(occasions);
          for (const [index, day] of days.entries()) {
            if (index > 0) expect(day > (days[index - 1] as string)).toBe(true);
            if (unit === 'month') expect(monthsOf(day)).toBe(monthsOf(first) + index * frequency);
            else expect(day).toBe(dayPlus(first, index * frequency * (unit === 'week' ? 7 : 1)));
          }
        },
      ),
    );
  });
});

describe('wall-clock times', () => {
  const hours = (day: string, from: string, to: string, zone: string) =>
    (instantOf(day, to, zone) - instantOf(day, from, zone)) / 3_600_000;
  test('Budapest, the nights of the clock changes', () => {
    expect(new Date(instantOf('2027-03-27', '09:30', 'Europe/Budapest')).toISOString()).toBe(
      '2027-03-27T08:30:00.000Z',
    );
    expect(new Date(instantOf('2027-03-28', '09:30', 'Europe/Budapest')).toISOString()).toBe(
      '2027-03-28T07:30:00.000Z',
    );
    expect(hours('2027-03-28', '01:00', '04:00', 'Europe/Budapest')).toBe(2);
    expect(hours('2027-10-31', '01:00', '04:00', 'Europe/Budapest')).toBe(4);
  });
  test('a skipped time moves forward, a repeated one is the first', () => {
    expect(instantOf('2027-03-28', '02:30', 'Europe/Budapest')).toBe(
      instantOf('2027-03-28', '03:30', 'Europe/Budapest'),
    );
    expect(new Date(instantOf('2027-10-31', '02:30', 'Europe/Budapest')).toISOString()).toBe(
      '2027-10-31T00:30:00.000Z',
    );
  });
  test('zones far from home and with odd offsets', () => {
    expect(new Date(instantOf('2027-01-01', '00:00', 'Pacific/Kiritimati')).toISOString()).toBe(
      '2026-12-31T10:00:00.000Z',
    );
    expect(new Date(instantOf('2027-01-01', '00:00', 'Asia/Kathmandu')).toISOString()).toBe('2026-12-31T18:15:00.000Z');
    expect(dayAt(Date.parse('2026-12-31T18:15:00Z'), 'Asia/Kathmandu')).toBe('2027-01-01');
    expect(dayAt(Date.parse('2026-12-31T18:14:59Z'), 'Asia/Kathmandu')).toBe('2026-12-31');
  });
  test('a time of day far from any clock change is unchanged', () => {
    fc.assert(
      fc.property(
        aDay,
        fc.constantFrom('Europe/Budapest', 'America/New_York', 'Australia/Lord_Howe', 'UTC'),
        (day, zone) => {
          expect(dayAt(instantOf(day, '12:00', zone), zone)).toBe(day);
        },
      ),
    );
  });
});
