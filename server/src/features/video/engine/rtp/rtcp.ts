/**
 * RTCP (RFC 3550, 6; RFC 4585, 6; RFC 5104, 4.3.1; REMB as in draft-alvestrand-rmcat-remb-03), read through callbacks
 * and written into new memory.
 */

const SENDER_REPORT = 200;
const RECEIVER_REPORT = 201;
const DESCRIPTION = 202;
const BYE = 203;
const TRANSPORT_FEEDBACK = 205;
const PAYLOAD_FEEDBACK = 206;
const NACK = 1;
const PLI = 1;
const FIR = 4;
const APPLICATION = 15;
const REMB = 0x52454d42;
const CNAME = 1;
const BLOCK = 24;
/** Seconds from 1900 to 1970. */
const NTP_EPOCH = 2_208_988_800;
const BLOCKS_MAX = 31;

/** One source's reception, as a receiver reports it. */
export interface ReportBlock {
  ssrc: number;
  /** Share lost since the last report, in 256ths. */
  fractionLost: number;
  /** Packets lost in total; 24 bits, signed. */
  lost: number;
  highestSequence: number;
  jitter: number;
  /** The middle 32 bits of the last sender report's time, and its age in 65,536ths of a second. */
  lastReport: number;
  delay: number;
}

/** What a compound packet may contain; leave out what you do not need. */
export interface RtcpVisitor {
  senderReport?(ssrc: number, ntpMs: number, rtp: number, ntpMiddle: number): void;
  block?(block: ReportBlock): void;
  bye?(ssrc: number): void;
  /** The other side requests one packet again. */
  nack?(ssrc: number, sequence: number): void;
  /** The other side requests a key frame, by PLI or FIR. */
  keyFrame?(ssrc: number): void;
  remb?(bitsPerSecond: number): void;
}

/** Milliseconds since 1970 from the two halves of an NTP time. */
const fromNtp = (seconds: number, fraction: number): number =>
  (seconds - NTP_EPOCH) * 1000 + (fraction / 2 ** 32) * 1000;
/** The middle 32 bits of an NTP time, as reports refer to it. Takes milliseconds since 1970. */
export function ntpMiddle(ms: number): number {
  const seconds = Math.floor(ms / 1000);
  return (((seconds + NTP_EPOCH) & 0xffff) * 0x1_0000 + Math.floor(((ms - seconds * 1000) / 1000) * 0x1_0000)) >>> 0;
}

function readBlock(packet: Buffer, at: number): ReportBlock {
  return {
    ssrc: packet.readUInt32BE(at),
    fractionLost: packet[at + 4]!,
    lost: packet.readIntBE(at + 5, 3),
    highestSequence: packet.readUInt32BE(at + 8),
    jitter: packet.readUInt32BE(at + 12),
    lastReport: packet.readUInt32BE(at + 16),
    delay: packet.readUInt32BE(at + 20),
  };
}

/**
 * Reads a compound packet from an untrusted sender. Returns whether it is well-formed to its end; what precedes an
 * error has been reported.
 */
export function readRtcp(compound: Buffer, visit: RtcpVisitor): boolean {
  let at = 0;
  while (at < compound.length) {
    if (compound.length - at < 4 || compound[at]! >>> 6 !== 2) return false;
    const count = compound[at]! & 0x1f;
    const end = at + 4 + compound.readUInt16BE(at + 2) * 4;
    if (end > compound.length) return false;
    if (!readOne(compound, at, end, compound[at + 1]!, count, visit)) return false;
    at = end;
  }
  return true;
}

function readOne(packet: Buffer, at: number, end: number, type: number, count: number, visit: RtcpVisitor): boolean {
  switch (type) {
    case SENDER_REPORT:
    case RECEIVER_REPORT: {
      const blocks = at + (type === SENDER_REPORT ? 28 : 8);
      if (blocks + count * BLOCK > end) return false;
      if (type === SENDER_REPORT) {
        const seconds = packet.readUInt32BE(at + 8);
        const fraction = packet.readUInt32BE(at + 12);
        visit.senderReport?.(
          packet.readUInt32BE(at + 4),
          fromNtp(seconds, fraction),
          packet.readUInt32BE(at + 16),
          (((seconds & 0xffff) << 16) | (fraction >>> 16)) >>> 0,
        );
      }
      if (visit.block)
        for (let number = 0; number < count; number++) visit.block(readBlock(packet, blocks + number * BLOCK));
      return true;
    }
    case BYE:
      if (at + 4 + count * 4 > end) return false;
      for (let number = 0; number < count; number++) visit.bye?.(packet.readUInt32BE(at + 4 + number * 4));
      return true;
    case TRANSPORT_FEEDBACK:
      if (at + 12 > end) return false;
      if (count === NACK && visit.nack) {
        const ssrc = packet.readUInt32BE(at + 8);
        for (let item = at + 12; item + 4 <= end; item += 4) {
          const first = packet.readUInt16BE(item);
          visit.nack(ssrc, first);
          for (let bits = packet.readUInt16BE(item + 2), step = 1; bits !== 0; bits >>>= 1, step++)
            if ((bits & 1) !== 0) visit.nack(ssrc, (first + step) & 0xffff);
        }
      }
      return true;
    case PAYLOAD_FEEDBACK:
      if (at + 12 > end) return false;
      if (count === PLI) visit.keyFrame?.(packet.readUInt32BE(at + 8));
      else if (count === FIR)
        for (let item = at + 12; item + 8 <= end; item += 8) visit.keyFrame?.(packet.readUInt32BE(item));
      else if (count === APPLICATION && at + 20 <= end && packet.readUInt32BE(at + 12) === REMB) {
        const exponent = packet[at + 17]! >>> 2;
        const mantissa = ((packet[at + 17]! & 3) << 16) | packet.readUInt16BE(at + 18);
        visit.remb?.(mantissa * 2 ** exponent);
      }
      return true;
    default:
      return true;
  }
}

