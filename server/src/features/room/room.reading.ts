/** What joiners of a room are told, read once for all who join at the same time. */
import { createGathered } from '../../platform/scheduling/gathered.ts';
import type { Room } from './room.service.ts';

/** Takes a room and how to tell somebody; resolves when they were told, or there was nothing to tell. */
export type TellJoiner<T> = (therapistId: number, tell: (found: T) => void) => Promise<void>;

/**
 * Makes a reading of a room between two of its acts, which all share who ask while the room's earlier work runs. `read`
 * returns null where there is nothing to tell.
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
