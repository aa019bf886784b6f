/**
 * Publishers: offers in, answers out, streams announced to the others, and everything undone when the connection ends.
 */
import { randomInt } from 'node:crypto';
import { setBounded } from '../../../../platform/small.ts';
import { readTextExtension } from '../rtp/rtp.ts';
import {
  REFUSAL,
  type EngineEvent,
  type EngineRequest,
  type Jsep,
  type Publication,
  type PublishedStream,
  type PublisherInfo,
} from '../../video.types.ts';
import { accept, writeAnswer } from '../sdp/sdp.negotiate.ts';
import { parseSdp } from '../sdp/sdp.parse.ts';
import { createPeer } from '../transport/peer.ts';
import { loseSource, refresh } from './m-lines.ts';
import {
  Refusal,
  type Outcome,
  type Publisher,
  type PublisherStream,
  type RoomState,
  type Subscriber,
} from './room.types.ts';
import { offerAnew } from './subscriber-handle.ts';

/** Janus' own default for the cap. */
const UNCAPPED = 10_000_000;
/** A publisher sends a microphone, a camera, a screen; this leaves room to spare. */
const PUBLISHED_LINES_MAX = 16;
/** Layers of all cameras, and some for browsers that start a stream again. */
const SSRCS_MAX = 32;

type PublishRequest = Extract<EngineRequest, { kind: 'publish' | 'configurePublisher' }>;

/** One m-line as others are told of it; `own` is the shorter form for the publisher. */
function describeStream(stream: PublisherStream, own: boolean): PublishedStream {
  const { type, mindex, mid, accepted, description, track } = stream;
  if (!accepted) return { type, mindex, mid, disabled: true };
  return {
    type,
    mindex,
    mid,
    codec: accepted.codec,
    ...(description !== null && { description }),
    ...(type === 'audio' && /useinbandfec=1/.test(accepted.fmtp) && { fec: true }),
    ...(accepted.rids.length > 0 && { simulcast: true }),
    ...(!own && {
      ...(type === 'audio' &&
        accepted.extensions.audioLevel !== undefined && { talking: track !== null && stream.talking }),
      ...(type === 'video' && accepted.codec === 'h264' && { h264Profile: accepted.profile }),
      ...(stream.muted && { moderated: true }),
    }),
  };
}

function describePublication(publisher: Publisher, own: boolean): Publication {
  const codecOf = (type: 'audio' | 'video') =>
    publisher.streams.find((stream) => stream.type === type && stream.accepted)?.accepted?.codec;
  return {
    audioCodec: codecOf('audio'),
    videoCodec: codecOf('video'),
    streams: publisher.streams.map((stream) => describeStream(stream, own)),
  };
}

/** Whether somebody is heard; undefined when their browser sends no audio levels. */
function talkingOf(publisher: Publisher): boolean | undefined {
  const levelled = publisher.streams.filter(
    ({ type, accepted }) => type === 'audio' && accepted?.extensions.audioLevel !== undefined,
  );
  return levelled.length === 0 ? undefined : levelled.some(({ talking }) => talking);
}

/** A publisher as all others are told of them. */
export const describePublisher = (publisher: Publisher): PublisherInfo => ({
  id: publisher.id,
  display: publisher.display,
  ...describePublication(publisher, false),
  talking: talkingOf(publisher),
});

type WithoutHandle<T> = T extends { handle: number } ? Omit<T, 'handle'> : never;

/** Tells everybody who joined as publisher except `about`, or with `themToo` that person as well. */
export function notify(room: RoomState, about: Publisher, event: WithoutHandle<EngineEvent>, themToo = false) {
  for (const other of room.publishers.values())
    if (themToo || other !== about) room.emit(other.handle, { ...event, handle: other.handle.number });
}

const announce = (room: RoomState, publisher: Publisher) =>
  notify(room, publisher, { kind: 'publishers', publishers: [describePublisher(publisher)] });

