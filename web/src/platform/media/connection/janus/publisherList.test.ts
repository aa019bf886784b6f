import { describe, expect, test } from 'vitest';
import { applyEvent, applyList, type RemotePublisher, type RoomData } from './publisherList.ts';

const ME = 5;
const publisher = (id: number, more: Record<string, unknown> = {}, as = '') => ({
  id,
  display: `${id}${as}`,
  streams: [
    { type: 'audio', mid: '0' },
    { type: 'video', mid: '1', simulcast: true },
  ],
  ...more,
});
const after = (...events: RoomData[]) =>
  events.reduce<readonly RemotePublisher[]>((publishers, data) => applyEvent(publishers, data, ME), []);
const joined = (...publishers: object[]): RoomData => ({ videoroom: 'joined', publishers });

describe('who publishes', () => {
  test('in the order they came, the therapist recognised by the name, without oneself', () => {
    const publishers = after(joined(publisher(9), publisher(7, {}, '@therapist'), publisher(ME)), {
      videoroom: 'event',
      publishers: [publisher(8)],
    });
    expect(publishers.map(({ id, as }) => [id, as])).toEqual([
      [9, 'client'],
      [7, 'therapist'],
      [8, 'client'],
    ]);
    expect(publishers[0]?.streams).toEqual([
      { mid: '0', type: 'audio', layered: false, off: false },
      { mid: '1', type: 'video', layered: true, off: false },
    ]);
  });
  test('a name that the server did not give is nobody', () => {
    expect(
      after(
        joined(
          publisher(9, { display: '7@therapist' }),
          publisher(10, { display: 'Anna' }),
          publisher(11, { display: undefined }),
        ),
      ),
    ).toEqual([]);
  });
  test('somebody who publishes again keeps their place', () => {
    const publishers = after(joined(publisher(9), publisher(8)), {
      videoroom: 'event',
      publishers: [publisher(9, { streams: [{ type: 'audio', mid: '4' }] })],
    });
    expect(publishers.map(({ id, streams }) => [id, streams.map(({ mid }) => mid)])).toEqual([
      [9, ['4']],
      [8, ['0', '1']],
    ]);
  });
  test.each(['leaving', 'unpublished', 'kicked'])('%s takes off, also when told twice', (word) => {
    const gone = { videoroom: 'event', [word]: 9 } as RoomData;
    const publishers = after(joined(publisher(9), publisher(8)), gone);
    expect(publishers.map(({ id }) => id)).toEqual([8]);
    expect(applyEvent(publishers, gone, ME)).toBe(publishers);
  });
  test('what was taken out of a description is not sent', () => {
    expect(
      after(
        joined(
          publisher(9, {
            streams: [
              { type: 'audio', mid: '0' },
              { type: 'video', mid: '1', disabled: true },
              { type: 'data', mid: '2' },
            ],
          }),
        ),
      )[0]?.streams.map(({ type }) => type),
    ).toEqual(['audio']);
  });
  test('one’s own leaving changes nobody', () => {
    const publishers = after(joined(publisher(9)));
    expect(applyEvent(publishers, { videoroom: 'event', leaving: 'ok' }, ME)).toBe(publishers);
  });
});

describe('what is passed on', () => {
  test('a stream switched off and on again', () => {
    const off = after(joined(publisher(9)), { videoroom: 'event', id: 9, mid: '0', moderation: 'muted' });
    expect(off[0]?.streams.map((stream) => stream.off)).toEqual([true, false]);
    expect(applyEvent(off, { videoroom: 'event', id: 9, mid: '0', moderation: 'muted' }, ME)).toBe(off);
    expect(
      applyEvent(off, { videoroom: 'event', id: 9, mid: '0', moderation: 'unmuted' }, ME)[0]?.streams[0]?.off,
    ).toBe(false);
  });
  test('a newcomer learns of it too', () => {
    expect(
      after(joined(publisher(9, { streams: [{ type: 'audio', mid: '0', moderated: true }] })))[0]?.streams[0]?.off,
    ).toBe(true);
  });
});

describe('who talks', () => {
  test('by the server’s word', () => {
    const talking = after(joined(publisher(9), publisher(8)), { videoroom: 'talking', id: 8 });
    expect(talking.map((feed) => feed.talking)).toEqual([false, true]);
    expect(applyEvent(talking, { videoroom: 'talking', id: 8 }, ME)).toBe(talking);
    expect(applyEvent(talking, { videoroom: 'stopped-talking', id: 8 }, ME)[1]?.talking).toBe(false);
  });
  test('by the poll, which also notices who is gone', () => {
    const publishers = after(joined(publisher(9), publisher(8)));
    const list = applyList(publishers, {
      participants: [
        { id: 8, publisher: true, talking: true },
        { id: 9, publisher: false },
      ],
    });
    expect(list.map(({ id, talking }) => [id, talking])).toEqual([[8, true]]);
    expect(applyList(list, { participants: [{ id: 8, publisher: true, talking: true }] })).toBe(list);
    expect(applyList(list, {})).toBe(list);
  });
});
