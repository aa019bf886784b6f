import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RemotePublisher } from './publisherList.ts';
import { readReceivedStreams, difference, type Looking, wantedStreams } from './subscription.ts';

const feed = (id: number, ...types: ('audio' | 'video')[]): RemotePublisher => ({
  id,
  as: id === 7 ? 'therapist' : 'client',
  talking: false,
  streams: types.map((type) => ({ mid: type === 'audio' ? '0' : '1', type, layered: false, off: false })),
});
const FEEDS = [
  feed(7, 'audio', 'video'),
  feed(8, 'audio', 'video'),
  feed(9, 'audio'),
  feed(10, 'audio', 'video'),
  feed(11, 'audio', 'video'),
];
const looking = (more: Partial<Looking> = {}): Looking => ({
  me: { id: 5, as: 'client' },
  therapistId: 7,
  shown: [],
  clientsVisible: true,
  videoAllowance: { others: Number.POSITIVE_INFINITY, therapist: true },
  ...more,
});
const video = (more: Partial<Looking>) =>
  wantedStreams(FEEDS, looking(more))
    .filter(({ type }) => type === 'video')
    .map((stream) => stream.feed);
const voices = (more: Partial<Looking>) =>
  wantedStreams(FEEDS, looking(more))
    .filter(({ type }) => type === 'audio')
    .map((stream) => stream.feed);

describe('the wanted streams', () => {
  test('include everybody’s audio, on every page and with any network', () => {
    expect(voices({ shown: [], clientsVisible: false, videoAllowance: { others: 0, therapist: false } })).toEqual([
      7, 8, 9, 10, 11,
    ]);
  });
  test('include video of those on the page, and the therapist’s', () => {
    expect(video({ shown: [8, 9] })).toEqual([7, 8]);
  });
  test('include as many as the bandwidth allows, first those first on the page; people without video do not count', () => {
    expect(video({ shown: [9, 11, 5, 8, 10], videoAllowance: { others: 2, therapist: true } })).toEqual([7, 8, 11]);
    expect(video({ shown: [8], videoAllowance: { others: 0, therapist: true } })).toEqual([7]);
    expect(video({ shown: [7, 8], videoAllowance: { others: 0, therapist: false } })).toEqual([]);
  });
  test('include only the therapist’s video if the room shows no clients, but for the therapist everybody’s', () => {
    expect(video({ shown: [8, 10], clientsVisible: false })).toEqual([7]);
    expect(
      wantedStreams(FEEDS.slice(1), looking({ me: { id: 7, as: 'therapist' }, shown: [8, 10], clientsVisible: false }))
        .filter(({ type }) => type === 'video')
        .map((stream) => stream.feed),
    ).toEqual([8, 10]);
  });
});

test('requesting the difference leads from any state to any other', () => {
  const names = fc.uniqueArray(fc.record({ feed: fc.integer({ min: 1, max: 4 }), mid: fc.constantFrom('0', '1') }), {
    selector: ({ feed: id, mid }) => `${id} ${mid}`,
  });
  fc.assert(
    fc.property(names, names, (there, wanted) => {
      const { subscribe, unsubscribe } = difference(there, wanted);
      const key = (name: { feed: number; mid: string }) => `${name.feed} ${name.mid}`;
      const now = new Set([
        ...there.map(key).filter((name) => !unsubscribe.map(key).includes(name)),
        ...subscribe.map(key),
      ]);
      expect(now).toEqual(new Set(wanted.map(key)));
      expect(subscribe.map(key).some((name) => there.map(key).includes(name))).toBe(false);
    }),
  );
});

test('streams that carry nothing are left out', () => {
  const stream = { mid: '3', type: 'video', feed_id: 8, feed_mid: '1' };
  expect(
    readReceivedStreams([
      stream,
      { ...stream, mid: '4', active: false },
      { ...stream, mid: '5', feed_id: undefined },
      { ...stream, mid: '6', type: 'data' },
    ]),
  ).toEqual([{ at: '3', type: 'video', feed: 8, mid: '1' }]);
  expect(readReceivedStreams(undefined)).toEqual([]);
});
