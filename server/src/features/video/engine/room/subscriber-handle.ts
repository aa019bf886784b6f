/**
 * Subscribers: one connection with many m-lines, each fed by one publisher's stream. The engine offers. One offer is
 * out at a time; changes until its answer become one more offer after it.
 */
import { randomInt } from 'node:crypto';
import { REFUSAL, type EngineRequest, type EngineEvent, type Jsep, type StreamSwitch } from '../../video.types.ts';
import { writeOffer } from '../sdp/sdp.negotiate.ts';
import { parseSdp } from '../sdp/sdp.parse.ts';
import { createPeer } from '../transport/peer.ts';
import {
  addWishes,
  publisherOf,
  loseSource,
  findWishes,
  refresh,
  revive,
  setSource,
  summary,
  TOP_LAYER,
} from './m-lines.ts';
import {
  Refusal,
  type Handle,
  type Outcome,
  type RoomState,
  type Subscriber,
  type SubscriberStream,
} from './room.types.ts';

const token = () => randomInt(1, 2 ** 47).toString(36);

/** Makes a subscriber without streams and without a connection, which is made when the first offer is written. */
export function createSubscriber(
  handle: Handle,
  options: Pick<Subscriber, 'useMsid' | 'autoUpdate' | 'videoFrom'>,
): Subscriber {
  return {
    kind: 'subscriber',
    handle,
    streams: [],
    cname: token(),
    peer: null,
    media: null,
    started: false,
    paused: true,
    answered: true,
    pendingOffer: false,
    pendingRestart: false,
    ...options,
    sdp: { id: randomInt(1, 2 ** 47), version: 0 },
    profiles: new Map(),
  };
}

function connect(room: RoomState, subscriber: Subscriber) {
  const { platform } = room;
  const peer = createPeer(platform.ports, platform.certificate, platform.nextPeer(), {
    onUp() {
      subscriber.media = room.forwarding.addSubscriber({
        protect: peer.protect,
        send: peer.send,
        cname: subscriber.cname,
      });
      subscriber.started = true;
      for (const stream of subscriber.streams) refresh(room, stream);
      subscriber.media.open(performance.now());
      room.emit(subscriber.handle, { kind: 'webrtcup', handle: subscriber.handle.number });
    },
    onRtp: () => {},
    onRtcp: (compound) => subscriber.media?.rtcp(compound, performance.now()),
    onDown: (reason) => endSubscribing(room, subscriber, reason),
  });
  subscriber.peer = peer;
  return peer;
}

/** Writes the next offer; from then on one is out. */
export function offer(room: RoomState, subscriber: Subscriber, restart = false): Jsep {
  const peer = subscriber.peer ?? connect(room, subscriber);
  if (restart) peer.restart();
  subscriber.answered = false;
  subscriber.sdp.version++;
  const sdp = writeOffer(
    { ...subscriber.sdp, local: peer.local() },
    subscriber.streams.map((stream) => {
      const { source, mid } = stream;
      stream.offered = source?.accepted ? stream.ssrc : null;
      const theirs = subscriber.useMsid ? source?.accepted?.msid : null;
      return {
        kind: stream.type,
        mid,
        active: source?.accepted != null,
        codec: stream.codec,
        payloadType: stream.payloadType,
        clockRate: stream.clockRate,
        profile: stream.profile,
        ssrc: stream.ssrc,
        cname: subscriber.cname,
        // One stream per person, so that browsers keep audio and video in sync.
        msid: theirs ?? {
          stream: `feed${source?.publisher.id ?? 0}`,
          track: `feed${source?.publisher.id ?? 0}-${mid}`,
        },
      };
    }),
  );
  const e2ee = subscriber.streams.some(({ source }) => source?.publisher.e2ee);
  return { type: 'offer', sdp, ...(e2ee && { e2ee: true }) };
}

const emitUpdated = (room: RoomState, subscriber: Subscriber, jsep: Jsep) =>
  room.emit(subscriber.handle, {
    kind: 'updated',
    handle: subscriber.handle.number,
    streams: summary(subscriber),
    jsep,
  });

