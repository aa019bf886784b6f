/**
 * RTP headers (RFC 3550, 5.1) and their extensions (RFC 8285), read in place and written without copying the payload.
 */
import type { ExtensionIds } from './rtp.types.ts';

const RTP_HEADER = 12;
const ONE_BYTE = 0xbede;
/** Profile of two-byte headers: 0x100 and four application bits. */
const TWO_BYTE = 0x1000;

/**
 * Finds where the payload begins. Takes a packet and where its readable part ends. Returns the length of the header
 * with its extensions; null when it is no RTP packet.
 */
export function headerLength(packet: Buffer, end = packet.length): number | null {
  if (end < RTP_HEADER || packet[0]! >>> 6 !== 2) return null;
  let length = RTP_HEADER + (packet[0]! & 0x0f) * 4;
  if ((packet[0]! & 0x10) !== 0) {
    if (end < length + 4) return null;
    length += 4 + packet.readUInt16BE(length + 2) * 4;
  }
  return length <= end ? length : null;
}

/** Whether a datagram that is RTP or RTCP is RTCP (RFC 5761, section 4). */
export function isRtcp(packet: Buffer): boolean {
  const type = packet[1] ?? 0;
  return type >= 192 && type <= 223;
}

/**
 * Calls `each` with the id and the place of every extension's value, for one-byte and two-byte headers. Skips a
 * malformed tail. Takes a packet whose header is `header` bytes long.
 */
export function eachExtension(
  packet: Buffer,
  header: number,
  each: (id: number, start: number, length: number) => void,
): void {
  if ((packet[0]! & 0x10) === 0) return;
  let at = RTP_HEADER + (packet[0]! & 0x0f) * 4;
  const profile = packet.readUInt16BE(at);
  const oneByte = profile === ONE_BYTE;
  if (!oneByte && (profile & 0xfff0) !== TWO_BYTE) return;
  at += 4;
  while (at < header) {
    const first = packet[at]!;
    // Padding between elements.
    if (first === 0) {
      at++;
      continue;
    }
    const id = oneByte ? first >>> 4 : first;
    // 15 ends the list (RFC 8285, 4.2).
    if (oneByte && id === 15) return;
    const start = at + (oneByte ? 1 : 2);
    if (start > header) return;
    const length = oneByte ? (first & 0x0f) + 1 : packet[at + 1]!;
    if (start + length > header) return;
    each(id, start, length);
    at = start + length;
  }
}

/** What forwarding has to know of a packet. The payload is a view of the packet, without padding. */
export interface RtpPacket {
  ssrc: number;
  sequence: number;
  timestamp: number;
  marker: boolean;
  payloadType: number;
  payload: Buffer;
  /** The byte of RFC 6464 (speech flag and −dBov); -1 when there is none. */
  audioLevel: number;
  /** The byte of urn:3gpp:video-orientation; -1 when there is none. */
  orientation: number;
}

/**
 * Reads a packet. Takes decrypted bytes and the ids its sender negotiated. Returns null when it is no RTP packet or its
 * padding exceeds it.
 */
export function readRtp(packet: Buffer, ids: ExtensionIds): RtpPacket | null {
  const header = headerLength(packet);
  if (header === null) return null;
  let end = packet.length;
  if ((packet[0]! & 0x20) !== 0) {
    const padding = packet[end - 1]!;
    if (padding === 0 || end - padding < header) return null;
    end -= padding;
  }
  const read: RtpPacket = {
    ssrc: packet.readUInt32BE(8),
    sequence: packet.readUInt16BE(2),
    timestamp: packet.readUInt32BE(4),
    marker: packet[1]! >= 0x80,
    payloadType: packet[1]! & 0x7f,
    payload: packet.subarray(header, end),
    audioLevel: -1,
    orientation: -1,
  };
  if (ids.audioLevel !== undefined || ids.orientation !== undefined) {
    eachExtension(packet, header, (id, start) => {
      if (id === ids.audioLevel) read.audioLevel = packet[start]!;
      else if (id === ids.orientation) read.orientation = packet[start]!;
    });
  }
  return read;
}

