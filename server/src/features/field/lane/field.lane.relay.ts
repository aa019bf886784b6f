/** Moves of people on other nodes, until this node's next tick of their room. */
import type { DragPosition, PointerPosition } from '@fieldroom/contract/field';

/** Where hands and pointers of a room are, as one message to people or nodes. */
export interface Moves {
  readonly drags: DragPosition[];
  readonly pointers: PointerPosition[];
}

export interface Relay {
  /** A later position of the same hand or pointer replaces the previous one. */
  add(therapistId: number, moves: Moves): void;
  /** Returns what has arrived since the last call. */
  take(therapistId: number): Moves;
  /** Drops positions of figures that an act has moved since. */
  drop(therapistId: number, figureIds: readonly number[]): void;
  clear(): void;
}

const NOTHING: Moves = { drags: [], pointers: [] };

/** Makes the relay of all rooms. */
export function createRelay(): Relay {
  const rooms = new Map<number, { drags: DragPosition[]; pointers: Map<number, PointerPosition> }>();
  return {
    add(therapistId, { drags, pointers }) {
      let room = rooms.get(therapistId);
      if (room === undefined) rooms.set(therapistId, (room = { drags: [], pointers: new Map() }));
      for (const drag of drags) {
        const before = room.drags.findIndex(({ figureId, by }) => figureId === drag.figureId && by === drag.by);
        // The latest comes last: a figure may have moved from one hand to another.
        if (before !== -1) room.drags.splice(before, 1);
        room.drags.push(drag);
      }
      for (const pointer of pointers) room.pointers.set(pointer.by, pointer);
    },
    take(therapistId) {
      const room = rooms.get(therapistId);
      if (room === undefined) return NOTHING;
      rooms.delete(therapistId);
      return { drags: room.drags, pointers: [...room.pointers.values()] };
    },
    drop(therapistId, figureIds) {
      const room = rooms.get(therapistId);
      if (room) room.drags = room.drags.filter(({ figureId }) => !figureIds.includes(figureId));
    },
    clear: () => rooms.clear(),
  };
}
