/** What receiver reports say about losses and jitter, and how timestamps become times. */
import { expect, test } from 'vitest';
import { createReception } from './reception-statistics.ts';

test('losses are reported since the last report and in total', () => {
  const reception = createReception(90_000);
  expect(reception.report(1, 0)).toBeNull();
  for (let number = 0; number < 100; number++)
    if (number % 4 !== 1) reception.arrived(131_036 + number, number * 3000, number * 33);
  // The number wrapped once since the first.
  expect(reception.report(9, 5000)).toMatchObject({
    ssrc: 9,
    fractionLost: 64,
    lost: 25,
    highestSequence: 0x1_0000 + 63,
    lastReport: 0,
    delay: 0,
  });
  for (let number = 100; number < 200; number++) reception.arrived(131_036 + number, number * 3000, number * 33);
  expect(reception.report(9, 6000)).toMatchObject({ fractionLost: 0, lost: 25 });
  // Retransmissions mend the sum; a share below nothing is nothing.
  reception.arrived(131_037, 0, 7000);
  reception.arrived(131_236, 0, 7000);
  reception.arrived(131_041, 0, 7000);
  expect(reception.report(9, 8000)).toMatchObject({ fractionLost: 0, lost: 23 });
  expect(reception.lost()).toBe(23);
});

test('requested packets reduce the total; audio’s share stays that of the network, so that its redundancy follows', () => {
  const report = (countsRepaired: boolean) => {
    const reception = createReception(48_000, countsRepaired);
    for (let number = 0; number < 100; number++)
      reception.arrived(number, number * 960, number * 20 + (number % 4 === 1 ? 70 : 0), number % 4 === 1);
    expect(reception.jitterMs()).toBeLessThan(0.1);
    return reception.report(9, 2000);
  };
  expect(report(true)).toMatchObject({ fractionLost: 64, lost: 0 });
  expect(report(false)).toMatchObject({ fractionLost: 0, lost: 0 });
});

test('an even stream has no jitter, across the wrap of its timestamps; an uneven one has', () => {
  const even = createReception(90_000);
  for (let number = 0; number < 200; number++)
    even.arrived(number, (0xffff_ff00 + number * 3000) >>> 0, number * (1000 / 30));
  expect(even.jitterMs()).toBeLessThan(0.1);
  const uneven = createReception(90_000);
  for (let number = 0; number < 200; number++)
    uneven.arrived(number, number * 3000, number * (1000 / 30) + (number % 2) * 16);
  expect(uneven.jitterMs()).toBeGreaterThan(12);
  expect(uneven.jitterMs()).toBeLessThanOrEqual(16.1);
});

test('our report contains the last sender report, with its age', () => {
  const reception = createReception(48_000);
  reception.arrived(1, 0, 0);
  reception.reported(1_700_000_000_000, 48_000, 0xaabb_ccdd, 1000);
  expect(reception.report(9, 1500)).toMatchObject({ lastReport: 0xaabb_ccdd, delay: 32_768 });
});

test('timestamps map to the publisher’s time, on both sides of the report and across the wrap', () => {
  const reception = createReception(90_000);
  expect(reception.captured(5)).toBeNull();
  expect(reception.timestampAt(5)).toBeNull();
  reception.reported(1_000_000, 10, 0, 0);
  expect(reception.captured(90_010)).toBe(1_001_000);
  expect(reception.captured((10 - 90_000) >>> 0)).toBe(999_000);
  expect(reception.timestampAt(1_001_000)).toBe(90_010);
  expect(reception.timestampAt(999_000)).toBe((10 - 90_000) >>> 0);
});
