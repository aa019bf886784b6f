/** Which names of time zones count. */
import { expect, test } from 'vitest';
import { isTimeZone } from './timeZones.ts';

test('zones of the IANA database count, also its short and its old names', () => {
  for (const zone of ['Europe/Budapest', 'Etc/GMT+5', 'UTC', 'utc', 'CET', 'ROK', 'GB', 'Japan', 'EST5EDT'])
    expect(isTimeZone(zone), zone).toBe(true);
});

test('offsets, inventions, and names that Intl alone knows do not', () => {
  for (const zone of [
    '+02:00',
    'Europe/Atlantis',
    '',
    'PST',
    'pst',
    'ECT',
    'IST',
    'SystemV/PST8',
    'US/Pacific-New',
    'Canada/East-Saskatchewan',
  ])
    expect(isTimeZone(zone), zone).toBe(false);
});
