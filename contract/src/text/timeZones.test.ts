/** Which names of time zones are valid. */
import { expect, test } from 'vitest';
import { isTimeZone } from './timeZones.ts';

test('zones of the IANA database are valid, including its short and old names', () => {
  for (const zone of ['Europe/Budapest', 'Etc/GMT+5', 'UTC', 'utc', 'CET', 'ROK', 'GB', 'Japan', 'EST5EDT'])
    expect(isTimeZone(zone), zone).toBe(true);
});

test('offsets, invented names, and names that only Intl knows are not', () => {
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
