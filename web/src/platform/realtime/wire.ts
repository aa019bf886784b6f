/**
 * The constants of the contract's wire, spelled again for pages that must not carry its schemas. The types make a
 * difference a compile error; channel.test.ts compares the values.
 */
import type * as contract from '@fieldroom/contract/realtime';

export const SEND: typeof contract.SEND = {
  checkUpdate: '/app/check.update',
  addUser: '/app/login.addUser',
  act: '/app/field.act',
  drag: '/app/field.drag',
  point: '/app/field.point',
  videoLine: '/app/video.line',
  videoKey: '/app/video.key',
};
export const GUEST: typeof contract.GUEST = { login: 'guest', passcode: 'guest' };
export const SOCKET_PATH: (typeof contract.SOCKET_PATHS)[0] = '/socket/websocket';
export const HEARTBEAT_OUT_MS: typeof contract.HEARTBEAT_OUT_MS = 20_000;
export const RECONNECT_MS: typeof contract.RECONNECT_MS = 5_000;
export const CHECK_GUARD_MS: typeof contract.CHECK_GUARD_MS = 1_000;
export const roomDestination: typeof contract.roomDestination = (therapistId) => `/sb/user/${therapistId}`;
export const ownDestination: typeof contract.ownDestination = (personId) => `/sb/user/only/${personId}`;
