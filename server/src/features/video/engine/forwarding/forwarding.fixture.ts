/** For the tests of the media units: a room without sockets, whose subscribers parse their packets. */
import { createForwarding } from './forwarding.ts';
import type { Codec } from '../rtp/rtp.types.ts';
import type { ForwardingSpec, SubscribedTrackSpec, PublishedTrackSpec } from './forwarding.types.ts';
import type { SrtpSender } from '../srtp/srtp.types.ts';
import { readVp8 } from '../rtp/payloads.ts';
import { readRtp, type RtpPacket } from '../rtp/rtp.ts';

/** Encrypts nothing: what leaves is header and payload, and how often the number wrapped is kept beside. */
function openSender(): SrtpSender & { rollovers: number[] } {
  const rollovers: number[] = [];
  return {
    rollovers,
    rtp(header, payload, rolloverCounter) {
      rollovers.push(rolloverCounter);
      return Buffer.concat([header, payload]);
    },
    rtcp: (compound) => Buffer.from(compound),
  };
}

export interface Rtp {
  ssrc?: number;
  sequence: number;
  timestamp?: number;
  marker?: boolean;
  payload?: Buffer;
  /** Bytes of header extensions, one-byte form. */
  extensions?: Buffer;
}
/** Writes a plain RTP packet (RFC 3550) of payload type 100. */
export function rtp({
  ssrc = 1,
  sequence,
  timestamp = 0,
  marker = false,
  payload = Buffer.from('content'),
  extensions,
}: Rtp): Buffer {
  const header = Buffer.alloc(12);
  header[0] = extensions ? 0x90 : 0x80;
  header[1] = (marker ? 0x80 : 0) | 100;
  header.writeUInt16BE(sequence & 0xffff, 2);
  header.writeUInt32BE(timestamp >>> 0, 4);
  header.writeUInt32BE(ssrc, 8);
  if (!extensions) return Buffer.concat([header, payload]);
  const words = Math.ceil(extensions.length / 4);
  const block = Buffer.alloc(4 + words * 4);
  block.writeUInt16BE(0xbede);
  block.writeUInt16BE(words, 2);
  extensions.copy(block, 4);
  return Buffer.concat([header, block, payload]);
}

export interface Frame {
  keyFrame?: boolean;
  begins?: boolean;
  picture?: number;
  tl0?: number;
  temporal?: number;
  sync?: boolean;
  /** Identifies the packet. */
  text?: string;
}
/** A VP8 payload as Chromium sends it: X, I (15 bits), L, T. */
export function vp8({
  keyFrame = false,
  begins = true,
  picture = 0,
  tl0 = 0,
  temporal = 0,
  sync = false,
  text = '',
}: Frame): Buffer {
  return Buffer.concat([
    Buffer.from([
      0x80 | (begins ? 0x10 : 0),
      0xe0,
      0x80 | ((picture >>> 8) & 0x7f),
      picture & 0xff,
      tl0 & 0xff,
      (temporal << 6) | (sync ? 0x20 : 0),
      keyFrame ? 0 : 1,
    ]),
    Buffer.from(text),
  ]);
}

/** A packet that a subscriber got, parsed. */
export interface Got extends RtpPacket {
  rolloverCounter: number;
  bytes: Buffer;
  picture: number;
  tl0: number;
  temporal: number;
  /** What follows the descriptor and the picture's first byte. */
  text: string;
  filler: boolean;
}

export const SUBSCRIBED: SubscribedTrackSpec = {
  media: 'video',
  ssrc: 9000,
  payloadType: 96,
  clockRate: 90_000,
  extensions: { mid: 4, audioLevel: 1, orientation: 3 },
  mid: '7',
  firstSequence: 1000,
  firstTimestamp: 50_000,
};
export const VIDEO: PublishedTrackSpec = {
  media: 'video',
  codec: 'vp8',
  clockRate: 90_000,
  layers: 3,
  extensions: {},
  nack: true,
  keyFrames: 'pli',
  always: false,
};
export const VOICE: PublishedTrackSpec = {
  media: 'audio',
  codec: 'opus',
  clockRate: 48_000,
  layers: 1,
  extensions: { audioLevel: 10 },
  nack: true,
  keyFrames: 'none',
  always: false,
};

