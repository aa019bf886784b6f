/**
 * Parses what browsers ask of the videoroom: an allow-list of requests, each with every field it may carry. Fields that
 * the server decides are dropped (rule 3), all others are refused. What comes out is typed; nothing parses it again.
 */
import { z } from 'zod';
import type { PluginBody } from '../janus/janus.videoroom.ts';
import {
  type Layers,
  type PublishOptions,
  REFUSAL,
  type StreamChange,
  type StreamEnd,
  type StreamSwitch,
  type StreamWish,
} from '../video.types.ts';
import { RoomRefusal } from './janus-wire.ts';

/** Fields that stock programs send out of habit; the server sets their values. */
const SERVERS_OWN = [
  'id',
  'display',
  'bitrate',
  'bitrate_bps',
  'publishers',
  'secret',
  'pin',
  'admin_key',
  'token',
  'private_id',
  'opaque_id',
  'metadata',
] as const;
/** Fields of programs written for Janus 0.x: allowed, and ignored since (as in Janus). */
const HISTORIC = ['offer_audio', 'offer_video', 'offer_data', 'close_pc'] as const;

/**
 * Fields of the plugin that have no effect here: levels are the server's, delays and SVC layers are not negotiated.
 * Requests for a recording (`record`, `filename`) are refused instead, so that nobody believes that something is kept.
 */
const WITHOUT_EFFECT = [
  'audio_level_average',
  'audio_active_packets',
  'min_delay',
  'max_delay',
  'spatial_layer',
  'temporal_layer',
] as const;
const DROPPED = [...SERVERS_OWN, ...HISTORIC, ...WITHOUT_EFFECT];

const room = z.number().int().positive();
const feed = z.number().int().positive();
const mid = z.string().regex(/^[\w.-]{1,32}$/);
const crossrefid = z.string().regex(/^[\w.-]{1,64}$/);
const substream = z.number().int().min(0).max(2);
const temporal = z.number().int().min(0).max(2);
/** Microseconds without packets after which the layer below is taken. */
const fallback = z.number().int().min(50_000).max(10_000_000);
/** Ten per person in a full room, and some to spare. */
const STREAMS = 200;
const flag = z.boolean().optional();

const layers = { substream: substream.optional(), temporal: temporal.optional(), fallback: fallback.optional() };
const wanted = z.strictObject({ feed, mid: mid.optional(), crossrefid: crossrefid.optional(), ...layers });
const unwanted = z
  .strictObject({ feed: feed.optional(), mid: mid.optional(), sub_mid: mid.optional() })
  .refine((one) => one.feed !== undefined || one.sub_mid !== undefined);
const switched = z.strictObject({ feed, mid, sub_mid: mid, crossrefid: crossrefid.optional(), ...layers });
const wantedList = z.array(wanted).min(1).max(STREAMS);
const unwantedList = z.array(unwanted).min(1).max(STREAMS);

const published = {
  audiocodec: z.enum(['opus', 'multiopus', 'pcmu', 'pcma', 'g722']).optional(),
  videocodec: z.enum(['vp8', 'vp9', 'h264', 'av1', 'h265']).optional(),
  descriptions: z
    .array(z.strictObject({ mid, description: z.string().max(64) }))
    .max(8)
    .optional(),
  // Ignored since Janus 1.0, but sent by its own pages.
  audio: flag,
  video: flag,
  data: flag,
};
const sendState = { mid, send: flag, keyframe: flag };

/** Per request: the fields it may carry besides those that are dropped. */
const SCHEMAS = {
  create: z.object({ room: room.optional() }),
  exists: z.strictObject({ room }),
  listparticipants: z.strictObject({ room }),
  joinPublisher: z.strictObject({ room, ptype: z.literal('publisher') }),
  joinSubscriber: z
    .strictObject({
      room,
      ptype: z.literal('subscriber'),
      streams: wantedList.optional(),
      feed: feed.optional(),
      use_msid: flag,
      autoupdate: flag,
      ...layers,
    })
    .refine((body) => (body.streams === undefined) !== (body.feed === undefined), { path: ['streams'] }),
  joinandconfigure: z.strictObject({ room, ptype: z.literal('publisher').optional(), ...published }),
  publish: z.strictObject({ ...published }),
  configurePublisher: z.strictObject({
    ...published,
    keyframe: flag,
    restart: flag,
    update: flag,
    streams: z.array(z.strictObject(sendState)).min(1).max(8).optional(),
  }),
  configureSubscriber: z.strictObject({
    mid: mid.optional(),
    send: flag,
    restart: flag,
    audio: flag,
    video: flag,
    data: flag,
    ...layers,
    streams: z
      .array(z.strictObject({ mid, send: flag, ...layers }))
      .min(1)
      .max(STREAMS)
      .optional(),
  }),
  unpublish: z.strictObject({}),
  leave: z.strictObject({}),
  start: z.strictObject({}),
  pause: z.strictObject({}),
  subscribe: z.strictObject({ streams: wantedList }),
  unsubscribe: z.strictObject({ streams: unwantedList }),
  update: z
    .strictObject({ subscribe: wantedList.optional(), unsubscribe: unwantedList.optional() })
    .refine((body) => body.subscribe !== undefined || body.unsubscribe !== undefined, { path: ['subscribe'] }),
  switch: z.strictObject({ streams: z.array(switched).min(1).max(STREAMS) }),
} as const;
type Name = keyof typeof SCHEMAS;

