import { describe, expect, test } from 'vitest';
import type { MediaPerson } from '../mediaTypes.ts';
import { keepSame, peopleOf } from './people.ts';

describe('people', () => {
  const arrived = {
    videoStream: null,
    flows: true,
    size: { width: 640, height: 360 },
    layers: null,
    kbps: 12,
    unreadable: false,
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
  test('someone who is switched off or still does not send', () => {
    expect(peopleOf([feed], () => arrived)[0]).toMatchObject({
      id: 8,
      sendsAudio: false,
      sendsVideo: true,
      size: null,
    });
    expect(peopleOf([feed], () => ({ ...arrived, flows: false }))[0]).toMatchObject({ sendsVideo: false });
  });
  test('unchanged people stay the same objects', () => {
    const videoStream = {} as MediaStream;
    const list = (kbps: number) =>
      peopleOf([feed, { ...feed, id: 9 }], (id) => ({ ...arrived, videoStream, kbps: id === 9 ? kbps : 12 }));
    const before: readonly MediaPerson[] = list(1);
    expect(keepSame(before, list(1))).toBe(before);
    const after = keepSame(before, list(2));
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
    expect(keepSame(before, before.slice(1))).toEqual(before.slice(1));
    // Different streams never count as equal, however similar they look.
    expect(
      keepSame(
        before,
        list(1).map((person) => ({ ...person, videoStream: {} as MediaStream })),
      )[0],
    ).not.toBe(before[0]);
  });
});
