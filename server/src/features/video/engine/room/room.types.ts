/** What a room consists of, and the plugin's refusals. Names are those of the videoroom plugin of Janus 1.x. */
import type { Downlink, Forwarding, Slot, Track, Uplink } from '../media/index.ts';
import type { EngineEvent, Jsep, PluginBody, RoomSpec } from '../../video.types.ts';
import type { Accepted } from '../sdp/sdp.negotiate.ts';
import type { Certificate } from '../transport/dtls.ts';
import type { Peer } from '../transport/peer.ts';
import type { Ports } from '../transport/ports.ts';

/** The plugin's error codes. */
export const ERROR = {
  noMessage: 421,
  invalidRequest: 423,
  joinFirst: 424,
  alreadyJoined: 425,
  noSuchRoom: 426,
  roomExists: 427,
  noSuchFeed: 428,
  missingElement: 429,
  invalidElement: 430,
  invalidSdpType: 431,
  publishersFull: 432,
  unauthorized: 433,
  alreadyPublished: 434,
  notPublished: 435,
  idExists: 436,
  invalidSdp: 437,
  unknown: 499,
} as const;

/** A refusal in the plugin's words; everything else thrown is a bug. */
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
  /** A number for a new peer, that spreads them over the sockets. */
  nextPeer(): number;
}

/** Somebody's line into the room; the pool knows it by number. */
export interface Member {
  readonly session: number;
  readonly person: { id: number; as: 'therapist' | 'client' };
}

/** A handle of the plugin. What it is for is decided by its first join. */
export interface Handle {
  readonly number: number;
  readonly member: Member;
  part: Publisher | Subscriber | null;
}

export interface Publisher {
  readonly kind: 'publisher';
  readonly handle: Handle;
  readonly id: number;
  display: string | null;
  readonly privateId: number;
  readonly streams: PublisherStream[];
  readonly bySsrc: Map<number, { stream: PublisherStream; layer: number }>;
  peer: Peer | null;
  uplink: Uplink | null;
  /** The line is up: others may subscribe. */
  started: boolean;
  /** Left or was put out: the handle is of no use any more. */
  gone: boolean;
  kicked: boolean;
  /** Bits per second, 0 without a cap. */
  bitrate: number;
  e2ee: boolean;
  /** Numbers of the `o=` line. */
  sdp: { id: number; version: number };
  /** The name under which the browser offered last; another one asks for an ICE restart. */
  remoteUfrag: string;
}

export interface PublisherStream {
  readonly publisher: Publisher;
  readonly mindex: number;
  readonly type: 'audio' | 'video' | 'data';
  mid: string;
  /** Null while the m-line is disabled. */
  accepted: Accepted | null;
  description: string | null;
  /** The publisher's own switch. */
  active: boolean;
  /** The room's switch (`moderate`). */
  muted: boolean;
  talking: boolean;
  track: Track | null;
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
  downlink: Downlink | null;
  started: boolean;
  paused: boolean;
  /** False while an offer is out. */
  answered: boolean;
  /** Something changed meanwhile: one more offer after the answer. */
  pendingOffer: boolean;
  pendingRestart: boolean;
  useMsid: boolean;
  /** New offers without being asked, when what is subscribed to goes. */
  autoUpdate: boolean;
  sdp: { id: number; version: number };
  /** Payload types of H.264 profiles: different ones may share a line but not a number. */
  readonly profiles: Map<string, number>;
}

export interface SubscriberStream {
  readonly subscriber: Subscriber;
  readonly mindex: number;
  readonly mid: string;
  readonly type: 'audio' | 'video';
  /** Of the first source: others take the m-line over only with the same. */
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
  /** The last answer takes it. */
  ready: boolean;
  substream: number;
  temporal: number;
  slot: Slot | null;
  lost: number;
}

export interface RoomState {
  readonly spec: RoomSpec;
  readonly platform: RoomPlatform;
  readonly forwarding: Forwarding;
  /** Everybody who joined as publisher, publishing or not. */
  readonly participants: Map<number, Publisher>;
  readonly subscribers: Set<Subscriber>;
  readonly streamOf: Map<Track, PublisherStream>;
  readonly subscriptionOf: Map<Slot, SubscriberStream>;
  emit(handle: Handle, event: EngineEvent): void;
}

/** The plugin's answer, and what has to happen once it is on its way. */
export interface Outcome {
  data: PluginBody;
  jsep?: Jsep;
  after?(): void;
}
