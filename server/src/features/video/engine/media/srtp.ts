/**
 * SRTP and SRTCP: AES_CM_128_HMAC_SHA1_80 (RFC 3711) and AEAD_AES_128_GCM (RFC 7714), made for one packet to many subscribers.
 *
 * Session keys are KeyObjects: with plain bytes Node would import the key for each packet, which costs more than the cipher itself.
 * Sending keeps no state per SSRC: the caller numbers its packets and says the roll-over counter, so a retransmission needs no guess.
 */
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { AEAD_AES_128_GCM, type SrtpKeys, type SrtpProfile, type SrtpReceiver, type SrtpSender } from './media.types.ts';
import { headerLength } from './rtp.ts';
import { createWindow, type Window } from './serial.ts';
import { slice } from './slab.ts';

/** Labels of RFC 3711, 4.3.2. */
const RTP_LABELS = { encryption: 0, authentication: 1, salt: 2 } as const;
const RTCP_LABELS = { encryption: 3, authentication: 4, salt: 5 } as const;
const SHA1_TAG = 10;
const SHA1_BYTES = 20;
const SHA1_BLOCK = 64;
const GCM_TAG = 16;
/** Beyond so many SSRCs of one connection new ones are dropped: an authenticated peer must not fill our memory. */
const SSRCS_MAX = 64;
/** Packets that far behind the newest are taken once; older ones are dropped (RFC 3711, 3.3.2, asks for 64 at least). */
const REPLAY_WINDOW = 1024;
const SRTCP_INDEX_MAX = 0x7fff_ffff;
const ENCRYPTED = 0x8000_0000;
const RTCP_HEADER = 8;

/** Keys of one direction and protocol. */
interface ProtocolKeys {
  encryption: KeyObject;
  authentication: KeyObject;
  /** 14 bytes; GCM uses the first 12. */
  salt: Buffer;
}
/** Keys of one direction, from the master key (RFC 3711, 4.3). */
export interface SessionKeys {
  profile: SrtpProfile;
  rtp: ProtocolKeys;
  rtcp: ProtocolKeys;
}

/** The key derivation of RFC 3711, 4.3.1 (rate 0): AES in counter mode over the salt with the label in its seventh byte from the end. */
function derive({ masterKey, masterSalt }: SrtpKeys, label: number, bytes: number): Buffer {
  const block = Buffer.alloc(16);
  masterSalt.copy(block, 0, 0, Math.min(14, masterSalt.length));
  block[7]! ^= label;
  return createCipheriv('aes-128-ctr', masterKey, block).update(Buffer.alloc(bytes));
}

/** All keys of a direction. Throws when the master key has not the profile's length. */
export function sessionKeys(keys: SrtpKeys): SessionKeys {
  if (keys.masterKey.length !== 16) throw new Error('an SRTP master key has 16 bytes');
  const protocol = (labels: typeof RTP_LABELS | typeof RTCP_LABELS): ProtocolKeys => ({
    encryption: createSecretKey(derive(keys, labels.encryption, 16)),
    authentication: createSecretKey(derive(keys, labels.authentication, 20)),
    salt: derive(keys, labels.salt, 14),
  });
  return { profile: keys.profile, rtp: protocol(RTP_LABELS), rtcp: protocol(RTCP_LABELS) };
}

/** Writes the counter block of RFC 3711, 4.1.1: salt ⊕ SSRC ⊕ packet index (32 bits and 16). */
function writeCounter(into: Buffer, salt: Buffer, ssrc: number, high: number, low: number): void {
  salt.copy(into, 0, 0, 14);
  into.writeUInt32BE((into.readUInt32BE(4) ^ ssrc) >>> 0, 4);
  into.writeUInt32BE((into.readUInt32BE(8) ^ high) >>> 0, 8);
  into.writeUInt16BE(into.readUInt16BE(12) ^ low, 12);
}

/** Writes the initialisation vector of RFC 7714, 8.1 and 9.1: salt ⊕ (0, SSRC, 32 bits, 16 bits). */
function writeVector(into: Buffer, salt: Buffer, ssrc: number, high: number, low: number): void {
  salt.copy(into, 0, 0, 12);
  into.writeUInt32BE((into.readUInt32BE(2) ^ ssrc) >>> 0, 2);
  into.writeUInt32BE((into.readUInt32BE(6) ^ high) >>> 0, 6);
  into.writeUInt16BE(into.readUInt16BE(10) ^ low, 10);
}

/**
 * HMAC-SHA1 (RFC 2104) by two plain hashes: Node makes an object for each HMAC, which costs more than both together.
 * In: the key. Out: a function that signs what stands in `bytes` behind the place for the inner key.
 */
