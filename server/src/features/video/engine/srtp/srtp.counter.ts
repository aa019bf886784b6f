/**
 * AES_CM_128_HMAC_SHA1_80 (RFC 3711), made for many small packets. The key stream depends on SSRC and packet number
 * alone, so it is computed for the next packets at once, by one AES cipher that lives as long as the connection.
 * Signing takes two plain hashes: a Node HMAC object per packet costs several times as much.
 */
import { createCipheriv, createDecipheriv, createHmac, hash, type KeyObject, timingSafeEqual } from 'node:crypto';
import { endianness } from 'node:os';
import type { SrtpSender } from './srtp.types.ts';
import { incoming, outgoing, slice, type Slab } from './packet-memory.ts';
import { ENCRYPTED, nextIndex, type Opener, RTCP_HEADER, type SessionKeys, writeStart } from './srtp.keys.ts';

/** Counters are written as native words; on big-endian machines none of this may be used. */
export const LITTLE_ENDIAN = endianness() === 'LE';
/** Swaps the bytes of a word. */
const swapped = (x: number): number => (((x << 8) | (x >>> 24)) & 0x00ff00ff) | (((x << 24) | (x >>> 8)) & 0xff00ff00);

const SHA1_TAG = 10;
const SHA1_BYTES = 20;
const SHA1_BLOCK = 64;
const BLOCK = 16;
/** Computed at a time: 4 kB, for at most this many packets. */
const BATCH_BLOCKS = 256;
const BATCH_PACKETS = 32;
/** Streams of one connection whose next packets are kept ready; a page of 25 people has 48. */
const STREAMS_MAX = 128;

/**
 * The key stream of the next packets of one SSRC: `count` packets from `first` (rollover counter and number together),
 * `each` blocks of 16 bytes per packet.
 */
interface Ahead {
  first: number;
  count: number;
  each: number;
  /** The most blocks a packet of this batch needed. */
  used: number;
  /** Lives as long as the stream, so that batches are not promoted by V8's garbage collector. */
  words: Int32Array;
}

interface KeyStream {
  /** Where the key stream of that packet begins. The object is reused: read it before the next call. */
  of(ssrc: number, index: number, bytes: number): { words: Int32Array; at: number };
}

/**
 * Takes the session's encryption key and salt. A packet out of order (sent again, or late) is computed alone and
 * disturbs nothing.
 */
function createKeyStream(encryption: KeyObject, salt: Buffer): KeyStream {
  const aes = createCipheriv('aes-128-ecb', encryption, null).setAutoPadding(false);
  const counters = Buffer.from(new ArrayBuffer(BATCH_BLOCKS * BLOCK));
  const words = new Int32Array(counters.buffer);
  const streams = new Map<number, Ahead>();
  const found: { words: Int32Array; at: number } = { words, at: 0 };
  const salt0 = salt.readInt32LE(0);
  const salt1 = salt.readInt32BE(4);
  const salt2 = salt.readInt32BE(8);
  const salt3 = salt.readUInt16BE(12);

  function make(into: Int32Array, ssrc: number, first: number, count: number, each: number): void {
    const one = swapped(salt1 ^ ssrc);
    for (let packet = 0, word = 0; packet < count; packet++) {
      const index = first + packet;
      const two = swapped(salt2 ^ Math.floor(index / 0x1_0000));
      const three = (salt3 ^ (index & 0xffff)) << 16;
      // The last two bytes of each block count the blocks (RFC 3711, 4.1.1).
      for (let block = 0; block < each; block++, word += 4) {
        words[word] = salt0;
        words[word + 1] = one;
        words[word + 2] = two;
        words[word + 3] = swapped(three | block);
      }
    }
    const made = aes.update(counters.subarray(0, count * each * BLOCK));
    new Uint8Array(into.buffer, 0, into.byteLength).set(made);
  }
  const alone = new Int32Array(words.length);
  const counter = Buffer.alloc(BLOCK);

  /** Larger than what is computed at a time: no browser sends it, but a datagram can hold it. */
  function makeLarge(ssrc: number, index: number, blocks: number): Int32Array {
    writeStart(counter, 4, salt, ssrc, Math.floor(index / 0x1_0000), index & 0xffff);
    const large = new Int32Array(blocks * 4);
    new Uint8Array(large.buffer).set(
      createCipheriv('aes-128-ctr', encryption, counter).update(Buffer.alloc(blocks * BLOCK)),
    );
    return large;
  }

  return {
    of(ssrc, index, bytes) {
      const need = Math.max(1, (bytes + BLOCK - 1) >>> 4);
      if (need > BATCH_BLOCKS) {
        found.words = makeLarge(ssrc, index, need);
        found.at = 0;
        return found;
      }
      let ahead = streams.get(ssrc);
      if (ahead !== undefined && index < ahead.first) {
        make(alone, ssrc, index, 1, need);
        found.words = alone;
        found.at = 0;
        return found;
      }
      if (ahead === undefined || index >= ahead.first + ahead.count || need > ahead.each) {
        if (ahead === undefined) {
          if (streams.size >= STREAMS_MAX) streams.delete(streams.keys().next().value!);
          // Nobody knows yet whether more will come.
          ahead = { first: index, count: 1, each: need, used: need, words: new Int32Array(need * 4) };
          streams.set(ssrc, ahead);
        } else {
          ahead.each = Math.max(need, ahead.used);
          ahead.count = Math.max(1, Math.min(BATCH_PACKETS, Math.floor(BATCH_BLOCKS / ahead.each)));
          ahead.first = index;
          ahead.used = need;
          if (ahead.words.length < ahead.count * ahead.each * 4) ahead.words = new Int32Array(BATCH_BLOCKS * 4);
        }
        make(ahead.words, ssrc, index, ahead.count, ahead.each);
      }
      if (need > ahead.used) ahead.used = need;
      found.words = ahead.words;
      found.at = (index - ahead.first) * ahead.each * 4;
      return found;
    },
  };
}

