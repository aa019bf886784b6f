/**
 * Forwarding as the engine uses it. It is pure: bytes in, bytes out, time handed in; no sockets, no timers, no werift.
 *
 * How to use it
 *  - Make one `Forwarding` per room. The peer connection of each publisher is a `PublisherMedia` with published tracks,
 *    that of each subscriber a `SubscriberMedia` with one subscribed track for each m-line that sends. What leaves is
 *    encrypted already and handed to `send`.
 *  - `nowMs` is a monotonic clock in milliseconds (performance.now()), the same for all calls. Call `tick` every 10 to
 *    20 ms.
 *  - Packets that come in are decrypted (see `createSrtpReceiver`). Forwarding owns them from then on: do not write
 *    into them.
 *
 * What the caller must guarantee
 *  - One `SrtpSender` per connection does all sending of RTP and RTCP. A second sender with the same keys and the same
 *    SSRC would use counters twice, which breaks the cipher.
 *  - No RTX (RFC 4588) is negotiated in either direction: retransmissions keep their SSRC and sequence number.
 *  - Layers are numbered from 0, the lowest. Rids are mapped to these numbers before.
 */
import type { Codec, ExtensionIds, Media } from '../rtp/rtp.types.ts';
import type { SrtpSender } from '../srtp/srtp.types.ts';

// ---- publishers

export interface PublisherMediaSpec {
  /** The SSRC our reports and requests to this publisher carry. */
  ssrc: number;
  protect: Pick<SrtpSender, 'rtcp'>;
  send(bytes: Buffer): void;
  /**
   * Bits per second the publisher may send in all (REMB, repeated each second); 0: no limit. More than twice as much is
   * not passed on (`bitrate-cap.ts`).
   */
  bitrate: number;
  /** Told what is held back because too much came; both are false once all is passed on again. */
  onLimited?(held: { audio: boolean; video: boolean }): void;
}

export interface PublishedTrackSpec {
  media: Media;
  codec: Codec;
  clockRate: number;
  /** Simulcast layers, 1 to 3. */
  layers: number;
  extensions: ExtensionIds;
  /** Request lost packets again (the codec was negotiated with `nack`). */
  nack: boolean;
  /** `nack pli` or `ccm fir`; whichever was negotiated. */
  keyFrames: 'pli' | 'fir' | 'none';
  /** Always forwarded, also while others speak: the therapist's audio. */
  always: boolean;
}

export interface PublisherMedia {
  /** Compound RTCP of the publisher, plain: sender reports. */
  rtcp(compound: Buffer, nowMs: number): void;
  bitrate(bitsPerSecond: number): void;
  addTrack(spec: PublishedTrackSpec): PublishedTrack;
  /** Ends all its tracks. */
  close(): void;
}

/** A publisher's microphone or camera. */
export interface PublishedTrack {
  readonly media: Media;
  /** Takes a packet of that layer. Another SSRC than before starts the layer again. Does nothing after `close`. */
  receive(layer: number, packet: Buffer, nowMs: number): void;
  /** The SSRC of a layer's latest packet; null before the first. */
  ssrc(layer: number): number | null;
  /** Muted by the room: nothing is forwarded, and subscribers see no gap in the sequence numbers. */
  mute(muted: boolean): void;
  /** Requests a key frame on every layer that somebody sees, at most every 500 ms each. */
  requestKeyFrame(): void;
  stats(): PublishedTrackStats;
  close(): void;
}

interface PublishedTrackStats {
  layers: { ssrc: number | null; packets: number; bytes: number; lost: number; jitterMs: number; alive: boolean }[];
  /** Smoothed loudness, 0 (silent) to 127; audio only. */
  loudness: number;
  talking: boolean;
}

// ---- subscribers

export interface SubscriberMediaSpec {
  protect: SrtpSender;
  send(bytes: Buffer): void;
  /** Canonical name in reports (RFC 3550, 6.5.1); random, so that it says nothing about the person. */
  cname: string;
}