function createSigner(authentication: KeyObject): { inner: Buffer; sign(bytes: Buffer): Buffer } {
  const key = authentication.export();
  const pad = (byte: number) => Buffer.alloc(SHA1_BLOCK, byte).map((value, at) => value ^ (key[at] ?? 0)) as Buffer;
  const outer = Buffer.concat([pad(0x5c), Buffer.alloc(SHA1_BYTES)]);
  return {
    inner: pad(0x36),
    sign(bytes) {
      hash('sha1', bytes, 'buffer').copy(outer, SHA1_BLOCK);
      return hash('sha1', outer, 'buffer');
    },
  };
}

/**
 * The key stream of AES in counter mode, made by one AES that lives as long as the connection: all counter blocks of a packet go through it at once.
 * A cipher of its own for each packet would cost three times as much.
 */
function createKeyStream(encryption: KeyObject): (counter: Buffer, bytes: number) => Buffer {
  const aes = createCipheriv('aes-128-ecb', encryption, null).setAutoPadding(false);
  let blocks = Buffer.alloc(0);
  let words = new Uint32Array();
  let views: Buffer[] = [];
  const first = new Uint32Array(3);
  const firstBytes = Buffer.from(first.buffer);
  return (counter, bytes) => {
    const count = (bytes + 15) >>> 4;
    if (count * 16 > blocks.length) {
      const buffer = new ArrayBuffer(Math.max(count * 16, 1536));
      blocks = Buffer.from(buffer);
      words = new Uint32Array(buffer);
      views = [];
      // The last two bytes of each block count the blocks (RFC 3711, 4.1.1): written once for all packets.
      for (let block = 0; block * 16 < blocks.length; block++) blocks.writeUInt16BE(block, block * 16 + 14);
    }
    counter.copy(firstBytes, 0, 0, 12);
    const a = first[0]!;
    const b = first[1]!;
    const c = first[2]!;
    const high = counter[12]!;
    const low = counter[13]!;
    for (let block = 0, word = 0; block < count; block++, word += 4) {
      words[word] = a;
      words[word + 1] = b;
      words[word + 2] = c;
      blocks[word * 4 + 12] = high;
      blocks[word * 4 + 13] = low;
    }
    return aes.update((views[count] ??= blocks.subarray(0, count * 16)));
  };
}

function createCounterSender({ rtp, rtcp }: SessionKeys): SrtpSender {
  const counter = Buffer.alloc(16);
  const keyStream = createKeyStream(rtp.encryption);
  const { inner, sign } = createSigner(rtp.authentication);
  let index = 0;
  // The packet is put together behind the inner key, so that all that is signed stands in a row, on a word so that four bytes are sealed at once.
  let scratch = Buffer.alloc(0);
  let words = new Uint32Array();
  function makeRoom(bytes: number): void {
    const buffer = new ArrayBuffer(Math.max(2048, (bytes + 3) & ~3));
    scratch = Buffer.from(buffer);
    words = new Uint32Array(buffer);
    inner.copy(scratch);
  }
  return {
    rtp(header, payload, rolloverCounter) {
      const start = SHA1_BLOCK + header.length;
      const end = start + payload.length;
      if (end + 16 > scratch.length) makeRoom(end + 16);
      writeCounter(counter, rtp.salt, header.readUInt32BE(8), rolloverCounter, header.readUInt16BE(2));
      header.copy(scratch, SHA1_BLOCK);
      payload.copy(scratch, start);
      const stream = keyStream(counter, payload.length);
      const streamWords = new Uint32Array(stream.buffer, stream.byteOffset, stream.length >>> 2);
      // Headers are whole words (RFC 3550, 5.1), so the payload begins on one.
      for (let from = 0, to = start >>> 2, last = (end + 3) >>> 2; to < last; from++, to++) words[to]! ^= streamWords[from]!;
      // The roll-over counter is signed but not sent: it stands where the tag will be.
      scratch.writeUInt32BE(rolloverCounter, end);
      const out = slice(end - SHA1_BLOCK + SHA1_TAG);
      scratch.copy(out, 0, SHA1_BLOCK, end);
      sign(scratch.subarray(0, end + 4)).copy(out, end - SHA1_BLOCK, 0, SHA1_TAG);
      return out;
    },
    rtcp(compound) {
      writeCounter(counter, rtcp.salt, compound.readUInt32BE(4), index >>> 16, index & 0xffff);
      const out = slice(compound.length + 4 + SHA1_TAG);
      compound.copy(out, 0, 0, RTCP_HEADER);
      createCipheriv('aes-128-ctr', rtcp.encryption, counter).update(compound.subarray(RTCP_HEADER)).copy(out, RTCP_HEADER);
      const end = compound.length + 4;
      out.writeUInt32BE((ENCRYPTED | index) >>> 0, compound.length);
      createHmac('sha1', rtcp.authentication).update(out.subarray(0, end)).digest().copy(out, end, 0, SHA1_TAG);
      index = nextIndex(index);
      return out;
    },
  };
}

