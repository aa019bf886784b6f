import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMissing } from './missing.ts';

test('what is only overtaken is not asked for', () => {
  const missing = createMissing();
  missing.arrived(10, 0);
  missing.arrived(12, 1);
  missing.arrived(13, 2);
  expect(missing.due(3)).toEqual([]);
  missing.arrived(11, 4);
  expect(missing.due(1000)).toEqual([]);
  expect(missing.count()).toBe(0);
});

test('what three newer ones have passed, or twenty milliseconds, is asked for; the oldest first', () => {
  const missing = createMissing();
  missing.arrived(10, 0);
  missing.arrived(13, 0);
  expect(missing.due(5)).toEqual([]);
  missing.arrived(14, 5);
  expect(missing.due(6)).toEqual([11]);
  expect(missing.due(19)).toEqual([]);
  expect(missing.due(20)).toEqual([12]);
});

test('it is asked for more and more rarely, and given up in the end', () => {
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

test('a hole too large to be mended is given up at once', () => {
  const missing = createMissing();
  missing.arrived(1, 0);
  expect(missing.arrived(400, 0)).toBe(false);
  expect(missing.due(100)).toEqual([]);
  expect(missing.takeGivenUp()).toBe(398);
  expect(missing.arrived(401, 0)).toBe(true);
});

test('exactly what has not come is asked for, never more than eight times each, never what is newer', () => {
  fc.assert(
    fc.property(fc.array(fc.record({ lost: fc.boolean(), late: fc.nat(5) }), { minLength: 2, maxLength: 120 }), (fates) => {
      const missing = createMissing();
      const order = fates.map(({ lost, late }, number) => ({ number: number + 65_500, lost: lost && number > 0, at: number + (number > 0 ? late : 0) })).filter(({ lost }) => !lost).sort((a, b) => a.at - b.at);
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
      for (let number = 65_500; number < newest; number++) if (!come.has(number)) expect(asked.get(number)).toBeGreaterThan(0);
      for (const times of asked.values()) expect(times).toBeLessThanOrEqual(8);
    }),
  );
});
