/**
 * What forwarding has to know of video payloads: where a key frame begins and, for VP8, which temporal layer a packet
 * belongs to.
 */
import type { Codec } from './rtp.types.ts';

/**
 * The payload descriptor of VP8 (RFC 7741, 4.2). It stays readable when the picture itself is encrypted from browser to
 * browser.
 */
export interface Vp8 {
  /** First packet of a frame. */
  begins: boolean;
  keyFrame: boolean;
  /** 7 or 15 bits, -1 when absent. */
  pictureId: number;
  longPictureId: boolean;
  /** -1 when absent. */
  tl0: number;
  /** Temporal layer, 0 when absent. */
  temporal: number;
  /** A decoder may move up to this layer here. */
  layerSync: boolean;
  /** Positions of picture id and TL0PICIDX, for writing. */
  pictureIdAt: number;
  tl0At: number;
}

/** Reads the descriptor. Null when the payload ends before it does. */
export function readVp8(payload: Buffer): Vp8 | null {
  if (payload.length < 1) return null;
  const first = payload[0]!;
  const vp8: Vp8 = {
    begins: (first & 0x10) !== 0 && (first & 0x07) === 0,
    keyFrame: false,
    pictureId: -1,
    longPictureId: false,
    tl0: -1,
    temporal: 0,
    layerSync: false,
    pictureIdAt: 0,
    tl0At: 0,
  };
  let at = 1;
  if ((first & 0x80) !== 0) {
    const flags = payload[at++]!;
    if ((flags & 0x80) !== 0) {
      vp8.pictureIdAt = at;
      vp8.longPictureId = (payload[at]! & 0x80) !== 0;
      vp8.pictureId = vp8.longPictureId ? ((payload[at]! & 0x7f) << 8) | payload[at + 1]! : payload[at]!;
      at += vp8.longPictureId ? 2 : 1;
    }
    if ((flags & 0x40) !== 0) {
      vp8.tl0At = at;
      vp8.tl0 = payload[at++]!;
    }
    if ((flags & 0x30) !== 0) {
      if ((flags & 0x20) !== 0) {
        vp8.temporal = payload[at]! >>> 6;
        vp8.layerSync = (payload[at]! & 0x20) !== 0;
      }
      at++;
    }
  }
  if (at > payload.length) return null;
  // The payload header's inverse key frame flag (RFC 7741, 4.3).
  vp8.keyFrame = vp8.begins && at < payload.length && (payload[at]! & 0x01) === 0;
  return vp8;
}

/** Writes picture id and TL0PICIDX in place; both are cut to their width. */
export function writeVp8(payload: Buffer, vp8: Vp8, pictureId: number, tl0: number): void {
  if (vp8.pictureIdAt > 0) {
    if (vp8.longPictureId) payload.writeUInt16BE(0x8000 | (pictureId & 0x7fff), vp8.pictureIdAt);
    else payload[vp8.pictureIdAt] = pictureId & 0x7f;
  }
  if (vp8.tl0At > 0) payload[vp8.tl0At] = tl0 & 0xff;
}

const IDR = 5;
const SPS = 7;
const STAP_A = 24;
const FU_A = 28;

/**
 * Whether an H.264 packet (RFC 6184) begins a key frame: a sequence parameter set or an IDR picture, alone, aggregated
 * or at the start of a fragment.
 */
export function isH264KeyFrame(payload: Buffer): boolean {
  if (payload.length < 2) return false;
  const type = payload[0]! & 0x1f;
  if (type === IDR || type === SPS) return true;
  if (type === FU_A) return (payload[1]! & 0x80) !== 0 && (payload[1]! & 0x1f) === IDR;
  if (type !== STAP_A) return false;
  for (let at = 1; at + 2 < payload.length; at += 2 + payload.readUInt16BE(at)) {
    const inner = payload[at + 2]! & 0x1f;
    if (inner === IDR || inner === SPS) return true;
  }
  return false;
}

/** Whether key frames of this codec are recognised, so that a stream can start and switch at one. */
export const knowsKeyFrames = (codec: Codec): boolean => codec === 'vp8' || codec === 'h264';
