/**
 * The door to the engine's pure media units: bytes in, bytes out, time handed in, no sockets, no timers, no werift.
 *
 * How it is used
 *  - One `Forwarding` per room. Each publisher's peer connection is an `Uplink` with tracks, each subscriber's a `Downlink` with slots
 *    (one slot for each m-line that sends). Everything that leaves is protected already and handed to `send`.
 *  - `nowMs` is a monotonic clock in milliseconds (performance.now()), the same for all calls. Call `tick` every 10 to 20 ms.
 *  - Packets that go in are plain (see `createSrtpReceiver`) and become the forwarding's property: do not write into them again.
 *
 * What the engine must see to
 *  - Keys: one `SrtpSender` per connection does all sending of RTP and RTCP. If another implementation (werift's own) sent RTCP with the same
 *    keys and the same SSRC, counters would be used twice, which breaks the cipher. So werift's own reports have to be silent
 *    or carry an SSRC that is none of the slots' nor the uplink's `ssrc`.
 *  - No RTX (RFC 4588) is negotiated in either direction: retransmissions keep their SSRC and sequence number.
 *  - Layers are numbered from 0, the lowest; rids are mapped by name before.
 */

export type Media = 'audio' | 'video';
/** Codecs whose key frames are known. Anything else is passed on as it comes, without layers. */
export type Codec = 'opus' | 'vp8' | 'h264' | 'other';

/** SRTP protection profiles as numbered by DTLS (RFC 5764, RFC 7714) and by werift. */
export const AES_CM_128_HMAC_SHA1_80 = 1;
export const AEAD_AES_128_GCM = 7;
export type SrtpProfile = typeof AES_CM_128_HMAC_SHA1_80 | typeof AEAD_AES_128_GCM;

/** What DTLS yields for one direction: key 16 bytes, salt 14 (AES_CM) or 12 (GCM). */
export interface SrtpKeys {
  profile: SrtpProfile;
  masterKey: Buffer;
  masterSalt: Buffer;
}

/** The sending side of one connection. */
export interface SrtpSender {
  /**
   * Protects a packet. In: the header's bytes and the payload, apart, and how often the sequence number has wrapped (ROC). Out: fresh memory, or where the thread
   * said that it may (`outgoing.reuse`), memory that has to be handed to a socket at once.
   * The same header, payload and ROC give the same bytes; a *different* packet must never carry a sequence number and ROC that were used.
   */
  rtp(header: Buffer, payload: Buffer, rolloverCounter: number): Buffer;
  /** Protects a compound RTCP packet. Out: as above. */
  rtcp(compound: Buffer): Buffer;
}

/** The receiving side of one connection. Null: not authentic, replayed or malformed; to be dropped. */
export interface SrtpReceiver {
  rtp(packet: Buffer): Buffer | null;
  rtcp(packet: Buffer): Buffer | null;
}

/** Ids of header extensions (RFC 8285) as negotiated on one connection; absent when not negotiated. */
export interface ExtensionIds {
  mid?: number;
  rid?: number;
  repairedRid?: number;
  /** urn:ietf:params:rtp-hdrext:ssrc-audio-level, RFC 6464. */
  audioLevel?: number;
  /** urn:3gpp:video-orientation. */
  orientation?: number;
}

// ---- publishers

export interface UplinkSpec {
  /** The SSRC our reports and requests to this publisher carry. */
  ssrc: number;
  protect: Pick<SrtpSender, 'rtcp'>;
  send(bytes: Buffer): void;
  /** Bits per second the publisher may send in all (REMB, repeated each second); 0: no limit is told. */
  bitrate: number;
}

export interface TrackSpec {
  media: Media;
  codec: Codec;
  clockRate: number;
  /** Simulcast layers, 1 to 3. */
  layers: number;
  extensions: ExtensionIds;
  /** Lost packets are asked for again (the codec was negotiated with `nack`). */
  nack: boolean;
  /** `nack pli` or `ccm fir`; whichever was negotiated. */
  keyFrames: 'pli' | 'fir' | 'none';
  /** This voice is heard whoever else speaks: the therapist's. */
  always: boolean;
}

export interface Uplink {
  /** Compound RTCP of the publisher, plain: sender reports. */
  rtcp(compound: Buffer, nowMs: number): void;
  bitrate(bitsPerSecond: number): void;
  addTrack(spec: TrackSpec): Track;
  /** Ends all its tracks. */
  close(): void;
}

