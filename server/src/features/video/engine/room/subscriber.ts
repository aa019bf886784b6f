/**
 * The subscribing half of the plugin: one line with many m-lines, each fed by one stream of a publisher. The engine offers; one offer is out at a time,
 * what changes meanwhile becomes one more offer after the answer.
 */
import { randomInt } from 'node:crypto';
import type { Jsep, PluginBody } from '../../video.types.ts';
import { writeOffer } from '../sdp/sdp.negotiate.ts';
import { parseSdp } from '../sdp/sdp.parse.ts';
import { createPeer } from '../transport/peer.ts';
import {
  addWishes,
  feedOf,
  loseSource,
  readWishes,
  refresh,
  revive,
  setSource,
  summary,
  TOP_LAYER,
} from './m-lines.ts';
import { read, readLayers } from './requests.ts';
import {
  ERROR,
  Refusal,
  type Handle,
  type Outcome,
  type RoomState,
  type Subscriber,
  type SubscriberStream,
} from './room.types.ts';

const token = () => randomInt(1, 2 ** 47).toString(36);

export function createSubscriber(
  handle: Handle,
  { useMsid, autoUpdate }: { useMsid: boolean; autoUpdate: boolean },
): Subscriber {
  return {
    kind: 'subscriber',
    handle,
    streams: [],
    cname: token(),
    peer: null,
    downlink: null,
    started: false,
    paused: true,
    answered: true,
    pendingOffer: false,
    pendingRestart: false,
    useMsid,
    autoUpdate,
    sdp: { id: randomInt(1, 2 ** 47), version: 0 },
    profiles: new Map(),
  };
}

function connect(room: RoomState, subscriber: Subscriber) {
  const { platform } = room;
  const peer = createPeer(platform.ports, platform.certificate, platform.nextPeer(), {
    onUp() {
      subscriber.downlink = room.forwarding.addDownlink({
        protect: peer.protect,
        send: peer.send,
        cname: subscriber.cname,
      });
      subscriber.started = true;
      for (const stream of subscriber.streams) refresh(room, stream);
      subscriber.downlink.open(performance.now());
      room.emit(subscriber.handle, { kind: 'webrtcup', handle: subscriber.handle.number });
    },
    onRtp: () => {},
    onRtcp: (compound) => subscriber.downlink?.rtcp(compound, performance.now()),
    onDown: (reason) => endSubscribing(room, subscriber, reason),
  });
  subscriber.peer = peer;
  return peer;
}

/** Writes the next offer; from now on one is out. */
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
        // One stream a person, so that browsers keep lips and voice together.
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

const updated = (room: RoomState, subscriber: Subscriber): PluginBody => ({
  videoroom: 'updated',
  room: room.spec.therapistId,
  streams: summary(subscriber),
});

/** Unasked: an offer now, or one more after the answer. */
export function offerAnew(room: RoomState, subscriber: Subscriber) {
  if (!subscriber.peer || !subscriber.autoUpdate) return;
  if (!subscriber.answered) {
    subscriber.pendingOffer = true;
    return;
  }
  const jsep = offer(room, subscriber);
  room.emit(subscriber.handle, {
    kind: 'event',
    handle: subscriber.handle.number,
    data: updated(room, subscriber),
    jsep,
  });
}

/** Answer to a request that changed m-lines: `updated` with an offer, or `updating` while one is out. */
function answerWithOffer(room: RoomState, subscriber: Subscriber): Outcome {
  if (!subscriber.answered) {
    subscriber.pendingOffer = true;
    return { data: { videoroom: 'updating', room: room.spec.therapistId } };
  }
  const jsep = offer(room, subscriber);
  return { data: updated(room, subscriber), jsep };
}

