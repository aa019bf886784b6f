/**
 * The m-lines of a subscriber: which stream of whom each carries. M-lines never go: an inactive one is taken over by the next stream of its kind and codec.
 * What the browser has been told of them is not this file's matter.
 */
import { randomInt } from 'node:crypto';
import type { PluginBody } from '../../video.types.ts';
import { M_LINES_MAX } from '../sdp/sdp.parse.ts';
import { read, readLayers, type Layers } from './requests.ts';
import {
  ERROR,
  Refusal,
  type Publisher,
  type PublisherStream,
  type RoomState,
  type Subscriber,
  type SubscriberStream,
} from './room.types.ts';

const PAYLOAD_TYPE = { opus: 111, vp8: 96 } as const;
/** The first of those given to profiles of H.264. */
const H264_PAYLOAD_TYPE = 102;
/** RFC 5761 leaves 96 to 127 to us. */
const H264_PROFILES_MAX = 8;
export const TOP_LAYER = 2;

/** `streams` of `attached`, `updated` and `switched`. */
export function summary(subscriber: Subscriber): PluginBody[] {
  return subscriber.streams.map((stream) => {
    const { source, slot } = stream;
    const sent = slot?.stats();
    return {
      type: stream.type,
      active: source !== null,
      mindex: stream.mindex,
      mid: stream.mid,
      ...(stream.crossRefId !== null && { crossrefid: stream.crossRefId }),
      ready: stream.ready,
      send: stream.send,
      ...(source && {
        feed_id: source.publisher.id,
        ...(source.publisher.display !== null && { feed_display: source.publisher.display }),
        feed_mid: source.mid,
        ...(source.description !== null && { feed_description: source.description }),
        codec: stream.codec,
        ...(stream.codec === 'h264' && { 'h264-profile': stream.profile }),
        ...((source.accepted?.rids.length ?? 0) > 0 && {
          simulcast: {
            substream: sent?.substream ?? -1,
            'substream-target': stream.substream,
            'temporal-layer': sent?.temporal ?? -1,
            'temporal-layer-target': stream.temporal,
          },
        }),
      }),
    };
  });
}

/** Brings the forwarding in line with what the record says. Harmless before the line is up. */
export function refresh(room: RoomState, stream: SubscriberStream) {
  const { subscriber } = stream;
  if (!subscriber.downlink) return;
  const nowMs = performance.now();
  const track = stream.ready ? (stream.source?.track ?? null) : null;
  if (!stream.slot) {
    if (!track) return;
    stream.slot = subscriber.downlink.addSlot({
      media: stream.type,
      ssrc: stream.ssrc,
      payloadType: stream.payloadType,
      clockRate: stream.clockRate,
      extensions: {},
      mid: stream.mid,
      firstSequence: randomInt(0, 2 ** 15),
      firstTimestamp: randomInt(0, 2 ** 32),
    });
    room.subscriptionOf.set(stream.slot, stream);
  }
  stream.slot.on(stream.send && !subscriber.paused, nowMs);
  stream.slot.want({ substream: stream.substream, temporal: stream.temporal }, nowMs);
  stream.slot.carry(track, nowMs);
}

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
 * An inactive m-line that begins to carry again does so under a new SSRC: another source is another SSRC (RFC 3550 section 8), and a browser that is
 * offered the one it has just put away decodes it without ever drawing it (Chromium 15x).
 */
export function revive(room: RoomState, stream: SubscriberStream) {
  if (stream.slot) {
    room.subscriptionOf.delete(stream.slot);
    stream.slot.close();
    stream.slot = null;
  }
  stream.ssrc = randomInt(1, 2 ** 32);
}

function payloadTypeOf(subscriber: Subscriber, codec: SubscriberStream['codec'], profile: string): number {
  if (codec !== 'h264') return PAYLOAD_TYPE[codec];
  const known = subscriber.profiles.get(profile);
  if (known !== undefined) return known;
  if (subscriber.profiles.size >= H264_PROFILES_MAX)
    throw new Refusal(ERROR.invalidElement, 'Too many profiles of H.264');
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
    if (subscriber.streams.length >= M_LINES_MAX) throw new Refusal(ERROR.invalidElement, 'Too many streams');
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
      slot: null,
      lost: 0,
    };
    subscriber.streams.push(stream);
  }
  // Whoever had the m-line switched off switched off what it carried then.
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

export function feedOf(room: RoomState, feed: number): Publisher {
  const publisher = room.participants.get(feed);
  if (!publisher?.started) throw new Refusal(ERROR.noSuchFeed, `No such feed (${feed})`);
  return publisher;
}

/** What entries of `streams` mean; throws 428, 429, 430. Everything is checked before anything is done. */
export function readWishes(room: RoomState, entries: readonly PluginBody[]): Wish[] {
  return entries.map((entry) => {
    const feed = read.id(entry, 'feed');
    const mid = read.text(entry, 'mid');
    const crossRefId = read.text(entry, 'crossrefid')?.slice(0, 64) ?? null;
    const layers = readLayers(entry);
    const publisher = feedOf(room, feed);
    if (mid !== undefined && !publisher.streams.some((stream) => stream.mid === mid))
      throw new Refusal(ERROR.noSuchFeed, `No such mid '${mid}' in feed (${feed})`);
    // Disabled m-lines are passed over, as the plugin does.
    const sources = publisher.streams.filter(
      (stream) => stream.accepted !== null && stream.type !== 'data' && (mid === undefined || stream.mid === mid),
    );
    return { sources, layers, crossRefId };
  });
}

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
