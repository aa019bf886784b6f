/**
 * What may be asked of the videoroom plugin: an allow-list of requests, each with every field it may carry. What the server alone decides
 * is dropped (rule 3), every other field refused; what is passed on is built anew from what was read.
 */
import { z } from 'zod';
import type { PluginBody } from '../video.types.ts';
import { ROOM, RoomRefusal } from './janus-wire.ts';

/** Fields a stock program sends along out of habit; their values are the server's. */
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
/** Of programs written for Janus 0.x: allowed, and of no meaning since (Janus does the same). */
const HISTORIC = ['offer_audio', 'offer_video', 'offer_data', 'close_pc'] as const;

const room = z.number().int().positive();
const feed = z.number().int().positive();
const mid = z.string().regex(/^[\w.-]{1,32}$/);
const crossrefid = z.string().regex(/^[\w.-]{1,64}$/);
const substream = z.number().int().min(0).max(2);
const temporal = z.number().int().min(0).max(2);
/** Microseconds without packets after which the layer below is taken. */
const fallback = z.number().int().min(50_000).max(10_000_000);
/** Ten per person in a full room, and then some. */
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
  // Without a meaning since Janus 1.0, but sent by its own pages.
  audio: flag,
  video: flag,
  data: flag,
};
const sendState = { mid, send: flag, keyframe: flag };

/** By request: what it may carry beside what is dropped. */
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

/** A request that was read; `name` is the videoroom's, told apart by who asks. */
export type RoomRequest = { [N in Name]: { name: N; body: z.output<(typeof SCHEMAS)[N]> } }[Name];
export type Wanted = z.output<typeof wanted>;

/** Answered at once and within the answer; all others by an event after an acknowledgement. */
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
/** What a handle has become by its join; null before it. */
export type HandleKind = 'publisher' | 'subscriber' | null;

/** Whether a request is one that Janus answers by an event: unknown ones are not. */
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
 * Reads a request. In: the body as it came, what the handle is, and the number by which programs know the room.
 * Out: the request with the fields it may carry. @throws RoomRefusal: 421–430 as the plugin has them, 426 for every other room, 423 for what is not offered.
 */
export function readRequest(body: PluginBody, kind: HandleKind, outerRoom: number): RoomRequest {
  if (typeof body.request !== 'string')
    throw new RoomRefusal(ROOM.missingElement, 'Missing mandatory element (request)');
  const name = nameOf(body.request, body.ptype, kind);
  if (name === null) throw new RoomRefusal(ROOM.badRequest, 'Unknown request');
  if (name.startsWith('join') && kind !== null)
    throw new RoomRefusal(
      ROOM.alreadyJoined,
      kind === 'publisher' ? 'Already in as a publisher on this handle' : 'Already in as a subscriber on this handle',
    );
  if (kind === null && (PUBLISHERS.has(name) || SUBSCRIBERS.has(name) || name === 'leave'))
    throw new RoomRefusal(ROOM.joinFirst, 'Join a room first');
  if (kind === 'publisher' && SUBSCRIBERS.has(name)) throw new RoomRefusal(ROOM.badRequest, 'Not a subscriber');
  if (kind === 'subscriber' && PUBLISHERS.has(name)) throw new RoomRefusal(ROOM.badRequest, 'Not a publisher');

  const rest: Record<string, unknown> = { ...body };
  delete rest.request;
  for (const field of [...SERVERS_OWN, ...HISTORIC]) delete rest[field];
  // A join says which room; later requests may say it again.
  if (rest.room !== undefined && !('room' in SCHEMAS[name].shape)) {
    checkRoom(rest.room, outerRoom);
    delete rest.room;
  }
  const parsed = SCHEMAS[name].safeParse(rest);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const at = issue?.code === 'unrecognized_keys' ? issue.keys[0]! : issue?.path.join('.');
    const missing = issue?.code === 'invalid_type' && issue.path.length === 1 && !(String(issue.path[0]) in rest);
    throw missing
      ? new RoomRefusal(ROOM.missingElement, `Missing mandatory element (${at})`)
      : new RoomRefusal(ROOM.badElement, `Invalid element (${at})`);
  }
  if ('room' in parsed.data && name !== 'exists' && parsed.data.room !== undefined)
    checkRoom(parsed.data.room, outerRoom);
  return { name, body: parsed.data } as RoomRequest;
}

function checkRoom(asked: unknown, outerRoom: number): void {
  if (asked !== outerRoom) throw new RoomRefusal(ROOM.noRoom, 'No such room');
}