/** A room of the forwarding, with publishers and subscribers whose packets a test can read. */
export function aRoom(spec: Partial<ForwardingSpec> = {}) {
  const forwarding = createForwarding({
    epochMs: 1_700_000_000_000,
    loudestVoices: Infinity,
    talkingLevel: 50,
    talkingPackets: 100,
    keyframeSeconds: 0,
    ...spec,
  });
  return {
    forwarding,
    addPublisher(bitrate = 0) {
      const sent: Buffer[] = [];
      const limited: { audio: boolean; video: boolean }[] = [];
      const publisher = forwarding.addPublisher({
        ssrc: 4242,
        protect: openSender(),
        send: (bytes) => sent.push(bytes),
        bitrate,
        onLimited: (held) => limited.push(held),
      });
      return { publisher, sent, limited };
    },
    addSubscriber() {
      const sender = openSender();
      const got: Got[] = [];
      const reports: Buffer[] = [];
      const subscriber = forwarding.addSubscriber({
        protect: sender,
        cname: 'somebody',
        send(bytes) {
          if (bytes[1]! >= 192 && bytes[1]! <= 223) reports.push(Buffer.from(bytes));
          else got.push(read(Buffer.from(bytes), sender.rollovers.at(-1)!));
        },
      });
      return { subscriber, got, reports };
    },
  };
}

function read(bytes: Buffer, rolloverCounter: number): Got {
  const packet = readRtp(bytes, {
    audioLevel: SUBSCRIBED.extensions.audioLevel!,
    orientation: SUBSCRIBED.extensions.orientation!,
  })!;
  const filler = packet.payload.length === 0;
  const descriptor = filler ? null : readVp8(packet.payload);
  return {
    ...packet,
    bytes,
    rolloverCounter,
    filler,
    picture: descriptor?.pictureId ?? -1,
    tl0: descriptor?.tl0 ?? -1,
    temporal: descriptor?.temporal ?? 0,
    text: packet.payload.toString('latin1', 7),
  };
}

/** A camera's layer: frames of some packets each, in the order in which they are sent. */
export function createCamera(options: {
  ssrc: number;
  sequence?: number;
  timestamp?: number;
  picture?: number;
  tl0?: number;
  packetsPerFrame?: number;
  temporalLayers?: number;
  codec?: Codec;
}) {
  let { sequence = 10, timestamp = 1000, picture = 5, tl0 = 3 } = options;
  const { ssrc, packetsPerFrame = 2, temporalLayers = 1 } = options;
  let frame = 0;
  return {
    /** The packets of the next frame, a thirtieth of a second after the one before. */
    frame(keyFrame = false): Buffer[] {
      if (keyFrame) frame = 0;
      // L1T2: 0 1 0 1; L1T3: 0 2 1 2. Those that refer to the base layer only are marked.
      const temporal = temporalLayers === 1 ? 0 : temporalLayers === 2 ? [0, 1][frame % 2]! : [0, 2, 1, 2][frame % 4]!;
      const sync = temporal > 0 && (temporalLayers === 2 || frame % 4 < 3);
      if (temporal === 0) tl0++;
      const packets = Array.from({ length: packetsPerFrame }, (_, number) =>
        rtp({
          ssrc,
          sequence: sequence++,
          timestamp,
          marker: number === packetsPerFrame - 1,
          payload: vp8({
            keyFrame: keyFrame && number === 0,
            begins: number === 0,
            picture: picture & 0x7fff,
            tl0,
            temporal,
            sync,
            text: `${ssrc}/${picture}.${number}`,
          }),
        }),
      );
      picture++;
      frame++;
      timestamp += 3000;
      return packets;
    },
  };
}