/** A browser's request. What the server alone decides (ids, names, caps) is not in it. */
export type RoomRequest =
  | { kind: 'create' | 'listParticipants' }
  | { kind: 'exists'; room: number }
  | { kind: 'joinPublisher' }
  | ({ kind: 'joinAndPublish' } & PublishOptions)
  | ({ kind: 'publish' } & PublishOptions)
  | ({
      kind: 'configurePublisher';
      /** Switches of all streams of a kind, as programs written for Janus 0.x have them. */
      audio: boolean | undefined;
      video: boolean | undefined;
      streams: readonly { mid: string; send?: boolean | undefined; keyframe?: boolean | undefined }[];
      keyframe: boolean | undefined;
      restart: boolean | undefined;
      update: boolean | undefined;
    } & PublishOptions)
  | { kind: 'unpublish' | 'leave' | 'start' | 'pause' }
  | {
      kind: 'joinSubscriber';
      streams: readonly StreamWish[];
      useMsid: boolean | undefined;
      autoUpdate: boolean | undefined;
    }
  | { kind: 'update'; subscribe: readonly StreamWish[] | undefined; unsubscribe: readonly StreamEnd[] | undefined }
  | { kind: 'switch'; streams: readonly StreamSwitch[] }
  | ({
      kind: 'configureSubscriber';
      /** The one m-line that the fields beside `streams` are about; all of them when undefined. */
      mid: string | undefined;
      send: boolean | undefined;
      audio: boolean | undefined;
      video: boolean | undefined;
      restart: boolean | undefined;
      streams: readonly (StreamChange & { mid: string })[];
    } & Layers);

type Bodies = { [N in Name]: z.output<(typeof SCHEMAS)[N]> };

const toLayers = ({ substream, temporal, fallback }: Layers): Layers => ({
  ...(substream === undefined ? {} : { substream }),
  ...(temporal === undefined ? {} : { temporal }),
  ...(fallback === undefined ? {} : { fallback }),
});
const toWish = ({ feed, mid, crossrefid, ...layers }: z.output<typeof wanted>): StreamWish => ({
  publisherId: feed,
  ...(mid === undefined ? {} : { mid }),
  ...(crossrefid === undefined ? {} : { crossRefId: crossrefid }),
  ...toLayers(layers),
});
const toEnd = ({ feed, mid, sub_mid }: z.output<typeof unwanted>): StreamEnd => ({
  publisherId: feed,
  mid,
  subMid: sub_mid,
});
const toSwitch = ({ sub_mid, mid, ...wish }: z.output<typeof switched>): StreamSwitch => ({
  ...toWish(wish),
  mid,
  subMid: sub_mid,
});
const toPublish = ({ audiocodec, videocodec, descriptions }: Bodies['publish']): PublishOptions => ({
  audioCodec: audiocodec,
  videoCodec: videocodec,
  descriptions,
});

/** Per request: makes the typed request of a parsed body. */
const READERS: { [N in Name]: (body: Bodies[N]) => RoomRequest } = {
  create: () => ({ kind: 'create' }),
  exists: (body) => ({ kind: 'exists', room: body.room }),
  listparticipants: () => ({ kind: 'listParticipants' }),
  joinPublisher: () => ({ kind: 'joinPublisher' }),
  joinSubscriber: ({ streams, feed, use_msid, autoupdate, ...layers }) => ({
    kind: 'joinSubscriber',
    streams: streams?.map(toWish) ?? [{ publisherId: feed!, ...toLayers(layers) }],
    useMsid: use_msid,
    autoUpdate: autoupdate,
  }),
  joinandconfigure: (body) => ({ kind: 'joinAndPublish', ...toPublish(body) }),
  publish: (body) => ({ kind: 'publish', ...toPublish(body) }),
  configurePublisher: ({ audio, video, keyframe, restart, update, streams = [], ...published }) => ({
    kind: 'configurePublisher',
    ...toPublish(published),
    audio,
    video,
    keyframe,
    restart,
    update,
    streams,
  }),
  configureSubscriber: ({ mid, send, audio, video, restart, streams = [], data: _data, ...layers }) => ({
    kind: 'configureSubscriber',
    mid,
    send,
    audio,
    video,
    restart,
    ...toLayers(layers),
    streams: streams.map(({ mid: one, send: on, ...wish }) => ({ mid: one, send: on, ...toLayers(wish) })),
  }),
  unpublish: () => ({ kind: 'unpublish' }),
  leave: () => ({ kind: 'leave' }),
  start: () => ({ kind: 'start' }),
  pause: () => ({ kind: 'pause' }),
  subscribe: (body) => ({ kind: 'update', subscribe: body.streams.map(toWish), unsubscribe: undefined }),
  unsubscribe: (body) => ({ kind: 'update', subscribe: undefined, unsubscribe: body.streams.map(toEnd) }),
  update: ({ subscribe, unsubscribe }) => ({
    kind: 'update',
    subscribe: subscribe?.map(toWish),
    unsubscribe: unsubscribe?.map(toEnd),
  }),
  switch: (body) => ({ kind: 'switch', streams: body.streams.map(toSwitch) }),
};

