/** How durations are written. */
import { expect, test } from 'vitest';
import { hoursAndMinutes } from './durations.ts';

test.each([
  [0, '0:00'],
  [59, '0:00'],
  [60, '0:01'],
  [3599, '0:59'],
  [3600, '1:00'],
  [43 * 3600 + 42 * 60 + 59, '43:42'],
  [100 * 3600, '100:00'],
])('%i s are %s hours and minutes', (seconds, text) => expect(hoursAndMinutes(seconds)).toBe(text));
