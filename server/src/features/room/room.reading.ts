/** The messages to joiners of a room, read once for all who join at the same time. */
import { createGathered } from '../../platform/scheduling/gathered.ts';
import type { Room } from './room.service.ts';

/** Takes a room and a function that sends to a person; resolves when it was sent, or there was nothing to send. */
export type TellJoiner<T> = (therapistId: number, tell: (found: T) => void) => Promise<void>;

/**
 * Makes a reading of a room between two of its acts, which all callers during the room's earlier work share. `read`
 * returns null if there is nothing to send.
 */
export function createRoomReading<T>(
  room: Pick<Room, 'inOrder'>,
  read: (therapistId: number) => Promise<T | null>,
): TellJoiner<T> {
  return createGathered<(found: T) => void>((therapistId, take) =>
    room.inOrder(therapistId, async () => {
      const all = take();
      const found = await read(therapistId);
      if (found !== null) for (const tell of all) tell(found);
    }),
  );
}
