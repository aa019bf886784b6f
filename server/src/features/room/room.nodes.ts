/**
 * What the nodes that have people of one room tell each other: facts that a node keeps in memory and that no browser
 * reads. They travel on a channel of the room, so other nodes hear nothing of them. Like all messages they can be lost;
 * code that keeps a fact must be able to read it again (`Bus.onGap`) or outlive its loss.
 */
import { type Bus, parseUnquoted } from '../../platform/nodes/bus.ts';

export interface RoomNodes {
  /** Tells the other nodes that have people of this room. `contents` is JSON. */
  tell(therapistId: number, what: string, contents: object): void;
  /** Listens to what other nodes tell. */
  on<T extends object>(what: string, listener: (therapistId: number, contents: T) => void): void;
  /** Somebody of this room is on this node from now on. Returns how to take it back. */
  enter(therapistId: number): () => void;
}

/** Channels of the bus about a room begin with this. */
export const ROOM_PREFIX = 'room:';

/** Makes the exchange about rooms with the other nodes, over the bus. */
export function createRoomNodes(bus: Pick<Bus, 'isShared' | 'tellOthers' | 'subscribe'>): RoomNodes {
  const listeners = new Map<string, ((therapistId: number, contents: never) => void)[]>();
  return {
    tell(therapistId, what, contents) {
      if (bus.isShared)
        bus.tellOthers(`${ROOM_PREFIX}${therapistId}`, { body: JSON.stringify(contents), attributes: { what } });
    },
    on: (what, listener) => void listeners.set(what, [...(listeners.get(what) ?? []), listener]),
    enter(therapistId) {
      if (!bus.isShared) return () => {};
      return bus.subscribe(`${ROOM_PREFIX}${therapistId}`, ({ body, attributes }) => {
        const contents = parseUnquoted<never>(String(body));
        for (const listener of listeners.get(attributes?.['what'] ?? '') ?? []) listener(therapistId, contents);
      });
    },
  };
}

/** A room of a service of one node. */
export const NO_OTHER_NODES: RoomNodes = { tell() {}, on() {}, enter: () => () => {} };
