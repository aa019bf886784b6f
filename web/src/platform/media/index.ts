export { createDeviceCheck } from './own/deviceCheck.ts';
export { createMediaRoom } from './room.ts';
export type * from './mediaTypes.ts';