/** Reads a text extension, such as mid or rid; null when the packet carries none. */
export function readTextExtension(packet: Buffer, wanted: number): string | null {
  const header = headerLength(packet);
  let text: string | null = null;
  if (header !== null) {
    eachExtension(packet, header, (id, start, length) => {
      if (id === wanted) text = packet.toString('latin1', start, start + length);
    });
  }
  return text;
}

/** Writes the headers of one outgoing stream, each into the same memory: valid until the next. */
export interface HeaderWriter {
  /** Writes a header, see `RtpPacket`; -1 leaves an extension out. */
  write(sequence: number, timestamp: number, marker: boolean, audioLevel: number, orientation: number): Buffer;
  /**
   * Writes the header of a packet without content that only fills a number: the padding bit is set, and one byte of
   * padding must follow.
   */
  writeFiller(sequence: number, timestamp: number): Buffer;
}

/**
 * Makes the headers of a subscribed track: constant SSRC, payload type and mid, and of the publisher's extensions only
 * those the subscriber negotiated, under its ids. Nothing else of the publisher's header is passed on: its mid or rid
 * would send the packet to the wrong m-line.
 */
export function createHeaderWriter(spec: {
  ssrc: number;
  payloadType: number;
  mid: string;
  extensions: ExtensionIds;
}): HeaderWriter {
  const { extensions } = spec;
  const mid = extensions.mid === undefined ? Buffer.alloc(0) : Buffer.from(spec.mid, 'latin1');
  if (mid.length > 16) throw new Error('a mid of more than 16 bytes does not fit into a one-byte extension');
  for (const id of Object.values(extensions))
    if (id !== undefined && (id < 1 || id > 14)) throw new Error('extension ids are 1 to 14');

  const header = Buffer.alloc(RTP_HEADER + 4 + 1 + 16 + 4 + 3);
  header.writeUInt32BE(spec.ssrc, 8);
  header.writeUInt16BE(ONE_BYTE, RTP_HEADER);
  let fixed = RTP_HEADER + 4;
  if (mid.length > 0) {
    header[fixed] = (extensions.mid! << 4) | (mid.length - 1);
    mid.copy(header, fixed + 1);
    fixed += 1 + mid.length;
  }
  // One view per length that occurs: making one per packet would cost as much as writing it.
  const views: Buffer[] = [];
  const view = (length: number) => (views[length] ??= header.subarray(0, length));

  return {
    write(sequence, timestamp, marker, audioLevel, orientation) {
      let at = fixed;
      if (audioLevel >= 0 && extensions.audioLevel !== undefined) {
        header[at] = extensions.audioLevel << 4;
        header[at + 1] = audioLevel;
        at += 2;
      }
      if (orientation >= 0 && extensions.orientation !== undefined) {
        header[at] = extensions.orientation << 4;
        header[at + 1] = orientation;
        at += 2;
      }
      const extended = at > RTP_HEADER + 4;
      if (extended) {
        while ((at & 3) !== 0) header[at++] = 0;
        header.writeUInt16BE((at - RTP_HEADER - 4) >>> 2, RTP_HEADER + 2);
      } else at = RTP_HEADER;
      header[0] = extended ? 0x90 : 0x80;
      header[1] = (marker ? 0x80 : 0) | spec.payloadType;
      header[2] = sequence >>> 8;
      header[3] = sequence;
      header[4] = timestamp >>> 24;
      header[5] = timestamp >>> 16;
      header[6] = timestamp >>> 8;
      header[7] = timestamp;
      return view(at);
    },
    writeFiller(sequence, timestamp) {
      const filler = this.write(sequence, timestamp, false, -1, -1);
      filler[0]! |= 0x20;
      return filler;
    },
  };
}
