/** The publishing half of the plugin: offers in, answers out, streams announced to the others, and everything undone when the line goes. */
import { randomInt } from 'node:crypto';
import { readTextExtension } from '../media/index.ts';
import type { Jsep, PluginBody } from '../../video.types.ts';
import { accept, writeAnswer } from '../sdp/sdp.negotiate.ts';
import { parseSdp } from '../sdp/sdp.parse.ts';
import { createPeer } from '../transport/peer.ts';
import { loseSource, refresh } from './m-lines.ts';
import { read } from './requests.ts';
import {
  ERROR,
  Refusal,
  type Outcome,
  type Publisher,
  type PublisherStream,
  type RoomState,
  type Subscriber,
} from './room.types.ts';
import { offerAnew } from './subscriber.ts';

/** Janus' own value where nobody set a cap. */
const UNCAPPED = 10_000_000;
/** A publisher sends a microphone, a camera, a screen; nobody needs more. */
const PUBLISHED_LINES_MAX = 16;
/** Layers of all cameras, with some to spare for browsers that begin a stream anew. */
const SSRCS_MAX = 32;

/** One m-line as the plugin tells it to others; `own` is the shorter form for the publisher. */
function describeStream(stream: PublisherStream, own: boolean): Record<string, unknown> {
  const { type, mindex, mid, accepted, description, track } = stream;
  const info: Record<string, unknown> = { type, mindex, mid };
  if (!accepted) return { ...info, disabled: true };
  if (description !== null) info['description'] = description;
  info['codec'] = accepted.codec;
  if (type === 'audio' && /useinbandfec=1/.test(accepted.fmtp)) info[own ? 'opus-fec' : 'fec'] = true;
  if (!own && type === 'audio' && accepted.extensions.audioLevel !== undefined)
    info['talking'] = track !== null && stream.talking;
  if (type === 'video' && accepted.codec === 'h264' && !own) info['h264_profile'] = accepted.profile;
  if (accepted.rids.length > 0) info['simulcast'] = true;
  if (!own && stream.muted) info['moderated'] = true;
  return info;
}

const codecOf = (publisher: Publisher, type: 'audio' | 'video') =>
  publisher.streams.find((stream) => stream.type === type && stream.accepted)?.accepted?.codec;
const codecs = (publisher: Publisher) => {
  const audio = codecOf(publisher, 'audio');
  const video = codecOf(publisher, 'video');
  return { ...(audio && { audio_codec: audio }), ...(video && { video_codec: video }) };
};

/** Whether somebody is heard, as the plugin tells it; undefined when their browser sends no levels. */
export function talkingOf(publisher: Publisher): boolean | undefined {
  const told = publisher.streams.filter(
    ({ type, accepted }) => type === 'audio' && accepted?.extensions.audioLevel !== undefined,
  );
  return told.length === 0 ? undefined : told.some(({ talking }) => talking);
}

/** An entry of `publishers`. */
export function describePublisher(publisher: Publisher): PluginBody {
  const talking = talkingOf(publisher);
  return {
    id: publisher.id,
    ...(publisher.display !== null && { display: publisher.display }),
    ...codecs(publisher),
    streams: publisher.streams.map((stream) => describeStream(stream, false)),
    ...(talking !== undefined && { talking }),
  };
}

/** Tells everybody who joined as publisher; the plugin leaves out whom it is about, except where they hear of themselves too. */
export function notify(room: RoomState, about: Publisher, data: PluginBody, themToo = false) {
  for (const other of room.participants.values())
    if (themToo || other !== about) room.emit(other.handle, { kind: 'event', handle: other.handle.number, data });
}

const announce = (room: RoomState, publisher: Publisher) =>
  notify(room, publisher, {
    videoroom: 'event',
    room: room.spec.therapistId,
    publishers: [describePublisher(publisher)],
  });

/** Makes the tracks of m-lines that are received, ends those of m-lines that are not any more. */
function tieTracks(room: RoomState, publisher: Publisher) {
  for (const stream of publisher.streams) {
    const { accepted } = stream;
    if (!accepted) {
      dropTrack(room, stream);
      continue;
    }
    if (stream.track || !publisher.uplink || stream.type === 'data') continue;
    const track = publisher.uplink.addTrack({
      media: stream.type,
      codec: accepted.codec,
      clockRate: accepted.clockRate,
      layers: Math.max(1, accepted.rids.length),
      extensions: accepted.extensions,
      nack: accepted.feedback.includes('nack'),
      keyFrames: accepted.feedback.includes('nack pli')
        ? 'pli'
        : accepted.feedback.includes('ccm fir')
          ? 'fir'
          : 'none',
      always: publisher.handle.member.person.as === 'therapist',
    });
    stream.track = track;
    room.streamOf.set(track, stream);
    track.mute(!stream.active || stream.muted);
    for (const listener of stream.listeners) refresh(room, listener);
  }
}

