/** The room: its row, the order of acts in it, and how it publishes changes. */
export { createRoomChannel } from './room.channel.ts';
export { createRoomNodes, NO_OTHER_NODES, ROOM_PREFIX, type RoomNodes } from './room.nodes.ts';
export { createRoom } from './room.service.ts';
export type { AfterCommit, Publish, Queries, Room, RoomRow } from './room.service.ts';
