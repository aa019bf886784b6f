/** What is written for browsers is read back from Janus as the same reply or event: both sides speak one protocol. */
import { describe, expect, test } from 'vitest';
import type { EngineEvent, EngineReply, EngineRequest, PublisherInfo, SubscribedStream } from '../video.types.ts';
import { bodyOfEvent, bodyOfReply, bodyOfRequest, readEvents, readReply, type RoomEvent } from './janus.videoroom.ts';

const ROOM = 77;
const published: PublisherInfo = {
  id: 5,
  display: '5',
  audioCodec: 'opus',
  videoCodec: 'vp8',
  talking: true,
  streams: [
    { type: 'audio', mindex: 0, mid: '0', codec: 'opus', fec: true, talking: true, moderated: true },
    {
      type: 'video',
      mindex: 1,
      mid: '1',
      codec: 'h264',
      h264Profile: '42e01f',
      simulcast: true,
      description: 'screen',
    },
    { type: 'data', mindex: 2, mid: '2', disabled: true },
  ],
};
const { id: _id, display: _display, talking: _talking, ...publication } = published;
const subscribed: SubscribedStream[] = [
  { type: 'audio', active: false, mindex: 0, mid: '0', ready: false, send: true },
  {
    type: 'video',
    active: true,
    mindex: 1,
    mid: '1',
    crossRefId: 'tile',
    ready: true,
    send: false,
    publisherId: 5,
    publisherDisplay: '5',
    publisherMid: '1',
    publisherDescription: 'screen',
    codec: 'vp8',
    simulcast: { substream: -1, substreamTarget: 2, temporal: 0, temporalTarget: 1 },
  },
];
const jsep = { type: 'offer' as const, sdp: 'v=0' };

describe('replies', () => {
  const join: EngineRequest = { kind: 'joinPublisher', id: 9, display: '9' };
  const change: EngineRequest = { kind: 'update', subscribe: [{ publisherId: 5 }], unsubscribe: [] };
  const joined = { kind: 'joined', id: 9, privateId: 3, description: 'room', publishers: [published] } as const;
  test.each<[EngineRequest, EngineReply]>([
    [join, joined],
    [
      { kind: 'joinAndPublish', id: 9, display: '9' },
      { ...joined, publication, jsep },
    ],
    [{ kind: 'publish' }, { kind: 'configured', publication, jsep }],
    [{ kind: 'configurePublisher', bitrate: 1 }, { kind: 'configured' }],
    [
      { kind: 'configureSubscriber', streams: [] },
      { kind: 'configured', jsep },
    ],
    [
      { kind: 'joinSubscriber', streams: [] },
      { kind: 'attached', streams: subscribed, jsep },
    ],
    [change, { kind: 'updated', streams: subscribed, jsep }],
    [change, { kind: 'updated' }],
    [change, { kind: 'updating' }],
    [
      { kind: 'switch', streams: [] },
      { kind: 'switched', changes: 1, streams: subscribed },
    ],
    [{ kind: 'start' }, { kind: 'started' }],
    [{ kind: 'pause' }, { kind: 'paused' }],
    [{ kind: 'unpublish' }, { kind: 'unpublished' }],
    [{ kind: 'leave' }, { kind: 'leaving' }],
    [{ kind: 'leave' }, { kind: 'left' }],
    [join, { kind: 'refused', code: 432, message: 'full' }],
  ])('to %o: %o', (request, reply) => {
    const body = bodyOfReply(reply, ROOM);
    expect(readReply(request, body, 'jsep' in reply ? reply.jsep : undefined)).toEqual(reply);
    expect(Object.values(body)).not.toContain(undefined);
  });
});

describe('events', () => {
  test.each<RoomEvent>([
    { kind: 'publishers', handle: 3, publishers: [published] },
    { kind: 'unpublished', handle: 3, id: 5 },
    { kind: 'leaving', handle: 3, id: 5 },
    { kind: 'kicked', handle: 3, id: 5 },
    { kind: 'talking', handle: 3, id: 5, talking: true, mindex: 0, mid: '0', level: 20 },
    { kind: 'talking', handle: 3, id: 5, talking: false, mindex: 0, mid: '0', level: 127 },
    { kind: 'moderated', handle: 3, id: 5, mid: '0', muted: true },
    { kind: 'layers', handle: 3, mid: '1', substream: 0 },
    { kind: 'layers', handle: 3, mid: '1', temporal: 2 },
    { kind: 'updated', handle: 3, streams: subscribed, jsep },
    { kind: 'destroyed', handle: 3 },
  ])('%o', (event) => {
    expect(readEvents(3, bodyOfEvent(event, ROOM), 'jsep' in event ? event.jsep : undefined)).toEqual([event]);
  });

  test('unknown messages give no event', () => {
    expect(readEvents(3, { videoroom: 'event', joining: { id: 5 } }, undefined)).toEqual([] satisfies EngineEvent[]);
    expect(readEvents(3, { videoroom: 'event', leaving: 'ok', reason: 'kicked' }, undefined)).toEqual([]);
  });
});

describe('requests', () => {
  test.each<[EngineRequest, object]>([
    [
      { kind: 'joinSubscriber', streams: [{ publisherId: 5, crossRefId: 'tile', substream: 1 }], useMsid: true },
      {
        request: 'join',
        ptype: 'subscriber',
        streams: [{ feed: 5, crossrefid: 'tile', substream: 1 }],
        use_msid: true,
      },
    ],
    [
      { kind: 'update', subscribe: [{ publisherId: 5, mid: '0' }], unsubscribe: [] },
      { request: 'subscribe', streams: [{ feed: 5, mid: '0' }] },
    ],
    [
      { kind: 'update', subscribe: [], unsubscribe: [{ subMid: '2' }] },
      { request: 'unsubscribe', streams: [{ sub_mid: '2' }] },
    ],
    [
      { kind: 'update', subscribe: [{ publisherId: 5 }], unsubscribe: [{ publisherId: 6 }] },
      { request: 'update', subscribe: [{ feed: 5 }], unsubscribe: [{ feed: 6 }] },
    ],
    [
      { kind: 'switch', streams: [{ publisherId: 5, mid: '0', subMid: '3' }] },
      { request: 'switch', streams: [{ feed: 5, mid: '0', sub_mid: '3' }] },
    ],
    [
      { kind: 'configureSubscriber', restart: true, streams: [{ temporal: 1 }, { mid: '1', send: false }] },
      { request: 'configure', restart: true, temporal: 1, streams: [{ mid: '1', send: false }] },
    ],
    [
      { kind: 'configurePublisher', keyFrames: 'all', bitrate: 9 },
      { request: 'configure', keyframe: true, bitrate: 9 },
    ],
    [
      { kind: 'configurePublisher', keyFrames: ['1'] },
      { request: 'configure', streams: [{ mid: '1', keyframe: true }] },
    ],
    [
      { kind: 'joinAndPublish', id: 5, display: '5', videoCodec: 'vp8', bitrate: 9 },
      { request: 'joinandconfigure', ptype: 'publisher', id: 5, display: '5', videocodec: 'vp8', bitrate: 9 },
    ],
    [{ kind: 'pause' }, { request: 'pause' }],
  ])('%o', (request, body) => {
    expect(bodyOfRequest(request)).toStrictEqual(body);
  });
});