/** A publisher's microphone or camera. */
export interface Track {
  readonly media: Media;
  /**
   * A packet of that layer. Packets of a layer that come with another SSRC than before begin the layer anew.
   * Harmless after `close`.
   */
  receive(layer: number, packet: Buffer, nowMs: number): void;
  /** The SSRC a layer came with last; null before its first packet. */
  ssrc(layer: number): number | null;
  /** Muted by the room: nothing of it is forwarded, no holes are left. */
  mute(muted: boolean): void;
  /** Asks the publisher for a key frame on all layers that somebody sees, at most every 500 ms each. */
  requestKeyFrame(nowMs: number): void;
  /** Whether packets of that layer come; by media events. */
  stats(): TrackStats;
  close(): void;
}

export interface TrackStats {
  layers: { ssrc: number | null; packets: number; bytes: number; lost: number; jitterMs: number; alive: boolean }[];
  /** Smoothed loudness, 0 (silent) to 127; voices only. */
  loudness: number;
  talking: boolean;
}

// ---- subscribers

export interface DownlinkSpec {
  protect: SrtpSender;
  send(bytes: Buffer): void;
  /** Canonical name in reports (RFC 3550, 6.5.1); random, tells nothing about anybody. */
  cname: string;
}

export interface SlotSpec {
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

export interface Wanted {
  /** Highest layer, 0 to 2. What is not there or not alive is replaced by the next lower one. */
  substream: number;
  /** Highest temporal layer, 0 to 2. */
  temporal: number;
}

export interface Downlink {
  /** Nothing is sent before; video begins with a key frame, which is asked for. */
  open(nowMs: number): void;
  addSlot(spec: SlotSpec): Slot;
  /** Compound RTCP of the subscriber, plain: requests for packets and key frames, receiver reports, REMB. */
  rtcp(compound: Buffer, nowMs: number): void;
  stats(): DownlinkStats;
  close(): void;
}

/** What one m-line of a subscriber carries. */
export interface Slot {
  readonly ssrc: number;
  /** Carries that track from now on (null: nothing), as one continuous stream for the receiver: Janus' subscribe, switch and unsubscribe. */
  carry(track: Track | null, nowMs: number): void;
  want(wanted: Partial<Wanted>, nowMs: number): void;
  /** The subscriber's own choice (Janus' `send`). */
  on(on: boolean, nowMs: number): void;
  /** The room's choice, which the subscriber cannot lift (`clientsVisible: false`). */
  hide(hidden: boolean, nowMs: number): void;
  stats(): SlotStats;
  close(): void;
}

export interface SlotStats {
  packets: number;
  bytes: number;
  retransmitted: number;
  /** What is sent right now; -1 before the first key frame. */
  substream: number;
  temporal: number;
  /** Of the last receiver report: share lost (0 to 1), and how long there and back; null before. */
  fractionLost: number;
  lostInAll: number;
  roundTripMs: number | null;
}

export interface DownlinkStats {
  /** The receiver's last REMB; null when it sends none. */
  estimatedBitrate: number | null;
  slots: number;
}

// ---- the room

export interface ForwardingSpec {
  /** Milliseconds since 1970 at nowMs = 0 (performance.timeOrigin). */
  epochMs: number;
  /** Voices forwarded at once beside those that are always; Infinity forwards all. */
  loudestVoices: number;
  /** Janus' audio_level_average (−dBov, 0 loud to 127 silent) and audio_active_packets. */
  talkingLevel: number;
  talkingPackets: number;
  /** A key frame is asked for at least so often while somebody sees the layer; 0: never. */
  keyframeSeconds: number;
  /** What is kept for retransmission per layer, at most. Default 1 MB and 2,000 ms. */
  keepBytes?: number;
  keepMs?: number;
  /** Janus' `talking` and `stopped-talking`, with the average level. */
  onTalking?(track: Track, talking: boolean, averageLevel: number): void;
  /** A slot sends another layer than before, or nothing any more (-1). */
  onLayer?(slot: Slot, substream: number, temporal: number): void;
  /** A layer of a track comes again, or has not come for two seconds: Janus' `media` events. */
  onMedia?(track: Track, layer: number, receiving: boolean): void;
}

export interface Forwarding {
  addUplink(spec: UplinkSpec): Uplink;
  addDownlink(spec: DownlinkSpec): Downlink;
  /** Every 10 to 20 ms. */
  tick(nowMs: number): void;
  stats(): ForwardingStats;
  /** Drops everything it keeps. */
  close(): void;
}

/** Counted since the start. */
export interface ForwardingStats {
  packetsIn: number;
  packetsOut: number;
  bytesOut: number;
  retransmitted: number;
  /** Asked for again, but not kept any more, never sent, or asked for too often. */
  retransmissionsMissed: number;
  /** Packets of publishers that were asked for again, and those given up. */
  requested: number;
  givenUp: number;
  keyFramesRequested: number;
  /** Bytes kept for retransmission right now. */
  keptBytes: number;
}
