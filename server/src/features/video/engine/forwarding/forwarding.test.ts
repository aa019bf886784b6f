/** Forwarding of packets from publishers to subscribers, with packets and times that the tests make. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aRoom, createCamera, type Got, rtp, SUBSCRIBED, VIDEO, VOICE, vp8 } from './forwarding.fixture.ts';
import type { SubscribedTrackSpec, PublishedTrackSpec } from './forwarding.types.ts';
import {
  readRtcp,
  writeFir,
  writeNack,
  writePli,
  writeReceiverReport,
  writeRemb,
  writeSenderReport,
} from '../rtp/rtcp.ts';
import { readTextExtension } from '../rtp/rtp.ts';

const FRAME_MS = 1000 / 30;
const level = (dBov: number) => Buffer.from([10 << 4, dBov]);
/** The requests to a publisher since the last check. */
function asked(sent: Buffer[]) {
  const all = {
    keyFrames: [] as number[],
    nacks: [] as [number, number][],
    rembs: [] as number[],
    blocks: [] as { ssrc: number; fractionLost: number }[],
  };
  for (const compound of sent.splice(0)) {
    expect(
      readRtcp(compound, {
        keyFrame: (ssrc) => all.keyFrames.push(ssrc),
        nack: (ssrc, sequence) => all.nacks.push([ssrc, sequence]),
        remb: (bits) => all.rembs.push(bits),
        block: ({ ssrc, fractionLost }) => all.blocks.push({ ssrc, fractionLost }),
      }),
    ).toBe(true);
  }
  return all;
}
/** A camera and its viewers. */
function aPicture(track: Partial<PublishedTrackSpec> = {}, subscribed: Partial<SubscribedTrackSpec> = {}) {
  const room = aRoom();
  const { publisher, sent } = room.addPublisher();
  const source = publisher.addTrack({ ...VIDEO, ...track });
  const subscriber = room.addSubscriber();
  const sink = subscriber.subscriber.addTrack({ ...SUBSCRIBED, ...subscribed });
  subscriber.subscriber.open(0);
  sink.carry(source, 0);
  return { ...room, ...subscriber, publisher, sent, source, sink };
}
/** Numbers of all that arrived, unwrapped. */
const numbers = (got: readonly Got[]) =>
  got.map(({ sequence, rolloverCounter }) => sequence + rolloverCounter * 65_536);
const ascending = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index);

describe('one video', () => {
  test('starts with a key frame, with the stream’s own numbers, without the publisher’s header values', () => {
    const { source, got } = aPicture();
    const camera = createCamera({ ssrc: 77 });
    for (const packet of camera.frame()) source.receive(0, packet, 0);
    expect(got).toEqual([]);
    for (const packet of [...camera.frame(true), ...camera.frame()]) source.receive(0, packet, 33);
    expect(numbers(got)).toEqual([1000, 1001, 1002, 1003]);
    expect(got.map(({ timestamp }) => timestamp)).toEqual([50_000, 50_000, 53_000, 53_000]);
    expect(got.map(({ marker }) => marker)).toEqual([false, true, false, true]);
    expect(got.map(({ picture, tl0 }) => [picture, tl0])).toEqual([
      [0, 0],
      [0, 0],
      [1, 1],
      [1, 1],
    ]);
    expect(got[0]).toMatchObject({ ssrc: 9000, payloadType: 96, text: '77/6.0' });
    expect(readTextExtension(got[0]!.bytes, 4)).toBe('7');
  });

  test('includes a phone’s video orientation, under the subscriber’s id', () => {
    const { source, got } = aPicture({ extensions: { orientation: 9, mid: 2, rid: 3 } });
    source.receive(
      0,
      rtp({
        sequence: 1,
        payload: vp8({ keyFrame: true }),
        extensions: Buffer.from([0x20, 0x61, 0x30, 0x62, 0x90, 3]),
      }),
      0,
    );
    expect(got[0]!.orientation).toBe(3);
    expect(got[0]!.bytes.includes('ab')).toBe(false);
  });

  test('requests a key frame at its start, at most every half second, and again while none arrives', () => {
    const { source, sent, forwarding, subscriber } = aPicture();
    const camera = createCamera({ ssrc: 77 });
    for (const packet of camera.frame()) source.receive(0, packet, 0);
    forwarding.tick(10);
    expect(asked(sent).keyFrames).toEqual([77]);
    for (let nowMs = 20; nowMs < 500; nowMs += 10) {
      subscriber.rtcp(writePli(1, SUBSCRIBED.ssrc), nowMs);
      forwarding.tick(nowMs);
    }
    expect(asked(sent).keyFrames).toEqual([]);
    forwarding.tick(510);
    expect(asked(sent).keyFrames).toEqual([77]);
    for (let nowMs = 520; nowMs < 3600; nowMs += 10) {
      if (nowMs % 100 === 0) for (const packet of camera.frame()) source.receive(0, packet, nowMs);
      forwarding.tick(nowMs);
    }
    expect(asked(sent).keyFrames.length).toBeGreaterThanOrEqual(2);
  });

  test('uses FIR with a counter if PLI was not negotiated; nothing if neither was', () => {
    for (const keyFrames of ['fir', 'none'] as const) {
      const { source, sent, forwarding, subscriber } = aPicture({ keyFrames });
      for (const packet of createCamera({ ssrc: 77 }).frame(true)) source.receive(0, packet, 0);
      const seen: number[] = [];
      for (let nowMs = 10; nowMs < 1500; nowMs += 10) {
        subscriber.rtcp(writeFir(1, SUBSCRIBED.ssrc, nowMs), nowMs);
        forwarding.tick(nowMs);
      }
      for (const compound of sent) if (compound.includes(Buffer.from([0x84, 206]))) seen.push(compound.at(-4)!);
      expect(seen).toEqual(keyFrames === 'fir' ? [0, 1, 2] : []);
    }
  });

  test('has key frames at least as often as the room requires', () => {
    const room = aRoom({ keyframeSeconds: 10 });
    const { publisher, sent } = room.addPublisher();
    const source = publisher.addTrack({ ...VIDEO, layers: 1 });
    const { subscriber } = room.addSubscriber();
    subscriber.open(0);
    subscriber.addTrack(SUBSCRIBED).carry(source, 0);
    const camera = createCamera({ ssrc: 77 });
    const times: number[] = [];
    for (let nowMs = 0; nowMs < 31_000; nowMs += 100) {
      const { keyFrames } = asked(sent);
      if (keyFrames.length > 0) times.push(Math.round(nowMs / 1000));
      for (const packet of camera.frame(nowMs === 0 || keyFrames.length > 0)) source.receive(0, packet, nowMs);
      room.forwarding.tick(nowMs);
    }
    expect(times).toEqual([10, 20, 30]);
  });

  test('starts with a key frame for H.264 too, and at once for unknown codecs', () => {
    const h264 = aPicture({ codec: 'h264' });
    h264.source.receive(0, rtp({ sequence: 1, payload: Buffer.from('419a00', 'hex') }), 0);
    h264.source.receive(0, rtp({ sequence: 2, payload: Buffer.from('658800', 'hex') }), 0);
    h264.source.receive(0, rtp({ sequence: 3, payload: Buffer.from('419a00', 'hex') }), 0);
    expect(numbers(h264.got)).toEqual([1000, 1001]);
    const other = aPicture({ codec: 'other' });
    other.source.receive(0, rtp({ sequence: 1 }), 0);
    expect(numbers(other.got)).toEqual([1000]);
  });
});

