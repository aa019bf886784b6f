import { expect, test } from 'vitest';
import { localeOf } from './locales.ts';

test('English dates are British', () => {
  const date = new Date('2026-12-03T12:00:00Z');
  expect(new Intl.DateTimeFormat(localeOf('en'), { dateStyle: 'long', timeZone: 'UTC' }).format(date)).toBe(
    '3 December 2026',
  );
});

test('dates use the same German locale everywhere', () => {
  const date = new Date('2027-01-12T12:00:00Z');
  expect(new Intl.DateTimeFormat(localeOf('de'), { dateStyle: 'long', timeZone: 'UTC' }).format(date)).toBe(
    '12. Januar 2027',
  );
});