/** Answered in the reply itself; all others by an event after an acknowledgement. */
const SYNCHRONOUS: ReadonlySet<string> = new Set(['create', 'exists', 'listparticipants']);
const PUBLISHERS: ReadonlySet<string> = new Set(['publish', 'configurePublisher', 'unpublish']);
const SUBSCRIBERS: ReadonlySet<string> = new Set([
  'configureSubscriber',
  'start',
  'pause',
  'subscribe',
  'unsubscribe',
  'update',
  'switch',
]);
/** What a handle has become by joining; null before. */
export type HandleKind = 'publisher' | 'subscriber' | null;

/** Whether Janus answers a request by an event; not for unknown ones. */
export function isAsynchronous(body: PluginBody): boolean {
  const request = String(body.request);
  return (
    !SYNCHRONOUS.has(request) &&
    ['join', 'configure', ...Object.keys(SCHEMAS)].includes(request) &&
    !/^(join|configure)[A-Z]/.test(request)
  );
}

function nameOf(request: string, ptype: unknown, kind: HandleKind): Name | null {
  if (request === 'join') return ptype === 'subscriber' ? 'joinSubscriber' : 'joinPublisher';
  if (request === 'configure') return kind === 'subscriber' ? 'configureSubscriber' : 'configurePublisher';
  return Object.hasOwn(SCHEMAS, request) && !/^(join|configure)[A-Z]/.test(request) ? (request as Name) : null;
}

/**
 * Parses a request. Takes the body as it came, what the handle is, and the number by which programs know the room.
 * Returns the request with the fields it may carry. Throws RoomRefusal: 421–430 as the plugin has them, 426 for every
 * other room, 423 for what is not offered.
 */
export function readRequest(body: PluginBody, kind: HandleKind, outerRoom: number): RoomRequest {
  if (typeof body.request !== 'string')
    throw new RoomRefusal(REFUSAL.missingElement, 'Missing mandatory element (request)');
  const name = nameOf(body.request, body.ptype, kind);
  if (name === null) throw new RoomRefusal(REFUSAL.invalidRequest, 'Unknown request');
  if (name.startsWith('join') && kind !== null)
    throw new RoomRefusal(
      REFUSAL.alreadyJoined,
      kind === 'publisher' ? 'Already in as a publisher on this handle' : 'Already in as a subscriber on this handle',
    );
  if (kind === null && (PUBLISHERS.has(name) || SUBSCRIBERS.has(name) || name === 'leave'))
    throw new RoomRefusal(REFUSAL.joinFirst, 'Join a room first');
  if (kind === 'publisher' && SUBSCRIBERS.has(name)) throw new RoomRefusal(REFUSAL.invalidRequest, 'Not a subscriber');
  if (kind === 'subscriber' && PUBLISHERS.has(name)) throw new RoomRefusal(REFUSAL.invalidRequest, 'Not a publisher');

  const rest: Record<string, unknown> = { ...body };
  delete rest.request;
  for (const field of DROPPED) delete rest[field];
  if (Array.isArray(rest.streams)) rest.streams = rest.streams.map(withoutEffects);
  // A join names the room; later requests may repeat it.
  if (rest.room !== undefined && !('room' in SCHEMAS[name].shape)) {
    checkRoom(rest.room, outerRoom);
    delete rest.room;
  }
  const parsed = SCHEMAS[name].safeParse(rest);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const at = issue?.code === 'unrecognized_keys' ? issue.keys[0]! : issue?.path.join('.');
    const missing =
      (issue?.code === 'invalid_type' || issue?.code === 'invalid_value') &&
      issue.path.length === 1 &&
      !(String(issue.path[0]) in rest);
    throw missing
      ? new RoomRefusal(REFUSAL.missingElement, `Missing mandatory element (${at})`)
      : new RoomRefusal(REFUSAL.invalidElement, `Invalid element (${at})`);
  }
  if ('room' in parsed.data && name !== 'exists' && parsed.data.room !== undefined)
    checkRoom(parsed.data.room, outerRoom);
  return (READERS[name] as (body: unknown) => RoomRequest)(parsed.data);
}

function withoutEffects(stream: unknown): unknown {
  if (typeof stream !== 'object' || stream === null || Array.isArray(stream)) return stream;
  return Object.fromEntries(
    Object.entries(stream).filter(([field]) => !(WITHOUT_EFFECT as readonly string[]).includes(field)),
  );
}

function checkRoom(asked: unknown, outerRoom: number): void {
  if (asked !== outerRoom) throw new RoomRefusal(REFUSAL.noSuchRoom, 'No such room');
}
