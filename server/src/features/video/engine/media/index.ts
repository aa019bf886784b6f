/** The door of the pure media units: see `media.types.ts`. */
export * from './media.types.ts';
export { createForwarding } from './forwarding.ts';
export { isRtcp, readTextExtension } from './rtp.ts';
export { outgoing } from './slab.ts';
export { createSrtpReceiver, createSrtpSender, SRTP_PROFILES } from './srtp.ts';
