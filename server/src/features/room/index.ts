/** The room: its row, the order of acts in it, and how it publishes changes. */
import type { Feature } from '../../feature.ts';
import { createRoomChannel, type RoomChannelParts } from './room.channel.ts';
import type { Room } from './room.service.ts';

export { createRoomNodes, NO_OTHER_NODES, ROOM_PREFIX, type RoomNodes } from './room.nodes.ts';
export { createRoomReading } from './room.reading.ts';
export { createRoom } from './room.service.ts';
export type { AfterCommit, Publish, Queries, Room, RoomRow } from './room.service.ts';

/**
 * Makes the room's part of the server. Takes the room, and how to read its field and its people, which are made on the
 * room and therefore after it.
 */
export function createRoomFeature(parts: RoomChannelParts & { room: Pick<Room, 'stop'> }): Feature {
  return { channel: createRoomChannel(parts), stop: parts.room.stop };
}
