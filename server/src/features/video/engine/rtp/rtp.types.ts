/** Words of RTP that the whole engine shares: kinds of media, codecs, and the header extensions of a connection. */

export type Media = 'audio' | 'video';
/** Codecs whose key frames are known. Anything else is passed on as it comes, without layers. */
export type Codec = 'opus' | 'vp8' | 'h264' | 'other';

/** Ids of header extensions (RFC 8285) as negotiated on one connection; absent when not negotiated. */
export interface ExtensionIds {
  mid?: number;
  rid?: number;
  /** urn:ietf:params:rtp-hdrext:ssrc-audio-level, RFC 6464. */
  audioLevel?: number;
  /** urn:3gpp:video-orientation. */
  orientation?: number;
}