function createGcmSender({ rtp, rtcp }: SessionKeys): SrtpSender {
  const vector = Buffer.alloc(12);
  const associated = Buffer.alloc(RTCP_HEADER + 4);
  let index = 0;
  return {
    rtp(header, payload, rolloverCounter) {
      writeVector(vector, rtp.salt, header.readUInt32BE(8), rolloverCounter, header.readUInt16BE(2));
      const cipher = createCipheriv('aes-128-gcm', rtp.encryption, vector);
      cipher.setAAD(header);
      const sealed = cipher.update(payload);
      cipher.final();
      const end = header.length + sealed.length;
      const out = slice(end + GCM_TAG);
      header.copy(out);
      sealed.copy(out, header.length);
      cipher.getAuthTag().copy(out, end);
      return out;
    },
    rtcp(compound) {
      writeVector(vector, rtcp.salt, compound.readUInt32BE(4), index >>> 16, index & 0xffff);
      compound.copy(associated, 0, 0, RTCP_HEADER);
      associated.writeUInt32BE((ENCRYPTED | index) >>> 0, RTCP_HEADER);
      const cipher = createCipheriv('aes-128-gcm', rtcp.encryption, vector);
      cipher.setAAD(associated);
      const out = slice(compound.length + GCM_TAG + 4);
      compound.copy(out, 0, 0, RTCP_HEADER);
      cipher.update(compound.subarray(RTCP_HEADER)).copy(out, RTCP_HEADER);
      cipher.final();
      cipher.getAuthTag().copy(out, compound.length);
      associated.copy(out, compound.length + GCM_TAG, RTCP_HEADER);
      index = nextIndex(index);
      return out;
    },
  };
}

/** Two billion reports on one connection will not come; were it so, a counter must not be used twice. */
function nextIndex(index: number): number {
  if (index >= SRTCP_INDEX_MAX) throw new Error('the SRTCP index is used up: the connection needs new keys');
  return index + 1;
}

/**
 * The sending side of a connection. In: what DTLS yields for our direction. Out: see `SrtpSender`.
 * Throws when the key has not the length of the profile.
 */
export const createSrtpSender = (keys: SrtpKeys): SrtpSender => createSender(sessionKeys(keys));
export const createSender = (keys: SessionKeys): SrtpSender => (keys.profile === AEAD_AES_128_GCM ? createGcmSender(keys) : createCounterSender(keys));

/** The packet index a sequence number means: the one nearest to the newest (RFC 3711, 3.3.1). */
function indexOf(window: Window, sequence: number): number {
  const newest = window.newest();
  if (newest < 0) return sequence;
  const rollover = Math.floor(newest / 0x1_0000);
  const distance = sequence - (newest % 0x1_0000);
  if (distance > 0x8000 && rollover > 0) return (rollover - 1) * 0x1_0000 + sequence;
  if (distance < -0x8000) return (rollover + 1) * 0x1_0000 + sequence;
  return rollover * 0x1_0000 + sequence;
}

interface Opener {
  readonly tag: number;
  /** The plain packet, or null when the tag does not fit. */
  rtp(packet: Buffer, header: number, rolloverCounter: number): Buffer | null;
  rtcp(packet: Buffer, index: number, encrypted: boolean): Buffer | null;
}

function createCounterOpener({ rtp, rtcp }: SessionKeys): Opener {
  const counter = Buffer.alloc(16);
  const rollover = Buffer.alloc(4);
  const fits = (expected: Buffer, packet: Buffer) => timingSafeEqual(expected.subarray(0, SHA1_TAG), packet.subarray(packet.length - SHA1_TAG));
  return {
    tag: SHA1_TAG,
    rtp(packet, header, rolloverCounter) {
      const end = packet.length - SHA1_TAG;
      rollover.writeUInt32BE(rolloverCounter);
      if (!fits(createHmac('sha1', rtp.authentication).update(packet.subarray(0, end)).update(rollover).digest(), packet)) return null;
      writeCounter(counter, rtp.salt, packet.readUInt32BE(8), rolloverCounter, packet.readUInt16BE(2));
      const out = slice(end);
      packet.copy(out, 0, 0, header);
      createDecipheriv('aes-128-ctr', rtp.encryption, counter).update(packet.subarray(header, end)).copy(out, header);
      return out;
    },
    rtcp(packet, index, encrypted) {
      const end = packet.length - SHA1_TAG;
      if (!fits(createHmac('sha1', rtcp.authentication).update(packet.subarray(0, end)).digest(), packet)) return null;
      const out = slice(end - 4);
      packet.copy(out, 0, 0, end - 4);
      if (!encrypted) return out;
      writeCounter(counter, rtcp.salt, packet.readUInt32BE(4), index >>> 16, index & 0xffff);
      createDecipheriv('aes-128-ctr', rtcp.encryption, counter).update(packet.subarray(RTCP_HEADER, end - 4)).copy(out, RTCP_HEADER);
      return out;
    },
  };
}

