import { expect, test } from 'vitest';
import { inNameOrder, LANGUAGES, localeOf } from './languages.ts';

test('Hungarian says the family name first, the others the first name', () => {
  expect(LANGUAGES.map(({ code }) => inNameOrder(code, 'Réka', 'Kis').join(' '))).toEqual([
    'Réka Kis',
    'Réka Kis',
    'Kis Réka',
    'Réka Kis',
  ]);
});

test('English dates are British', () => {
  const date = new Date('2026-12-03T12:00:00Z');
  expect(new Intl.DateTimeFormat(localeOf('en'), { dateStyle: 'long', timeZone: 'UTC' }).format(date)).toBe(
    '3 December 2026',
  );
});
