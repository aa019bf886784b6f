export { type Channel, type ChannelOptions, createChannel, type Line } from './channel.ts';
export { freshKeeper, hear, isLacking, nextCheck, type StampKeeper, type Verdict } from './stamp-keeper.ts';
export { CHECK_GUARD_MS, SEND } from './wire.ts';