describe('losses', () => {
  /** A publisher's network that loses, overtakes and repeats. */
  const fates = fc.array(fc.record({ lost: fc.integer({ min: 0, max: 9 }), late: fc.nat(4), twice: fc.boolean() }), {
    minLength: 20,
    maxLength: 120,
  });

  test('subscribers see exactly the publisher’s losses as holes, each packet once and complete, across the wrap', () => {
    fc.assert(
      fc.property(
        fates,
        fc.integer({ min: 0, max: 0x7fff }),
        fc.integer({ min: 65_450, max: 65_535 }),
        (line, firstSequence, sequence) => {
          const { source, got } = aPicture({ layers: 1 }, { firstSequence });
          const camera = createCamera({ ssrc: 7, sequence, picture: 32_760, tl0: 250, timestamp: 0xffff_f000 });
          const packets = ascending(0, Math.ceil(line.length / 2))
            .flatMap((number) => camera.frame(number === 0))
            .slice(0, line.length);
          const arriving = packets.flatMap((packet, number) => {
            const { lost, late, twice } = line[number]!;
            if (number > 1 && lost === 0) return [];
            const at = number + (number > 1 ? late : 0);
            return [{ packet, number, at }, ...(twice ? [{ packet: Buffer.from(packet), number, at: at + 3 }] : [])];
          });
          arriving.sort((a, b) => a.at - b.at);
          for (const { packet } of arriving) source.receive(0, packet, 0);
          const came = [...new Set(arriving.map(({ number }) => number))].sort((a, b) => a - b);
          const sorted = got.toSorted(
            (a, b) => a.sequence + a.rolloverCounter * 65_536 - b.sequence - b.rolloverCounter * 65_536,
          );
          // Its place in the publisher's order is its place in ours.
          expect(numbers(sorted)).toEqual(came.map((number) => firstSequence + number));
          sorted.forEach((one, index) => {
            const frame = Math.floor(came[index]! / 2);
            expect(one).toMatchObject({
              text: `7/${32_760 + frame}.${came[index]! % 2}`,
              picture: frame & 0x7fff,
              tl0: frame & 0xff,
              timestamp: (50_000 + frame * 3000) >>> 0,
            });
          });
        },
      ),
      { numRuns: 60 },
    );
  });

  test('a subscriber’s loss is repaired from kept packets, byte for byte, with each subscriber’s own numbers', () => {
    const { source, got, subscriber, forwarding, ...room } = aPicture({ layers: 1 });
    const other = room.addSubscriber();
    other.subscriber.open(0);
    const camera = createCamera({ ssrc: 7 });
    for (const packet of camera.frame(true)) source.receive(0, packet, 0);
    // The second one joins later and starts elsewhere.
    other.subscriber.addTrack({ ...SUBSCRIBED, firstSequence: 30, ssrc: 1 }).carry(source, 40);
    for (const packet of [...camera.frame(true), ...camera.frame()]) source.receive(0, packet, 50);
    const before = new Map(got.map((one) => [one.sequence, one.bytes.toString('hex')]));
    const others = new Map(other.got.map((one) => [one.sequence, one.bytes.toString('hex')]));
    got.length = 0;
    other.got.length = 0;
    subscriber.rtcp(writeNack(1, SUBSCRIBED.ssrc, [1001, 1004]), 100);
    other.subscriber.rtcp(writeNack(1, 1, [31]), 100);
    expect(got.map((one) => [one.sequence, one.bytes.toString('hex')])).toEqual([
      [1001, before.get(1001)],
      [1004, before.get(1004)],
    ]);
    expect(other.got.map((one) => [one.sequence, one.bytes.toString('hex')])).toEqual([[31, others.get(31)]]);
    expect(forwarding.stats()).toMatchObject({ retransmitted: 3, retransmissionsMissed: 0 });
    // Never sent, of another stream, and too old.
    subscriber.rtcp(writeNack(1, SUBSCRIBED.ssrc, [1400]), 200);
    subscriber.rtcp(writeNack(1, 5, [1001]), 200);
    subscriber.rtcp(writeNack(1, SUBSCRIBED.ssrc, [1002]), 2051);
    expect(got).toHaveLength(2);
    expect(forwarding.stats().retransmissionsMissed).toBe(2);
  });

  test('a retransmission by the publisher reaches the subscriber under its reserved number', () => {
    const { source, got, sent, forwarding } = aPicture({ layers: 1 });
    const camera = createCamera({ ssrc: 7, sequence: 65_534 });
    const packets = [...camera.frame(true), ...camera.frame(), ...camera.frame()];
    const lost = packets.splice(2, 1)[0]!;
    for (const packet of packets) source.receive(0, packet, 0);
    forwarding.tick(5);
    expect(asked(sent).nacks).toEqual([[7, 0]]);
    source.receive(0, lost, 60);
    expect(numbers(got)).toEqual([1000, 1001, 1003, 1004, 1005, 1002]);
    forwarding.tick(200);
    expect(asked(sent).nacks).toEqual([]);
    expect(forwarding.stats()).toMatchObject({ requested: 1, givenUp: 0 });
  });

  test('on a very lossy network, requested packets are sent twice', () => {
    const { source, got, subscriber, forwarding } = aPicture({ layers: 1 });
    const camera = createCamera({ ssrc: 7 });
    /** A second in which that many packets are requested again, each at another time. Returns how often each came. */
    const second = (startMs: number, requests: number) => {
      got.length = 0;
      for (let number = 0; number < 30; number++) {
        const nowMs = startMs + number * 33;
        for (const packet of camera.frame(startMs === 0 && number === 0)) source.receive(0, packet, nowMs);
        forwarding.tick(nowMs);
        if (number < requests) subscriber.rtcp(writeNack(1, SUBSCRIBED.ssrc, [got.at(-1)!.sequence]), nowMs);
        forwarding.tick(nowMs + 15);
      }
      const times = new Map<number, string[]>();
      for (const { sequence, bytes } of got)
        times.set(sequence, [...(times.get(sequence) ?? []), bytes.toString('hex')]);
      // Byte for byte the same.
      for (const copies of times.values()) expect(new Set(copies).size).toBe(1);
      return [...times.values()].filter((copies) => copies.length > 1).map((copies) => copies.length);
    };
    expect(second(0, 2)).toEqual([2, 2]);
    second(1000, 5);
    expect(second(2000, 5)).toEqual([3, 3, 3, 3, 3]);
    for (let startMs = 3000; startMs < 15_000; startMs += 1000) second(startMs, 0);
    expect(second(15_000, 1)).toEqual([2]);
  });

  test('a loss that cannot be repaired is given up, and a key frame is requested', () => {
    const { source, sent, forwarding } = aPicture({ layers: 1 });
    const camera = createCamera({ ssrc: 7 });
    for (const packet of [...camera.frame(true), ...camera.frame()].filter((_, number) => number !== 2))
      source.receive(0, packet, 0);
    let nacks = 0;
    const keyFrames: number[] = [];
    for (let nowMs = 600; nowMs < 2500; nowMs += 10) {
      forwarding.tick(nowMs);
      const all = asked(sent);
      nacks += all.nacks.length;
      keyFrames.push(...all.keyFrames);
    }
    expect(nacks).toBeGreaterThan(2);
    expect(keyFrames).toContain(7);
    expect(forwarding.stats().givenUp).toBe(1);
  });

  test('without negotiation nothing is requested again', () => {
    const { source, sent, forwarding } = aPicture({ layers: 1, nack: false });
    const camera = createCamera({ ssrc: 7 });
    for (const packet of [...camera.frame(true), ...camera.frame(), ...camera.frame()].filter(
      (_, number) => number !== 2,
    ))
      source.receive(0, packet, 0);
    forwarding.tick(500);
    expect(asked(sent).nacks).toEqual([]);
  });

  test('a publisher’s padding for network measurement leaves no hole, even if it arrives late', () => {
    const { source, got } = aPicture({ layers: 1 });
    const camera = createCamera({ ssrc: 7, sequence: 10 });
    const padding = (sequence: number) => {
      const packet = rtp({ ssrc: 7, sequence, payload: Buffer.from([0, 0, 3]) });
      packet[0]! |= 0x20;
      return packet;
    };
    for (const packet of camera.frame(true)) source.receive(0, packet, 0);
    source.receive(0, padding(12), 0);
    for (const sequence of [13, 15])
      source.receive(0, rtp({ ssrc: 7, sequence, payload: vp8({ begins: false, picture: 5 }) }), 0);
    expect(numbers(got)).toEqual([1000, 1001, 1002, 1004]);
    // 1003 was kept for what turns out to be padding: it is filled, so that nobody requests it endlessly.
    source.receive(0, padding(14), 0);
    expect(numbers(got).at(-1)).toBe(1003);
    expect(got.at(-1)!.filler).toBe(true);
  });
});

