/** Publishers are held to their cap by counting, even if they ignore REMB. Rule 43 of the README. */
import { describe, expect, test } from 'vitest';
import { aRoom, rtp, SUBSCRIBED, VIDEO, VOICE, vp8 } from '../forwarding.fixture.ts';
import { readRtcp } from '../../rtp/rtcp.ts';

const CAP = 200_000;
const TICK_MS = 15;
const VIDEO_SSRC = 77;

/** Somebody with a microphone and a camera, and somebody who gets both; time goes by in ticks. */
function aStream(bitrate = CAP) {
  const room = aRoom();
  const { publisher, sent, limited } = room.addPublisher(bitrate);
  const camera = publisher.addTrack({ ...VIDEO, layers: 1 });
  const microphone = publisher.addTrack(VOICE);
  const { subscriber, got } = room.addSubscriber();
  subscriber.addTrack(SUBSCRIBED).carry(camera, 0);
  subscriber
    .addTrack({ ...SUBSCRIBED, media: 'audio', ssrc: 9001, payloadType: 111, clockRate: 48_000, mid: '8' })
    .carry(microphone, 0);
  subscriber.open(0);
  let nowMs = 0;
  const sequence = { audio: 0, video: 0 };
  const owed = { audio: 0, video: 0 };
  const packetBytes = { audio: 80, video: 1000 };
  let keyFrameAsked = true;
  const isAsked = () => {
    for (const compound of sent.splice(0)) readRtcp(compound, { keyFrame: () => (keyFrameAsked = true) });
    return keyFrameAsked;
  };

  function send(kind: 'audio' | 'video') {
    const number = sequence[kind]++;
    if (kind === 'audio') {
      const payload = Buffer.alloc(packetBytes.audio, 1);
      microphone.receive(0, rtp({ ssrc: 5, sequence: number, timestamp: number * 960, payload }), nowMs);
      return;
    }
    // Each packet is a picture; a key frame when one was asked for.
    const keyFrame = isAsked();
    keyFrameAsked = false;
    const payload = Buffer.concat([vp8({ keyFrame, picture: number }), Buffer.alloc(packetBytes.video)]);
    camera.receive(
      0,
      rtp({ ssrc: VIDEO_SSRC, sequence: number, timestamp: number * 3000, marker: true, payload }),
      nowMs,
    );
  }
  return {
    publisher,
    limited,
    got,
    nowMs: () => nowMs,
    /**
     * Sends voice and picture at these rates (bits per second) for this many seconds. Returns the bits of each that
     * were passed on.
     */
    run(seconds: number, rates: { audio?: number; video?: number }) {
      const from = got.length;
      for (const end = nowMs + seconds * 1000; nowMs < end; nowMs += TICK_MS) {
        for (const kind of ['audio', 'video'] as const) {
          owed[kind] += ((rates[kind] ?? 0) * TICK_MS) / 8000;
          for (; owed[kind] >= packetBytes[kind]; owed[kind] -= packetBytes[kind]) send(kind);
        }
        room.forwarding.tick(nowMs);
      }
      const bits = (ssrc: number) =>
        got.slice(from).reduce((sum, packet) => sum + (packet.ssrc === ssrc ? packet.bytes.length * 8 : 0), 0);
      return { audio: bits(9001), video: bits(SUBSCRIBED.ssrc) };
    },
  };
}

describe('43: a publisher is held to its cap', () => {
  test('and hardly any of a flood is forwarded, however long it lasts; audio continues', () => {
    const stream = aStream();
    stream.run(5, { audio: 32_000, video: 150_000 });
    expect(stream.limited).toEqual([]);
    const flooded = stream.run(10, { audio: 32_000, video: 195_000_000 });
    expect(flooded.video).toBeLessThan(2 * 2 * CAP * 1.1);
    expect(flooded.audio).toBeGreaterThan(0.95 * 10 * 32_000);
    expect(stream.limited).toEqual([{ audio: false, video: true }]);
  });

  test('and held back at twice its limit after two seconds, not before', () => {
    const stream = aStream();
    stream.run(1.8, { video: 4 * CAP });
    expect(stream.limited).toEqual([]);
    stream.run(0.5, { video: 4 * CAP });
    expect(stream.limited).toEqual([{ audio: false, video: true }]);
  });

  test('and video returns with a key frame below the cap, and the publisher is told', () => {
    const stream = aStream();
    stream.run(2, { video: 100_000 });
    stream.run(4, { video: 10 * CAP });
    const from = stream.got.length;
    stream.run(5, { video: 0.9 * CAP });
    expect(stream.limited).toEqual([
      { audio: false, video: true },
      { audio: false, video: false },
    ]);
    const after = stream.got.slice(from);
    expect(after.length).toBeGreaterThan(50);
    // The first byte of a VP8 picture says whether it is a key frame.
    expect(after[0]!.payload[6]).toBe(0);
  });

  test('and nothing returns while it stays above the cap', () => {
    const stream = aStream();
    stream.run(4, { video: 10 * CAP });
    expect(stream.run(20, { video: 1.6 * CAP }).video).toBe(0);
    expect(stream.limited).toHaveLength(1);
  });

  test('and up to twice the cap is tolerated', () => {
    const stream = aStream();
    const passed = stream.run(60, { audio: 32_000, video: 1.7 * CAP });
    expect(stream.limited).toEqual([]);
    expect(passed.video).toBeGreaterThan(0.95 * 60 * 1.7 * CAP);
  });

  test('and audio that exceeds it alone is held back too', () => {
    const stream = aStream();
    expect(stream.run(10, { audio: 50_000_000 }).audio).toBeLessThan(2 * 2 * CAP * 1.2);
    expect(stream.limited.at(-1)).toMatchObject({ audio: true });
    stream.run(3, { audio: 32_000 });
    expect(stream.limited.at(-1)).toEqual({ audio: false, video: false });
    expect(stream.run(2, { audio: 32_000 }).audio).toBeGreaterThan(0.9 * 2 * 32_000);
  });

  test('and a lowered cap leaves the browser time to follow', () => {
    const stream = aStream(1_200_000);
    stream.run(5, { video: 1_100_000 });
    stream.publisher.bitrate(100_000);
    stream.run(2.5, { video: 1_100_000 });
    expect(stream.limited).toEqual([]);
    stream.run(5, { video: 90_000 });
    expect(stream.limited).toEqual([]);
    stream.run(10, { video: 1_100_000 });
    expect(stream.limited).toEqual([{ audio: false, video: true }]);
  });

  test('and without a cap nothing is held back', () => {
    const stream = aStream(0);
    expect(stream.run(2, { video: 50_000_000 }).video).toBeGreaterThan(0.9 * 2 * 50_000_000);
    expect(stream.limited).toEqual([]);
  });
});
