import { expect, test, describe } from 'vitest';
import { deviceFault, type PictureSize, pictureSize } from './devices.ts';
import { readFlags } from './flags.ts';
import { createSpeechGate, loudness } from './level.ts';
import type { MediaPerson } from './media.types.ts';
import { keepSame, peopleOf } from './people.ts';
import { arrivingOf } from './wanted.ts';

describe('flags of the query', () => {
  test('known names with known values', () => {
    expect(readFlags('?simulcast=true&svc=L3T3_KEY&acodec=OPUS&vcodec=vp9&dtx=1&msid=true')).toEqual({
      simulcast: true,
      svc: 'L3T3_KEY',
      audioCodec: 'opus',
      videoCodec: 'vp9',
      dtx: true,
      msid: true,
    });
    expect(readFlags('?simulcast2=true').simulcast).toBe(true);
  });
  test('anything else is ignored', () => {
    expect(readFlags('?simulcast=yes&svc=L9T9&acodec=%0d%0aa=evil&vcodec=vp8x&dtx=&msid=2&admin_key=x')).toEqual({
      simulcast: false,
      svc: null,
      audioCodec: null,
      videoCodec: null,
      dtx: false,
      msid: false,
    });
  });
});

test.each([
  ['NotAllowedError', 'camera', 'camera_refused'],
  ['NotAllowedError', 'microphone', 'microphone_refused'],
  ['NotFoundError', 'camera', 'no_camera'],
  ['OverconstrainedError', 'microphone', 'no_microphone'],
  ['NotReadableError', 'camera', 'device_busy'],
  ['SecurityError', 'camera', 'insecure_page'],
  ['Strange', 'camera', 'other'],
] as const)('%s for the %s is told as %s', (name, kind, fault) =>
  expect(deviceFault(new DOMException('', name), kind)).toBe(fault),
);

test('the own picture is one of a gallery from eight others on until there are five, save the therapist’s', () => {
  const plain = { lowData: false, highQuality: false, as: 'client' as const };
  let before: PictureSize = 'modest';
  const sizes = [0, 7, 8, 6, 24, 6, 5, 7].map((others) => (before = pictureSize({ ...plain, others, before })));
  expect(sizes).toEqual(['modest', 'modest', 'gallery', 'gallery', 'gallery', 'gallery', 'modest', 'modest']);
  expect(pictureSize({ ...plain, as: 'therapist', others: 24, before: 'modest' })).toBe('modest');
  expect(pictureSize({ ...plain, highQuality: true, others: 24, before: 'gallery' })).toBe('large');
  expect(pictureSize({ ...plain, highQuality: true, lowData: true, others: 24, before: 'large' })).toBe('small');
});

describe('loudness', () => {
  test('0 for silence, 1 for full, between on the ear’s scale', () => {
    expect(loudness(new Float32Array(512))).toBe(0);
    expect(loudness(new Float32Array(512).fill(1))).toBe(1);
    expect(loudness(new Float32Array(512).fill(0.0316))).toBeCloseTo(0.5, 2);
    expect(loudness(new Float32Array())).toBe(0);
  });
  test('speech outlasts its gaps, and ends', () => {
    const speaks = createSpeechGate();
    expect(speaks(0.2, 0)).toBe(false);
    expect(speaks(0.7, 100)).toBe(true);
    expect(speaks(0, 700)).toBe(true);
    expect(speaks(0, 801)).toBe(false);
  });
});

describe('people', () => {
  const arrived = {
    picture: null,
    flows: true,
    size: { width: 640, height: 360 },
    layers: null,
    kbps: 12,
    sealed: false,
  };
  const feed = {
    id: 8,
    as: 'client' as const,
    talking: false,
    streams: [
      { mid: '0', type: 'audio' as const, layered: false, off: true },
      { mid: '1', type: 'video' as const, layered: false, off: false },
    ],
  };
  test('who is switched off or still does not send', () => {
    expect(peopleOf([feed], () => arrived)[0]).toMatchObject({
      id: 8,
      sendsAudio: false,
      sendsVideo: true,
      size: null,
    });
    expect(peopleOf([feed], () => ({ ...arrived, flows: false }))[0]).toMatchObject({ sendsVideo: false });
  });
  test('what did not change stays the same object', () => {
    const picture = {} as MediaStream;
    const list = (kbps: number) =>
      peopleOf([feed, { ...feed, id: 9 }], (id) => ({ ...arrived, picture, kbps: id === 9 ? kbps : 12 }));
    const before: readonly MediaPerson[] = list(1);
    expect(keepSame(before, list(1))).toBe(before);
    const after = keepSame(before, list(2));
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
    expect(keepSame(before, before.slice(1))).toEqual(before.slice(1));
    // Another picture is never taken for the same, alike as both may look.
    expect(
      keepSame(
        before,
        list(1).map((person) => ({ ...person, picture: {} as MediaStream })),
      )[0],
    ).not.toBe(before[0]);
  });
});

test('streams that carry nothing are not there', () => {
  const stream = { mid: '3', type: 'video', feed_id: 8, feed_mid: '1' };
  expect(
    arrivingOf([
      stream,
      { ...stream, mid: '4', active: false },
      { ...stream, mid: '5', feed_id: undefined },
      { ...stream, mid: '6', type: 'data' },
    ]),
  ).toEqual([{ at: '3', type: 'video', feed: 8, mid: '1' }]);
  expect(arrivingOf(undefined)).toEqual([]);
});