/** Sends an offer that nobody asked for: now, or as one more after the answer. */
export function offerAnew(room: RoomState, subscriber: Subscriber) {
  if (!subscriber.peer || !subscriber.autoUpdate) return;
  if (!subscriber.answered) {
    subscriber.pendingOffer = true;
    return;
  }
  emitUpdated(room, subscriber, offer(room, subscriber));
}

/** Replies to a request that changed m-lines: `updated` with an offer, or `updating` while one is out. */
function answerWithOffer(room: RoomState, subscriber: Subscriber): Outcome {
  if (!subscriber.answered) {
    subscriber.pendingOffer = true;
    return { reply: { kind: 'updating' } };
  }
  const jsep = offer(room, subscriber);
  return { reply: { kind: 'updated', streams: summary(subscriber), jsep } };
}

/** Ends the connection and forgets the m-lines; the handle hears `hangup`. Does nothing when there is none. */
export function endSubscribing(room: RoomState, subscriber: Subscriber, reason: string) {
  for (const stream of subscriber.streams) {
    stream.source?.listeners.delete(stream);
    stream.source = null;
    if (stream.track) {
      room.subscriptionOf.delete(stream.track);
      stream.track.close();
      stream.track = null;
    }
  }
  subscriber.streams.length = 0;
  subscriber.media?.close();
  subscriber.media = null;
  subscriber.started = false;
  subscriber.paused = true;
  subscriber.answered = true;
  subscriber.pendingOffer = false;
  subscriber.pendingRestart = false;
  const { peer } = subscriber;
  if (!peer) return;
  subscriber.peer = null;
  peer.close();
  room.emit(subscriber.handle, { kind: 'hangup', handle: subscriber.handle.number, reason });
}

function start(room: RoomState, subscriber: Subscriber, jsep: Jsep | undefined): Outcome {
  if (!jsep) {
    subscriber.paused = false;
    for (const stream of subscriber.streams) refresh(room, stream);
    return { reply: { kind: 'started' } };
  }
  if (jsep.type !== 'answer') throw new Refusal(REFUSAL.invalidSdpType, 'Only publishers send offers');
  if (subscriber.answered || !subscriber.peer) throw new Refusal(REFUSAL.invalidSdp, 'No offer is out');
  const answer = parseSdp(jsep.sdp);
  if ('error' in answer) throw new Refusal(REFUSAL.invalidSdp, answer.error);
  subscriber.paused = false;
  subscriber.peer.describe(answer.transport);
  subscriber.answered = true;
  for (const stream of subscriber.streams) {
    const section = answer.media[stream.mindex];
    if (!section) continue;
    const takes =
      !section.rejected &&
      (section.direction === 'recvonly' || section.direction === 'sendrecv') &&
      section.kind === stream.type;
    // A stream that took the m-line over since then is in the next offer.
    stream.ready = takes && stream.source !== null && stream.offered === stream.ssrc;
    refresh(room, stream);
  }
  return {
    reply: { kind: 'started' },
    after() {
      if (!subscriber.pendingOffer || !subscriber.peer) return;
      subscriber.pendingOffer = false;
      const next = offer(room, subscriber, subscriber.pendingRestart);
      subscriber.pendingRestart = false;
      emitUpdated(room, subscriber, next);
    },
  };
}

type Update = Extract<EngineRequest, { kind: 'update' }>;
function update(room: RoomState, subscriber: Subscriber, { subscribe, unsubscribe }: Update): Outcome {
  const wishes = findWishes(room, subscribe);
  let changes = 0;
  for (const { subMid, publisherId, mid } of unsubscribe) {
    for (const stream of subscriber.streams) {
      const meant =
        subMid !== undefined
          ? stream.mid === subMid
          : publisherId !== undefined &&
            stream.source?.publisher.id === publisherId &&
            (mid === undefined || stream.source.mid === mid);
      if (!meant || !stream.source) continue;
      loseSource(room, stream);
      changes++;
    }
  }
  changes += addWishes(room, subscriber, wishes);
  if (changes === 0) return { reply: { kind: 'updated' } };
  return answerWithOffer(room, subscriber);
}

