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

describe('the list of publishers', () => {
  test('in order of arrival, the therapist recognised by the name, without this person', () => {
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
  test('a name that the server did not give is ignored', () => {
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
  test.each(['leaving', 'unpublished', 'kicked'])('%s removes a publisher, also when repeated', (word) => {
    const gone = { videoroom: 'event', [word]: 9 } as RoomData;
    const publishers = after(joined(publisher(9), publisher(8)), gone);
    expect(publishers.map(({ id }) => id)).toEqual([8]);
    expect(applyEvent(publishers, gone, ME)).toBe(publishers);
  });
  test('a stream removed from the description is not sent', () => {
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
  test('this person’s own leaving changes nothing', () => {
    const publishers = after(joined(publisher(9)));
    expect(applyEvent(publishers, { videoroom: 'event', leaving: 'ok' }, ME)).toBe(publishers);
  });
});

describe('what the server forwards', () => {
  test('a stream is switched off and on again', () => {
    const off = after(joined(publisher(9)), { videoroom: 'event', id: 9, mid: '0', moderation: 'muted' });
    expect(off[0]?.streams.map((stream) => stream.off)).toEqual([true, false]);
    expect(applyEvent(off, { videoroom: 'event', id: 9, mid: '0', moderation: 'muted' }, ME)).toBe(off);
    expect(
      applyEvent(off, { videoroom: 'event', id: 9, mid: '0', moderation: 'unmuted' }, ME)[0]?.streams[0]?.off,
    ).toBe(false);
  });
  test('a newcomer learns that a stream is off', () => {
    expect(
      after(joined(publisher(9, { streams: [{ type: 'audio', mid: '0', moderated: true }] })))[0]?.streams[0]?.off,
    ).toBe(true);
  });
});

describe('the talking state', () => {
  test('from the server’s events', () => {
    const talking = after(joined(publisher(9), publisher(8)), { videoroom: 'talking', id: 8 });
    expect(talking.map((feed) => feed.talking)).toEqual([false, true]);
    expect(applyEvent(talking, { videoroom: 'talking', id: 8 }, ME)).toBe(talking);
    expect(applyEvent(talking, { videoroom: 'stopped-talking', id: 8 }, ME)[1]?.talking).toBe(false);
  });
  test('from the poll, which also notices people who have left', () => {
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
