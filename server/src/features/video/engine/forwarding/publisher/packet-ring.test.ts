/** The latest packets of a layer: what is found again, and what is dropped. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRing, type Kept } from './packet-ring.ts';

const packet = (sequence: number, arrivedMs = 0, bytes = 100): Kept => ({
  sequence,
  arrivedMs,
  payload: Buffer.alloc(bytes),
});

test('a packet is found under its full number, not under one that wraps to the same', () => {
  const ring = createRing(1_000_000, 1000);
  ring.put(packet(70_000));
  expect(ring.get(70_000, 0)?.sequence).toBe(70_000);
  expect(ring.get(70_000 - 512, 0)).toBeNull();
  expect(ring.get(4464, 0)).toBeNull();
});

test('never more bytes, count or age than allowed, in any order; the newest is always there', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ step: fc.integer({ min: -8, max: 40 }), bytes: fc.integer({ min: 1, max: 1200 }), ms: fc.nat(80) }),
        { maxLength: 400 },
      ),
      (puts) => {
        const ring = createRing(4000, 500);
        let newest = 1000;
        let nowMs = 0;
        const all = new Map<number, Kept>();
        for (const { step, bytes, ms } of puts) {
          nowMs += ms;
          const one = packet(newest + step, nowMs, bytes);
          newest = Math.max(newest, one.sequence);
          ring.put(one);
          all.set(one.sequence, one);
          ring.tidy(nowMs);
          expect(ring.bytes()).toBeLessThanOrEqual(4000);
          let held = 0;
          for (const known of all.values()) {
            const found = ring.get(known.sequence, nowMs);
            if (found === null) continue;
            expect(found).toBe(known);
            expect(nowMs - found.arrivedMs).toBeLessThanOrEqual(500);
            held += found.payload.length;
          }
          expect(held).toBeLessThanOrEqual(ring.bytes());
          if (step >= 0) expect(ring.get(newest, nowMs)).toBe(one);
        }
        ring.clear();
        expect(ring.bytes()).toBe(0);
        for (const sequence of all.keys()) expect(ring.get(sequence, nowMs)).toBeNull();
      },
    ),
    { numRuns: 50 },
  );
});

test('the byte count matches the stored packets', () => {
  const ring = createRing(1_000_000, 500);
  for (let sequence = 0; sequence < 2000; sequence++) ring.put(packet(sequence, sequence));
  expect(ring.bytes()).toBe(512 * 100);
  ring.put(packet(1999, 1999, 50));
  expect(ring.bytes()).toBe(512 * 100 - 50);
  ring.put(packet(9000, 2000));
  expect(ring.bytes()).toBe(100);
});

test('old packets are removed, even if no new ones arrive', () => {
  const ring = createRing(1_000_000, 500);
  for (let sequence = 0; sequence < 10; sequence++) ring.put(packet(sequence, sequence * 100));
  ring.tidy(1000);
  expect(ring.get(4, 1000)).toBeNull();
  expect(ring.get(5, 1000)).not.toBeNull();
  expect(ring.bytes()).toBe(500);
});
