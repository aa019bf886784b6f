/**
 * What happens when messages of other nodes may have been missed
 * (docs/decisions/0024-several-nodes-over-postgresql-and-redis.md). The database knows everything, so connections are
 * brought to its state by the hooks that also serve somebody who joins.
 */
import { ownDestination, roomDestination } from '@fieldroom/contract/realtime';
import type { Stamps } from '@fieldroom/contract/revisions';
import type { Principal } from '../access.ts';
import type { Channel, Sender } from './channel.ts';
import { closedFor } from './connections.ts';
import type { Members } from '../features/clients/index.ts';
import { ROOM_PREFIX } from '../features/room/index.ts';
import type { Bus } from '../platform/nodes/bus.ts';
import type { Nodes } from '../platform/nodes/nodes.ts';
import type { StompBroker, StompConnection } from '../platform/realtime/stomp-broker.ts';
import { BUS_PREFIX } from '../platform/realtime/stomp-publisher.ts';
import { therapistOf } from './senders.ts';

type Connection = StompConnection<Principal>;

export interface GapsParts {
  readonly bus: Pick<Bus, 'isShared' | 'isWhole' | 'onGap'>;
  readonly nodes: Pick<Nodes, 'onGone' | 'allHear'>;
  readonly broker: StompBroker<Principal>;
  readonly channels: readonly Channel[];
  readonly members: Members;
  readonly senderOf: (connection: Connection) => Sender;
  readonly isSignedIn: (principal: Principal) => Promise<boolean>;
  readonly stampsOfAll: (therapistIds: readonly number[]) => Promise<ReadonlyMap<number, Stamps>>;
  /** Reads again what is kept of a room in memory. */
  readonly refreshRoom: (therapistId: number) => void;
}

/** Connections that are brought up to date at a time; each costs some queries. */
const AT_ONCE = 8;

/** Makes what closes gaps. Returns the work of every second. */
export function createGaps({ bus, nodes, broker, members, ...parts }: GapsParts): { sweep(): Promise<void> } {
  const { channels, senderOf, isSignedIn, stampsOfAll, refreshRoom } = parts;
  /** Connections that may have missed something. */
  const doubtful = new Set<Connection>();
  let catching: Promise<void> | null = null;
  /** What the rooms were told last while messages do not arrive. */
  let told = new Map<number, Stamps>();
  let lookAgain = false;
  /** Whether each node is told what happens on the others. */
  const isWhole = () => bus.isWhole() && nodes.allHear();

  /** Channels on which something may have been missed; null for all. Looked at together, as many come at once. */
  let missed = new Set<string | null>();

  function isConcerned({ principal }: Connection, channels: ReadonlySet<string | null>): boolean {
    const therapistId = therapistOf(principal);
    return (
      channels.has(null) ||
      channels.has(`${ROOM_PREFIX}${therapistId}`) ||
      channels.has(BUS_PREFIX + roomDestination(therapistId)) ||
      channels.has(BUS_PREFIX + ownDestination(principal.id))
    );
  }

  function doubt(): void {
    const channels = missed;
    missed = new Set();
    const rooms = new Set<number>();
    for (const connection of broker.connectionsOf((_, one) => isConcerned(one, channels))) {
      doubtful.add(connection);
      rooms.add(therapistOf(connection.principal));
    }
    rooms.forEach(refreshRoom);
    void catchUp();
  }
  bus.onGap((channel) => {
    if (missed.size === 0) setImmediate(doubt);
    missed.add(channel);
  });
  nodes.onGone(() => (lookAgain = true));

  /** Brings one connection to the state of the database; it may turn out that it has no right to be there. */
  async function bring(connection: Connection): Promise<void> {
    const { principal } = connection;
    const room = roomDestination(therapistOf(principal));
    const isThis = (_: Principal, other: Connection) => other === connection;
    if (!(await isSignedIn(principal))) {
      broker.disconnect(isThis, closedFor('session_expired'));
      return;
    }
    const sender = senderOf(connection);
    if (broker.isSubscribed(connection, ownDestination(principal.id)))
      for (const channel of channels) await channel.onOwnSubscribed?.(sender);
    if (!broker.isSubscribed(connection, room)) return;
    if ((await members.accessNow(principal)) === null) {
      members.forget([principal.id]);
      broker.unsubscribe(room, isThis);
      return;
    }
    for (const channel of channels) await channel.onJoin?.(sender);
  }

  function catchUp(): Promise<void> {
    return (catching ??= (async () => {
      // A fault leaves it for the sweep.
      const failed = new Set<Connection>();
      while (doubtful.size > 0) {
        const some = [...doubtful].slice(0, AT_ONCE);
        await Promise.all(
          some.map(async (connection) => {
            doubtful.delete(connection);
            await bring(connection).catch(() => failed.add(connection));
          }),
        );
      }
      const open = new Set(broker.connectionsOf(() => true));
      for (const connection of failed) if (open.has(connection)) doubtful.add(connection);
    })().finally(() => (catching = null)));
  }

  /** Tells rooms what the database says of them, if it is news. */
  async function lookAtStamps(): Promise<void> {
    const inRooms = Map.groupBy(
      broker.connectionsOf((principal, one) => broker.isSubscribed(one, roomDestination(therapistOf(principal)))),
      ({ principal }) => therapistOf(principal),
    );
    if (inRooms.size === 0) return;
    for (const [therapistId, stamps] of await stampsOfAll([...inRooms.keys()])) {
      const before = told.get(therapistId);
      // What happened between the loss and the first look at it nobody can tell.
      const first = before === undefined && !isWhole();
      const people = first || (before !== undefined && before.usersUpdatedOn !== stamps.usersUpdatedOn);
      if (!people && before?.participantsUpdatedOn === stamps.participantsUpdatedOn) continue;
      told.set(therapistId, stamps);
      refreshRoom(therapistId);
      for (const connection of inRooms.get(therapistId)!) {
        // Somebody may have been put out.
        if (people) doubtful.add(connection);
        if (first || !people) senderOf(connection).tell({ eventType: 'STAMPS', contents: null, ...stamps });
      }
    }
  }

  return {
    async sweep() {
      if (!bus.isShared) return;
      if (isWhole()) told = new Map();
      if (!isWhole() || lookAgain) {
        await lookAtStamps();
        lookAgain = false;
      }
      await catchUp();
    },
  };
}