function switchTo(room: RoomState, subscriber: Subscriber, streams: readonly StreamSwitch[]): Outcome {
  const moves = streams.map(({ publisherId, mid, subMid }) => {
    const source = publisherOf(room, publisherId).streams.find((stream) => stream.mid === mid);
    if (!source) throw new Refusal(REFUSAL.noSuchFeed, `No such mid '${mid}' in feed (${publisherId})`);
    return { source, subMid };
  });
  let changes = 0;
  let revived = false;
  for (const { source, subMid } of moves) {
    const stream = subscriber.streams.find(({ mid }) => mid === subMid);
    if (!stream || stream.source === source || stream.type !== source.type || stream.codec !== source.accepted?.codec)
      continue;
    // An inactive m-line must be offered again before it carries anything.
    if (stream.source === null) {
      revived = true;
      stream.ready = false;
      revive(room, stream);
    }
    stream.substream = TOP_LAYER;
    stream.temporal = TOP_LAYER;
    setSource(room, stream, source);
    changes++;
  }
  return {
    reply: { kind: 'switched', changes, streams: summary(subscriber) },
    after: revived ? () => offerAnew(room, subscriber) : undefined,
  };
}

type Configure = Extract<EngineRequest, { kind: 'configureSubscriber' }>;
type LayersEvent = Extract<EngineEvent, { kind: 'layers' }>;

function configure(
  room: RoomState,
  subscriber: Subscriber,
  { streams: changes, restart = false, videoFrom }: Configure,
): Outcome {
  subscriber.videoFrom = videoFrom ?? subscriber.videoFrom;
  const told: LayersEvent[] = [];
  const tell = (stream: SubscriberStream, layer: 'substream' | 'temporal', wanted: number | undefined) => {
    // The layer is sent already: tell the browser at once. Otherwise it hears when the layer changes.
    if (wanted !== undefined && stream.track?.stats()[layer] === wanted)
      told.push({ kind: 'layers', handle: subscriber.handle.number, mid: stream.mid, [layer]: wanted });
  };
  for (const stream of subscriber.streams) {
    for (const { mid, media, send, substream, temporal } of changes) {
      if ((mid ?? stream.mid) !== stream.mid || (media ?? stream.type) !== stream.type) continue;
      if (send !== undefined) stream.send = send;
      if (stream.type !== 'video' || (stream.source?.accepted?.rids.length ?? 0) === 0) continue;
      stream.substream = substream ?? stream.substream;
      stream.temporal = temporal ?? stream.temporal;
      tell(stream, 'substream', substream);
      tell(stream, 'temporal', temporal);
    }
    refresh(room, stream);
  }
  const after = () => told.forEach((event) => room.emit(subscriber.handle, event));
  if (!restart) return { reply: { kind: 'configured' }, after };
  if (!subscriber.answered) {
    subscriber.pendingOffer = true;
    subscriber.pendingRestart = true;
    return { reply: { kind: 'configured' }, after };
  }
  return { reply: { kind: 'configured', jsep: offer(room, subscriber, restart) }, after };
}

/** Every request to a handle that subscribes. */
export function subscriberRequest(
  room: RoomState,
  subscriber: Subscriber,
  request: EngineRequest,
  jsep: Jsep | undefined,
): Outcome {
  switch (request.kind) {
    case 'joinPublisher':
    case 'joinAndPublish':
    case 'joinSubscriber':
      throw new Refusal(REFUSAL.alreadyJoined, 'Already in as a subscriber on this handle');
    case 'start':
      return start(room, subscriber, jsep);
    case 'update':
      return update(room, subscriber, request);
    case 'configureSubscriber':
      return configure(room, subscriber, request);
    case 'pause':
      subscriber.paused = true;
      for (const stream of subscriber.streams) refresh(room, stream);
      return { reply: { kind: 'paused' } };
    case 'switch':
      return switchTo(room, subscriber, request.streams);
    case 'leave':
      endSubscribing(room, subscriber, 'Close PC');
      return { reply: { kind: 'left' } };
    default:
      throw new Refusal(REFUSAL.invalidRequest, 'Not a publisher');
  }
}
