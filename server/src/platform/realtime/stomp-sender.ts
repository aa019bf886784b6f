/**
 * What goes out to one connection: messages of its subscriptions, and frames of our own. A reader that is too slow
 * loses messages that may be lost; if it falls further behind, its connection ends.
 */
import { randomBytes } from 'node:crypto';
import { backlog, isWritable, type Conn, type Ends, type Subscription } from './connections/stomp-connection.ts';
import type { StompCore } from './stomp-core.ts';
import { stompHead, type StompVersion } from './stomp-frame.ts';
import { outgoing, wireFor, wireOf, type Outgoing } from './stomp-outlet.ts';
import type { StompBroker } from './stomp-types.ts';

const NO_BODY = new Uint8Array(0);

export interface Sender<P extends object> {
  /** A frame of our own (not MESSAGE), written at once with everything that waits before it. */
  readonly answer: (
    connection: Conn<P>,
    command: string,
    headers: Record<string, string | undefined>,
    body?: Uint8Array,
    version?: StompVersion,
  ) => void;
  /** Sends to one subscription. Returns false if it got nothing. */
  readonly give: (subscription: Subscription<P>, message: Outgoing, volatile: boolean) => boolean;
  readonly nextMessageId: () => string;
  readonly sendTo: StompBroker<P>['sendTo'];
}

/** Makes what sends. Takes what the broker's parts share, and what ends the connection of a slow reader. */
export function createSender<P extends object>(core: StompCore<P>, { close, fail }: Ends<P>): Sender<P> {
  const { options, limits, flusher, totals, count } = core;
  // Message ids differ between nodes and restarts, because a reader may meet several in a day.
  const node = randomBytes(6).toString('base64url');
  let messages = 0;
  const nextMessageId = () => `${node}-${(++messages).toString(36)}`;

  const put = (connection: Conn<P>, wire: Buffer): boolean => {
    if (!isWritable(connection)) return false;
    if (backlog(connection) + wire.length > limits.hardBytes) {
      count('closedSlow');
      options.log?.warn({ connection: connection.id }, 'closed a connection that reads too slowly');
      close(connection, 1013, 'reading too slowly');
      return false;
    }
    connection.framesOut++;
    totals.framesOut++;
    flusher.put(connection, wire);
    return true;
  };

  const answer: Sender<P>['answer'] = (connection, command, headers, body = NO_BODY, version = connection.version) => {
    if (
      put(connection, wireOf(stompHead(command, headers, version, body.length > 0 ? body.length : null), body, false))
    )
      flusher.flush(connection);
  };

  const give: Sender<P>['give'] = (subscription, message, volatile) => {
    const { connection } = subscription;
    if (
      volatile &&
      (backlog(connection) > limits.softBytes || (subscription.outstanding?.length ?? 0) >= limits.unacknowledged)
    ) {
      connection.droppedVolatile++;
      count('droppedVolatile');
      return false;
    }
    if (subscription.explicitAck && isWritable(connection)) {
      const outstanding = (subscription.outstanding ??= []);
      if (outstanding.length >= limits.unacknowledged) {
        count('closedSlow');
        fail(connection, {
          code: 'limit',
          message: `there are at most ${limits.unacknowledged} messages without acknowledgement`,
          closeCode: 1013,
        });
        return false;
      }
      outstanding.push(message.messageId);
    }
    if (!put(connection, wireFor(message, subscription))) return false;
    totals.delivered++;
    return true;
  };

  const sendTo: Sender<P>['sendTo'] = (connection, destination, body, how = {}) => {
    const { subscriptions } = connection as Conn<P>;
    const subscription = subscriptions.find((one) => one.destination === destination);
    if (subscription === undefined) return false;
    return give(
      subscription,
      outgoing(destination, nextMessageId(), body, how.contentType, how.headers),
      how.lane === 'volatile',
    );
  };

  return { answer, give, nextMessageId, sendTo };
}
