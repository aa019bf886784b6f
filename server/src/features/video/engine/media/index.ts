/** The door of the pure media units: see `media.types.ts`. `createForwarding`, `createSrtpSender` and `createSrtpReceiver` are exported here too. */
export * from './media.types.ts';
