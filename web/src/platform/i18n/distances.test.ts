/** How the distance to an instant is written. */
import { expect, test } from 'vitest';
import { distanceWords } from './distances.ts';

const ZONE = 'Europe/Budapest';
test.each([
  ['2026-11-28T22:59:59Z', '2026-11-28T23:00:00Z', 'this minute'],
  ['2026-11-28T22:58:01Z', '2026-11-28T23:00:00Z', 'in 1 minute'],
  ['2026-11-28T23:00:00Z', '2026-11-29T22:59:00Z', 'in 23 hours'],
  ['2026-11-29T23:00:00Z', '2026-11-29T21:00:00Z', '2 hours ago'],
  // 1 December, 00:10 in Budapest
  ['2026-11-29T23:10:00Z', '2026-11-30T23:10:00Z', 'tomorrow'],
  ['2026-11-29T22:50:00Z', '2026-11-30T23:10:00Z', 'in 2 days'],
  ['2026-11-28T23:30:00Z', '2026-11-30T23:10:00Z', 'in 2 days'],
  ['2026-12-02T22:00:00Z', '2026-11-30T23:10:00Z', 'yesterday'],
  ['2026-12-02T23:30:00Z', '2026-11-30T23:10:00Z', '2 days ago'],
  // The day on which the clocks are set back
  ['2026-10-24T22:30:00Z', '2026-10-25T22:45:00Z', 'in 24 hours'],
])('from %s to %s: %s', (now, instant, expected) => {
  expect(distanceWords('en', Date.parse(instant), Date.parse(now), ZONE)).toBe(expected);
});