/** The tag, and the rest of the word that is overwritten. */
const BEHIND = SHA1_TAG + 6;

/**
 * Encrypts or decrypts: applies the key stream to the words from `start` to `end`, both in bytes. Bytes after the end
 * on its word are overwritten.
 */
function cover(words: Int32Array, start: number, end: number, stream: { words: Int32Array; at: number }): void {
  const over = stream.words;
  for (let from = stream.at, to = start >>> 2, last = (end + 3) >>> 2; to < last; from++, to++)
    words[to]! ^= over[from]!;
}

/**
 * HMAC-SHA1 (RFC 2104) over a packet and the rollover counter, which is signed but not sent. The packet lies in a slab
 * with room for the inner key before it, so that nothing is copied; digests are strings, because a buffer of twenty
 * bytes costs more than the hash. Takes the slab, the packet's place (SHA1_BLOCK bytes from the slab's place) and its
 * length; the four bytes behind it are overwritten. Returns twenty bytes as characters; the first ten are the tag.
 */
function createSigner(authentication: KeyObject): (slab: Slab, length: number, rolloverCounter: number) => string {
  const key = authentication.export();
  const pad = (byte: number) => Buffer.alloc(SHA1_BLOCK, byte).map((value, at) => value ^ (key[at] ?? 0)) as Buffer;
  const inner = new Int32Array(Uint8Array.from(pad(0x36)).buffer);
  const outer = Buffer.concat([pad(0x5c), Buffer.alloc(SHA1_BYTES)]);
  return ({ memory, words, at }, length, rolloverCounter) => {
    for (let word = 0, to = at >>> 2; word < inner.length; word++, to++) words[to] = inner[word]!;
    const end = at + SHA1_BLOCK + length;
    memory.writeUInt32BE(rolloverCounter, end);
    write(hash('sha1', memory.subarray(at, end + 4), 'binary'), outer, SHA1_BLOCK, SHA1_BYTES);
    return hash('sha1', outer, 'binary');
  };
}

/** Writes bytes that came as characters. */
function write(characters: string, to: Buffer, at: number, count: number): void {
  for (let index = 0; index < count; index++) to[at + index] = characters.charCodeAt(index);
}

function onlyHere(): void {
  if (!LITTLE_ENDIAN) throw new Error('AES_CM is made for little-endian machines');
}