/** Ends the line and forgets the m-lines; the handle hears `hangup`. Harmless when there is none. */
export function endSubscribing(room: RoomState, subscriber: Subscriber, reason: string) {
  for (const stream of subscriber.streams) {
    stream.source?.listeners.delete(stream);
    stream.source = null;
    if (stream.slot) {
      room.subscriptionOf.delete(stream.slot);
      stream.slot.close();
      stream.slot = null;
    }
  }
  subscriber.streams.length = 0;
  subscriber.downlink?.close();
  subscriber.downlink = null;
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
  const data = { videoroom: 'event', room: room.spec.therapistId, started: 'ok' };
  if (!jsep) {
    subscriber.paused = false;
    for (const stream of subscriber.streams) refresh(room, stream);
    return { data };
  }
  if (jsep.type !== 'answer') throw new Refusal(ERROR.invalidSdpType, 'Only publishers send offers');
  if (subscriber.answered || !subscriber.peer) throw new Refusal(ERROR.invalidSdp, 'No offer is out');
  const answer = parseSdp(jsep.sdp);
  if ('error' in answer) throw new Refusal(ERROR.invalidSdp, answer.error);
  subscriber.paused = false;
  subscriber.peer.describe(answer.line);
  subscriber.answered = true;
  for (const stream of subscriber.streams) {
    const section = answer.media[stream.mindex];
    if (!section) continue;
    const takes =
      !section.rejected &&
      (section.direction === 'recvonly' || section.direction === 'sendrecv') &&
      section.kind === stream.type;
    // What took the m-line over since is in the next offer.
    stream.ready = takes && stream.source !== null && stream.offered === stream.ssrc;
    refresh(room, stream);
  }
  return {
    data,
    after: () => {
      if (!subscriber.pendingOffer || !subscriber.peer) return;
      subscriber.pendingOffer = false;
      const next = offer(room, subscriber, subscriber.pendingRestart);
      subscriber.pendingRestart = false;
      room.emit(subscriber.handle, {
        kind: 'event',
        handle: subscriber.handle.number,
        data: updated(room, subscriber),
        jsep: next,
      });
    },
  };
}

function change(room: RoomState, subscriber: Subscriber, body: PluginBody, verb: string): Outcome {
  const both = verb === 'update';
  const toAdd = verb === 'unsubscribe' ? undefined : read.list(body, both ? 'subscribe' : 'streams');
  const toRemove = verb === 'subscribe' ? undefined : read.list(body, both ? 'unsubscribe' : 'streams');
  if (toAdd?.length === 0) throw new Refusal(ERROR.invalidElement, 'Empty subscription list');
  if (toRemove?.length === 0) throw new Refusal(ERROR.invalidElement, 'Empty unsubscription list');
  if (!toAdd && !toRemove)
    throw new Refusal(
      ERROR.missingElement,
      both
        ? "At least one of either 'subscribe' or 'unsubscribe' must be present"
        : 'Missing mandatory element (streams)',
    );
  const removals = (toRemove ?? []).map((entry) => ({
    subMid: read.text(entry, 'sub_mid'),
    feed: read.number(entry, 'feed'),
    mid: read.text(entry, 'mid'),
  }));
  const wishes = readWishes(room, toAdd ?? []);
  let changes = 0;
  for (const { subMid, feed, mid } of removals) {
    for (const stream of subscriber.streams) {
      const meant =
        subMid !== undefined
          ? stream.mid === subMid
          : feed !== undefined &&
            stream.source?.publisher.id === feed &&
            (mid === undefined || stream.source.mid === mid);
      if (!meant || !stream.source) continue;
      loseSource(room, stream);
      changes++;
    }
  }
  changes += addWishes(room, subscriber, wishes);
  if (changes === 0) return { data: { videoroom: 'updated', room: room.spec.therapistId } };
  return answerWithOffer(room, subscriber);
}

function switchTo(room: RoomState, subscriber: Subscriber, body: PluginBody): Outcome {
  let entries = read.list(body, 'streams');
  if (!entries || entries.length === 0) {
    const feed = read.number(body, 'feed');
    if (feed === undefined)
      throw new Refusal(ERROR.missingElement, "At least one between 'streams' and 'feed' must be specified");
    // The old form: every m-line gets the first fitting stream of that publisher.
    const free = [...subscriber.streams];
    entries = feedOf(room, feed).streams.flatMap((source) => {
      const at = free.findIndex(({ type, codec }) => type === source.type && codec === source.accepted?.codec);
      return at < 0 ? [] : [{ feed, mid: source.mid, sub_mid: free.splice(at, 1)[0]!.mid }];
    });
    if (entries.length === 0) throw new Refusal(ERROR.invalidElement, 'Empty switch list');
  }
  const moves = entries.map((entry) => {
    const feed = read.id(entry, 'feed');
    const mid = read.string(entry, 'mid');
    const subMid = read.string(entry, 'sub_mid');
    const source = feedOf(room, feed).streams.find((stream) => stream.mid === mid);
    if (!source) throw new Refusal(ERROR.noSuchFeed, `No such mid '${mid}' in feed (${feed})`);
    return { source, subMid };
  });
  let changes = 0;
  let revived = false;
  for (const { source, subMid } of moves) {
    const stream = subscriber.streams.find(({ mid }) => mid === subMid);
    if (!stream || stream.source === source || stream.type !== source.type || stream.codec !== source.accepted?.codec)
      continue;
    // An inactive m-line has to be offered again before it carries anything.
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
    data: { videoroom: 'event', switched: 'ok', room: room.spec.therapistId, changes, streams: summary(subscriber) },
    after: revived ? () => offerAnew(room, subscriber) : undefined,
  };
}

