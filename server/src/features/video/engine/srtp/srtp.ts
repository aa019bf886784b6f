/**
 * SRTP and SRTCP: AES_CM_128_HMAC_SHA1_80 (RFC 3711) and AEAD_AES_128_GCM (RFC 7714), made for sending one packet to
 * many subscribers.
 *
 * Session keys are KeyObjects: with plain bytes Node would import the key for each packet, which costs more than the
 * cipher itself. Sending keeps no state per SSRC: the caller numbers its packets and states the rollover counter, so a
 * retransmission needs no guess.
 */
import {
  AEAD_AES_128_GCM,
  AES_CM_128_HMAC_SHA1_80,
  type SrtpKeys,
  type SrtpProfile,
  type SrtpReceiver,
  type SrtpSender,
} from './srtp.types.ts';
import { headerLength } from '../rtp/rtp.ts';
import { createWindow, type Window } from '../rtp/sequence-numbers.ts';
import { createCounterOpener, createCounterSender, LITTLE_ENDIAN } from './srtp.counter.ts';
import { createGcmOpener, createGcmSender } from './srtp.gcm.ts';
import { ENCRYPTED, RTCP_HEADER, type SessionKeys, sessionKeys, SRTCP_INDEX_MAX } from './srtp.keys.ts';

/** Accepted profiles, best first: in Node AES_CM costs less per packet than GCM. */
export const SRTP_PROFILES: readonly SrtpProfile[] = LITTLE_ENDIAN
  ? [AES_CM_128_HMAC_SHA1_80, AEAD_AES_128_GCM]
  : [AEAD_AES_128_GCM];

/** Above this many SSRCs of one connection new ones are dropped: an authenticated peer must not fill our memory. */
const SSRCS_MAX = 64;
/**
 * Packets this far behind the newest are accepted once; older ones are dropped (RFC 3711, 3.3.2, asks for at least 64).
 */
const REPLAY_WINDOW = 1024;

/**
 * Makes the sending side of a connection from the keys of our direction. Throws when the key does not have the
 * profile's length.
 */
export const createSrtpSender = (keys: SrtpKeys): SrtpSender => createSender(sessionKeys(keys));
/** The same from session keys that have been derived already. */
export const createSender = (keys: SessionKeys): SrtpSender =>
  keys.profile === AEAD_AES_128_GCM ? createGcmSender(keys) : createCounterSender(keys);

/** The packet index of a sequence number: the closest to the newest (RFC 3711, 3.3.1). */
function indexOf(window: Window, sequence: number): number {
  const newest = window.newest();
  if (newest < 0) return sequence;
  const rollover = Math.floor(newest / 0x1_0000);
  const distance = sequence - (newest % 0x1_0000);
  if (distance > 0x8000 && rollover > 0) return (rollover - 1) * 0x1_0000 + sequence;
  if (distance < -0x8000) return (rollover + 1) * 0x1_0000 + sequence;
  return rollover * 0x1_0000 + sequence;
}

/**
 * Makes the receiving side of a connection from the keys of the other direction; each packet is accepted once. Throws
 * when the key does not have the profile's length.
 */
export const createSrtpReceiver = (keys: SrtpKeys): SrtpReceiver => createReceiver(sessionKeys(keys));
/** The same from session keys that have been derived already. */
export function createReceiver(keys: SessionKeys): SrtpReceiver {
  const opener = keys.profile === AEAD_AES_128_GCM ? createGcmOpener(keys) : createCounterOpener(keys);
  const packets = new Map<number, Window>();
  const reports = new Map<number, Window>();

  /** State is kept only for SSRCs that proved authentic. */
  function admit(
    states: Map<number, Window>,
    ssrc: number,
    open: (seen: Window) => [index: number, plain: Buffer | null],
  ): Buffer | null {
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
      const word = packet.readUInt32BE(packet.length - 4 - (keys.profile === AEAD_AES_128_GCM ? 0 : opener.tag));
      const index = word & SRTCP_INDEX_MAX;
      return admit(reports, packet.readUInt32BE(4), (seen) => [
        index,
        seen.isNew(index) ? opener.rtcp(packet, index, word >= ENCRYPTED) : null,
      ]);
    },
  };
}
