/**
 * The one place where requests, replies and events are translated to and from plugin bodies of Janus' videoroom.
 * `bodyOfRequest`, `readReply` and `readEvents` are for Janus servers. `bodyOfReply`, `bodyOfGatewayReply` and
 * `bodyOfEvent` are for browsers, which speak the same protocol with the gateway. Requests of browsers are parsed in
 * `gateway/requests.ts`, by an allow-list. Source: Janus 1.x documentation, "VideoRoom plugin" (multistream).
 */
import type {
  EngineEvent,
  EngineReply,
  EngineRequest,
  GatewayReply,
  Jsep,
  PublishedStream,
  PublisherInfo,
  PublishOptions,
  StreamEnd,
  StreamSwitch,
  StreamWish,
  SubscribedStream,
} from '../video.types.ts';
import { REFUSAL } from '../video.types.ts';

/** Data of the plugin, as it travels. */
export type PluginBody = Readonly<Record<string, unknown>>;

/** Without the fields that are undefined: JSON drops them, but tests and `in` see them. */
const compact = (body: Record<string, unknown>): PluginBody =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

// ---- requests, towards Janus

const wishBody = ({ publisherId, crossRefId, ...wish }: StreamWish) =>
  compact({ ...wish, feed: publisherId, crossrefid: crossRefId });
const endBody = ({ publisherId, subMid, mid }: StreamEnd) => compact({ feed: publisherId, mid, sub_mid: subMid });
const switchBody = ({ subMid, ...wish }: StreamSwitch) => ({ ...wishBody(wish), sub_mid: subMid });
const publishBody = ({
  bitrate,
  descriptions,
  audioCodec,
  videoCodec,
}: PublishOptions & { bitrate?: number | undefined }) => ({
  bitrate,
  descriptions,
  audiocodec: audioCodec,
  videocodec: videoCodec,
});

/**
 * Writes a request as Janus takes it, without the restrictions it has no words for (`janus.handle.ts` sees to those).
 * The caller adds the room's number.
 */
export function bodyOfRequest(request: EngineRequest): PluginBody {
  switch (request.kind) {
    case 'joinPublisher':
      return { request: 'join', ptype: 'publisher', id: request.id, display: request.display };
    case 'joinAndPublish': {
      const { id, display } = request;
      return compact({ request: 'joinandconfigure', ptype: 'publisher', id, display, ...publishBody(request) });
    }
    case 'publish':
      return compact({ request: 'publish', ...publishBody(request) });
    case 'configurePublisher': {
      const { keyFrames, restart, update } = request;
      return compact({
        request: 'configure',
        ...publishBody(request),
        restart,
        update,
        ...(keyFrames === 'all'
          ? { keyframe: true }
          : keyFrames && { streams: keyFrames.map((mid) => ({ mid, keyframe: true })) }),
      });
    }
    case 'joinSubscriber':
      return compact({
        request: 'join',
        ptype: 'subscriber',
        streams: request.streams.map(wishBody),
        use_msid: request.useMsid,
        autoupdate: request.autoUpdate,
      });
    case 'update': {
      const subscribe = request.subscribe.map(wishBody);
      const unsubscribe = request.unsubscribe.map(endBody);
      if (unsubscribe.length === 0) return { request: 'subscribe', streams: subscribe };
      if (subscribe.length === 0) return { request: 'unsubscribe', streams: unsubscribe };
      return { request: 'update', subscribe, unsubscribe };
    }
    case 'switch':
      return { request: 'switch', streams: request.streams.map(switchBody) };
    case 'configureSubscriber': {
      // Janus takes a change of all m-lines beside the list, not in it.
      const ofAll = request.streams.filter(({ mid }) => mid === undefined);
      const ofOne = request.streams.filter(({ mid }) => mid !== undefined).map(compactChange);
      return compact({
        request: 'configure',
        restart: request.restart,
        ...Object.assign({}, ...ofAll),
        streams: ofOne.length > 0 ? ofOne : undefined,
      });
    }
    default:
      return { request: request.kind };
  }
}
const compactChange = (change: object) => compact({ ...change });

// ---- replies and events, from Janus

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const records = (value: unknown) => (Array.isArray(value) ? value.filter(isRecord) : []);
const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
const number = (value: unknown) => (typeof value === 'number' ? value : undefined);
const flag = (value: unknown) => (typeof value === 'boolean' ? value : undefined);
const media = (value: unknown) => (value === 'audio' || value === 'video' ? value : 'data');

