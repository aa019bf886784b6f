/**
 * Messages between the nodes that have people of one room: facts that a node keeps in memory and that no browser reads.
 * They use a channel of the room, so other nodes do not get them. Like all messages they can be lost; code that keeps a
 * fact must be able to read it again (`Bus.onGap`) or survive its loss.
 */
import { type Bus, parseUnquoted } from '../../platform/nodes/bus.ts';

export interface RoomNodes {
  /** Sends to the other nodes that have people of this room. `contents` is JSON. */
  tell(therapistId: number, what: string, contents: object): void;
  /** The same for messages that may be lost and that later nodes do not need. Nothing is sent while `isAlone`. */
  tellVolatile(therapistId: number, what: string, contents: object): void;
  /**
   * Whether all people of the room are on this node. It is known from the number of recipients of the last message, so
   * it is false until something was sent, and again after a second, in case the announcement of an arrival was lost.
   */
  isAlone(therapistId: number): boolean;
  /** Listens to messages of other nodes. */
  on<T extends object>(what: string, listener: (therapistId: number, contents: T) => void): void;
  /** Announces that somebody of this room is on this node. Returns a function that undoes it. */
  enter(therapistId: number): () => void;
}

/** How long a room counts as being on this node alone, in milliseconds of real time. */
const ALONE_MS = 1_000;
/** The message of a node when it gets the first person of a room. */
const ARRIVED = 'arrived';

interface RoomHere {
  connections: number;
  /** The number of times that another node announced people of the room. */
  arrivals: number;
  /** Real time in milliseconds. */
  aloneUntil: number;
}

/** Channels of the bus about a room begin with this. */
export const ROOM_PREFIX = 'room:';

/** Makes the exchange about rooms with the other nodes, over the bus. */
export function createRoomNodes(bus: Pick<Bus, 'isShared' | 'tellOthers' | 'reach' | 'subscribe'>): RoomNodes {
  const listeners = new Map<string, ((therapistId: number, contents: never) => void)[]>();
  /** Rooms with people on this node. */
  const rooms = new Map<number, RoomHere>();
  const channelOf = (therapistId: number) => `${ROOM_PREFIX}${therapistId}`;
  const messageOf = (what: string, contents: object) => ({ body: JSON.stringify(contents), attributes: { what } });

  function tell(therapistId: number, what: string, contents: object): void {
    if (bus.isShared) bus.tellOthers(channelOf(therapistId), messageOf(what, contents));
  }

  const isAlone = (therapistId: number) =>
    !bus.isShared || performance.now() < (rooms.get(therapistId)?.aloneUntil ?? 0);

  async function tellVolatile(therapistId: number, what: string, contents: object): Promise<void> {
    if (isAlone(therapistId)) return;
    const room = rooms.get(therapistId);
    const arrivals = room?.arrivals;
    const isHeard = await bus.reach(channelOf(therapistId), messageOf(what, contents));
    // Somebody may have arrived since.
    if (room && !isHeard && room.arrivals === arrivals) room.aloneUntil = performance.now() + ALONE_MS;
  }

  /** Another node has people of this room from now on. */
  function arrived(therapistId: number): void {
    const room = rooms.get(therapistId);
    if (room === undefined) return;
    room.arrivals += 1;
    room.aloneUntil = 0;
  }

  function roomHere(therapistId: number): RoomHere {
    let room = rooms.get(therapistId);
    if (room === undefined) rooms.set(therapistId, (room = { connections: 0, arrivals: 0, aloneUntil: 0 }));
    return room;
  }

  return {
    tell,
    tellVolatile: (therapistId, what, contents) => void tellVolatile(therapistId, what, contents),
    isAlone,
    on: (what, listener) => void listeners.set(what, [...(listeners.get(what) ?? []), listener]),
    enter(therapistId) {
      if (!bus.isShared) return () => {};
      const leave = bus.subscribe(channelOf(therapistId), ({ body, attributes }) => {
        const what = attributes?.['what'] ?? '';
        if (what === ARRIVED) return arrived(therapistId);
        const contents = parseUnquoted<never>(String(body));
        for (const listener of listeners.get(what) ?? []) listener(therapistId, contents);
      });
      const room = roomHere(therapistId);
      room.connections += 1;
      // After the subscription, so that answers are received.
      if (room.connections === 1) tell(therapistId, ARRIVED, {});
      let hasLeft = false;
      return () => {
        if (hasLeft) return;
        hasLeft = true;
        leave();
        room.connections -= 1;
        if (room.connections === 0) rooms.delete(therapistId);
      };
    },
  };
}

/** A room in a service of one node. */
export const NO_OTHER_NODES: RoomNodes = {
  tell() {},
  tellVolatile() {},
  isAlone: () => true,
  on() {},
  enter: () => () => {},
};
