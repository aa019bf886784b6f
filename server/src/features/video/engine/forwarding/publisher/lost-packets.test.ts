/** Which packets are requested again, and when. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMissing } from './lost-packets.ts';

test('a packet that was only overtaken is not requested', () => {
  const missing = createMissing();
  missing.arrived(10, 0);
  missing.arrived(12, 1);
  missing.arrived(13, 2);
  expect(missing.due(3)).toEqual([]);
  missing.arrived(11, 4);
  expect(missing.due(1000)).toEqual([]);
  expect(missing.count()).toBe(0);
});

test('a packet is requested after three newer ones, or ten milliseconds; the oldest first', () => {
  const missing = createMissing();
  missing.arrived(10, 0);
  missing.arrived(13, 0);
  expect(missing.due(5)).toEqual([]);
  missing.arrived(14, 5);
  expect(missing.due(6)).toEqual([11]);
  expect(missing.due(9)).toEqual([]);
  expect(missing.due(10)).toEqual([12]);
});

test('it is requested at growing intervals, and given up in the end', () => {
  const missing = createMissing();
  missing.arrived(1, 0);
  missing.arrived(3, 0);
  const asked: number[] = [];
  for (let nowMs = 0; nowMs < 3000; nowMs += 5) if (missing.due(nowMs).length > 0) asked.push(nowMs);
  expect(asked.length).toBeGreaterThanOrEqual(5);
  expect(asked.length).toBeLessThanOrEqual(8);
  expect(Math.max(...asked)).toBeLessThanOrEqual(1000);
  const waits = asked.slice(1).map((at, index) => at - asked[index]!);
  expect(waits).toEqual([...waits].sort((a, b) => a - b));
  expect(missing.count()).toBe(0);
  expect(missing.takeGivenUp()).toBe(1);
  expect(missing.takeGivenUp()).toBe(0);
});

test('a hole that is too large is given up at once', () => {
  const missing = createMissing();
  missing.arrived(1, 0);
  expect(missing.arrived(400, 0)).toBe(false);
  expect(missing.due(100)).toEqual([]);
  expect(missing.takeGivenUp()).toBe(398);
  expect(missing.arrived(401, 0)).toBe(true);
});

test('exactly the missing packets are requested, at most eight times each, never newer ones', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ lost: fc.boolean(), late: fc.nat(5) }), { minLength: 2, maxLength: 120 }),
      (fates) => {
        const missing = createMissing();
        const order = fates
          .map(({ lost, late }, number) => ({
            number: number + 65_500,
            lost: lost && number > 0,
            at: number + (number > 0 ? late : 0),
          }))
          .filter(({ lost }) => !lost)
          .sort((a, b) => a.at - b.at);
        const come = new Set<number>();
        const asked = new Map<number, number>();
        let nowMs = 0;
        let newest = 0;
        const look = () => {
          for (const number of missing.due(nowMs)) {
            expect(come.has(number)).toBe(false);
            expect(number).toBeLessThan(newest);
            asked.set(number, (asked.get(number) ?? 0) + 1);
          }
        };
        for (const { number } of order) {
          come.add(number);
          newest = Math.max(newest, number);
          missing.arrived(number, nowMs);
          look();
          nowMs += 3;
        }
        for (const end = nowMs + 2000; nowMs < end; nowMs += 10) look();
        for (let number = 65_500; number < newest; number++)
          if (!come.has(number)) expect(asked.get(number)).toBeGreaterThan(0);
        for (const times of asked.values()) expect(times).toBeLessThanOrEqual(8);
      },
    ),
  );
});

/** Requests whenever something is due, every 5 ms; returns when. */
function askingTimes(missing: ReturnType<typeof createMissing>, fromMs: number, toMs: number): number[] {
  const times: number[] = [];
  for (let nowMs = fromMs; nowMs < toMs; nowMs += 5) if (missing.due(nowMs).length > 0) times.push(nowMs);
  return times;
}

test('once the answer time is known, the second request waits only a little longer than that', () => {
  const wait = (tripMs: number) => {
    const missing = createMissing();
    missing.arrived(0, 0);
    for (let number = 2; number < 40; number += 2) {
      const nowMs = number * 1000;
      missing.arrived(number, nowMs);
      missing.due(nowMs + 10);
      expect(missing.asked(number - 1)).toBe(true);
      missing.arrived(number - 1, nowMs + 10 + tripMs);
      expect(missing.asked(number - 1)).toBe(false);
    }
    missing.arrived(40, 50_000);
    const [first, second] = askingTimes(missing, 50_000, 51_000);
    return second! - first!;
  };
  expect(wait(8)).toBeLessThanOrEqual(25);
  expect(wait(200)).toBeGreaterThan(200);
  expect(wait(200)).toBeLessThan(300);
});

test('audio is requested only while it is useful, and not from a publisher that never answered', () => {
  const missing = createMissing(true);
  missing.arrived(0, 0);
  missing.arrived(2, 0);
  expect(Math.max(...askingTimes(missing, 0, 2000))).toBeLessThanOrEqual(400);
  for (let number = 4; number < 80; number += 2) {
    missing.arrived(number, number * 1000);
    askingTimes(missing, number * 1000, number * 1000 + 1000);
  }
  missing.arrived(82, 90_000);
  expect(askingTimes(missing, 90_000, 91_000)).toEqual([]);
  // Holes are forgotten anyway.
  expect(missing.count()).toBe(0);
});

test('a publisher that has answered once keeps being asked, even after an interrupted connection', () => {
  const missing = createMissing(true);
  missing.arrived(0, 0);
  missing.arrived(2, 0);
  missing.due(20);
  missing.arrived(1, 30);
  for (let number = 4; number < 100; number += 2) {
    missing.arrived(number, number * 1000);
    expect(askingTimes(missing, number * 1000, number * 1000 + 1000).length).toBeGreaterThan(1);
  }
});