function dropTrack(room: RoomState, stream: PublisherStream) {
  stream.talking = false;
  stream.lost = 0;
  if (!stream.track) return;
  room.streamOf.delete(stream.track);
  stream.track.close();
  stream.track = null;
  for (const listener of stream.listeners) refresh(room, listener);
}

/**
 * Which stream and layer a packet is of. Browsers name both in the first packets of each SSRC only (RFC 8852), so what was learned is kept;
 * without names the description's SSRCs count, and last the payload type when one m-line alone has it.
 */
function identify(publisher: Publisher, packet: Buffer): { stream: PublisherStream; layer: number } | null {
  const payloadType = packet[1]! & 0x7f;
  const ssrc = packet.readUInt32BE(8);
  const fitting = publisher.streams.filter(({ accepted }) => accepted?.payloadType === payloadType);
  const named = fitting.find(
    ({ accepted, mid }) =>
      accepted!.extensions.mid !== undefined && readTextExtension(packet, accepted!.extensions.mid) === mid,
  );
  const stream =
    named ??
    fitting.find(({ accepted }) => accepted!.ssrcs.includes(ssrc)) ??
    (fitting.length === 1 ? fitting[0]! : undefined);
  if (!stream) return null;
  const { rids, extensions } = stream.accepted!;
  if (rids.length === 0) return { stream, layer: 0 };
  const layer = rids.indexOf(readTextExtension(packet, extensions.rid!) ?? '');
  return layer < 0 ? null : { stream, layer };
}

function receive(publisher: Publisher, packet: Buffer) {
  const ssrc = packet.readUInt32BE(8);
  let known = publisher.bySsrc.get(ssrc);
  if (!known) {
    const found = identify(publisher, packet);
    if (!found) return;
    // A browser that makes up SSRCs without end gets no more memory than one that does not.
    if (publisher.bySsrc.size >= SSRCS_MAX) publisher.bySsrc.delete(publisher.bySsrc.keys().next().value!);
    publisher.bySsrc.set(ssrc, found);
    known = found;
  }
  // What was not negotiated (comfort noise, redundancy) is not passed on.
  if (known.stream.accepted?.payloadType === (packet[1]! & 0x7f))
    known.stream.track?.receive(known.layer, packet, performance.now());
}

function connect(room: RoomState, publisher: Publisher) {
  const { platform } = room;
  const peer = createPeer(platform.ports, platform.certificate, platform.nextPeer(), {
    onUp() {
      publisher.uplink = room.forwarding.addUplink({
        ssrc: randomInt(1, 2 ** 32),
        protect: peer.protect,
        send: peer.send,
        bitrate: publisher.bitrate || UNCAPPED,
      });
      publisher.started = true;
      tieTracks(room, publisher);
      room.emit(publisher.handle, { kind: 'webrtcup', handle: publisher.handle.number });
      announce(room, publisher);
    },
    onRtp: (packet) => receive(publisher, packet),
    onRtcp: (compound) => publisher.uplink?.rtcp(compound, performance.now()),
    onDown: (reason) => endPublishing(room, publisher, reason),
  });
  publisher.peer = peer;
  return peer;
}

/**
 * Ends the line, not the membership: subscribers lose their sources, the others hear `unpublished`, the handle hears `hangup`.
 * In: why, in Janus' words. Harmless when nothing is published.
 */
export function endPublishing(room: RoomState, publisher: Publisher, reason: string) {
  const { peer } = publisher;
  if (!peer) return;
  publisher.peer = null;
  peer.close();
  const wasStarted = publisher.started;
  publisher.started = false;
  publisher.e2ee = false;
  publisher.bySsrc.clear();
  const losers = new Set<Subscriber>();
  for (const stream of publisher.streams) {
    for (const listener of [...stream.listeners]) {
      loseSource(room, listener);
      losers.add(listener.subscriber);
    }
    dropTrack(room, stream);
  }
  publisher.streams.length = 0;
  publisher.uplink?.close();
  publisher.uplink = null;
  publisher.remoteUfrag = '';
  if (wasStarted && !publisher.gone)
    notify(room, publisher, { videoroom: 'event', room: room.spec.therapistId, unpublished: publisher.id });
  room.emit(publisher.handle, { kind: 'hangup', handle: publisher.handle.number, reason });
  for (const subscriber of losers) offerAnew(room, subscriber);
}

