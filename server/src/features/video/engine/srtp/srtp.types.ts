/** Keys and the two directions of a connection's SRTP (RFC 3711, RFC 7714). */

/** SRTP protection profiles as numbered by DTLS (RFC 5764, RFC 7714) and by werift. */
export const AES_CM_128_HMAC_SHA1_80 = 1;
export const AEAD_AES_128_GCM = 7;
export type SrtpProfile = typeof AES_CM_128_HMAC_SHA1_80 | typeof AEAD_AES_128_GCM;

/** What DTLS yields for one direction: key 16 bytes, salt 14 (AES_CM) or 12 (GCM). */
export interface SrtpKeys {
  profile: SrtpProfile;
  masterKey: Buffer;
  masterSalt: Buffer;
}

/** The sending side of one connection. */
export interface SrtpSender {
  /**
   * Encrypts a packet. Takes the header's bytes and the payload apart, and the rollover counter (how often the sequence
   * number has wrapped). Returns new memory or, where the thread allows it (`outgoing.reuse`), memory that must be
   * handed to a socket at once. The same input gives the same bytes; a *different* packet must never carry a sequence
   * number and counter that were used.
   */
  rtp(header: Buffer, payload: Buffer, rolloverCounter: number): Buffer;
  /** Encrypts a compound RTCP packet. Returns memory as above. */
  rtcp(compound: Buffer): Buffer;
}

/** The receiving side of one connection. Null: not authentic, replayed or malformed; drop it. */
export interface SrtpReceiver {
  rtp(packet: Buffer): Buffer | null;
  rtcp(packet: Buffer): Buffer | null;
}
