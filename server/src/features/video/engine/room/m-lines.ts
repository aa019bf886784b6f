/**
 * The m-lines of a subscriber: which stream of which publisher each carries. M-lines never go away: the next stream of
 * the same kind and codec takes an inactive one over. What the browser has been told of them is handled in
 * `subscriber-handle.ts`.
 */
import { randomInt } from 'node:crypto';
import { REFUSAL, type Layers, type StreamWish, type SubscribedStream } from '../../video.types.ts';
import { M_LINES_MAX } from '../sdp/sdp.parse.ts';
import {
  Refusal,
  type Publisher,
  type PublisherStream,
  type RoomState,
  type Subscriber,
  type SubscriberStream,
} from './room.types.ts';

const PAYLOAD_TYPE = { opus: 111, vp8: 96 } as const;
/** The first payload type given to a profile of H.264. */
const H264_PAYLOAD_TYPE = 102;
/** RFC 5761 leaves 96 to 127 to us. */
const H264_PROFILES_MAX = 8;
export const TOP_LAYER = 2;

/** Whether the gateway forbids this subscriber what the m-line carries. */
const isHidden = ({ type, source, subscriber: { videoFrom } }: SubscriberStream) =>
  type === 'video' && source !== null && videoFrom !== 'everybody' && !videoFrom.includes(source.publisher.id);

/** All m-lines as the subscriber is told of them. */
export function summary(subscriber: Subscriber): SubscribedStream[] {
  return subscriber.streams.map((stream) => {
    const { source, track } = stream;
    const sent = track?.stats();
    return {
      type: stream.type,
      active: source !== null,
      mindex: stream.mindex,
      mid: stream.mid,
      ...(stream.crossRefId !== null && { crossRefId: stream.crossRefId }),
      ready: stream.ready,
      send: stream.send && !isHidden(stream),
      ...(source && {
        publisherId: source.publisher.id,
        publisherDisplay: source.publisher.display,
        publisherMid: source.mid,
        ...(source.description !== null && { publisherDescription: source.description }),
        codec: stream.codec,
        ...(stream.codec === 'h264' && { h264Profile: stream.profile }),
        ...((source.accepted?.rids.length ?? 0) > 0 && {
          simulcast: {
            substream: sent?.substream ?? -1,
            substreamTarget: stream.substream,
            temporal: sent?.temporal ?? -1,
            temporalTarget: stream.temporal,
          },
        }),
      }),
    };
  });
}

/** Brings forwarding in line with the record. Does nothing before the connection is up. */
export function refresh(room: RoomState, stream: SubscriberStream) {
  const { subscriber } = stream;
  if (!subscriber.media) return;
  const nowMs = performance.now();
  const track = stream.ready ? (stream.source?.track ?? null) : null;
  if (!stream.track) {
    if (!track) return;
    stream.track = subscriber.media.addTrack({
      media: stream.type,
      ssrc: stream.ssrc,
      payloadType: stream.payloadType,
      clockRate: stream.clockRate,
      extensions: {},
      mid: stream.mid,
      firstSequence: randomInt(0, 2 ** 15),
      firstTimestamp: randomInt(0, 2 ** 32),
    });
    room.subscriptionOf.set(stream.track, stream);
  }
  stream.track.hide(isHidden(stream), nowMs);
  stream.track.on(stream.send && !subscriber.paused, nowMs);
  stream.track.want({ substream: stream.substream, temporal: stream.temporal }, nowMs);
  stream.track.carry(track, nowMs);
}

/** Makes an m-line carry a publisher's stream, or nothing (null). */
export function setSource(room: RoomState, stream: SubscriberStream, source: PublisherStream | null) {
  stream.source?.listeners.delete(stream);
  stream.source = source;
  source?.listeners.add(stream);
  refresh(room, stream);
}

/** The m-line becomes inactive; the browser learns it by the next offer. */
export function loseSource(room: RoomState, stream: SubscriberStream) {
  stream.ready = false;
  setSource(room, stream, null);
}

