/**
 * What features may do to open connections without knowing them: publish to all subscribers, and end connections. Both
 * travel over the bus, so that features can be made before the broker, and so that an order to close arrives after the
 * messages before it.
 */
import { type ProblemCode, PROBLEMS } from '@fieldroom/contract/problems';
import { ownDestination, roomDestination } from '@fieldroom/contract/realtime';
import type { Principal } from '../access.ts';
import type { Connections, Members } from '../features/clients/index.ts';
import type { Publish, RoomNodes } from '../features/room/index.ts';
import type { Bus } from '../platform/nodes/bus.ts';
import type { StompBroker } from '../platform/realtime/stomp-broker.ts';
import { createStompPublisher } from '../platform/realtime/stomp-publisher.ts';

type Order =
  /** Ends all connections of these people. */
  | { readonly kind: 'close'; readonly ids: number[]; readonly why?: ProblemCode }
  /** Ends all connections of a person with an account. */
  | { readonly kind: 'account'; readonly accountId: number }
  /** Ends the connections that one sign-in opened. */
  | { readonly kind: 'signIn'; readonly tokenHash: string }
  /** Unsubscribes people from the room; they keep their own destination. */
  | { readonly kind: 'leaveRoom'; readonly ids: number[]; readonly therapistId: number };

export interface ConnectionOrders extends Connections {
  readonly publish: Publish;
  /** Ends the connections that one sign-in of an account opened. */
  closeSignIn(accountId: number, tokenHash: Buffer): void;
  /** Ends all connections of a person with an account. */
  closeAccount(accountId: number): void;
  /** For the part that has the connections. */
  onOrder(carryOut: (order: Order) => void): void;
}

/** On the bus, so that orders and messages keep their order. */
const ORDERS = 'connections';
/** How messages are marked on their way to browsers. */
export const JSON_TEXT = { contentType: 'application/json' } as const;

/** Makes the orders to connections. Takes the bus, and what the nodes of a room tell each other. */
export function createConnectionOrders({ bus, roomNodes }: { bus: Bus; roomNodes: RoomNodes }): ConnectionOrders {
  const publish = createStompPublisher(bus);
  /** To the nodes with people of that room; the room of an account is its own. */
  const order = (therapistId: number, what: Order) => {
    bus.publishHere(ORDERS, { body: JSON.stringify(what) });
    roomNodes.tell(therapistId, ORDERS, what);
  };
  return {
    publish: (destination, change, how) => publish(destination, JSON.stringify(change), { ...how, ...JSON_TEXT }),
    close: (therapistId, ids, why) => {
      if (ids.length > 0) order(therapistId, { kind: 'close', ids: [...ids], ...(why ? { why } : {}) });
    },
    leaveRoom: (therapistId, ids) => order(therapistId, { kind: 'leaveRoom', therapistId, ids: [...ids] }),
    closeSignIn: (accountId, tokenHash) => order(accountId, { kind: 'signIn', tokenHash: tokenHash.toString('hex') }),
    closeAccount: (accountId) => order(accountId, { kind: 'account', accountId }),
    onOrder(carryOut) {
      bus.subscribe(ORDERS, ({ body }) => carryOut(JSON.parse(String(body)) as Order));
      // Through the bus too: from inside a delivery it waits for the messages before it.
      roomNodes.on<Order>(ORDERS, (_, what) => bus.publishHere(ORDERS, { body: JSON.stringify(what) }));
    },
  };
}

/** Carries out what features ordered, on the connections of this process. */
export function carryOutOrders(
  orders: Pick<ConnectionOrders, 'onOrder'>,
  members: Members,
  broker: StompBroker<Principal>,
) {
  orders.onOrder((order) => {
    switch (order.kind) {
      case 'close':
        members.forget(order.ids);
        // People who do not subscribe to their own destination yet got no message; for them the ERROR says why.
        if (order.why)
          broker.disconnect(
            ({ id }, connection) => order.ids.includes(id) && !broker.isSubscribed(connection, ownDestination(id)),
            closedFor(order.why),
          );
        broker.disconnect(({ id }) => order.ids.includes(id), { code: 1000, reason: 'ended' });
        return;
      case 'leaveRoom':
        members.forget(order.ids);
        broker.unsubscribe(roomDestination(order.therapistId), ({ id }) => order.ids.includes(id));
        return;
      case 'account':
        broker.disconnect(({ kind, id }) => kind === 'account' && id === order.accountId, closedFor('session_expired'));
        return;
      case 'signIn':
        broker.disconnect(
          (principal) => principal.kind === 'account' && principal.tokenHash.toString('hex') === order.tokenHash,
          closedFor('session_expired'),
        );
    }
  });
}

/** How to close a connection and say why. */
export const closedFor = (code: ProblemCode) => ({ code: 1008, errorCode: code, errorMessage: PROBLEMS[code].title });
