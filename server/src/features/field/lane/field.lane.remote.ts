/** Figures that hands on other nodes hold, as reported by those nodes. Such a hold ends like others, after silence. */
import { HOLD_MS, type DragPosition } from '@fieldroom/contract/field';

/** A figure in a hand, with the last position received. */
export interface Held {
  readonly figureId: number;
  readonly by: number;
  readonly x: number;
  readonly y: number;
  readonly rotation?: number;
  readonly scale?: number;
}

/** A hold reported by another node, with the time. */
interface RemoteHold extends Held {
  readonly at: number;
}

export interface RemoteHolds {
  /** A hand on another node has a figure here now. A later one replaces the previous one. */
  add(therapistId: number, drag: DragPosition, now: number): void;
  /** Whether another person than this one holds the figure on another node. */
  heldByOther(therapistId: number, figureId: number, personId: number, now: number): boolean;
  /** Holds of clients of the room. */
  ofClients(therapistId: number, now: number): Held[];
  /** Ends all holds for which `which` is true. */
  end(therapistId: number, which: (hold: Held) => boolean): void;
  /** Forgets holds that have been silent for too long. */
  tidy(therapistId: number, now: number): void;
  clear(): void;
}

/** Makes the holds of all rooms. Times are milliseconds of a clock that only advances. */
export function createRemoteHolds(): RemoteHolds {
  /** By therapist and figure. */
  const rooms = new Map<number, Map<number, RemoteHold>>();
  const isLive = ({ at }: RemoteHold, now: number) => now - at < HOLD_MS;

  function end(therapistId: number, which: (hold: RemoteHold) => boolean): void {
    const holds = rooms.get(therapistId);
    if (holds === undefined) return;
    for (const [figureId, hold] of holds) if (which(hold)) holds.delete(figureId);
    if (holds.size === 0) rooms.delete(therapistId);
  }

  return {
    add(therapistId, { figureId, by, x, y, rotation, scale }, now) {
      const holds = rooms.get(therapistId) ?? new Map<number, RemoteHold>();
      rooms.set(therapistId, holds);
      holds.set(figureId, {
        ...{ figureId, by, x, y, at: now },
        ...(rotation !== undefined && { rotation }),
        ...(scale !== undefined && { scale }),
      });
    },
    heldByOther(therapistId, figureId, personId, now) {
      const hold = rooms.get(therapistId)?.get(figureId);
      return hold !== undefined && hold.by !== personId && isLive(hold, now);
    },
    ofClients: (therapistId, now) =>
      [...(rooms.get(therapistId)?.values() ?? [])].filter((hold) => hold.by !== therapistId && isLive(hold, now)),
    end,
    tidy: (therapistId, now) => end(therapistId, (hold) => !isLive(hold, now)),
    clear: () => rooms.clear(),
  };
}