/** Answers an offer; the line comes up later. Throws 431, 432 and 437. */
export function negotiate(
  room: RoomState,
  publisher: Publisher,
  body: PluginBody,
  jsep: Jsep,
  data: Record<string, unknown>,
): Outcome {
  if (jsep.type !== 'offer') throw new Refusal(ERROR.invalidSdpType, `Unknown SDP type '${jsep.type}'`);
  const renewal = publisher.peer !== null;
  if (!renewal) {
    const others = [...room.participants.values()].filter((other) => other !== publisher && other.peer !== null).length;
    if (others >= room.spec.publishers)
      throw new Refusal(ERROR.publishersFull, `Maximum number of publishers (${room.spec.publishers}) already reached`);
  }
  const offer = parseSdp(jsep.sdp);
  if ('error' in offer) throw new Refusal(ERROR.invalidSdp, offer.error);
  if (offer.media.length > PUBLISHED_LINES_MAX)
    throw new Refusal(ERROR.invalidSdp, 'Error parsing SDP: too many m-lines');
  if (offer.media.length < publisher.streams.length)
    throw new Refusal(ERROR.invalidSdp, 'Error parsing SDP: fewer m-lines than before');
  const descriptions = read.list(body, 'descriptions') ?? [];
  const accepted = offer.media.map(accept);
  const losers = new Set<Subscriber>();
  for (const [mindex, section] of offer.media.entries()) {
    let stream = publisher.streams[mindex];
    if (!stream) {
      const type = section.kind === 'audio' || section.kind === 'video' ? section.kind : 'data';
      stream = {
        publisher,
        mindex,
        type,
        mid: section.mid,
        accepted: null,
        description: null,
        active: true,
        muted: false,
        talking: false,
        track: null,
        listeners: new Set(),
        lost: 0,
      };
      publisher.streams.push(stream);
    }
    const taken = accepted[mindex]!;
    // Another codec or other layers make another stream of it.
    const same =
      stream.accepted &&
      taken &&
      stream.accepted.codec === taken.codec &&
      stream.accepted.rids.join() === taken.rids.join();
    if (!same) {
      // Whoever listens would get what their m-line was not made for.
      for (const listener of [...stream.listeners]) {
        loseSource(room, listener);
        losers.add(listener.subscriber);
      }
      dropTrack(room, stream);
    }
    stream.mid = section.mid;
    stream.accepted = taken;
    const description = descriptions.find((entry) => entry['mid'] === section.mid);
    if (description) stream.description = read.string(description, 'description').slice(0, 256);
  }
  publisher.bySsrc.clear();
  const peer = publisher.peer ?? connect(room, publisher);
  if (renewal && publisher.remoteUfrag !== offer.line.ufrag) peer.restart();
  publisher.remoteUfrag = offer.line.ufrag;
  peer.describe(offer.line);
  publisher.sdp.version++;
  if (jsep.e2ee === true) publisher.e2ee = true;
  tieTracks(room, publisher);
  return {
    data: { ...data, ...codecs(publisher), streams: publisher.streams.map((stream) => describeStream(stream, true)) },
    jsep: {
      type: 'answer',
      sdp: writeAnswer({ ...publisher.sdp, local: peer.local() }, offer, accepted),
      ...(publisher.e2ee && { e2ee: true }),
    },
    after() {
      if (renewal && publisher.started) announce(room, publisher);
      for (const subscriber of losers) offerAnew(room, subscriber);
    },
  };
}

/** `configure` and `publish`: switches, cap, key frame, and the offer when there is one. */
export function configurePublisher(
  room: RoomState,
  publisher: Publisher,
  body: PluginBody,
  jsep: Jsep | undefined,
  verb: string,
): Outcome {
  if (verb === 'publish' && publisher.started)
    throw new Refusal(ERROR.alreadyPublished, "Can't publish, already published");
  if (publisher.kicked) throw new Refusal(ERROR.unauthorized, 'Unauthorized, you have been kicked');
  const bitrate = read.number(body, 'bitrate');
  const keyframe = read.flag(body, 'keyframe');
  const display = read.text(body, 'display');
  const switches: { stream?: string; type?: 'audio' | 'video'; on: boolean }[] = [];
  for (const type of ['audio', 'video'] as const) {
    const on = read.flag(body, type);
    if (on !== undefined) switches.push({ type, on });
  }
  const only = read.text(body, 'mid');
  const send = read.flag(body, 'send');
  if (only !== undefined && send !== undefined) switches.push({ stream: only, on: send });
  for (const entry of read.list(body, 'streams') ?? []) {
    const on = read.flag(entry, 'send');
    if (on !== undefined) switches.push({ stream: read.string(entry, 'mid'), on });
  }

  const data: Record<string, unknown> = { videoroom: 'event', room: room.spec.therapistId, configured: 'ok' };
  // The offer first: when it is refused, nothing of the request has happened.
  const outcome: Outcome = jsep ? negotiate(room, publisher, body, jsep, data) : { data };
  for (const { stream: mid, type, on } of switches) {
    for (const stream of publisher.streams) {
      if (mid !== undefined ? stream.mid !== mid : stream.type !== type) continue;
      stream.active = on;
      stream.track?.mute(!on || stream.muted);
    }
  }
  if (keyframe)
    for (const stream of publisher.streams)
      if (stream.type === 'video' && (only === undefined || stream.mid === only))
        stream.track?.requestKeyFrame(performance.now());
  if (bitrate !== undefined) {
    publisher.bitrate = bitrate;
    publisher.uplink?.bitrate(bitrate || UNCAPPED);
  }
  if (display !== undefined && display !== publisher.display) {
    const hadOne = publisher.display !== null;
    publisher.display = display;
    if (hadOne) notify(room, publisher, { videoroom: 'event', id: publisher.id, display });
  }
  return outcome;
}
