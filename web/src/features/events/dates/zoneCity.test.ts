import { expect, test } from 'vitest';
import { zoneCity } from './zoneCity.ts';

test('a zone has its city’s name, in the language’s own word where there is one', () => {
  expect([zoneCity('Europe/Vienna', 'en'), zoneCity('Europe/Vienna', 'de'), zoneCity('Europe/Vienna', 'hu')]).toEqual([
    'Vienna',
    'Wien',
    'Bécs',
  ]);
  expect([zoneCity('America/Argentina/Buenos_Aires', 'ro'), zoneCity('UTC', 'ro')]).toEqual(['Buenos Aires', 'UTC']);
});