export interface SubscribedTrackSpec {
  media: Media;
  ssrc: number;
  payloadType: number;
  clockRate: number;
  extensions: ExtensionIds;
  /** The m-line's mid, sent with each packet where `extensions.mid` was negotiated. */
  mid: string;
  /** First sequence number, below 32768 (RFC 3711, 3.3.1), and timestamp; random. */
  firstSequence: number;
  firstTimestamp: number;
}

interface Wanted {
  /** Highest layer, 0 to 2. A layer that is missing or sends nothing is replaced by the next lower one. */
  substream: number;
  /** Highest temporal layer, 0 to 2. */
  temporal: number;
}

export interface SubscriberMedia {
  /** Starts sending. Video begins with a key frame, which is requested. */
  open(nowMs: number): void;
  addTrack(spec: SubscribedTrackSpec): SubscribedTrack;
  /** Compound RTCP of the subscriber, plain: requests for packets and key frames, receiver reports, REMB. */
  rtcp(compound: Buffer, nowMs: number): void;
  stats(): SubscriberMediaStats;
  close(): void;
}

/** What one m-line of a subscriber carries. */
export interface SubscribedTrack {
  readonly ssrc: number;
  /**
   * Carries that track from now on (null: nothing). For the receiver it stays one continuous stream.
   */
  carry(track: PublishedTrack | null, nowMs: number): void;
  want(wanted: Partial<Wanted>, nowMs: number): void;
  /** The subscriber's own switch (Janus' `send`). */
  on(on: boolean, nowMs: number): void;
  /** The room's switch, which the subscriber cannot lift (`clientsVisible: false`). */
  hide(hidden: boolean, nowMs: number): void;
  stats(): SubscribedTrackStats;
  close(): void;
}

interface SubscribedTrackStats {
  packets: number;
  bytes: number;
  retransmitted: number;
  /** The layer sent now; -1 before the first key frame. */
  substream: number;
  temporal: number;
  /** From the last receiver report: share lost (0 to 1), and the round trip; null before the first. */
  fractionLost: number;
  lostInAll: number;
  roundTripMs: number | null;
}

interface SubscriberMediaStats {
  /** The receiver's last REMB; null when it sends none. */
  estimatedBitrate: number | null;
  tracks: number;
}

// ---- the room

export interface ForwardingSpec {
  /** Milliseconds since 1970 at nowMs = 0 (performance.timeOrigin). */
  epochMs: number;
  /** People whose audio is forwarded at once, besides those who always are; Infinity forwards all. */
  loudestVoices: number;
  /** Janus' audio_level_average (−dBov, 0 loud to 127 silent) and audio_active_packets. */
  talkingLevel: number;
  talkingPackets: number;
  /** Seconds between requests for a key frame while somebody sees the layer; 0: never. */
  keyframeSeconds: number;
  /** Maximum kept per layer for retransmission. Default 1 MB and 2,000 ms. */
  keepBytes?: number;
  keepMs?: number;
  /** Janus' `talking` and `stopped-talking`, with the average level. */
  onTalking?(track: PublishedTrack, talking: boolean, averageLevel: number): void;
  /** A subscribed sends another layer than before, or nothing any more (-1). */
  onLayer?(subscribed: SubscribedTrack, substream: number, temporal: number): void;
  /** A layer of a track comes again, or has not come for two seconds: Janus' `media` events. */
  onMedia?(track: PublishedTrack, layer: number, receiving: boolean): void;
}

export interface Forwarding {
  addPublisher(spec: PublisherMediaSpec): PublisherMedia;
  addSubscriber(spec: SubscriberMediaSpec): SubscriberMedia;
  /** Every 10 to 20 ms. */
  tick(nowMs: number): void;
  stats(): ForwardingStats;
  /** Ends all publishers and subscribers and frees what is kept. */
  close(): void;
}

/** Counted since the start. */
export interface ForwardingStats {
  packetsIn: number;
  packetsOut: number;
  bytesOut: number;
  retransmitted: number;
  /** Requests that could not be met: no longer kept, never sent, or repeated too often. */
  retransmissionsMissed: number;
  /** Packets requested again from publishers, and those given up. */
  requested: number;
  givenUp: number;
  keyFramesRequested: number;
  /** Bytes kept for retransmission right now. */
  keptBytes: number;
}