function configure(room: RoomState, subscriber: Subscriber, body: PluginBody): Outcome {
  const mid = read.text(body, 'mid');
  const audio = read.flag(body, 'audio');
  const video = read.flag(body, 'video');
  const restart = read.flag(body, 'restart') ?? false;
  const update = read.flag(body, 'update') ?? false;
  const orders = [
    { mid, send: read.flag(body, 'send'), layers: readLayers(body) },
    ...(read.list(body, 'streams') ?? []).map((entry) => ({
      mid: read.string(entry, 'mid'),
      send: read.flag(entry, 'send'),
      layers: readLayers(entry),
    })),
  ];
  const told: PluginBody[] = [];
  const tell = (stream: SubscriberStream, layer: 'substream' | 'temporal', wanted: number | undefined) => {
    // Already there: the browser hears it at once, else when the layer has changed.
    if (wanted !== undefined && stream.slot?.stats()[layer] === wanted)
      told.push({ videoroom: 'event', room: room.spec.therapistId, mid: stream.mid, [layer]: wanted });
  };
  for (const stream of subscriber.streams) {
    const whole = stream.type === 'audio' ? audio : video;
    if (whole !== undefined) stream.send = whole;
    for (const { mid: only, send, layers } of orders) {
      if (only !== undefined && only !== stream.mid) continue;
      if (send !== undefined) stream.send = send;
      if (stream.type !== 'video' || (stream.source?.accepted?.rids.length ?? 0) === 0) continue;
      stream.substream = layers.substream ?? stream.substream;
      stream.temporal = layers.temporal ?? stream.temporal;
      tell(stream, 'substream', layers.substream);
      tell(stream, 'temporal', layers.temporal);
    }
    refresh(room, stream);
  }
  const data = { videoroom: 'event', room: room.spec.therapistId, configured: 'ok' };
  const after = () =>
    told.forEach((event) =>
      room.emit(subscriber.handle, { kind: 'event', handle: subscriber.handle.number, data: event }),
    );
  if (!restart && !update) return { data, after };
  if (!subscriber.answered) {
    subscriber.pendingOffer = true;
    subscriber.pendingRestart ||= restart;
    return { data, after };
  }
  return { data, jsep: offer(room, subscriber, restart), after };
}

/** Every verb of a handle that subscribes. */
export function subscriberRequest(
  room: RoomState,
  subscriber: Subscriber,
  verb: string,
  body: PluginBody,
  jsep: Jsep | undefined,
): Outcome {
  switch (verb) {
    case 'join':
    case 'joinandconfigure':
      throw new Refusal(ERROR.alreadyJoined, 'Already in as a subscriber on this handle');
    case 'start':
      return start(room, subscriber, jsep);
    case 'subscribe':
    case 'unsubscribe':
    case 'update':
      return change(room, subscriber, body, verb);
    case 'configure':
      return configure(room, subscriber, body);
    case 'pause':
      subscriber.paused = true;
      for (const stream of subscriber.streams) refresh(room, stream);
      return { data: { videoroom: 'event', room: room.spec.therapistId, paused: 'ok' } };
    case 'switch':
      return switchTo(room, subscriber, body);
    case 'leave':
      endSubscribing(room, subscriber, 'Close PC');
      return { data: { videoroom: 'event', room: room.spec.therapistId, left: 'ok' } };
    default:
      throw new Refusal(ERROR.invalidRequest, `Unknown request '${verb.slice(0, 64)}'`);
  }
}
