/**
 * What the gateway and an engine say to each other: typed requests, replies and events. The gateway authenticates,
 * authorises and parses every request once; both engines, the embedded one (`engine/`) and Janus servers (`janus/`),
 * get the same requests. Plugin bodies of Janus' videoroom are written in `janus/janus.videoroom.ts` alone, which also
 * reads those of Janus servers; those of browsers are read in `gateway/`. README.md says which side owns which fact.
 */

/** A session description, as the Janus protocol carries it. */
export interface Jsep {
  type: 'offer' | 'answer';
  sdp: string;
  /** Encrypted from browser to browser: the engine must not look into the payload. */
  e2ee?: boolean;
  /** How the layers of a simulcast offer are ordered; highest first where nothing is said. */
  rid_order?: 'hml' | 'lmh';
}

/** A trickled candidate; null when there are no more. */
export interface TrickledCandidate {
  candidate: string;
  sdpMid?: string | null;
  sdpMLineIndex?: number | null;
}

/**
 * Codes of refused requests. They are those of Janus' videoroom plugin, because browsers and other programs know them.
 * Source: Janus 1.x, janus_videoroom.c.
 */
export const REFUSAL = {
  invalidRequest: 423,
  joinFirst: 424,
  alreadyJoined: 425,
  noSuchRoom: 426,
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

// ---- requests

/** Highest layers wanted of a simulcast picture, 0 to 2 each. */
export interface Layers {
  substream?: number | undefined;
  temporal?: number | undefined;
  /** Microseconds without packets after which the layer below is taken; Janus alone knows it. */
  fallback?: number | undefined;
}

/** A stream to subscribe to; without a mid, all streams of that publisher. */
export interface StreamWish extends Layers {
  publisherId: number;
  mid?: string | undefined;
  /** The caller's own name for it, given back with the stream. */
  crossRefId?: string | undefined;
}

/** Streams to unsubscribe from: one m-line of the subscriber's, or what it gets of a publisher. */
export interface StreamEnd {
  publisherId?: number | undefined;
  mid?: string | undefined;
  subMid?: string | undefined;
}

/** An m-line of the subscriber's (`subMid`) that shall carry another stream. */
export interface StreamSwitch extends StreamWish {
  mid: string;
  subMid: string;
}

/**
 * What the server decides about a publisher. The gateway derives it from the room's facts and sends it with every
 * description, and again when it changes. The engine keeps to it until it hears otherwise, in later descriptions too.
 */
export interface PublisherRestrictions {
  /** Bits per second the publisher may send in all; 0: no cap. */
  bitrate: number;
  /** What nobody receives: all audio, and these streams. */
  silent: { audio: boolean; mids: readonly string[] };
}

/** What the server decides about a subscriber; sent with the join, and again when it changes. */
export interface SubscriberRestrictions {
  /** Whose video may be sent to this subscriber, whatever it subscribes to. */
  videoFrom: 'everybody' | readonly number[];
}

/** A restriction that is left out stays as it is. */
type Restricted<T> = { [K in keyof T]?: T[K] | undefined };

export interface PublishOptions {
  descriptions?: readonly { mid: string; description: string }[] | undefined;
  /** Codecs the browser prefers; Janus alone chooses by them. */
  audioCodec?: string | undefined;
  videoCodec?: string | undefined;
}

/** A change of subscribed m-lines: of one, or of all of a kind, or of all where neither is named. */
export interface StreamChange extends Layers {
  mid?: string | undefined;
  media?: 'audio' | 'video' | undefined;
  /** Whether the page wants it sent at all. */
  send?: boolean | undefined;
}

/** What the gateway asks of one handle; an offer or answer comes beside it. */
export type EngineRequest =
  | { kind: 'joinPublisher'; id: number; display: string }
  /** Joins and publishes what the offer holds, at once. */
  | ({ kind: 'joinAndPublish'; id: number; display: string } & PublishOptions & Restricted<PublisherRestrictions>)
  | ({ kind: 'publish' } & PublishOptions & Restricted<PublisherRestrictions>)
  | ({
      kind: 'configurePublisher';
      /** Asks the publisher for key frames of these streams. */
      keyFrames?: 'all' | readonly string[] | undefined;
      restart?: boolean | undefined;
      update?: boolean | undefined;
    } & PublishOptions &
      Restricted<PublisherRestrictions>)
  | { kind: 'unpublish' }
  | { kind: 'leave' }
  | ({
      kind: 'joinSubscriber';
      streams: readonly StreamWish[];
      /** Subscribed streams carry the publisher's own stream names. */
      useMsid?: boolean | undefined;
      /** Offers come by themselves when a subscribed stream ends. Default true. */
      autoUpdate?: boolean | undefined;
    } & Restricted<SubscriberRestrictions>)
  /** With the answer to an offer, or without one after a pause. */
  | { kind: 'start' }
  | { kind: 'pause' }
  | { kind: 'update'; subscribe: readonly StreamWish[]; unsubscribe: readonly StreamEnd[] }
  | { kind: 'switch'; streams: readonly StreamSwitch[] }
  | ({
      kind: 'configureSubscriber';
      restart?: boolean | undefined;
      streams: readonly StreamChange[];
    } & Restricted<SubscriberRestrictions>);

// ---- replies and events

/** An m-line of a publisher. Publishers themselves are told the first half only. */
export interface PublishedStream {
  type: 'audio' | 'video' | 'data';
  mindex: number;
  mid: string;
  disabled?: boolean | undefined;
  description?: string | undefined;
  codec?: string | undefined;
  fec?: boolean | undefined;
  dtx?: boolean | undefined;
  stereo?: boolean | undefined;
  simulcast?: boolean | undefined;
  svc?: boolean | undefined;
  h264Profile?: string | undefined;
  vp9Profile?: string | undefined;
  /** Silenced by the room. */
  moderated?: boolean | undefined;
  talking?: boolean | undefined;
}

/** What somebody publishes. */
export interface Publication {
  audioCodec?: string | undefined;
  videoCodec?: string | undefined;
  streams: readonly PublishedStream[];
}

export interface PublisherInfo extends Publication {
  id: number;
  display?: string | undefined;
  /** Undefined where the browser sends no audio levels. */
  talking?: boolean | undefined;
}

/** An m-line of a subscriber's connection and what it carries. */
export interface SubscribedStream {
  type: 'audio' | 'video' | 'data';
  mindex: number;
  mid: string;
  /** False: it carries nothing, and the next stream of its kind may take it over. */
  active: boolean;
  crossRefId?: string | undefined;
  ready?: boolean | undefined;
  send?: boolean | undefined;
  publisherId?: number | undefined;
  publisherDisplay?: string | undefined;
  publisherMid?: string | undefined;
  publisherDescription?: string | undefined;
  codec?: string | undefined;
  h264Profile?: string | undefined;
  simulcast?:
    | {
        substream?: number | undefined;
        substreamTarget?: number | undefined;
        temporal?: number | undefined;
        temporalTarget?: number | undefined;
      }
    | undefined;
}

/** The final reply to a request. A reply that carries an offer or answer has it as `jsep`. */
export type EngineReply =
  | {
      kind: 'joined';
      id: number;
      privateId?: number | undefined;
      description?: string | undefined;
      /** Everybody who publishes already. */
      publishers: readonly PublisherInfo[];
      /** Of `joinAndPublish`. */
      publication?: Publication | undefined;
      jsep?: Jsep | undefined;
    }
  | { kind: 'configured'; publication?: Publication | undefined; jsep?: Jsep | undefined }
  | { kind: 'attached'; streams: readonly SubscribedStream[]; jsep?: Jsep | undefined }
  /** Without streams: nothing has changed. */
  | { kind: 'updated'; streams?: readonly SubscribedStream[] | undefined; jsep?: Jsep | undefined }
  /** An offer is out; what was asked comes with one more offer after its answer. */
  | { kind: 'updating' }
  | { kind: 'switched'; changes?: number | undefined; streams: readonly SubscribedStream[] }
  | { kind: 'started' | 'paused' | 'unpublished' }
  /** `leaving` is a publisher's, `left` a subscriber's. */
  | { kind: 'leaving' | 'left' }
  | Refused;

/** The request has changed nothing. `code` is one of `REFUSAL`. */
export interface Refused {
  kind: 'refused';
  code: number;
  message: string;
}

/** Answers to browsers that the gateway gives without asking the engine. */
export type GatewayReply =
  | { kind: 'created' }
  /** `room` is the number that was asked for. */
  | { kind: 'exists'; room: number }
  | { kind: 'participants'; participants: readonly RoomParticipant[] }
  /** A newer connection of the same person publishes in the place of this one. */
  | { kind: 'replaced' }
  | Refused;

/** Somebody in the room, as `listparticipants` tells of them. */
export interface RoomParticipant {
  id: number;
  display: string;
  publisher: boolean;
  talking: boolean;
}

type OfHandle<T> = T & { handle: number };

/** Events of a handle, which follow from no request of its own. */
export type EngineEvent =
  /** Somebody publishes, or publishes something else; never of oneself. */
  | OfHandle<{ kind: 'publishers'; publishers: readonly PublisherInfo[] }>
  /** Somebody else's publication or membership ended. */
  | OfHandle<{ kind: 'unpublished' | 'leaving' | 'kicked'; id: number }>
  /** `level`: average loudness, 0 (loud) to 127 (silent). */
  | OfHandle<{
      kind: 'talking';
      id: number;
      talking: boolean;
      mindex?: number | undefined;
      mid?: string | undefined;
      level?: number | undefined;
    }>
  | OfHandle<{ kind: 'moderated'; id: number; mid: string; muted: boolean }>
  /** Which layers come on a subscribed m-line. */
  | OfHandle<{ kind: 'layers'; mid: string; substream?: number | undefined; temporal?: number | undefined }>
  /** Which of the publisher's streams are not forwarded, because more arrived than the cap (bit/s) allows. */
  | OfHandle<{ kind: 'limited'; media: readonly ('audio' | 'video')[]; bitrate: number }>
  /** A subscriber's m-lines changed; the offer has to be answered by `start`. */
  | OfHandle<{ kind: 'updated'; streams: readonly SubscribedStream[]; jsep?: Jsep | undefined }>
  | OfHandle<{ kind: 'destroyed' }>
  | OfHandle<{ kind: 'webrtcup' }>
  /** A candidate of the engine that was not in its description; null after the last one. */
  | OfHandle<{ kind: 'trickle'; candidate: TrickledCandidate | null }>
  | OfHandle<{
      kind: 'media';
      mid: string;
      media: 'audio' | 'video';
      receiving: boolean;
      substream?: number | undefined;
    }>
  | OfHandle<{
      kind: 'slowlink';
      uplink: boolean;
      lost: number;
      mid?: string | undefined;
      media?: 'audio' | 'video' | undefined;
    }>
  | OfHandle<{ kind: 'hangup'; reason: string }>
  | OfHandle<{ kind: 'detached' }>
  /**
   * The engine behind the session is gone (its thread died, Janus is lost). The session and its handles are void; the
   * browser comes again.
   */
  | { kind: 'gone' };

// ---- sessions and rooms

/** Handles that one session may have: a page that attaches one for each person it watches needs 25. */
export const HANDLES_A_SESSION = 60;

/** Thrown by an engine when too much is asked of it; everything else thrown is a bug. */
export class EngineRefusal extends Error {}

/** One person's session in one room. */
export interface EngineSession {
  /** Makes a handle and returns its number. Throws EngineRefusal beyond HANDLES_A_SESSION. */
  attach(): Promise<number>;
  /** Carries out one request. Refusals are replies, not throws. */
  request(handle: number, request: EngineRequest, jsep?: Jsep): Promise<EngineReply>;
  trickle(handle: number, candidate: TrickledCandidate | null): void;
  /** Closes the peer connection, keeps the handle. */
  hangup(handle: number): Promise<void>;
  detach(handle: number): Promise<void>;
  /** Ends the session with all its handles. */
  close(): Promise<void>;
}

/** How a room is made. The server alone chooses these numbers (docs/product.md#10.6). */
export interface RoomSpec {
  /** Whose room it is. Janus' own number of it stays in `janus/`. */
  therapistId: number;
  publishers: number;
  keyframeSeconds: number;
  talkingLevel: number;
  talkingPackets: number;
  /** Voices forwarded at once beside the therapist's; Janus can't choose and forwards all. */
  loudestVoices: number;
}

export interface EngineStats {
  rooms: number;
  publishers: number;
  subscribers: number;
  /** Since the start. */
  packetsIn: number;
  packetsOut: number;
  retransmitted: number;
  /** Memory of the engine's workers; null where it is another program's. */
  bytes: number | null;
}

export interface VideoEngine {
  readonly kind: 'embedded' | 'janus';
  /** Whether rooms can be carried right now; for tickets and health. */
  ready(): boolean;
  /**
   * Opens one person's session in a room, and makes the room if it does not exist. `listener` gets the events of the
   * session. Throws Problem `video_unavailable` when nothing can carry it.
   */
  open(
    room: RoomSpec,
    person: { id: number; as: 'therapist' | 'client' },
    listener: (event: EngineEvent) => void,
  ): Promise<EngineSession>;
  /** Ends a room: all handles in it hang up. Does nothing when there is none. */
  closeRoom(therapistId: number): Promise<void>;
  stats(): Promise<EngineStats>;
  stop(): Promise<void>;
}
