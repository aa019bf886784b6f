/**
 * AEAD_AES_128_GCM (RFC 7714), for browsers that offer nothing else: Node makes a cipher object per packet, which costs
 * more than all other work on it.
 */
import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import type { SrtpSender } from './srtp.types.ts';
import { incoming, outgoing, slice } from './packet-memory.ts';
import { ENCRYPTED, nextIndex, type Opener, RTCP_HEADER, type SessionKeys, writeStart } from './srtp.keys.ts';

const GCM_TAG = 16;

/** Makes the sending side with AEAD_AES_128_GCM (RFC 7714). */
export function createGcmSender({ rtp, rtcp }: SessionKeys): SrtpSender {
  const vector = Buffer.alloc(12);
  const associated = Buffer.alloc(RTCP_HEADER + 4);
  let index = 0;
  return {
    rtp(header, payload, rolloverCounter) {
      writeStart(vector, 2, rtp.salt, header.readUInt32BE(8), rolloverCounter, header.readUInt16BE(2));
      const cipher = createCipheriv('aes-128-gcm', rtp.encryption, vector);
      cipher.setAAD(header);
      const sealed = cipher.update(payload);
      cipher.final();
      const end = header.length + sealed.length;
      const out = slice(outgoing, end + GCM_TAG);
      header.copy(out);
      sealed.copy(out, header.length);
      cipher.getAuthTag().copy(out, end);
      return out;
    },
    rtcp(compound) {
      writeStart(vector, 2, rtcp.salt, compound.readUInt32BE(4), index >>> 16, index & 0xffff);
      compound.copy(associated, 0, 0, RTCP_HEADER);
      associated.writeUInt32BE((ENCRYPTED | index) >>> 0, RTCP_HEADER);
      const cipher = createCipheriv('aes-128-gcm', rtcp.encryption, vector);
      cipher.setAAD(associated);
      const out = slice(outgoing, compound.length + GCM_TAG + 4);
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

/** Makes what checks and decrypts packets with AEAD_AES_128_GCM (RFC 7714). */
export function createGcmOpener({ rtp, rtcp }: SessionKeys): Opener {
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
      writeStart(vector, 2, rtp.salt, packet.readUInt32BE(8), rolloverCounter, packet.readUInt16BE(2));
      const plain = open(
        rtp.encryption,
        packet.subarray(0, header),
        packet.subarray(header, end),
        packet.subarray(end),
      );
      if (plain === null) return null;
      const out = slice(incoming, end);
      packet.copy(out, 0, 0, header);
      plain.copy(out, header);
      return out;
    },
    rtcp(packet, index, encrypted) {
      const last = packet.length - 4;
      const end = last - GCM_TAG;
      writeStart(vector, 2, rtcp.salt, packet.readUInt32BE(4), index >>> 16, index & 0xffff);
      // Unencrypted reports are signed as a whole (RFC 7714, 9.3).
      const clear = encrypted ? RTCP_HEADER : end;
      const associated = Buffer.concat([packet.subarray(0, clear), packet.subarray(last)]);
      const plain = open(rtcp.encryption, associated, packet.subarray(clear, end), packet.subarray(end, last));
      if (plain === null) return null;
      const out = slice(incoming, end);
      packet.copy(out, 0, 0, clear);
      plain.copy(out, clear);
      return out;
    },
  };
}