describe('layers', () => {
  /** Three layers of one camera, sending together. Returns what reached the subscriber for each frame. */
  function threeLayers() {
    const parts = aPicture();
    const cameras = [
      createCamera({ ssrc: 1, timestamp: 9 }),
      createCamera({ ssrc: 2, sequence: 40_000, timestamp: 4_000_000, picture: 900 }),
      createCamera({ ssrc: 3, sequence: 60_000, timestamp: 8_000_000, picture: 20_000 }),
    ];
    let nowMs = 0;
    return {
      ...parts,
      /** One frame of each layer that lives. */
      play(frames: number, keyFrames: readonly number[] = [], layers: readonly number[] = [0, 1, 2]) {
        for (let number = 0; number < frames; number++) {
          nowMs += FRAME_MS;
          for (const layer of layers)
            for (const packet of cameras[layer]!.frame(number === 0 && keyFrames.includes(layer)))
              parts.source.receive(layer, packet, nowMs);
          parts.forwarding.tick(nowMs);
        }
        return nowMs;
      },
      now: () => nowMs,
    };
  }
  /** One continuous stream, whatever layers it is made of. */
  function expectContinuous(got: readonly Got[]) {
    expect(numbers(got)).toEqual(ascending(1000, got.length));
    for (let at = 1; at < got.length; at++) {
      const [before, after] = [got[at - 1]!, got[at]!];
      const step = (after.timestamp - before.timestamp) | 0;
      if (before.marker) {
        expect(step).toBeGreaterThan(0);
        expect(step).toBeLessThan(9000);
        expect((after.picture - before.picture) & 0x7fff).toBe(1);
        expect((after.tl0 - before.tl0) & 0xff).toBe(1);
      } else if (after.text.split('.')[1] !== '0')
        expect([step, after.picture, after.tl0]).toEqual([0, before.picture, before.tl0]);
    }
  }
  const layersOf = (got: readonly Got[]) =>
    got.map(({ text }) => Number(text[0])).filter((ssrc, at, all) => ssrc !== all[at - 1]);

  test('show the best active one, and a lower one until its key frame arrives', () => {
    const { play, got, sent, sink } = threeLayers();
    play(5, [0]);
    expect(layersOf(got)).toEqual([1]);
    expect(asked(sent).keyFrames).toContain(3);
    play(5, [2]);
    expect(layersOf(got)).toEqual([1, 3]);
    expect(sink.stats()).toMatchObject({ substream: 2, temporal: 2 });
    expectContinuous(got);
  });

  test('switch on request after a key frame; until then the old one continues', () => {
    const { play, got, sent, sink, now } = threeLayers();
    play(5, [0, 1, 2]);
    asked(sent);
    sink.want({ substream: 1 }, now());
    play(4);
    expect(layersOf(got)).toEqual([1, 3]);
    expect(asked(sent).keyFrames).toEqual([2]);
    // Key frames of others change nothing.
    play(4, [0, 2]);
    expect(layersOf(got)).toEqual([1, 3]);
    play(4, [1]);
    expect(layersOf(got)).toEqual([1, 3, 2]);
    expectContinuous(got);
  });

  test('replace a stopped layer by the next lower one, until it returns', () => {
    const { play, got } = threeLayers();
    play(5, [0, 1, 2]);
    play(45, [], [0, 1]);
    play(5, [1], [0, 1]);
    expect(layersOf(got)).toEqual([1, 3, 2]);
    play(4);
    play(5, [2]);
    expect(layersOf(got)).toEqual([1, 3, 2, 3]);
    expectContinuous(got.filter(({ timestamp }) => timestamp <= got[9]!.timestamp));
  });

  test('are aligned by the publisher’s reports: the capture time counts, not the arrival', () => {
    const parts = aPicture();
    const [low, high] = [
      createCamera({ ssrc: 1, timestamp: 0 }),
      createCamera({ ssrc: 2, sequence: 500, timestamp: 1_000_000 }),
    ];
    for (const packet of low.frame(true)) parts.source.receive(0, packet, 0);
    for (const packet of high.frame()) parts.source.receive(1, packet, 0);
    parts.publisher.rtcp(writeSenderReport({ ssrc: 1, ntpMs: 1000, rtp: 0, packets: 0, bytes: 0 }), 0);
    parts.publisher.rtcp(writeSenderReport({ ssrc: 2, ntpMs: 1000, rtp: 1_000_000, packets: 0, bytes: 0 }), 0);
    for (const packet of low.frame()) parts.source.receive(0, packet, 33);
    // The upper layer's key frame, taken at 33 ms as well, arrives late; the next one of it is at 66.
    high.frame();
    parts.sink.want({ substream: 1 }, 34);
    for (const packet of high.frame(true)) parts.source.receive(1, packet, 180);
    expect(parts.got.at(-1)!.timestamp - parts.got.at(-3)!.timestamp).toBe(3000);
  });

  test('make one continuous stream without holes, with any requests at any time', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            substream: fc.nat(2),
            temporal: fc.nat(2),
            key: fc.nat(2),
            frames: fc.integer({ min: 1, max: 6 }),
            on: fc.boolean(),
          }),
          { maxLength: 25 },
        ),
        (wishes) => {
          const { play, got, sink, now } = threeLayers();
          play(2, [0, 1, 2]);
          for (const { substream, key, frames, on } of wishes) {
            sink.want({ substream }, now());
            sink.on(on, now());
            play(frames, [key]);
          }
          sink.on(true, now());
          play(2, [0, 1, 2]);
          expect(numbers(got)).toEqual(ascending(1000, got.length));
          got.forEach((one, at) => {
            const before = got[at - 1];
            if (before?.marker !== true) return;
            expect((one.timestamp - before.timestamp) | 0).toBeGreaterThan(0);
            expect((one.picture - before.picture) & 0x7fff).toBe(1);
            // A change of layer is a key frame of the new one.
            if (before.text[0] !== one.text[0]) expect(one.payload[6]).toBe(0);
          });
        },
      ),
      { numRuns: 40 },
    );
  });

  test('retransmit from the layer that was sent, not from another with the same number', () => {
    const { source, got, sink, subscriber } = aPicture();
    // The same numbers in both layers.
    const [low, high] = [createCamera({ ssrc: 1, sequence: 12 }), createCamera({ ssrc: 2, sequence: 10 })];
    for (const packet of low.frame(true)) source.receive(0, packet, 0);
    for (const packet of high.frame()) source.receive(1, packet, 5);
    sink.want({ substream: 1 }, 6);
    for (const packet of high.frame(true)) source.receive(1, packet, 40);
    const sent = got.map(({ bytes }) => bytes.toString('hex'));
    expect(layersOf(got)).toEqual([1, 2]);
    got.length = 0;
    subscriber.rtcp(writeNack(1, SUBSCRIBED.ssrc, ascending(1000, sent.length)), 50);
    expect(got.map(({ bytes }) => bytes.toString('hex'))).toEqual(sent);
  });

  test('restart a layer with a new SSRC', () => {
    const { source, got } = aPicture({ layers: 1 });
    for (const packet of createCamera({ ssrc: 1, sequence: 100 }).frame(true)) source.receive(0, packet, 0);
    const again = createCamera({ ssrc: 2, sequence: 50 });
    for (const packet of again.frame()) source.receive(0, packet, 40);
    expect(got).toHaveLength(2);
    for (const packet of again.frame(true)) source.receive(0, packet, 80);
    expect(numbers(got)).toEqual(ascending(1000, 4));
    expect(source.ssrc(0)).toBe(2);
  });
});

