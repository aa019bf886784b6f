/** One continuous stream from changing sources, over generated histories. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createContinuity, type Sendable } from './continuous-stream.ts';
import { readVp8 } from '../../rtp/payloads.ts';
import { vp8 } from '../forwarding.fixture.ts';

const packet = (sequence: number, timestamp: number, more: Partial<Sendable<string>> = {}): Sendable<string> => ({
  source: 'a',
  sequence,
  timestamp,
  marker: false,
  vp8: null,
  picture: -1,
  ...more,
});
const picture = (sequence: number, timestamp: number, number: number, tl0: number, source = 'a') =>
  packet(sequence, timestamp, { source, picture: number, vp8: readVp8(vp8({ picture: number, tl0 }))! });

test('numbers and timestamps continue across any chain of sources, each once, never backwards', () => {
  const chain = fc.array(
    fc.record({
      sequence: fc.nat(65_535),
      timestamp: fc.nat(0xffff_ffff),
      picture: fc.nat(0x7fff),
      tl0: fc.nat(255),
      packets: fc.integer({ min: 1, max: 20 }),
      ticks: fc.nat(90_000),
    }),
    { minLength: 1, maxLength: 12 },
  );
  fc.assert(
    fc.property(chain, fc.nat(0x7fff), fc.nat(0xffff_ffff), (sources, firstSequence, firstTimestamp) => {
      const stream = createContinuity<string>(firstSequence, firstTimestamp, 512);
      let out = firstSequence;
      let before: { timestamp: number; picture: number; tl0: number } | null = null;
      sources.forEach((source, turn) => {
        for (let number = 0; number < source.packets; number++) {
          const sent = picture(
            65_536 + source.sequence + number,
            (source.timestamp + number * 3000) >>> 0,
            32_768 + source.picture + number,
            (source.tl0 + number) & 0xff,
            String(turn),
          );
          if (number === 0) stream.begin(sent, source.ticks);
          const placed = stream.place(sent)!;
          expect(placed.sequence + placed.rolloverCounter * 65_536).toBe(out++);
          if (before === null) expect(placed).toMatchObject({ timestamp: firstTimestamp, picture: 0, tl0: 0 });
          else {
            const step = (placed.timestamp - before.timestamp) >>> 0;
            expect(step).toBe(number > 0 ? 3000 : Math.max(1, source.ticks));
            expect((placed.picture - before.picture) & 0x7fff).toBe(1);
            expect((placed.tl0 - before.tl0) & 0xff).toBe(1);
          }
          before = { ...placed };
          expect(stream.place(sent)).toBeNull();
        }
      });
    }),
  );
});

test('after an intended gap sequence numbers continue, timestamps jump, and the marker bit is set', () => {
  const stream = createContinuity<string>(10, 500, 128);
  stream.begin(packet(100, 1000), 0);
  expect(stream.place(packet(100, 1000))).toMatchObject({ sequence: 10, timestamp: 500 });
  stream.resume(packet(900, 49_000));
  expect(stream.place(packet(900, 49_000))).toMatchObject({ sequence: 11, timestamp: 48_500, marker: true });
  expect(stream.place(packet(901, 49_960))).toMatchObject({ sequence: 12, timestamp: 49_460, marker: false });
  // What is from before the gap stays out.
  expect(stream.place(packet(899, 48_040))).toBeNull();
});

test('a reserved number is filled once', () => {
  const stream = createContinuity<string>(10, 0, 512);
  stream.begin(picture(1, 0, 1, 1), 0);
  stream.place(picture(1, 0, 1, 1));
  stream.place(picture(3, 6000, 3, 2));
  expect(stream.skip(picture(2, 3000, 2, 1))).toMatchObject({ sequence: 11, timestamp: 3000 });
  expect(stream.skip(picture(2, 3000, 2, 1))).toBeNull();
  expect(stream.place(picture(2, 3000, 2, 1))).toBeNull();
  expect(stream.again(11, 0)).toMatchObject({ source: null, sequence: 11, timestamp: 3000 });
});

test('a retransmission equals the sent packet, even if the stream has changed since', () => {
  const stream = createContinuity<string>(0x7fff, 7, 512);
  stream.begin(picture(1000, 50, 30, 200, 'a'), 0);
  const first = { ...stream.place(picture(1000, 50, 30, 200, 'a'))! };
  stream.begin(picture(5, 9, 9, 9, 'b'), 3000);
  const second = { ...stream.place(picture(5, 9, 9, 9, 'b'))! };
  expect(stream.again(first.sequence, 0)).toEqual({ ...first, source: 'a', sourceSequence: 1000 });
  expect(stream.again(second.sequence, 0)).toEqual({ ...second, source: 'b', sourceSequence: 5 });
  expect(stream.again(second.sequence + 1, 0)).toBeNull();
});

test('retransmission resolves wrapped numbers', () => {
  const stream = createContinuity<string>(0x7fff, 0, 512);
  stream.begin(packet(1, 0), 0);
  for (let number = 1; number <= 0x8005; number++) stream.place(packet(number, number));
  expect(stream.again(3, 0)).toMatchObject({ rolloverCounter: 1, sourceSequence: 0x8005 });
  expect(stream.again(0xfffe, 0)).toMatchObject({ rolloverCounter: 0, sourceSequence: 0x8000 });
  expect(stream.again(4, 0)).toBeNull();
  // Longer ago than is remembered.
  expect(stream.again((0xffff - 600) & 0xffff, 0)).toBeNull();
});

test('the same packet is retransmitted at most ten times, and not in a burst', () => {
  const stream = createContinuity<string>(0, 0, 512);
  stream.begin(packet(1, 0), 0);
  stream.place(packet(1, 0));
  expect(stream.again(0, 0)).not.toBeNull();
  expect(stream.again(0, 14)).toBeNull();
  let times = 1;
  for (let nowMs = 15; nowMs < 2000; nowMs += 15) if (stream.again(0, nowMs) !== null) times++;
  expect(times).toBe(10);
});

test('a packet of a past source is not retransmitted, and never sent as another source’s packet', () => {
  const stream = createContinuity<string>(0, 0, 128);
  for (let turn = 0; turn < 9; turn++) {
    stream.begin(packet(1000 + turn, 0, { source: `source ${turn}` }), 960);
    stream.place(packet(1000 + turn, 0, { source: `source ${turn}` }));
  }
  expect(stream.again(0, 0)).toBeNull();
  for (let turn = 1; turn < 9; turn++)
    expect(stream.again(turn, 0)).toMatchObject({ source: `source ${turn}`, sourceSequence: 1000 + turn });
});
