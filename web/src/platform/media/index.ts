export { createDeviceCheck } from './check.ts';
export { createMediaRoom } from './room.ts';
export type * from './media.types.ts';
