import { afterEach, expect, test, vi } from 'vitest';
import { alphabet, browserZone, CLOCK_TIME, dateFormat, distanceFormat, listFormat, numberFormat } from './formats.ts';

const NOON = new Date('2026-12-03T12:00:00Z');
afterEach(() => vi.restoreAllMocks());

/** As if the browser had moved to another zone. */
function comeTo(timeZone: string): void {
  const options = new Intl.DateTimeFormat().resolvedOptions();
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue({ ...options, timeZone });
}

test('equal formats are made once; other languages and options get their own', () => {
  const day = dateFormat('de', { dateStyle: 'long', timeZone: 'UTC' });
  expect(dateFormat('de', { dateStyle: 'long', timeZone: 'UTC' })).toBe(day);
  expect(dateFormat('hu', { dateStyle: 'long', timeZone: 'UTC' })).not.toBe(day);
  expect(dateFormat('de', { dateStyle: 'short', timeZone: 'UTC' })).not.toBe(day);
  expect(numberFormat('ro')).toBe(numberFormat('ro'));
  expect(listFormat('en')).toBe(listFormat('en'));
  expect(distanceFormat('en')).toBe(distanceFormat('en'));
  expect(alphabet('hu')).not.toBe(alphabet('hu', { numeric: true }));
});

test('English is British', () => {
  expect(dateFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(NOON)).toBe('3 December 2026');
});

test("a time is in the browser's current zone, or in the zone that is named", async () => {
  comeTo('Europe/Vienna');
  expect(browserZone()).toBe('Europe/Vienna');
  expect(dateFormat('en', CLOCK_TIME).format(NOON)).toBe('13:00');
  comeTo('America/New_York');
  // The zone is remembered during one synchronous run.
  await Promise.resolve();
  expect(dateFormat('en', CLOCK_TIME).format(NOON)).toBe('07:00');
  expect(dateFormat('en', { ...CLOCK_TIME, timeZone: 'Asia/Tokyo' }).format(NOON)).toBe('21:00');
});

test('the browser is asked for its zone once in one synchronous run, and again afterwards', async () => {
  await Promise.resolve();
  let told = 'Europe/Vienna';
  const asked = vi
    .spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
    .mockImplementation(() => ({ timeZone: told }) as Intl.ResolvedDateTimeFormatOptions);
  expect([browserZone(), browserZone()]).toEqual(['Europe/Vienna', 'Europe/Vienna']);
  expect(asked).toHaveBeenCalledTimes(1);
  await Promise.resolve();
  told = 'Asia/Tokyo';
  expect(browserZone()).toBe('Asia/Tokyo');
});
