/** New sequence numbers: holes stay where packets were lost, and close where packets were left out. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRenumber } from './renumbering.ts';
import { createUnwrap, createWindow } from '../../rtp/sequence-numbers.ts';

test('wrapping numbers are unwrapped, forwards and backwards, from any first one', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(7, 15, 16, 32) as fc.Arbitrary<7 | 15 | 16 | 32>,
      fc.nat(0xffff_ffff),
      fc.array(fc.integer({ min: -60, max: 60 }), { maxLength: 80 }),
      (bits, first, steps) => {
        const modulus = 2 ** bits;
        const unwrap = createUnwrap(bits);
        const begin = unwrap(first % modulus);
        let newest = begin;
        for (const step of steps) {
          const whole = newest + step;
          if (whole < 0) continue;
          expect(unwrap(whole % modulus)).toBe(whole);
          newest = Math.max(newest, whole);
        }
      },
    ),
  );
});

test('the window knows exactly which packets have arrived', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -80, max: 70 }), { maxLength: 150 }), (steps) => {
      const window = createWindow(64);
      const come = new Set<number>();
      let newest = 1000;
      for (const step of steps) {
        const value = Math.max(0, newest + step);
        const known = come.has(value) || value <= newest - 64;
        if (come.size > 0) expect(window.isNew(value)).toBe(!known);
        window.note(value);
        come.add(value);
        newest = Math.max(newest, value);
        if (come.size === 1) newest = value;
      }
    }),
  );
});

/** Source numbers as a lossy, disorderly network delivers them; each has a fate of its own. */
const network = fc.array(fc.record({ lost: fc.boolean(), skipped: fc.boolean(), late: fc.nat(6) }), {
  minLength: 1,
  maxLength: 200,
});

test('omitted packets leave no hole, lost ones do, and late ones get their reserved number; each number once', () => {
  fc.assert(
    fc.property(network, fc.nat(32_767), (packets, first) => {
      const renumber = createRenumber(first, 64);
      const order = packets
        .map((fate, source) => ({ ...fate, source: source + 100 }))
        .filter(({ lost }) => !lost)
        .sort((a, b) => a.source + a.late - (b.source + b.late));
      const given = new Map<number, number>();
      const filled: number[] = [];
      for (const { source, skipped } of order) {
        if (skipped) {
          const hole = renumber.skip(source);
          if (hole !== null) filled.push(hole);
          expect(renumber.skip(source)).toBeNull();
          expect(renumber.take(source)).toBeNull();
        } else {
          const out = renumber.takeOnce(source);
          expect(renumber.takeOnce(source)).toBeNull();
          if (out !== null) {
            given.set(source, out);
            expect(renumber.take(source)).toBe(out);
          }
        }
      }
      const numbers = [...given.values(), ...filled];
      expect(new Set(numbers).size).toBe(numbers.length);
      // In the source's order.
      const outs = [...given].sort(([a], [b]) => a - b).map(([, out]) => out);
      expect(outs).toEqual([...outs].sort((a, b) => a - b));
      // Whatever is missing of ours was lost of theirs: never more holes than losses.
      const arrived = new Set(order.map(({ source }) => source));
      const firstSource = order[0]?.source ?? 0;
      let losses = 0;
      for (let source = firstSource; source <= Math.max(firstSource, ...arrived); source++)
        if (!arrived.has(source)) losses++;
      const used = new Set(numbers);
      let holes = 0;
      for (let out = first; out <= renumber.last(); out++) if (!used.has(out)) holes++;
      expect(holes).toBeLessThanOrEqual(losses);
    }),
  );
});

test('without losses nothing is missing, whatever is omitted', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { maxLength: 300 }), (skips) => {
      const renumber = createRenumber(5, 64);
      let next = 5;
      skips.forEach((skipped, source) => {
        if (skipped) expect(renumber.skip(source + 70_000)).toBeNull();
        else expect(renumber.take(source + 70_000)).toBe(next++);
      });
    }),
  );
});

test('after a restart the next number follows, and nothing older is accepted', () => {
  const renumber = createRenumber(10, 64);
  expect(renumber.take(100)).toBe(10);
  expect(renumber.take(103)).toBe(13);
  // What was kept free before is not given any more.
  renumber.restart(110);
  expect(renumber.take(102)).toBeNull();
  renumber.restart(5000);
  expect(renumber.take(5000)).toBe(14);
  expect(renumber.take(102)).toBeNull();
  expect(renumber.take(4999)).toBeNull();
  expect(renumber.decided(4999)).toBeNull();
  renumber.restart(200);
  expect(renumber.take(200)).toBe(15);
  expect(renumber.take(5001)).toBe(16);
});

test('a jump beyond the window leaves no holes', () => {
  const renumber = createRenumber(10, 64);
  renumber.take(100);
  expect(renumber.take(164)).toBe(11);
  expect(renumber.take(163)).toBeNull();
  expect(renumber.take(227)).toBe(74);
  expect(renumber.take(165)).toBe(12);
});