const readPublished = (stream: Record<string, unknown>): PublishedStream => ({
  type: media(stream.type),
  mindex: number(stream.mindex) ?? 0,
  mid: text(stream.mid) ?? '',
  disabled: flag(stream.disabled),
  description: text(stream.description),
  codec: text(stream.codec),
  fec: flag(stream.fec),
  dtx: flag(stream.dtx),
  stereo: flag(stream.stereo),
  simulcast: flag(stream.simulcast),
  svc: flag(stream.svc),
  h264Profile: text(stream.h264_profile),
  vp9Profile: text(stream.vp9_profile),
  moderated: flag(stream.moderated),
  talking: flag(stream.talking),
});
const readPublication = (data: PluginBody) => ({
  audioCodec: text(data.audio_codec),
  videoCodec: text(data.video_codec),
  streams: records(data.streams).map(readPublished),
});
const readPublisher = (entry: Record<string, unknown>): PublisherInfo => ({
  id: number(entry.id) ?? 0,
  display: text(entry.display),
  talking: flag(entry.talking),
  ...readPublication(entry),
});
const readSubscribed = (stream: Record<string, unknown>): SubscribedStream => ({
  type: media(stream.type),
  mindex: number(stream.mindex) ?? 0,
  mid: text(stream.mid) ?? '',
  active: stream.active !== false,
  crossRefId: text(stream.crossrefid),
  ready: flag(stream.ready),
  send: flag(stream.send),
  publisherId: number(stream.feed_id),
  publisherDisplay: text(stream.feed_display),
  publisherMid: text(stream.feed_mid),
  publisherDescription: text(stream.feed_description),
  codec: text(stream.codec),
  h264Profile: text(stream['h264-profile']),
  simulcast: isRecord(stream.simulcast)
    ? {
        substream: number(stream.simulcast.substream),
        substreamTarget: number(stream.simulcast['substream-target']),
        temporal: number(stream.simulcast['temporal-layer']),
        temporalTarget: number(stream.simulcast['temporal-layer-target']),
      }
    : undefined,
});

/** Reads Janus' final answer to a request. Takes the plugin's data and its offer or answer. */
export function readReply(request: EngineRequest, data: PluginBody, jsep: Jsep | undefined): EngineReply {
  if (data.error_code !== undefined)
    return { kind: 'refused', code: number(data.error_code) ?? REFUSAL.unknown, message: text(data.error) ?? '' };
  const streams = () => records(data.streams).map(readSubscribed);
  switch (request.kind) {
    case 'joinPublisher':
    case 'joinAndPublish':
      return {
        kind: 'joined',
        id: request.id,
        privateId: number(data.private_id),
        description: text(data.description),
        publishers: records(data.publishers).map(readPublisher),
        publication: data.streams === undefined ? undefined : readPublication(data),
        jsep,
      };
    case 'publish':
    case 'configurePublisher':
      return { kind: 'configured', publication: data.streams === undefined ? undefined : readPublication(data), jsep };
    case 'configureSubscriber':
      return { kind: 'configured', jsep };
    case 'joinSubscriber':
      return { kind: 'attached', streams: streams(), jsep };
    case 'update':
      if (data.videoroom === 'updating') return { kind: 'updating' };
      return { kind: 'updated', streams: data.streams === undefined ? undefined : streams(), jsep };
    case 'switch':
      return { kind: 'switched', changes: number(data.changes), streams: streams() };
    case 'unpublish':
      return { kind: 'unpublished' };
    case 'leave':
      return { kind: data.left === undefined ? 'leaving' : 'left' };
    case 'start':
      return { kind: 'started' };
    case 'pause':
      return { kind: 'paused' };
  }
}

/** Reads an event of the plugin about one handle. What has no meaning here gives no event. */
export function readEvents(handle: number, data: PluginBody, jsep: Jsep | undefined): EngineEvent[] {
  const id = number(data.id);
  const mid = text(data.mid);
  if (data.videoroom === 'talking' || data.videoroom === 'stopped-talking')
    return id === undefined
      ? []
      : [
          {
            kind: 'talking',
            handle,
            id,
            talking: data.videoroom === 'talking',
            mindex: number(data.mindex),
            mid,
            level: number(data['audio-level-dBov-avg']),
          },
        ];
  if (data.videoroom === 'updated')
    return [{ kind: 'updated', handle, streams: records(data.streams).map(readSubscribed), jsep }];
  if (data.videoroom === 'destroyed') return [{ kind: 'destroyed', handle }];
  if (data.publishers !== undefined)
    return [{ kind: 'publishers', handle, publishers: records(data.publishers).map(readPublisher) }];
  if (data.moderation !== undefined && id !== undefined && mid !== undefined)
    return [{ kind: 'moderated', handle, id, mid, muted: data.moderation === 'muted' }];
  if (mid !== undefined && (data.substream !== undefined || data.temporal !== undefined))
    return [{ kind: 'layers', handle, mid, substream: number(data.substream), temporal: number(data.temporal) }];
  for (const kind of ['unpublished', 'leaving', 'kicked'] as const) {
    const gone = number(data[kind]);
    if (gone !== undefined) return [{ kind, handle, id: gone }];
  }
  return [];
}

// ---- replies and events, towards browsers

const publishedBody = ({ h264Profile, vp9Profile, ...stream }: PublishedStream) =>
  compact({ ...stream, h264_profile: h264Profile, vp9_profile: vp9Profile });
