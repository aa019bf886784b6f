/** What a room consists of: handles, publishers, subscribers and their streams. */
import type {
  SubscriberMedia,
  Forwarding,
  SubscribedTrack,
  PublishedTrack,
  PublisherMedia,
} from '../forwarding/forwarding.types.ts';
import type {
  EngineEvent,
  EngineReply,
  PublisherRestrictions,
  RoomSpec,
  SubscriberRestrictions,
} from '../../video.types.ts';
import type { Accepted } from '../sdp/sdp.negotiate.ts';
import type { Certificate } from '../transport/dtls.ts';
import type { Peer } from '../transport/peer.ts';
import type { Ports } from '../transport/ports.ts';

/** Thrown for a request that is refused, with a code of `REFUSAL`; everything else thrown is a bug. */
export class Refusal extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** What the thread lends to a room. */
export interface RoomPlatform {
  ports: Ports;
  certificate: Certificate;
  /** The number of a new peer; it spreads peers over the sockets. */
  nextPeer(): number;
}

/** Somebody's session in the room; the pool knows it by number. */
export interface Member {
  readonly session: number;
  readonly person: { id: number; as: 'therapist' | 'client' };
}

/** A handle of a session. Its first join decides whether it publishes or subscribes. */
export interface Handle {
  readonly number: number;
  readonly member: Member;
  part: Publisher | Subscriber | null;
}

export interface Publisher {
  readonly kind: 'publisher';
  readonly handle: Handle;
  readonly id: number;
  readonly display: string;
  readonly privateId: number;
  readonly streams: PublisherStream[];
  readonly bySsrc: Map<number, { stream: PublisherStream; layer: number }>;
  peer: Peer | null;
  media: PublisherMedia | null;
  /** The connection is up: others may subscribe. */
  started: boolean;
  /** Has left: the handle can do nothing any more. */
  gone: boolean;
  /** Bits per second, 0 without a cap. */
  bitrate: number;
  /** What the gateway has silenced. The streams' `muted` follows from it. */
  silent: PublisherRestrictions['silent'];
  e2ee: boolean;
  /** Numbers of the `o=` line. */
  sdp: { id: number; version: number };
  /** The ICE username the browser offered last; another one requests an ICE restart. */
  remoteUfrag: string;
}

export interface PublisherStream {
  readonly publisher: Publisher;
  readonly mindex: number;
  /** As the last offer says; a browser may use an m-line again for another kind. */
  type: 'audio' | 'video' | 'data';
  mid: string;
  /** Null while the m-line is disabled. */
  accepted: Accepted | null;
  description: string | null;
  /** Forwarded to nobody; follows from the publisher's `silent` in `applySilence` alone. */
  muted: boolean;
  talking: boolean;
  track: PublishedTrack | null;
  readonly listeners: Set<SubscriberStream>;
  /** Packets lost when the last second ended. */
  lost: number;
}

export interface Subscriber {
  readonly kind: 'subscriber';
  readonly handle: Handle;
  readonly streams: SubscriberStream[];
  readonly cname: string;
  peer: Peer | null;
  media: SubscriberMedia | null;
  started: boolean;
  paused: boolean;
  /** False while an offer is out. */
  answered: boolean;
  /** Something has changed since the offer: send one more after the answer. */
  pendingOffer: boolean;
  pendingRestart: boolean;
  useMsid: boolean;
  videoFrom: SubscriberRestrictions['videoFrom'];
  /** Send a new offer by itself when a subscribed stream ends. */
  autoUpdate: boolean;
  sdp: { id: number; version: number };
  /** Payload types of H.264 profiles: different ones may share a connection but not a number. */
  readonly profiles: Map<string, number>;
}

export interface SubscriberStream {
  readonly subscriber: Subscriber;
  readonly mindex: number;
  readonly mid: string;
  readonly type: 'audio' | 'video';
  /** That of the first source: only streams with the same take the m-line over. */
  readonly codec: Accepted['codec'];
  readonly profile: string;
  readonly clockRate: number;
  readonly payloadType: number;
  ssrc: number;
  /** The SSRC of the last offer; null when the m-line was inactive in it. */
  offered: number | null;
  source: PublisherStream | null;
  crossRefId: string | null;
  /** The browser's own switch. */
  send: boolean;
  /** The last answer accepts it. */
  ready: boolean;
  substream: number;
  temporal: number;
  track: SubscribedTrack | null;
  lost: number;
}

export interface RoomState {
  readonly spec: RoomSpec;
  readonly platform: RoomPlatform;
  readonly forwarding: Forwarding;
  /** Everybody who joined as publisher, publishing or not. */
  readonly publishers: Map<number, Publisher>;
  readonly subscribers: Set<Subscriber>;
  readonly streamOf: Map<PublishedTrack, PublisherStream>;
  readonly subscriptionOf: Map<SubscribedTrack, SubscriberStream>;
  emit(handle: Handle, event: EngineEvent): void;
}

/** The reply, and what has to happen once it is on its way. */
export interface Outcome {
  reply: EngineReply;
  after?: (() => void) | undefined;
}