/**
 * Gives an inactive m-line that carries something again a new SSRC. Another source is another SSRC (RFC 3550, section
 * 8). A browser that is offered the SSRC it has just put away decodes it without ever drawing it (Chromium 15x).
 */
export function revive(room: RoomState, stream: SubscriberStream) {
  if (stream.track) {
    room.subscriptionOf.delete(stream.track);
    stream.track.close();
    stream.track = null;
  }
  stream.ssrc = randomInt(1, 2 ** 32);
}

function payloadTypeOf(subscriber: Subscriber, codec: SubscriberStream['codec'], profile: string): number {
  if (codec !== 'h264') return PAYLOAD_TYPE[codec];
  const known = subscriber.profiles.get(profile);
  if (known !== undefined) return known;
  if (subscriber.profiles.size >= H264_PROFILES_MAX)
    throw new Refusal(REFUSAL.invalidElement, 'Too many profiles of H.264');
  const made = H264_PAYLOAD_TYPE + subscriber.profiles.size;
  subscriber.profiles.set(profile, made);
  return made;
}

/** Takes over an inactive m-line of the same kind and codec, or adds one. */
function subscribeTo(
  room: RoomState,
  subscriber: Subscriber,
  source: PublisherStream,
  { substream, temporal }: Layers,
  crossRefId: string | null,
) {
  const { codec, profile, clockRate } = source.accepted!;
  let stream = subscriber.streams.find(
    (free) => free.source === null && free.type === source.type && free.codec === codec && free.profile === profile,
  );
  if (stream) revive(room, stream);
  else {
    if (subscriber.streams.length >= M_LINES_MAX) throw new Refusal(REFUSAL.invalidElement, 'Too many streams');
    stream = {
      subscriber,
      mindex: subscriber.streams.length,
      mid: String(subscriber.streams.length),
      type: source.type as 'audio' | 'video',
      codec,
      profile,
      clockRate,
      payloadType: payloadTypeOf(subscriber, codec, profile),
      ssrc: randomInt(1, 2 ** 32),
      offered: null,
      source: null,
      crossRefId: null,
      send: true,
      ready: false,
      substream: TOP_LAYER,
      temporal: TOP_LAYER,
      track: null,
      lost: 0,
    };
    subscriber.streams.push(stream);
  }
  // A switch that was off applied to what the m-line carried before.
  stream.send = true;
  stream.crossRefId = crossRefId;
  stream.substream = substream ?? TOP_LAYER;
  stream.temporal = temporal ?? TOP_LAYER;
  setSource(room, stream, source);
}

interface Wish {
  sources: PublisherStream[];
  layers: Layers;
  crossRefId: string | null;
}

/** Somebody who publishes. Throws Refusal 428. */
export function publisherOf(room: RoomState, id: number): Publisher {
  const publisher = room.publishers.get(id);
  if (!publisher?.started) throw new Refusal(REFUSAL.noSuchFeed, `No such feed (${id})`);
  return publisher;
}

/** Finds the streams that are wished for. Throws Refusal 428; everything is checked before anything is done. */
export function findWishes(room: RoomState, wishes: readonly StreamWish[]): Wish[] {
  return wishes.map(({ publisherId, mid, crossRefId, ...layers }) => {
    const publisher = publisherOf(room, publisherId);
    if (mid !== undefined && !publisher.streams.some((stream) => stream.mid === mid))
      throw new Refusal(REFUSAL.noSuchFeed, `No such mid '${mid}' in feed (${publisherId})`);
    // Disabled m-lines are passed over, as Janus does.
    const sources = publisher.streams.filter(
      (stream) => stream.accepted !== null && stream.type !== 'data' && (mid === undefined || stream.mid === mid),
    );
    return { sources, layers, crossRefId: crossRefId ?? null };
  });
}

/** Subscribes to every stream that was wished for. Returns how many streams that are. */
export function addWishes(room: RoomState, subscriber: Subscriber, wishes: readonly Wish[]): number {
  let changes = 0;
  for (const { sources, layers, crossRefId } of wishes) {
    for (const source of sources) {
      subscribeTo(room, subscriber, source, layers, crossRefId);
      changes++;
    }
  }
  return changes;
}