const publicationBody = ({ audioCodec, videoCodec, streams }: Omit<PublisherInfo, 'id'>) => ({
  audio_codec: audioCodec,
  video_codec: videoCodec,
  streams: streams.map(publishedBody),
});
const publisherBody = ({ id, display, talking, ...publication }: PublisherInfo) =>
  compact({ id, display, ...publicationBody(publication), talking });
const subscribedBody = (stream: SubscribedStream) =>
  compact({
    type: stream.type,
    active: stream.active,
    mindex: stream.mindex,
    mid: stream.mid,
    crossrefid: stream.crossRefId,
    ready: stream.ready,
    send: stream.send,
    feed_id: stream.publisherId,
    feed_display: stream.publisherDisplay,
    feed_mid: stream.publisherMid,
    feed_description: stream.publisherDescription,
    codec: stream.codec,
    'h264-profile': stream.h264Profile,
    simulcast:
      stream.simulcast &&
      compact({
        substream: stream.simulcast.substream,
        'substream-target': stream.simulcast.substreamTarget,
        'temporal-layer': stream.simulcast.temporal,
        'temporal-layer-target': stream.simulcast.temporalTarget,
      }),
  });

/** Writes a reply as browsers read it. Takes the number by which they know the room. */
export function bodyOfReply(reply: EngineReply, room: number): PluginBody {
  switch (reply.kind) {
    case 'refused':
      return { videoroom: 'event', error_code: reply.code, error: reply.message };
    case 'joined':
      return compact({
        videoroom: 'joined',
        room,
        description: reply.description,
        id: reply.id,
        private_id: reply.privateId,
        publishers: reply.publishers.map(publisherBody),
        ...(reply.publication && publicationBody(reply.publication)),
      });
    case 'configured':
      return compact({
        videoroom: 'event',
        room,
        configured: 'ok',
        ...(reply.publication && publicationBody(reply.publication)),
      });
    case 'attached':
      return { videoroom: 'attached', room, streams: reply.streams.map(subscribedBody) };
    case 'updated':
      return compact({ videoroom: 'updated', room, streams: reply.streams?.map(subscribedBody) });
    case 'updating':
      return { videoroom: 'updating', room };
    case 'switched':
      return compact({
        videoroom: 'event',
        switched: 'ok',
        room,
        changes: reply.changes,
        streams: reply.streams.map(subscribedBody),
      });
    default:
      return { videoroom: 'event', room, [reply.kind]: 'ok' };
  }
}

/** Writes what the gateway answers without the engine. Takes the number by which browsers know the room. */
export function bodyOfGatewayReply(reply: GatewayReply, room: number): PluginBody {
  switch (reply.kind) {
    case 'refused':
      return { videoroom: 'event', room, error_code: reply.code, error: reply.message };
    case 'created':
      return { videoroom: 'created', room, permanent: false };
    case 'exists':
      return { videoroom: 'success', room: reply.room, exists: reply.room === room };
    case 'participants':
      return { videoroom: 'participants', room, participants: reply.participants };
    case 'replaced':
      return { videoroom: 'event', room, leaving: 'ok', reason: 'replaced' };
  }
}

/** Events that browsers hear as data of the plugin; the others have messages of their own. */
export type RoomEvent = Extract<
  EngineEvent,
  {
    kind:
      | 'publishers'
      | 'unpublished'
      | 'leaving'
      | 'kicked'
      | 'talking'
      | 'moderated'
      | 'layers'
      | 'limited'
      | 'updated'
      | 'destroyed';
  }
>;

/** Writes an event as browsers read it. Takes the number by which they know the room. */
export function bodyOfEvent(event: RoomEvent, room: number): PluginBody {
  switch (event.kind) {
    case 'publishers':
      return { videoroom: 'event', room, publishers: event.publishers.map(publisherBody) };
    case 'unpublished':
    case 'leaving':
    case 'kicked':
      return { videoroom: 'event', room, [event.kind]: event.id };
    case 'talking':
      return compact({
        videoroom: event.talking ? 'talking' : 'stopped-talking',
        room,
        id: event.id,
        mindex: event.mindex,
        mid: event.mid,
        'audio-level-dBov-avg': event.level,
      });
    case 'moderated':
      return {
        videoroom: 'event',
        room,
        id: event.id,
        mid: event.mid,
        moderation: event.muted ? 'muted' : 'unmuted',
      };
    case 'layers':
      return compact({
        videoroom: 'event',
        room,
        mid: event.mid,
        substream: event.substream,
        temporal: event.temporal,
      });
    case 'limited':
      return { videoroom: 'event', room, limited: event.media, bitrate: event.bitrate };
    case 'updated':
      return { videoroom: 'updated', room, streams: event.streams.map(subscribedBody) };
    case 'destroyed':
      return { videoroom: 'destroyed', room };
  }
}