describe('temporal layers', () => {
  test.each([
    [0, [0]],
    [1, [0, 1]],
    [2, [0, 1, 2]],
  ])('up to %i: leave no gaps from the others, in packet, picture and reference numbers', (temporal, kept) => {
    const { source, got, sink } = aPicture({ layers: 1 });
    sink.want({ temporal }, 0);
    const camera = createCamera({ ssrc: 1, temporalLayers: 3, sequence: 65_530, picture: 32_760 });
    for (let frame = 0; frame < 40; frame++)
      for (const packet of camera.frame(frame === 0)) source.receive(0, packet, frame * FRAME_MS);
    expect([...new Set(got.map((one) => one.temporal))].sort()).toEqual(kept);
    expect(numbers(got)).toEqual(ascending(1000, got.length));
    expect(got.map(({ picture }) => picture)).toEqual(got.map((_, at) => Math.floor(at / 2)));
    expect(got).toHaveLength(temporal === 2 ? 80 : temporal === 1 ? 40 : 20);
  });

  test('go down at once, up only where a decoder can', () => {
    const { source, got, sink } = aPicture({ layers: 1 });
    const frames = (specs: [temporal: number, sync: boolean][], from: number) =>
      specs.forEach(([temporal, sync], at) =>
        source.receive(
          0,
          rtp({
            ssrc: 1,
            sequence: from + at,
            timestamp: (from + at) * 3000,
            marker: true,
            payload: vp8({ keyFrame: from + at === 1, picture: from + at, temporal, sync, text: String(from + at) }),
          }),
          0,
        ),
      );
    frames(
      [
        [0, false],
        [1, true],
      ],
      1,
    );
    sink.want({ temporal: 0 }, 0);
    frames(
      [
        [1, true],
        [0, false],
      ],
      3,
    );
    sink.want({ temporal: 2 }, 0);
    frames(
      [
        [1, false],
        [0, false],
        [1, true],
        [2, false],
        [2, true],
      ],
      5,
    );
    expect(got.map(({ text }) => text)).toEqual(['1', '2', '4', '6', '7', '9']);
    expect(numbers(got)).toEqual(ascending(1000, 6));
  });

  test('do not cut a frame on a request in the middle of it', () => {
    const { source, got, sink } = aPicture({ layers: 1 });
    const camera = createCamera({ ssrc: 1, temporalLayers: 2 });
    for (const packet of camera.frame(true)) source.receive(0, packet, 0);
    const [first, second] = camera.frame();
    source.receive(0, first!, 33);
    sink.want({ temporal: 0 }, 34);
    source.receive(0, second!, 35);
    expect(got.map((one) => one.temporal)).toEqual([0, 0, 1, 1]);
    for (const frame of [camera.frame(), camera.frame()]) for (const packet of frame) source.receive(0, packet, 66);
    expect(got.map((one) => one.temporal)).toEqual([0, 0, 1, 1, 0, 0]);
  });

  test('pass no packet of an unwanted layer, and frames completely or not at all, in spite of losses and delays', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ lost: fc.integer({ min: 0, max: 6 }), late: fc.nat(4) }), {
          minLength: 30,
          maxLength: 90,
        }),
        fc.nat(1),
        (fates, temporal) => {
          const { source, got, sink, subscriber } = aPicture({ layers: 1 });
          sink.want({ temporal }, 0);
          const camera = createCamera({ ssrc: 1, temporalLayers: 3 });
          const packets = ascending(0, 50)
            .flatMap((number) => camera.frame(number === 0))
            .slice(0, fates.length);
          const arriving = packets
            .map((packet, number) => ({ packet, number, at: number + (number > 1 ? fates[number]!.late : 0) }))
            .filter(({ number }) => number < 2 || fates[number]!.lost > 0);
          for (const { packet } of arriving.sort((a, b) => a.at - b.at)) source.receive(0, packet, 0);
          expect(got.every((one) => one.temporal <= temporal)).toBe(true);
          expect(new Set(numbers(got)).size).toBe(got.length);
          // Holes are at most the publisher's losses.
          const lost = fates.filter((fate, number) => number > 1 && fate.lost === 0).length;
          const outs = numbers(got);
          expect(Math.max(...outs) - Math.min(...outs) + 1 - got.length).toBeLessThanOrEqual(lost);
          // And everything that went out can be had again as it was, fillers too.
          const sent = new Map(got.map((one) => [one.sequence, one.bytes.toString('hex')]));
          got.length = 0;
          subscriber.rtcp(writeNack(1, SUBSCRIBED.ssrc, [...sent.keys()]), 100);
          expect(new Map(got.map((one) => [one.sequence, one.bytes.toString('hex')]))).toEqual(sent);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('switches', () => {
  test('to another person in the same m-line make one continuous stream', () => {
    const { source, sink, got, ...room } = aPicture({ layers: 1 });
    const other = room.addPublisher().publisher.addTrack({ ...VIDEO, layers: 1 });
    const [first, second] = [
      createCamera({ ssrc: 1 }),
      createCamera({ ssrc: 2, sequence: 3, timestamp: 77, picture: 4, tl0: 200 }),
    ];
    for (const packet of first.frame(true)) source.receive(0, packet, 0);
    sink.carry(other, 100);
    for (const packet of first.frame()) source.receive(0, packet, 110);
    for (const packet of second.frame()) other.receive(0, packet, 120);
    expect(got).toHaveLength(2);
    for (const packet of second.frame(true)) other.receive(0, packet, 200);
    expect(numbers(got)).toEqual(ascending(1000, 4));
    expect(got.map(({ picture, tl0 }) => [picture, tl0])).toEqual([
      [0, 0],
      [0, 0],
      [1, 1],
      [1, 1],
    ]);
    // 200 ms passed.
    expect(got[2]!.timestamp - got[1]!.timestamp).toBe(18_000);
    sink.carry(null, 300);
    for (const packet of second.frame(true)) other.receive(0, packet, 310);
    expect(got).toHaveLength(4);
  });

  test('cannot lift a hidden state, even when repeated', () => {
    const { source, sink, got, subscriber } = aPicture({ layers: 1 });
    const camera = createCamera({ ssrc: 1 });
    for (const packet of camera.frame(true)) source.receive(0, packet, 0);
    sink.hide(true, 10);
    sink.on(true, 10);
    sink.want({ substream: 2 }, 10);
    for (const packet of camera.frame(true)) source.receive(0, packet, 20);
    subscriber.rtcp(writeNack(1, SUBSCRIBED.ssrc, [1000]), 30);
    expect(got).toHaveLength(2);
    expect(sink.stats().substream).toBe(-1);
    sink.hide(false, 40);
    for (const packet of camera.frame()) source.receive(0, packet, 50);
    expect(got).toHaveLength(2);
    for (const packet of camera.frame(true)) source.receive(0, packet, 60);
    expect(numbers(got)).toEqual(ascending(1000, 4));
  });

  test('send nothing before the connection is open or after it is closed', () => {
    const room = aRoom();
    const source = room.addPublisher().publisher.addTrack({ ...VOICE, always: true });
    const { subscriber, got } = room.addSubscriber();
    subscriber.addTrack({ ...SUBSCRIBED, media: 'audio', clockRate: 48_000 }).carry(source, 0);
    source.receive(0, rtp({ sequence: 1 }), 0);
    expect(got).toEqual([]);
    subscriber.open(10);
    source.receive(0, rtp({ sequence: 2, timestamp: 960 }), 20);
    expect(got).toHaveLength(1);
    subscriber.close();
    source.receive(0, rtp({ sequence: 3, timestamp: 1920 }), 40);
    room.forwarding.tick(5000);
    expect(got).toHaveLength(1);
  });

  test('free the m-line when a publisher leaves; video muted by the room returns with a key frame', () => {
    const { source, publisher, sink, got, ...room } = aPicture({ layers: 1 });
    const camera = createCamera({ ssrc: 1 });
    for (const packet of camera.frame(true)) source.receive(0, packet, 0);
    source.mute(true);
    for (const packet of camera.frame(true)) source.receive(0, packet, 33);
    source.mute(false);
    for (const packet of camera.frame()) source.receive(0, packet, 66);
    expect(got).toHaveLength(2);
    for (const packet of camera.frame(true)) source.receive(0, packet, 99);
    expect(numbers(got)).toEqual(ascending(1000, 4));
    publisher.close();
    for (const packet of camera.frame(true)) source.receive(0, packet, 133);
    expect(got).toHaveLength(4);
    const other = room.addPublisher().publisher.addTrack({ ...VIDEO, layers: 1 });
    sink.carry(other, 200);
    for (const packet of createCamera({ ssrc: 9 }).frame(true)) other.receive(0, packet, 210);
    expect(numbers(got)).toEqual(ascending(1000, 6));
  });

  test('refuse audio on a video m-line, and one SSRC on two m-lines', () => {
    const { sink, subscriber, ...room } = aPicture();
    expect(() => sink.carry(room.addPublisher().publisher.addTrack(VOICE), 0)).toThrow();
    expect(() => subscriber.addTrack(SUBSCRIBED)).toThrow();
    expect(() => subscriber.addTrack({ ...SUBSCRIBED, ssrc: 1, firstSequence: 0x8000 })).toThrow();
    expect(() => room.addPublisher().publisher.addTrack({ ...VIDEO, layers: 4 })).toThrow();
  });
});

describe('audio', () => {
  /** n clients and a listener who receives all. */
  function aRoomOfVoices(count: number, loudestVoices: number, always: readonly number[] = []) {
    const told: [number, boolean, number][] = [];
    const tracks: ReturnType<ReturnType<ReturnType<typeof aRoom>['addPublisher']>['publisher']['addTrack']>[] = [];
    const room = aRoom({
      loudestVoices,
      onTalking: (track, talking, average) => told.push([tracks.indexOf(track as never), talking, average]),
    });
    const { subscriber, got } = room.addSubscriber();
    subscriber.open(0);
    for (let who = 0; who < count; who++) {
      const track = room.addPublisher().publisher.addTrack({ ...VOICE, always: always.includes(who) });
      tracks.push(track);
      subscriber
        .addTrack({ ...SUBSCRIBED, media: 'audio', ssrc: who + 1, clockRate: 48_000, payloadType: 111 })
        .carry(track, 0);
    }
    let packet = 0;
    return {
      ...room,
      got,
      told,
      tracks,
      /** All speak for this many packets of 20 ms, each as loudly as given. */
      speak(levels: readonly number[], packets: number) {
        for (let number = 0; number < packets; number++, packet++) {
          levels.forEach((dBov, who) =>
            tracks[who]!.receive(
              0,
              rtp({ ssrc: 100 + who, sequence: 65_500 + packet, timestamp: packet * 960, extensions: level(dBov) }),
              packet * 20,
            ),
          );
          room.forwarding.tick(packet * 20);
        }
      },
      of: (who: number) => got.filter(({ ssrc }) => ssrc === who + 1),
    };
  }

  test('leaves no holes for a person who is not among the loudest: numbers continue, timestamps jump, and the first packet is marked', () => {
    const { speak, of } = aRoomOfVoices(2, 1);
    speak([60, 90], 100);
    speak([90, 20], 100);
    speak([10, 90], 200);
    const first = of(0);
    expect(numbers(first)).toEqual(ascending(1000, first.length));
    const leap = first.findIndex(({ marker }, at) => at > 0 && marker);
    expect(first[leap]!.timestamp - first[leap - 1]!.timestamp).toBeGreaterThan(50 * 960);
    // Time continues at the speaker's pace.
    expect((first.at(-1)!.timestamp - first[0]!.timestamp) / 960).toBe(399);
    expect(of(1).length).toBeGreaterThan(80);
    // When the place goes to the other, both may have had it in the same instant.
    expect(of(0).length + of(1).length - 400).toBeLessThanOrEqual(2);
  });

  test('is repaired after losses in both directions, byte for byte', () => {
    const room = aRoom();
    const { publisher, sent } = room.addPublisher();
    const track = publisher.addTrack(VOICE);
    const { subscriber, got } = room.addSubscriber();
    subscriber.open(0);
    subscriber.addTrack({ ...SUBSCRIBED, media: 'audio', clockRate: 48_000, payloadType: 111 }).carry(track, 0);
    const packet = (number: number) =>
      rtp({
        ssrc: 5,
        sequence: 65_530 + number,
        timestamp: number * 960,
        extensions: level(30),
        payload: Buffer.from(`voice ${number}`),
      });
    for (let number = 0; number < 12; number++) {
      if (number !== 8) track.receive(0, packet(number), number * 20);
      room.forwarding.tick(number * 20 + 15);
    }
    const { nacks, blocks } = asked(sent);
    expect(nacks[0]).toEqual([5, (65_530 + 8) & 0xffff]);
    expect(new Set(nacks.map(([, sequence]) => sequence)).size).toBe(1);
    expect(blocks[0]).toMatchObject({ ssrc: 5 });
    track.receive(0, packet(8), 250);
    expect(numbers(got)).toEqual([...ascending(1000, 8), 1009, 1010, 1011, 1008]);
    const before = got.find(({ sequence }) => sequence === 1003)!.bytes.toString('hex');
    got.length = 0;
    subscriber.rtcp(writeNack(1, SUBSCRIBED.ssrc, [1003, 1008]), 260);
    expect(got.map(({ sequence }) => sequence)).toEqual([1003, 1008]);
    expect(got[0]!.bytes.toString('hex')).toBe(before);
    expect(room.forwarding.stats()).toMatchObject({ retransmitted: 2, retransmissionsMissed: 0 });
  });

  test('is not requested again if nobody hears it', () => {
    const room = aRoom({ loudestVoices: 0 });
    const { publisher, sent } = room.addPublisher();
    const track = publisher.addTrack(VOICE);
    for (const number of [0, 1, 3, 4, 5, 6])
      track.receive(0, rtp({ ssrc: 5, sequence: number, extensions: level(30) }), number * 20);
    for (let nowMs = 120; nowMs < 400; nowMs += 15) room.forwarding.tick(nowMs);
    expect(asked(sent).nacks).toEqual([]);
  });

  test('is always forwarded for the therapist', () => {
    const { speak, of } = aRoomOfVoices(4, 1, [0]);
    speak([120, 30, 30, 30], 200);
    expect(of(0)).toHaveLength(200);
    expect(of(1).length + of(2).length + of(3).length).toBe(200);
  });

  test('includes its level, under the subscriber’s id', () => {
    const { speak, of } = aRoomOfVoices(1, 1);
    speak([33], 1);
    expect(of(0)[0]!.audioLevel).toBe(33);
  });

  test('reports talking and stopped talking with the average', () => {
    const { speak, told } = aRoomOfVoices(2, 1);
    speak([30, 90], 100);
    speak([90, 90], 100);
    expect(told).toEqual([
      [0, true, 30],
      [0, false, 90],
    ]);
  });

  test('is not forwarded while muted by the room, and continues without a hole', () => {
    const { speak, told, tracks, of } = aRoomOfVoices(1, Infinity);
    speak([30], 100);
    tracks[0]!.mute(true);
    expect(told).toHaveLength(2);
    speak([30], 100);
    expect(told).toEqual([
      [0, true, 30],
      [0, false, 127],
    ]);
    tracks[0]!.mute(false);
    speak([30], 10);
    expect(numbers(of(0))).toEqual(ascending(1000, 110));
    expect(of(0)[100]!.timestamp - of(0)[99]!.timestamp).toBe(101 * 960);
  });
});

describe('reports', () => {
  test('a subscriber’s sender report maps its timestamps to time, across switches, from the publisher’s own report', () => {
    const { source, publisher, subscriber, sink, got, reports, forwarding, ...room } = aPicture({ layers: 1 });
    const other = room.addPublisher();
    const second = other.publisher.addTrack({ ...VIDEO, layers: 1 });
    void subscriber;
    // The publishers' clocks are far from ours and from each other's.
    const [first, later] = [createCamera({ ssrc: 1, timestamp: 9_000_000 }), createCamera({ ssrc: 2, timestamp: 5 })];
    publisher.rtcp(writeSenderReport({ ssrc: 1, ntpMs: 1_000_000, rtp: 9_000_000, packets: 0, bytes: 0 }), 0);
    other.publisher.rtcp(writeSenderReport({ ssrc: 2, ntpMs: 9_000_000, rtp: 5, packets: 0, bytes: 0 }), 0);
    const read = () => {
      const all: { ssrc: number; ntpMs: number; rtp: number }[] = [];
      for (const compound of reports.splice(0))
        expect(
          readRtcp(compound, { senderReport: (ssrc, ntpMs, timestamp) => all.push({ ssrc, ntpMs, rtp: timestamp }) }),
        ).toBe(true);
      return all;
    };
    for (const packet of first.frame(true)) source.receive(0, packet, 0);
    publisher.rtcp(writeSenderReport({ ssrc: 1, ntpMs: 1_000_000, rtp: 9_000_000, packets: 0, bytes: 0 }), 0);
    forwarding.tick(500);
    // The picture of time 0 has the stream's first timestamp; half a second later is 45,000 ticks on.
    expect(read()).toEqual([{ ssrc: SUBSCRIBED.ssrc, ntpMs: 1_700_000_000_500, rtp: 50_000 + 45_000 }]);
    // Nothing new was sent: nothing is to report.
    forwarding.tick(1600);
    expect(read()).toEqual([]);

    sink.carry(second, 2000);
    for (const packet of later.frame(true)) second.receive(0, packet, 2000);
    other.publisher.rtcp(writeSenderReport({ ssrc: 2, ntpMs: 9_000_000, rtp: 5, packets: 0, bytes: 0 }), 2000);
    forwarding.tick(2100);
    const [report] = read();
    // One clock for both: 2,000 ms after the first picture, give or take nothing.
    expect(got.at(-1)!.timestamp).toBe(50_000 + 180_000);
    expect(report!.ntpMs).toBe(1_700_000_002_100);
  });

  test('without the publisher’s report there is none', () => {
    const { source, reports, forwarding } = aPicture({ layers: 1 });
    for (const packet of createCamera({ ssrc: 1 }).frame(true)) source.receive(0, packet, 0);
    forwarding.tick(1000);
    expect(reports).toEqual([]);
  });

  test('publishers get receiver reports and their limit each second, a new limit at once', () => {
    const room = aRoom();
    const { publisher, sent } = room.addPublisher(200_000);
    const source = publisher.addTrack({ ...VIDEO, layers: 1, nack: false });
    const camera = createCamera({ ssrc: 5 });
    const limits: [number, number][] = [];
    const shares: number[] = [];
    for (let nowMs = 0; nowMs <= 3000; nowMs += 10) {
      if (nowMs === 1500) publisher.bitrate(100_000);
      if (nowMs % 30 === 0)
        camera.frame().forEach((packet, number) => {
          if (number === 0 || nowMs % 60 > 0) source.receive(0, packet, nowMs);
        });
      room.forwarding.tick(nowMs);
      const all = asked(sent);
      limits.push(...all.rembs.map((bits): [number, number] => [nowMs, bits]));
      shares.push(...all.blocks.map(({ fractionLost }) => fractionLost));
    }
    expect(limits).toEqual([
      [0, 200_000],
      [1000, 200_000],
      [1500, 100_000],
      [2500, 100_000],
    ]);
    // A quarter is lost.
    for (const share of shares.slice(1)) expect(Math.abs(share - 64)).toBeLessThan(6);
  });

  test('a subscriber’s reports are kept: losses, round trip, its estimate', () => {
    const { source, publisher, subscriber, reports, sink, forwarding } = aPicture({ layers: 1 });
    for (const packet of createCamera({ ssrc: 1 }).frame(true)) source.receive(0, packet, 0);
    publisher.rtcp(writeSenderReport({ ssrc: 1, ntpMs: 1, rtp: 0, packets: 0, bytes: 0 }), 0);
    forwarding.tick(1000);
    let middle = 0;
    readRtcp(reports[0]!, {
      senderReport: (_ssrc, _ntp, _rtp, given) => {
        middle = given;
      },
    });
    // Answered after 250 ms, 40 ms on the way.
    subscriber.rtcp(
      Buffer.concat([
        writeReceiverReport(3, [
          {
            ssrc: SUBSCRIBED.ssrc,
            fractionLost: 64,
            lost: 9,
            highestSequence: 0,
            jitter: 0,
            lastReport: middle,
            delay: 16_384,
          },
        ]),
        writeRemb(3, 300_000, [SUBSCRIBED.ssrc]),
      ]),
      1290,
    );
    expect(sink.stats()).toMatchObject({ fractionLost: 0.25, lostInAll: 9 });
    expect(sink.stats().roundTripMs).toBeCloseTo(40, 0);
    expect(subscriber.stats()).toEqual({ estimatedBitrate: 300_000, tracks: 1 });
  });
});

test('media that stops and starts again is reported', () => {
  const told: [number, boolean][] = [];
  const room = aRoom({ onMedia: (_track, layer, receiving) => told.push([layer, receiving]) });
  const source = room.addPublisher().publisher.addTrack(VIDEO);
  const camera = createCamera({ ssrc: 1 });
  for (const packet of camera.frame()) source.receive(1, packet, 0);
  room.forwarding.tick(1900);
  expect(told).toEqual([[1, true]]);
  room.forwarding.tick(2000);
  for (const packet of camera.frame()) source.receive(1, packet, 2100);
  expect(told).toEqual([
    [1, true],
    [1, false],
    [1, true],
  ]);
  expect(source.stats().layers.map(({ packets, alive }) => [packets, alive])).toEqual([
    [0, false],
    [4, true],
    [0, false],
  ]);
});

test('media that only change their SSRC are reported once, however often they do', () => {
  const told: boolean[] = [];
  const room = aRoom({ onMedia: (_track, _layer, receiving) => told.push(receiving) });
  const source = room.addPublisher().publisher.addTrack(VIDEO);
  const cameras = [createCamera({ ssrc: 1 }), createCamera({ ssrc: 2 })];
  for (let count = 0; count < 50; count++)
    for (const packet of cameras[count % 2]!.frame()) source.receive(1, packet, count);
  expect(told).toEqual([true]);
  room.forwarding.tick(2100);
  expect(told).toEqual([true, false]);
});

test('copies of packets are counted once', () => {
  const { source } = aPicture({ layers: 1 });
  const frame = createCamera({ ssrc: 1 }).frame(true);
  for (const packet of [...frame, ...frame]) source.receive(0, Buffer.from(packet), 0);
  expect(source.stats().layers[0]).toMatchObject({ packets: 2, lost: 0 });
});

test('memory is limited, and nothing is kept of people who have left', () => {
  const room = aRoom({ keepBytes: 5000, keepMs: 1000 });
  const { publisher } = room.addPublisher();
  const source = publisher.addTrack(VIDEO);
  const camera = createCamera({ ssrc: 1 });
  for (let frame = 0; frame < 400; frame++) for (const packet of camera.frame(true)) source.receive(0, packet, frame);
  expect(room.forwarding.stats().keptBytes).toBeGreaterThan(4000);
  expect(room.forwarding.stats().keptBytes).toBeLessThanOrEqual(5000);
  room.forwarding.tick(5000);
  expect(room.forwarding.stats().keptBytes).toBeLessThan(20);
  publisher.close();
  expect(room.forwarding.stats().keptBytes).toBe(0);
});

test('hostile packets neither throw nor pass', () => {
  const { source, publisher, subscriber, got } = aPicture({ extensions: { audioLevel: 1, orientation: 2 } });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(4), (bytes, layer) => {
      source.receive(layer, Buffer.from(bytes), 0);
      publisher.rtcp(Buffer.from(bytes), 0);
      subscriber.rtcp(Buffer.from(bytes), 0);
    }),
    { numRuns: 1000 },
  );
  expect(got.every(({ ssrc }) => ssrc === SUBSCRIBED.ssrc)).toBe(true);
});