/** A packet of that type with room for `words` 32-bit words after its first one. */
function packetOf(type: number, count: number, words: number): Buffer {
  const packet = Buffer.alloc(4 + words * 4);
  packet[0] = 0x80 | count;
  packet[1] = type;
  packet.writeUInt16BE(words, 2);
  return packet;
}

export interface SenderReport {
  ssrc: number;
  /** Milliseconds since 1970, and the stream's timestamp at that moment. */
  ntpMs: number;
  rtp: number;
  packets: number;
  bytes: number;
}

/** Sender report without report blocks: its receiver sends us nothing. */
export function writeSenderReport({ ssrc, ntpMs, rtp, packets, bytes }: SenderReport): Buffer {
  const report = packetOf(SENDER_REPORT, 0, 6);
  const seconds = Math.floor(ntpMs / 1000);
  report.writeUInt32BE(ssrc, 4);
  report.writeUInt32BE((seconds + NTP_EPOCH) % 2 ** 32, 8);
  report.writeUInt32BE(Math.floor(((ntpMs - seconds * 1000) / 1000) * 2 ** 32), 12);
  report.writeUInt32BE(rtp >>> 0, 16);
  report.writeUInt32BE(packets % 2 ** 32, 20);
  report.writeUInt32BE(bytes % 2 ** 32, 24);
  return report;
}

/** Receiver report; a compound packet must begin with one, even an empty one. At most 31 blocks. */
export function writeReceiverReport(ssrc: number, blocks: readonly ReportBlock[] = []): Buffer {
  if (blocks.length > BLOCKS_MAX) throw new Error('a receiver report holds 31 blocks at most');
  const report = packetOf(RECEIVER_REPORT, blocks.length, 1 + (blocks.length * BLOCK) / 4);
  report.writeUInt32BE(ssrc, 4);
  blocks.forEach((block, number) => {
    const at = 8 + number * BLOCK;
    report.writeUInt32BE(block.ssrc, at);
    report[at + 4] = block.fractionLost;
    report.writeIntBE(Math.max(-0x80_0000, Math.min(0x7f_ffff, block.lost)), at + 5, 3);
    report.writeUInt32BE(block.highestSequence, at + 8);
    report.writeUInt32BE(block.jitter, at + 12);
    report.writeUInt32BE(block.lastReport, at + 16);
    report.writeUInt32BE(block.delay, at + 20);
  });
  return report;
}

/** Source description with the canonical name, which a compound packet must carry (RFC 3550, 6.1). */
export function writeDescription(ssrc: number, cname: string): Buffer {
  const name = Buffer.from(cname, 'utf8').subarray(0, 255);
  // The list of items ends with at least one zero, on a word boundary.
  const description = packetOf(DESCRIPTION, 1, 1 + ((name.length + 3 + 3) >>> 2));
  description.writeUInt32BE(ssrc, 4);
  description[8] = CNAME;
  description[9] = name.length;
  name.copy(description, 10);
  return description;
}

/**
 * Generic NACK. Takes sequence numbers in the order in which they were lost; 16 following ones share a word with the
 * first.
 */
export function writeNack(sender: number, ssrc: number, sequences: readonly number[]): Buffer {
  const items: [first: number, bits: number][] = [];
  for (const sequence of sequences) {
    const item = items.at(-1);
    const step = item === undefined ? 0 : (sequence - item[0]) & 0xffff;
    if (item === undefined || step < 1 || step > 16) items.push([sequence, 0]);
    else item[1] |= 1 << (step - 1);
  }
  const packet = packetOf(TRANSPORT_FEEDBACK, NACK, 2 + items.length);
  packet.writeUInt32BE(sender, 4);
  packet.writeUInt32BE(ssrc, 8);
  items.forEach(([first, bits], number) => {
    packet.writeUInt16BE(first, 12 + number * 4);
    packet.writeUInt16BE(bits, 14 + number * 4);
  });
  return packet;
}

/** PLI (RFC 4585, 6.3.1): asks for a new key frame of a stream. */
export function writePli(sender: number, ssrc: number): Buffer {
  const packet = packetOf(PAYLOAD_FEEDBACK, PLI, 2);
  packet.writeUInt32BE(sender, 4);
  packet.writeUInt32BE(ssrc, 8);
  return packet;
}

/** FIR. `request` grows with each new request; the receiver ignores a repeated number. */
export function writeFir(sender: number, ssrc: number, request: number): Buffer {
  const packet = packetOf(PAYLOAD_FEEDBACK, FIR, 4);
  packet.writeUInt32BE(sender, 4);
  packet.writeUInt32BE(ssrc, 12);
  packet[16] = request & 0xff;
  return packet;
}

/** REMB: bits per second the sender of these SSRCs may send in all. */
export function writeRemb(sender: number, bitsPerSecond: number, ssrcs: readonly number[]): Buffer {
  const packet = packetOf(PAYLOAD_FEEDBACK, APPLICATION, 4 + ssrcs.length);
  let mantissa = Math.max(0, Math.floor(bitsPerSecond));
  let exponent = 0;
  while (mantissa > 0x3_ffff) {
    mantissa = Math.floor(mantissa / 2);
    exponent++;
  }
  packet.writeUInt32BE(sender, 4);
  packet.writeUInt32BE(REMB, 12);
  packet[16] = ssrcs.length;
  packet[17] = (exponent << 2) | (mantissa >>> 16);
  packet.writeUInt16BE(mantissa & 0xffff, 18);
  ssrcs.forEach((ssrc, number) => packet.writeUInt32BE(ssrc, 20 + number * 4));
  return packet;
}