/** Makes the sending side with AES_CM_128_HMAC_SHA1_80 (RFC 3711). Throws on a big-endian machine. */
export function createCounterSender({ rtp, rtcp }: SessionKeys): SrtpSender {
  onlyHere();
  const stream = createKeyStream(rtp.encryption, rtp.salt);
  const sign = createSigner(rtp.authentication);
  const counter = Buffer.alloc(16);
  let index = 0;
  return {
    rtp(header, payload, rolloverCounter) {
      const start = header.length;
      const length = start + payload.length;
      outgoing.reserve(SHA1_BLOCK + length + BEHIND);
      const { memory, words } = outgoing;
      const at = outgoing.at + SHA1_BLOCK;
      for (let byte = 0; byte < start; byte++) memory[at + byte] = header[byte]!;
      payload.copy(memory, at + start);
      const ssrc = (header[8]! << 24) | (header[9]! << 16) | (header[10]! << 8) | header[11]!;
      // Headers are whole words (RFC 3550, 5.1), so the payload begins on one.
      cover(
        words,
        at + start,
        at + length,
        stream.of(ssrc, rolloverCounter * 0x1_0000 + ((header[2]! << 8) | header[3]!), payload.length),
      );
      write(sign(outgoing, length, rolloverCounter), memory, at + length, SHA1_TAG);
      outgoing.at = at;
      return outgoing.take(length + SHA1_TAG);
    },
    rtcp(compound) {
      writeStart(counter, 4, rtcp.salt, compound.readUInt32BE(4), index >>> 16, index & 0xffff);
      const out = slice(outgoing, compound.length + 4 + SHA1_TAG);
      compound.copy(out, 0, 0, RTCP_HEADER);
      createCipheriv('aes-128-ctr', rtcp.encryption, counter)
        .update(compound.subarray(RTCP_HEADER))
        .copy(out, RTCP_HEADER);
      const end = compound.length + 4;
      out.writeUInt32BE((ENCRYPTED | index) >>> 0, compound.length);
      createHmac('sha1', rtcp.authentication).update(out.subarray(0, end)).digest().copy(out, end, 0, SHA1_TAG);
      index = nextIndex(index);
      return out;
    },
  };
}

/** Makes what checks and decrypts packets with AES_CM_128_HMAC_SHA1_80 (RFC 3711). Throws on a big-endian machine. */
export function createCounterOpener({ rtp, rtcp }: SessionKeys): Opener {
  onlyHere();
  const stream = createKeyStream(rtp.encryption, rtp.salt);
  const sign = createSigner(rtp.authentication);
  const counter = Buffer.alloc(16);
  const tag = Buffer.alloc(SHA1_TAG);
  return {
    tag: SHA1_TAG,
    rtp(packet, header, rolloverCounter) {
      const length = packet.length - SHA1_TAG;
      incoming.reserve(SHA1_BLOCK + length + BEHIND);
      const { memory, words } = incoming;
      const at = incoming.at + SHA1_BLOCK;
      packet.copy(memory, at, 0, length);
      write(sign(incoming, length, rolloverCounter), tag, 0, SHA1_TAG);
      if (!timingSafeEqual(tag, packet.subarray(length))) return null;
      const ssrc = (packet[8]! << 24) | (packet[9]! << 16) | (packet[10]! << 8) | packet[11]!;
      cover(
        words,
        at + header,
        at + length,
        stream.of(ssrc, rolloverCounter * 0x1_0000 + ((packet[2]! << 8) | packet[3]!), length - header),
      );
      incoming.at = at;
      return incoming.take(length);
    },
    rtcp(packet, index, encrypted) {
      const end = packet.length - SHA1_TAG;
      const made = createHmac('sha1', rtcp.authentication).update(packet.subarray(0, end)).digest();
      if (!timingSafeEqual(made.subarray(0, SHA1_TAG), packet.subarray(end))) return null;
      const out = slice(incoming, end - 4);
      packet.copy(out, 0, 0, end - 4);
      if (!encrypted) return out;
      writeStart(counter, 4, rtcp.salt, packet.readUInt32BE(4), index >>> 16, index & 0xffff);
      createDecipheriv('aes-128-ctr', rtcp.encryption, counter)
        .update(packet.subarray(RTCP_HEADER, end - 4))
        .copy(out, RTCP_HEADER);
      return out;
    },
  };
}
