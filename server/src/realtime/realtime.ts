/**
 * Joins the channels of all features to the STOMP broker: who may connect and listen, and which hooks run when. It
 * knows no feature's message; the wire is `contract/src/realtime.ts`.
 */
import { Problem } from '../platform/problem.ts';
import { ownDestination, roomDestination, SOCKET_PATHS } from '@fieldroom/contract/realtime';
import type { Principal } from '../access.ts';
import { type Channel, endConnection, type Sender } from './channel.ts';
import { carryOutOrders, closedFor, type ConnectionOrders } from './connections.ts';
import { createDispatch, orEnd } from './dispatch.ts';
import { createHooks } from './hooks.ts';
import type { Feature } from '../feature.ts';
import type { Members } from '../features/clients/index.ts';
import type { RoomNodes } from '../features/room/index.ts';
import { asArrival } from '../platform/db/arrivals.ts';
import {
  createStompBroker,
  type StompBroker,
  type StompBrokerOptions,
  type StompConnection,
} from '../platform/realtime/stomp-broker.ts';
import { stompGauges } from '../platform/realtime/stomp-gauges.ts';
import { bearerToken } from '../platform/tokens.ts';
import { createGaps, type GapsParts } from './realtime.gaps.ts';
import { createLeaving, type Leaving } from './realtime.leaving.ts';
import { createSenders, therapistOf } from './senders.ts';

type Connection = StompConnection<Principal>;

export interface Realtime extends Pick<Feature, 'jobs' | 'metrics'>, Pick<Leaving, 'leave' | 'stop'> {
  readonly broker: StompBroker<Principal>;
}

export interface RealtimeParts extends Pick<
  StompBrokerOptions<Principal>,
  'bus' | 'log' | 'allowedOrigin' | 'limits' | 'flushMs' | 'addressOf'
> {
  channels: readonly Channel[];
  members: Members;
  connections: Pick<ConnectionOrders, 'onOrder'>;
  /** The person to whom a bearer token belongs; null for an unknown one, a Problem for one whose end can be told. */
  identify: (token: string) => Promise<Principal | Problem | null>;
  /** Whether the sign-in of a connection still holds. */
  isSignedIn: (principal: Principal) => Promise<boolean>;
  roomNodes: Pick<RoomNodes, 'enter'>;
  nodes: GapsParts['nodes'];
  stampsOfAll: GapsParts['stampsOfAll'];
  refreshRoom: GapsParts['refreshRoom'];
  /** How long one message waits for the database in all, in milliseconds; a step of a connection waits longer. */
  waitMs: number;
}

/** Makes the real-time side. Takes the features' channels in the order in which their hooks run. */
export function createRealtime({
  channels,
  members,
  connections,
  identify,
  isSignedIn,
  roomNodes,
  nodes,
  stampsOfAll,
  refreshRoom,
  waitMs,
  ...options
}: RealtimeParts): Realtime {
  const dispatch = createDispatch({ channels, log: options.log, waitMs });
  const runHook = createHooks({ channels, waitMs });
  const senderOf = createSenders(members, () => broker);
  /** How each connection takes back that it entered its room. */
  const exits = new WeakMap<Connection, () => void>();

  const broker = createStompBroker<Principal>({
    ...options,
    paths: SOCKET_PATHS,
    volatileSend: dispatch.isVolatile,
    personOf: ({ id }) => id,

    async authenticate(headers) {
      const token = tokenIn(headers);
      if (token === null) return endConnection('not_signed_in');
      const found = await asArrival(() => orEnd(() => identify(token)));
      if (found instanceof Problem) return endConnection(found.code);
      return found ?? endConnection('session_expired');
    },
    async onConnect(_, connection) {
      if (leaving.hasBegun()) throw endConnection('shutting_down');
      exits.set(connection, roomNodes.enter(therapistOf(connection.principal)));
      // So that no order to close it goes past it.
      if (options.bus.isShared) await options.bus.ready();
      await asArrival(() => runHook('onConnect', connecting(connection)));
    },
    async onDisconnect(principal, connection) {
      const others = broker.connectionsOf((other, one) => other.id === principal.id && one.id !== connection.id);
      const last = others.length === 0;
      if (last) members.forget([principal.id]);
      const sender = senderOf(connection);
      exits.get(connection)?.();
      await Promise.all(channels.map(async (channel) => channel.onGone?.(sender, last)));
    },

    // Exact destinations only: a person's own one, and the room the person is in.
    async authorizeSubscribe(principal, destination) {
      if (destination === ownDestination(principal.id)) return true;
      if (destination !== roomDestination(therapistOf(principal))) return false;
      return (await asArrival(() => orEnd(() => members.accessNow(principal)))) !== null;
    },
    onSubscribe: (principal, connection, destination) =>
      asArrival(() =>
        runHook(destination === ownDestination(principal.id) ? 'onOwnSubscribed' : 'onJoin', connecting(connection)),
      ),

    onSend: (_, connection, message) => dispatch.handle(message, senderOf(connection)),
    onVolatile: (_, connection, message) => dispatch.handleVolatile(message, senderOf(connection)),
    // A refusal that is not fatal: the connection goes on, the sender reads why.
    onRefused: (_, connection, refused, { message }) => dispatch.refuse(refused, message, senderOf(connection)),
  });
  const leaving: Leaving = createLeaving({ broker, senderOf });
  carryOutOrders(connections, members, broker);
  const gaps = createGaps({
    ...{ bus: options.bus, nodes, broker, channels, members, senderOf, isSignedIn, stampsOfAll, refreshRoom },
  });

  /**
   * The sender of a connection that is being made. Each feature asks what the person may do, and the subscription has
   * just been allowed for that reason; somebody who leaves the room is forgotten at once.
   */
  function connecting(connection: Connection): Sender {
    const sender = senderOf(connection);
    return { ...sender, access: async () => members.admittedAs(sender.principal) ?? sender.access() };
  }

  /** Ends connections whose sign-in has run out. */
  async function checkSignIns(): Promise<void> {
    members.tidy();
    const gone = new Set<Connection>();
    for (const connection of broker.connectionsOf(() => true))
      if (!(await isSignedIn(connection.principal))) gone.add(connection);
    broker.disconnect((_, connection) => gone.has(connection), closedFor('session_expired'));
  }

  return {
    broker,
    jobs: [
      { name: 'realtime.checkSignIns', everySeconds: 60, run: checkSignIns },
      ...(options.bus.isShared ? [{ name: 'realtime.gaps', everySeconds: 1, run: gaps.sweep }] : []),
    ],
    metrics: stompGauges(broker),
    leave: leaving.leave,
    stop: leaving.stop,
  };
}

/** The bearer token of CONNECT: `Authorization: Bearer …`, in the spelling the program chose, or `token` alone. */
const tokenIn = (headers: Readonly<Record<string, string | undefined>>) =>
  bearerToken(headers.Authorization ?? headers.authorization ?? `Bearer ${headers.token ?? ''}`);