function createGcmOpener({ rtp, rtcp }: SessionKeys): Opener {
  const vector = Buffer.alloc(12);

  /** Null when the tag does not fit; Node throws then. */
  function open(key: KeyObject, associated: Buffer, sealed: Buffer, tag: Buffer): Buffer | null {
    const decipher = createDecipheriv('aes-128-gcm', key, vector, { authTagLength: GCM_TAG });
    decipher.setAAD(associated);
    decipher.setAuthTag(tag);
    const plain = decipher.update(sealed);
    try {
      decipher.final();
    } catch {
      return null;
    }
    return plain;
  }

  return {
    tag: GCM_TAG,
    rtp(packet, header, rolloverCounter) {
      const end = packet.length - GCM_TAG;
      writeVector(vector, rtp.salt, packet.readUInt32BE(8), rolloverCounter, packet.readUInt16BE(2));
      const plain = open(rtp.encryption, packet.subarray(0, header), packet.subarray(header, end), packet.subarray(end));
      if (plain === null) return null;
      const out = slice(end);
      packet.copy(out, 0, 0, header);
      plain.copy(out, header);
      return out;
    },
    rtcp(packet, index, encrypted) {
      const last = packet.length - 4;
      const end = last - GCM_TAG;
      writeVector(vector, rtcp.salt, packet.readUInt32BE(4), index >>> 16, index & 0xffff);
      // Unencrypted reports are signed as a whole (RFC 7714, 9.3).
      const clear = encrypted ? RTCP_HEADER : end;
      const associated = Buffer.concat([packet.subarray(0, clear), packet.subarray(last)]);
      const plain = open(rtcp.encryption, associated, packet.subarray(clear, end), packet.subarray(end, last));
      if (plain === null) return null;
      const out = slice(end);
      packet.copy(out, 0, 0, clear);
      plain.copy(out, clear);
      return out;
    },
  };
}

/**
 * The receiving side of a connection. In: what DTLS yields for the other's direction. Out: see `SrtpReceiver`; each packet is let in once.
 * Throws when the key has not the length of the profile.
 */
export const createSrtpReceiver = (keys: SrtpKeys): SrtpReceiver => createReceiver(sessionKeys(keys));
export function createReceiver(keys: SessionKeys): SrtpReceiver {
  const opener = keys.profile === AEAD_AES_128_GCM ? createGcmOpener(keys) : createCounterOpener(keys);
  const packets = new Map<number, Window>();
  const reports = new Map<number, Window>();

  /** State is kept only for what proved authentic. */
  function admit(states: Map<number, Window>, ssrc: number, open: (seen: Window) => [index: number, plain: Buffer | null]): Buffer | null {
    const known = states.get(ssrc);
    if (known === undefined && states.size >= SSRCS_MAX) return null;
    const seen = known ?? createWindow(REPLAY_WINDOW);
    const [index, plain] = open(seen);
    if (plain === null) return null;
    seen.note(index);
    if (known === undefined) states.set(ssrc, seen);
    return plain;
  }

  return {
    rtp(packet) {
      const header = headerLength(packet, packet.length - opener.tag);
      if (header === null) return null;
      return admit(packets, packet.readUInt32BE(8), (seen) => {
        const index = indexOf(seen, packet.readUInt16BE(2));
        return [index, seen.isNew(index) ? opener.rtp(packet, header, Math.floor(index / 0x1_0000)) : null];
      });
    },
    rtcp(packet) {
      if (packet.length < RTCP_HEADER + 4 + opener.tag) return null;
      // AES_CM puts the index before the tag, GCM after it.
      const word = packet.readUInt32BE(packet.length - 4 - (opener.tag === SHA1_TAG ? SHA1_TAG : 0));
      const index = word & SRTCP_INDEX_MAX;
      return admit(reports, packet.readUInt32BE(4), (seen) => [index, seen.isNew(index) ? opener.rtcp(packet, index, word >= ENCRYPTED) : null]);
    },
  };
}
