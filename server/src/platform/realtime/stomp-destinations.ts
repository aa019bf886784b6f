/** Destinations of this node: who subscribes to them, and how a message from the bus reaches all of these. */
import type { BusMessage } from '../nodes/bus.ts';
import type { Conn, Subscription } from './connections/stomp-connection.ts';
import type { StompCore } from './stomp-core.ts';
import { outgoing } from './stomp-outlet.ts';
import { BUS_PREFIX } from './stomp-publisher.ts';
import type { Sender } from './stomp-sender.ts';
import type { StompBroker, StompStats } from './stomp-types.ts';

interface Destination<P> {
  readonly subscriptions: Set<Subscription<P>>;
  readonly leave: () => void;
}

export interface Destinations<P extends object> {
  /** Makes a subscription active; resolves when it can miss nothing that is published from now on. */
  readonly attach: (subscription: Subscription<P>) => Promise<void>;
  readonly detach: (subscription: Subscription<P>) => void;
  /** Removes all subscriptions of a connection. */
  readonly detachAll: (connection: Conn<P>) => void;
  readonly unsubscribe: StompBroker<P>['unsubscribe'];
  readonly counts: () => Pick<StompStats, 'subscriptions' | 'destinations'>;
}

/** Makes the destinations of one broker; there are none before somebody subscribes. */
export function createDestinations<P extends object>(
  core: StompCore<P>,
  { give, nextMessageId }: Pick<Sender<P>, 'give' | 'nextMessageId'>,
): Destinations<P> {
  const { limits } = core;
  const { bus } = core.options;
  const destinations = new Map<string, Destination<P>>();
  let subscriptionCount = 0;

  const deliver = (destination: string, from: BusMessage) => {
    const known = destinations.get(destination);
    if (known === undefined) return;
    const { attributes } = from;
    const except = attributes?.['except'];
    const volatile = attributes?.['lane'] === 'volatile';
    const extra = attributes?.['headers'];
    const message = outgoing(
      destination,
      nextMessageId(),
      from.body,
      attributes?.['type'],
      extra === undefined ? undefined : (JSON.parse(extra) as Record<string, string>),
    );
    for (const subscription of known.subscriptions) {
      if (subscription.connection.id !== except) give(subscription, message, volatile);
    }
  };

  const attach = (subscription: Subscription<P>): Promise<void> => {
    const { destination } = subscription;
    let known = destinations.get(destination);
    if (known === undefined) {
      known = {
        subscriptions: new Set(),
        leave: bus.subscribe(BUS_PREFIX + destination, (message) => deliver(destination, message)),
      };
      destinations.set(destination, known);
    }
    known.subscriptions.add(subscription);
    subscriptionCount++;
    // Asked even if the channel is known: its first subscription may still be on its way to the other nodes.
    return bus.ready();
  };

  const detach = (subscription: Subscription<P>): void => {
    const known = destinations.get(subscription.destination);
    if (known === undefined || !known.subscriptions.delete(subscription)) return;
    subscriptionCount--;
    subscription.outstanding = null;
    if (known.subscriptions.size === 0) {
      destinations.delete(subscription.destination);
      known.leave();
    }
  };

  const detachAll = (connection: Conn<P>) => {
    for (const subscription of connection.subscriptions) detach(subscription);
    connection.subscriptions = [];
  };

  const unsubscribe: Destinations<P>['unsubscribe'] = (destination, predicate) => {
    core.revocations++;
    const ending = [...(destinations.get(destination)?.subscriptions ?? [])].filter(({ connection }) =>
      predicate(connection.principal, connection),
    );
    for (const subscription of ending) {
      const { connection } = subscription;
      connection.subscriptions = connection.subscriptions.filter((one) => one !== subscription);
      (connection.ended ??= []).push(subscription.id ?? `destination ${destination}`);
      if (connection.ended.length > limits.subscriptions) connection.ended.shift();
      detach(subscription);
    }
    return ending.length;
  };

  return {
    attach,
    detach,
    detachAll,
    unsubscribe,
    counts: () => ({ subscriptions: subscriptionCount, destinations: destinations.size }),
  };
}
