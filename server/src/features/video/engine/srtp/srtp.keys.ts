/** The keys of SRTP and SRTCP in one direction, from what DTLS yields (RFC 3711, 4.3). */
import { createCipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import type { SrtpKeys, SrtpProfile } from './srtp.types.ts';

/** Labels of RFC 3711, 4.3.2. */
const RTP_LABELS = { encryption: 0, authentication: 1, salt: 2 } as const;
const RTCP_LABELS = { encryption: 3, authentication: 4, salt: 5 } as const;
export const SRTCP_INDEX_MAX = 0x7fff_ffff;
/** The flag beside a report's index. */
export const ENCRYPTED = 0x8000_0000;
/** Bytes of a report that stay readable. */
export const RTCP_HEADER = 8;

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

/**
 * Key derivation of RFC 3711, 4.3.1 (rate 0): AES in counter mode over the salt, with the label in its seventh byte
 * from the end.
 */
function derive({ masterKey, masterSalt }: SrtpKeys, label: number, bytes: number): Buffer {
  const block = Buffer.alloc(16);
  masterSalt.copy(block, 0, 0, Math.min(14, masterSalt.length));
  block[7]! ^= label;
  return createCipheriv('aes-128-ctr', masterKey, block).update(Buffer.alloc(bytes));
}

/** Derives all keys of a direction. Throws when the master key does not have the profile's length. */
export function sessionKeys(keys: SrtpKeys): SessionKeys {
  if (keys.masterKey.length !== 16) throw new Error('an SRTP master key has 16 bytes');
  const protocol = (labels: typeof RTP_LABELS | typeof RTCP_LABELS): ProtocolKeys => ({
    encryption: createSecretKey(derive(keys, labels.encryption, 16)),
    authentication: createSecretKey(derive(keys, labels.authentication, 20)),
    salt: derive(keys, labels.salt, 14),
  });
  return { profile: keys.profile, rtp: protocol(RTP_LABELS), rtcp: protocol(RTCP_LABELS) };
}

/**
 * Writes the start value of a packet's encryption: salt ⊕ SSRC ⊕ packet index (32 bits and 16). `at` is the place of
 * the SSRC; the index follows it, and the salt reaches to its end. It is 4 for the counter block of RFC 3711, 4.1.1,
 * whose last two bytes count the blocks, and 2 for the vector of RFC 7714, 8.1 and 9.1.
 */
export function writeStart(into: Buffer, at: 2 | 4, salt: Buffer, ssrc: number, high: number, low: number): void {
  salt.copy(into, 0, 0, at + 10);
  into.writeUInt32BE((into.readUInt32BE(at) ^ ssrc) >>> 0, at);
  into.writeUInt32BE((into.readUInt32BE(at + 4) ^ high) >>> 0, at + 4);
  into.writeUInt16BE(into.readUInt16BE(at + 8) ^ low, at + 8);
}

/** No connection will send two billion reports; if one did, a counter must not be used twice. */
export function nextIndex(index: number): number {
  if (index >= SRTCP_INDEX_MAX) throw new Error('the SRTCP index is used up: the connection needs new keys');
  return index + 1;
}

/** Decrypts and verifies packets. The caller decides which are accepted. */
export interface Opener {
  /** Bytes behind the content. */
  readonly tag: number;
  /** The decrypted packet; null when the tag is wrong. */
  rtp(packet: Buffer, header: number, rolloverCounter: number): Buffer | null;
  rtcp(packet: Buffer, index: number, encrypted: boolean): Buffer | null;
}
