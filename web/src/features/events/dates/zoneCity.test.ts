import { expect, test } from 'vitest';
import { zoneCity } from './zoneCity.ts';

test('a zone is shown by its city, in the language’s own name if there is one', () => {
  expect([zoneCity('Europe/Vienna', 'en'), zoneCity('Europe/Vienna', 'de'), zoneCity('Europe/Vienna', 'hu')]).toEqual([
    'Vienna',
    'Wien',
    'Bécs',
  ]);
  expect([zoneCity('America/Argentina/Buenos_Aires', 'ro'), zoneCity('UTC', 'ro')]).toEqual(['Buenos Aires', 'UTC']);
});