/**
 * Mutes and unmutes streams as the gateway's restriction says, and tells everybody of each change, the publisher too.
 * It depends on nothing but the restriction and the streams, so a description that renames or adds streams cannot evade
 * it.
 */
function applySilence(room: RoomState, publisher: Publisher) {
  const { id, silent } = publisher;
  for (const stream of publisher.streams) {
    const { mid, type } = stream;
    const muted = silent.mids.includes(mid) || (silent.audio && type === 'audio');
    if (muted === stream.muted) continue;
    stream.muted = muted;
    stream.track?.mute(muted);
    notify(room, publisher, { kind: 'moderated', id, mid, muted }, true);
  }
}

/** Creates the tracks of m-lines that are received and ends those of m-lines that no longer are. */
function tieTracks(room: RoomState, publisher: Publisher) {
  for (const stream of publisher.streams) {
    const { accepted } = stream;
    if (!accepted) {
      dropTrack(room, stream);
      continue;
    }
    if (stream.track || !publisher.media || stream.type === 'data') continue;
    const track = publisher.media.addTrack({
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
    track.mute(stream.muted);
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
 * Finds the stream and layer of a packet. Browsers name both only in the first packets of each SSRC (RFC 8852), so the
 * result is kept. Without names the SSRCs of the description decide, and last the payload type when only one m-line has
 * it.
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
    // A browser that keeps inventing SSRCs must not use more memory than any other.
    setBounded(publisher.bySsrc, SSRCS_MAX, ssrc, found);
    known = found;
  }
  // What was not negotiated (comfort noise, redundancy) is not forwarded.
  if (known.stream.accepted?.payloadType === (packet[1]! & 0x7f))
    known.stream.track?.receive(known.layer, packet, performance.now());
}

function connect(room: RoomState, publisher: Publisher) {
  const { platform } = room;
  const peer = createPeer(platform.ports, platform.certificate, platform.nextPeer(), {
    onUp() {
      publisher.media = room.forwarding.addPublisher({
        ssrc: randomInt(1, 2 ** 32),
        protect: peer.protect,
        send: peer.send,
        bitrate: publisher.bitrate || UNCAPPED,
        onLimited(held) {
          room.emit(publisher.handle, {
            kind: 'limited',
            handle: publisher.handle.number,
            media: (['audio', 'video'] as const).filter((kind) => held[kind]),
            bitrate: publisher.bitrate || UNCAPPED,
          });
        },
      });
      publisher.started = true;
      tieTracks(room, publisher);
      room.emit(publisher.handle, { kind: 'webrtcup', handle: publisher.handle.number });
      announce(room, publisher);
    },
    onRtp: (packet) => receive(publisher, packet),
    onRtcp: (compound) => publisher.media?.rtcp(compound, performance.now()),
    onDown: (reason) => endPublishing(room, publisher, reason),
  });
  publisher.peer = peer;
  return peer;
}

/**
 * Ends the connection, not the membership: subscribers lose their sources, the others hear `unpublished`, the handle
 * hears `hangup`. Takes the reason in Janus' words. Does nothing when nothing is published.
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
  publisher.media?.close();
  publisher.media = null;
  publisher.remoteUfrag = '';
  if (wasStarted && !publisher.gone) notify(room, publisher, { kind: 'unpublished', id: publisher.id });
  room.emit(publisher.handle, { kind: 'hangup', handle: publisher.handle.number, reason });
  for (const subscriber of losers) offerAnew(room, subscriber);
}

/**
 * Answers an offer; the connection comes up later. Returns the publication with the answer, and what to do once they
 * are on their way. Throws Refusal 431, 432 and 437; then nothing has changed.
 */
export function negotiate(
  room: RoomState,
  publisher: Publisher,
  { descriptions, silent }: Pick<PublishRequest, 'descriptions' | 'silent'>,
  jsep: Jsep,
): { publication: Publication; jsep: Jsep; after(): void } {
  if (jsep.type !== 'offer') throw new Refusal(REFUSAL.invalidSdpType, `Unknown SDP type '${jsep.type}'`);
  const renewal = publisher.peer !== null;
  if (!renewal) {
    const others = [...room.publishers.values()].filter((other) => other !== publisher && other.peer !== null).length;
    if (others >= room.spec.publishers)
      throw new Refusal(
        REFUSAL.publishersFull,
        `Maximum number of publishers (${room.spec.publishers}) already reached`,
      );
  }
  const offer = parseSdp(jsep.sdp);
  if ('error' in offer) throw new Refusal(REFUSAL.invalidSdp, offer.error);
  if (offer.media.length > PUBLISHED_LINES_MAX)
    throw new Refusal(REFUSAL.invalidSdp, 'Error parsing SDP: too many m-lines');
  if (offer.media.length < publisher.streams.length)
    throw new Refusal(REFUSAL.invalidSdp, 'Error parsing SDP: fewer m-lines than before');
  const accepted = offer.media.map(accept);
  const losers = new Set<Subscriber>();
  publisher.silent = silent ?? publisher.silent;
  for (const [mindex, section] of offer.media.entries()) {
    const type = section.kind === 'audio' || section.kind === 'video' ? section.kind : 'data';
    let stream = publisher.streams[mindex];
    if (!stream) {
      stream = {
        publisher,
        mindex,
        type,
        mid: section.mid,
        accepted: null,
        description: null,
        muted: false,
        talking: false,
        track: null,
        listeners: new Set(),
        lost: 0,
      };
      publisher.streams.push(stream);
    }
    const taken = accepted[mindex]!;
    // Another codec or other layers make it another stream.
    const same =
      stream.accepted &&
      taken &&
      stream.accepted.codec === taken.codec &&
      stream.accepted.rids.join() === taken.rids.join();
    if (!same) {
      // Listeners would receive what their m-line was not made for.
      for (const listener of [...stream.listeners]) {
        loseSource(room, listener);
        losers.add(listener.subscriber);
      }
      dropTrack(room, stream);
    }
    stream.type = type;
    stream.mid = section.mid;
    stream.accepted = taken;
    const described = descriptions?.find(({ mid }) => mid === section.mid);
    if (described) stream.description = described.description.slice(0, 256);
  }
  publisher.bySsrc.clear();
  const peer = publisher.peer ?? connect(room, publisher);
  if (renewal && publisher.remoteUfrag !== offer.transport.ufrag) peer.restart();
  publisher.remoteUfrag = offer.transport.ufrag;
  peer.describe(offer.transport);
  publisher.sdp.version++;
  if (jsep.e2ee === true) publisher.e2ee = true;
  applySilence(room, publisher);
  tieTracks(room, publisher);
  return {
    publication: describePublication(publisher, true),
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

/** Publishes or changes what is published: cap, key frames, and the offer when there is one. */
export function configurePublisher(
  room: RoomState,
  publisher: Publisher,
  request: PublishRequest,
  jsep: Jsep | undefined,
): Outcome {
  if (request.kind === 'publish' && publisher.started)
    throw new Refusal(REFUSAL.alreadyPublished, "Can't publish, already published");
  // The offer first: when it is refused, nothing of the request has happened.
  const negotiated = jsep && negotiate(room, publisher, request, jsep);
  if (request.silent !== undefined) {
    publisher.silent = request.silent;
    applySilence(room, publisher);
  }
  const keyFrames = request.kind === 'configurePublisher' ? request.keyFrames : undefined;
  for (const { type, mid, track } of publisher.streams)
    if (type === 'video' && (keyFrames === 'all' || keyFrames?.includes(mid))) track?.requestKeyFrame();
  if (request.bitrate !== undefined) {
    publisher.bitrate = request.bitrate;
    publisher.media?.bitrate(request.bitrate || UNCAPPED);
  }
  return {
    reply: { kind: 'configured', publication: negotiated?.publication, jsep: negotiated?.jsep },
    after: negotiated?.after,
  };
}
