/**
 * As much of STUN (RFC 8489) as an ICE-lite agent needs (RFC 8445 section 2.5): connectivity checks come in, answers go
 * out. Pure: bytes in, bytes out.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

const MAGIC = 0x2112a442;
const HEADER = 20;
const BINDING_REQUEST = 0x0001;
const BINDING_SUCCESS = 0x0101;
const BINDING_ERROR = 0x0111;
const ATTRIBUTE = {
  username: 0x0006,
  integrity: 0x0008,
  error: 0x0009,
  xorMappedAddress: 0x0020,
  useCandidate: 0x0025,
  fingerprint: 0x8028,
  controlled: 0x8029,
} as const;
const INTEGRITY_BYTES = 20;
/** RFC 8489 section 14.7. */
const FINGERPRINT_XOR = 0x5354554e;

export interface BindingRequest {
  /** `<ours>:<theirs>`, RFC 8445 section 7.2.2. */
  username: string;
  useCandidate: boolean;
  /** The asker believes itself controlled, which towards a lite agent it never is. */
  controlled: boolean;
  transaction: Buffer;
  /** Where MESSAGE-INTEGRITY begins. */
  integrityAt: number;
}

/** Whether a datagram is STUN at all (RFC 7983: first byte 0 to 3, and the magic number). */
export const isStun = (data: Buffer) => data.length >= HEADER && data[0]! < 4 && data.readUInt32BE(4) === MAGIC;

/**
 * A connectivity check, or null when it is anything else or damaged. Integrity is checked apart, once it is known whose
 * it is.
 */
export function readBindingRequest(data: Buffer): BindingRequest | null {
  if (!isStun(data) || data.readUInt16BE(0) !== BINDING_REQUEST || data.readUInt16BE(2) + HEADER !== data.length)
    return null;
  let username = '';
  let useCandidate = false;
  let controlled = false;
  let integrityAt = -1;
  for (let at = HEADER; at + 4 <= data.length;) {
    const type = data.readUInt16BE(at);
    const length = data.readUInt16BE(at + 2);
    if (at + 4 + length > data.length) return null;
    // What follows the integrity is not covered by it and must be ignored (RFC 8489 section 14.5).
    if (integrityAt < 0) {
      if (type === ATTRIBUTE.username) username = data.toString('utf8', at + 4, at + 4 + length);
      else if (type === ATTRIBUTE.useCandidate) useCandidate = true;
      else if (type === ATTRIBUTE.controlled) controlled = true;
      else if (type === ATTRIBUTE.integrity && length === INTEGRITY_BYTES) integrityAt = at;
    }
    at += 4 + length + ((4 - (length % 4)) % 4);
  }
  if (username === '' || integrityAt < 0) return null;
  return { username, useCandidate, controlled, transaction: data.subarray(8, HEADER), integrityAt };
}

/** The integrity over everything before it, with the header's length counted up to its own end. */
function integrityOf(data: Buffer, integrityAt: number, password: string): Buffer {
  const covered = Buffer.from(data.subarray(0, integrityAt));
  covered.writeUInt16BE(integrityAt + 4 + INTEGRITY_BYTES - HEADER, 2);
  return createHmac('sha1', password).update(covered).digest();
}

/** Whether the check was made by somebody who knows our password. */
export const integrityHolds = (data: Buffer, request: BindingRequest, password: string) =>
  timingSafeEqual(
    integrityOf(data, request.integrityAt, password),
    data.subarray(request.integrityAt + 4, request.integrityAt + 4 + INTEGRITY_BYTES),
  );

function attribute(type: number, value: Buffer): Buffer {
  const padded = Buffer.alloc(4 + value.length + ((4 - (value.length % 4)) % 4));
  padded.writeUInt16BE(type, 0);
  padded.writeUInt16BE(value.length, 2);
  value.copy(padded, 4);
  return padded;
}

function xorAddress(address: string, port: number, transaction: Buffer): Buffer {
  const bytes = addressBytes(address);
  const value = Buffer.alloc(4 + bytes.length);
  value[1] = bytes.length === 4 ? 1 : 2;
  value.writeUInt16BE(port ^ (MAGIC >>> 16), 2);
  const mask = Buffer.alloc(16);
  mask.writeUInt32BE(MAGIC, 0);
  transaction.copy(mask, 4);
  bytes.forEach((byte, i) => (value[4 + i] = byte ^ mask[i]!));
  return value;
}

/** The bytes of an address in words: four, or sixteen of IPv6 with its `::` filled. */
export function addressBytes(address: string): number[] {
  if (!address.includes(':')) return address.split('.').map(Number);
  const bare = address.split('%')[0]!;
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(bare);
  const text = dotted
    ? `${dotted[1]}${((Number(dotted[2]) << 8) | Number(dotted[3])).toString(16)}:${((Number(dotted[4]) << 8) | Number(dotted[5])).toString(16)}`
    : bare;
  const [before = '', after] = text.split('::');
  const left = before === '' ? [] : before.split(':');
  const right = after === undefined || after === '' ? [] : after.split(':');
  const groups = [
    ...left,
    ...Array<string>(after === undefined ? 0 : 8 - left.length - right.length).fill('0'),
    ...right,
  ];
  return groups.flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

function finish(type: number, transaction: Buffer, attributes: Buffer[], password: string): Buffer {
  const body = Buffer.concat(attributes);
  const message = Buffer.alloc(HEADER + body.length + 4 + INTEGRITY_BYTES + 8);
  message.writeUInt16BE(type, 0);
  message.writeUInt32BE(MAGIC, 4);
  transaction.copy(message, 8);
  body.copy(message, HEADER);
  const integrityAt = HEADER + body.length;
  message.writeUInt16BE(ATTRIBUTE.integrity, integrityAt);
  message.writeUInt16BE(INTEGRITY_BYTES, integrityAt + 2);
  integrityOf(message, integrityAt, password).copy(message, integrityAt + 4);
  const fingerprintAt = integrityAt + 4 + INTEGRITY_BYTES;
  message.writeUInt16BE(message.length - HEADER, 2);
  message.writeUInt16BE(ATTRIBUTE.fingerprint, fingerprintAt);
  message.writeUInt16BE(4, fingerprintAt + 2);
  message.writeUInt32BE((crc32(message.subarray(0, fingerprintAt)) ^ FINGERPRINT_XOR) >>> 0, fingerprintAt + 4);
  return message;
}

/** The answer to a check: the address it came from, signed with our password. */
export const bindingSuccess = (request: BindingRequest, address: string, port: number, password: string) =>
  finish(
    BINDING_SUCCESS,
    request.transaction,
    [attribute(ATTRIBUTE.xorMappedAddress, xorAddress(address, port, request.transaction))],
    password,
  );

/** 487: both sides believe themselves controlled (RFC 8445 section 7.3.1.1). */
export function roleConflict(request: BindingRequest, password: string): Buffer {
  const value = Buffer.concat([Buffer.from([0, 0, 4, 87]), Buffer.from('Role Conflict')]);
  return finish(BINDING_ERROR, request.transaction, [attribute(ATTRIBUTE.error, value)], password);
}
