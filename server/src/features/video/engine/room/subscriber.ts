/**
 * The subscribing half of the plugin: one line with many m-lines, each fed by one stream of a publisher. The engine offers; one offer is out at a time,
 * what changes meanwhile becomes one more offer after the answer. M-lines never go: an inactive one is taken over by the next stream of its kind.
 */
import { randomInt } from 'node:crypto';
import type { Jsep, PluginBody } from '../../video.types.ts';
import { writeOffer } from '../sdp/sdp.negotiate.ts';
import { M_LINES_MAX, parseSdp } from '../sdp/sdp.parse.ts';
import { createPeer } from '../transport/peer.ts';
import { read, readLayers, type Layers } from './requests.ts';
import { ERROR, Refusal, type Handle, type Outcome, type Publisher, type PublisherStream, type RoomState, type Subscriber, type SubscriberStream } from './room.types.ts';

const PAYLOAD_TYPE = { opus: 111, vp8: 96 } as const;
/** The first of those given to profiles of H.264. */
const H264_PAYLOAD_TYPE = 102;
/** RFC 5761 leaves 96 to 127 to us. */
const H264_PROFILES_MAX = 8;
const TOP_LAYER = 2;

const token = () => randomInt(1, 2 ** 47).toString(36);

export function createSubscriber(handle: Handle, { useMsid, autoUpdate }: { useMsid: boolean; autoUpdate: boolean }): Subscriber {
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

function setSource(room: RoomState, stream: SubscriberStream, source: PublisherStream | null) {
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
function revive(room: RoomState, stream: SubscriberStream) {
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
  if (subscriber.profiles.size >= H264_PROFILES_MAX) throw new Refusal(ERROR.invalidElement, 'Too many profiles of H.264');
  const made = H264_PAYLOAD_TYPE + subscriber.profiles.size;
  subscriber.profiles.set(profile, made);
  return made;
}

/** Takes over an inactive m-line of the same kind and codec, or adds one. */
function subscribeTo(room: RoomState, subscriber: Subscriber, source: PublisherStream, { substream, temporal }: Layers, crossRefId: string | null) {
  const { codec, profile, clockRate } = source.accepted!;
  let stream = subscriber.streams.find((free) => free.source === null && free.type === source.type && free.codec === codec && free.profile === profile);
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

function feedOf(room: RoomState, feed: number): Publisher {
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
    if (mid !== undefined && !publisher.streams.some((stream) => stream.mid === mid)) throw new Refusal(ERROR.noSuchFeed, `No such mid '${mid}' in feed (${feed})`);
    // Disabled m-lines are passed over, as the plugin does.
    const sources = publisher.streams.filter((stream) => stream.accepted !== null && stream.type !== 'data' && (mid === undefined || stream.mid === mid));
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

function connect(room: RoomState, subscriber: Subscriber) {
  const { platform } = room;
  const peer = createPeer(platform.ports, platform.certificate, platform.nextPeer(), {
    onUp() {
      subscriber.downlink = room.forwarding.addDownlink({ protect: peer.protect, send: peer.send, cname: subscriber.cname });
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
        msid: theirs ?? { stream: `feed${source?.publisher.id ?? 0}`, track: `feed${source?.publisher.id ?? 0}-${mid}` },
      };
    }),
  );
  const e2ee = subscriber.streams.some(({ source }) => source?.publisher.e2ee);
  return { type: 'offer', sdp, ...(e2ee && { e2ee: true }) };
}

const updated = (room: RoomState, subscriber: Subscriber): PluginBody => ({ videoroom: 'updated', room: room.spec.therapistId, streams: summary(subscriber) });

/** Unasked: an offer now, or one more after the answer. */
export function offerAnew(room: RoomState, subscriber: Subscriber) {
  if (!subscriber.peer || !subscriber.autoUpdate) return;
  if (!subscriber.answered) {
    subscriber.pendingOffer = true;
    return;
  }
  const jsep = offer(room, subscriber);
  room.emit(subscriber.handle, { kind: 'event', handle: subscriber.handle.number, data: updated(room, subscriber), jsep });
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
    const takes = !section.rejected && (section.direction === 'recvonly' || section.direction === 'sendrecv') && section.kind === stream.type;
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
      room.emit(subscriber.handle, { kind: 'event', handle: subscriber.handle.number, data: updated(room, subscriber), jsep: next });
    },
  };
}

function change(room: RoomState, subscriber: Subscriber, body: PluginBody, verb: string): Outcome {
  const both = verb === 'update';
  const toAdd = verb === 'unsubscribe' ? undefined : read.list(body, both ? 'subscribe' : 'streams');
  const toRemove = verb === 'subscribe' ? undefined : read.list(body, both ? 'unsubscribe' : 'streams');
  if (toAdd?.length === 0) throw new Refusal(ERROR.invalidElement, 'Empty subscription list');
  if (toRemove?.length === 0) throw new Refusal(ERROR.invalidElement, 'Empty unsubscription list');
  if (!toAdd && !toRemove) throw new Refusal(ERROR.missingElement, both ? "At least one of either 'subscribe' or 'unsubscribe' must be present" : 'Missing mandatory element (streams)');
  const removals = (toRemove ?? []).map((entry) => ({ subMid: read.text(entry, 'sub_mid'), feed: read.number(entry, 'feed'), mid: read.text(entry, 'mid') }));
  const wishes = readWishes(room, toAdd ?? []);
  let changes = 0;
  for (const { subMid, feed, mid } of removals) {
    for (const stream of subscriber.streams) {
      const meant = subMid !== undefined ? stream.mid === subMid : feed !== undefined && stream.source?.publisher.id === feed && (mid === undefined || stream.source.mid === mid);
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
    if (feed === undefined) throw new Refusal(ERROR.missingElement, "At least one between 'streams' and 'feed' must be specified");
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
    if (!stream || stream.source === source || stream.type !== source.type || stream.codec !== source.accepted?.codec) continue;
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
    ...(read.list(body, 'streams') ?? []).map((entry) => ({ mid: read.string(entry, 'mid'), send: read.flag(entry, 'send'), layers: readLayers(entry) })),
  ];
  const told: PluginBody[] = [];
  const tell = (stream: SubscriberStream, layer: 'substream' | 'temporal', wanted: number | undefined) => {
    // Already there: the browser hears it at once, else when the layer has changed.
    if (wanted !== undefined && stream.slot?.stats()[layer] === wanted) told.push({ videoroom: 'event', room: room.spec.therapistId, mid: stream.mid, [layer]: wanted });
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
  const after = () => told.forEach((event) => room.emit(subscriber.handle, { kind: 'event', handle: subscriber.handle.number, data: event }));
  if (!restart && !update) return { data, after };
  if (!subscriber.answered) {
    subscriber.pendingOffer = true;
    subscriber.pendingRestart ||= restart;
    return { data, after };
  }
  return { data, jsep: offer(room, subscriber, restart), after };
}

/** Every verb of a handle that subscribes. */
export function subscriberRequest(room: RoomState, subscriber: Subscriber, verb: string, body: PluginBody, jsep: Jsep | undefined): Outcome {
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
