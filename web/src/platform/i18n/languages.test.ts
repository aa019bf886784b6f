import { expect, test } from 'vitest';
import { localeOf } from './languages.ts';

test('English dates are British', () => {
  const date = new Date('2026-12-03T12:00:00Z');
  expect(new Intl.DateTimeFormat(localeOf('en'), { dateStyle: 'long', timeZone: 'UTC' }).format(date)).toBe(
    '3 December 2026',
  );
});
