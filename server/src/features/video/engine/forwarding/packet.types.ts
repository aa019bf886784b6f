/** What publishers' tracks and the subscribers that receive them pass to each other. */
import type { createUnwrap, Window } from '../rtp/sequence-numbers.ts';
import type { Sendable } from './subscriber/continuous-stream.ts';
import type { ForwardingSpec, ForwardingStats, PublishedTrack, PublishedTrackSpec } from './forwarding.types.ts';
import type { Missing } from './publisher/lost-packets.ts';
import type { Ring } from './publisher/packet-ring.ts';
import type { Reception } from './publisher/reception-statistics.ts';
import type { ActiveSpeakers } from './publisher/active-speakers.ts';

/** A packet as the room forwards it. */
export interface MediaPacket extends Sendable<Layer> {
  payload: Buffer;
  arrivedMs: number;
  audioLevel: number;
  orientation: number;
  /** Decoding can start here: a key frame, or any packet of audio and of unknown codecs. */
  entry: boolean;
}

/** One simulcast layer under one SSRC. Another SSRC makes another object, so that the two are never mixed. */
export interface Layer {
  readonly index: number;
  readonly ssrc: number;
  readonly reception: Reception;
  readonly ring: Ring<MediaPacket>;
  readonly missing: Missing | null;
  readonly window: Window;
  readonly unwrap: ReturnType<typeof createUnwrap>;
  unwrapPicture: ReturnType<typeof createUnwrap> | null;
  packets: number;
  bytes: number;
  packetMs: number;
  receiving: boolean;
}

/** Receives a track's packets. */
export interface Receiver {
  offer(packet: MediaPacket, nowMs: number): void;
  /** The layer it shows or waits for; -1 for none. */
  watching(): number;
  /** The track has ended. */
  ended(): void;
}

/** A track as subscribers see it. */
export interface Source extends PublishedTrack {
  readonly spec: PublishedTrackSpec;
  readonly clock: Clocked;
  join(receiver: Receiver): void;
  leave(receiver: Receiver): void;
  /** Counts the gaps made on purpose. */
  gaps(): number;
  /** The highest layer up to `highest` that sends; otherwise the lowest that sends; -1 when none does. */
  livingLayer(highest: number, nowMs: number): number;
  askKeyFrame(layer: number): void;
}

export interface Clocked {
  /** Added to a time of the publisher's clock it gives a time of ours; null before the publisher's first report. */
  clockOffsetMs(): number | null;
}

/** What all parts of a room share. */
export interface RoomParts {
  spec: ForwardingSpec;
  speakers: ActiveSpeakers;
  counted: ForwardingStats;
}
