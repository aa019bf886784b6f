/**
 * What each client frame does (STOMP 1.2 "Client Frames", with the differences of 1.0 and 1.1). The frames of a
 * connection are handled one after another; a broken rule throws a refusal, which the caller turns into ERROR and
 * close.
 */
import { isUtf8 } from 'node:buffer';
import { formKey } from './stomp-outlet.ts';
import type { Conn, Subscription } from './connections/stomp-connection.ts';
import type { StompFrame } from './stomp-frame.ts';
import {
  StompRefusal,
  type RefusedFrame,
  type StompBrokerOptions,
  type StompLimits,
  type StompMessage,
} from './stomp-types.ts';

/** What the commands need from the broker. */
export interface CommandHost<P extends object> {
  readonly options: StompBrokerOptions<P>;
  readonly limits: StompLimits;
  /** Makes a subscription active; resolves when it can miss nothing that is published from now on. */
  attach(subscription: Subscription<P>): Promise<void>;
  detach(subscription: Subscription<P>): void;
  /** Goes up whenever subscriptions or connections were ended from our side. */
  revocations(): number;
}

const rule = (message: string) => new StompRefusal('protocol', message, { closeCode: 1002 });
const limit = (message: string) => new StompRefusal('limit', message);

function need(frame: StompFrame, header: string): string {
  const value = frame.headers[header];
  if (value === undefined || value === '') throw rule(`${frame.command} needs the header ${header}`);
  return value;
}

/** A message as `onSend` gets it. */
function messageOf(frame: StompFrame): StompMessage {
  const body = frame.body;
  return {
    destination: need(frame, 'destination'),
    headers: frame.headers,
    body,
    queuedAt: frame.queuedAt,
    text() {
      if (!isUtf8(body)) throw new StompRefusal('bad_text', 'the body is not UTF-8', { fatal: false });
      return (Buffer.isBuffer(body) ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength)).toString(
        'utf8',
      );
    },
  };
}

const isPromise = (value: unknown): value is Promise<void> =>
  value !== null && typeof value === 'object' && typeof (value as Promise<void>).then === 'function';

/**
 * Makes what carries out the frames of connections: `command` each in its turn, `sendVolatile` those that may be lost.
 */
export function createCommands<P extends object>(host: CommandHost<P>) {
  const { options, limits } = host;

  /** Reports a refusal that is not fatal; throws anything else again. */
  const soften = async (connection: Conn<P>, error: unknown, refused: RefusedFrame): Promise<void> => {
    if (!(error instanceof StompRefusal) || error.fatal || options.onRefused === undefined) throw error;
    await options.onRefused(connection.principal, connection, error, refused);
  };

  const send = (connection: Conn<P>, frame: StompFrame): void | Promise<void> => {
    const message = messageOf(frame);
    const refused = (error: unknown) =>
      soften(connection, error, { command: 'SEND', destination: message.destination, message });
    try {
      const work = options.onSend(connection.principal, connection, message);
      if (isPromise(work)) return work.catch(refused);
    } catch (error) {
      return refused(error);
    }
  };

  /** A message that may be lost. The promise is for the refusal alone. */
  const sendVolatile = (connection: Conn<P>, frame: StompFrame): void | Promise<void> => {
    const message = messageOf(frame);
    try {
      options.onVolatile!(connection.principal, connection, message);
    } catch (error) {
      return soften(connection, error, { command: 'SEND', destination: message.destination, message });
    }
  };

  const remember = (connection: Conn<P>, id: string) => {
    connection.ended ??= [];
    connection.ended.push(id);
    if (connection.ended.length > limits.subscriptions) connection.ended.shift();
  };

  /** In 1.0 the destination names a subscription made without id. */
  const subscriptionName = (connection: Conn<P>, frame: StompFrame): string =>
    frame.headers['id'] ??
    (connection.version === '1.0' ? `destination ${need(frame, 'destination')}` : need(frame, 'id'));
  const nameOf = (subscription: Subscription<P>) => subscription.id ?? `destination ${subscription.destination}`;

  const drop = (connection: Conn<P>, subscription: Subscription<P>) => {
    const at = connection.subscriptions.indexOf(subscription);
    if (at >= 0) connection.subscriptions.splice(at, 1);
    host.detach(subscription);
  };

  const subscribe = async (connection: Conn<P>, frame: StompFrame): Promise<void> => {
    const destination = need(frame, 'destination');
    const name = subscriptionName(connection, frame);
    const ack = frame.headers['ack'] ?? 'auto';
    if (ack !== 'auto' && ack !== 'client' && (ack !== 'client-individual' || connection.version === '1.0'))
      throw rule('SUBSCRIBE has an unknown ack mode');
    if (frame.headers['selector'] !== undefined) throw rule('selectors are not supported');
    if (connection.subscriptions.some((one) => nameOf(one) === name))
      throw rule('a subscription with this id exists already');
    if (connection.subscriptions.length >= limits.subscriptions)
      throw limit(`there are at most ${limits.subscriptions} subscriptions`);
    const { principal } = connection;
    let subscription: Subscription<P> | undefined;
    try {
      let seen: number;
      // Somebody was removed while we asked: the answer may be older than that, so ask once more.
      do {
        seen = host.revocations();
        if (!(await options.authorizeSubscribe(principal, destination, connection)))
          throw new StompRefusal('forbidden', 'this destination is not for you');
      } while (seen !== host.revocations());
      if (connection.state !== 'open') return;
      const explicitAck = ack !== 'auto';
      const id = frame.headers['id'];
      subscription = {
        connection,
        destination,
        ack,
        id,
        version: connection.version,
        explicitAck,
        formKey: formKey(id, connection.version, explicitAck),
        outstanding: null,
      };
      connection.subscriptions.push(subscription);
      await host.attach(subscription);
      if (connection.state === 'open') await options.onSubscribe?.(principal, connection, destination);
    } catch (error) {
      if (subscription !== undefined) drop(connection, subscription);
      await soften(connection, error, { command: 'SUBSCRIBE', destination, message: undefined });
      remember(connection, name);
    }
  };

  const unsubscribe = (connection: Conn<P>, frame: StompFrame): void | Promise<void> => {
    const name = subscriptionName(connection, frame);
    const subscription = connection.subscriptions.find((one) => nameOf(one) === name);
    if (subscription === undefined) {
      const at = connection.ended?.indexOf(name) ?? -1;
      if (at < 0) throw rule('there is no subscription with this id');
      connection.ended!.splice(at, 1);
      return;
    }
    drop(connection, subscription);
    return options.onUnsubscribe?.(connection.principal, connection, subscription.destination);
  };

  /** ACK and NACK. Nothing is delivered twice, so a NACK drops the message. */
  const acknowledge = (connection: Conn<P>, frame: StompFrame): void => {
    let messageId: string;
    let owner: (one: Subscription<P>) => boolean;
    if (connection.version === '1.2') {
      const id = need(frame, 'id');
      const border = id.indexOf('@');
      messageId = id.slice(0, border < 0 ? id.length : border);
      const subscriptionId = border < 0 ? undefined : id.slice(border + 1);
      owner = (one) => one.id === subscriptionId;
    } else {
      messageId = need(frame, 'message-id');
      const subscriptionId = connection.version === '1.1' ? need(frame, 'subscription') : frame.headers['subscription'];
      owner = (one) => subscriptionId === undefined || one.id === subscriptionId;
    }
    for (const subscription of connection.subscriptions) {
      const at = owner(subscription) ? (subscription.outstanding?.indexOf(messageId) ?? -1) : -1;
      if (at < 0) continue;
      // Mode `client` acknowledges everything up to the message; in 1.0 only the one message.
      if (subscription.ack === 'client' && connection.version !== '1.0') subscription.outstanding!.splice(0, at + 1);
      else subscription.outstanding!.splice(at, 1);
      if (subscription.outstanding!.length === 0) subscription.outstanding = null;
      return;
    }
    throw rule(`${frame.command} names a message that awaits no acknowledgement`);
  };

  const begin = (connection: Conn<P>, frame: StompFrame): void => {
    const name = need(frame, 'transaction');
    connection.transactions ??= new Map();
    if (connection.transactions.has(name)) throw rule('this transaction has begun already');
    if (connection.transactions.size >= limits.transactions)
      throw limit(`there are at most ${limits.transactions} transactions at a time`);
    connection.transactions.set(name, { frames: [], bytes: 0 });
  };

  const take = (connection: Conn<P>, frame: StompFrame) => {
    const name = need(frame, 'transaction');
    const transaction = connection.transactions?.get(name);
    if (transaction === undefined) throw rule('this transaction has not begun');
    connection.transactions!.delete(name);
    if (connection.transactions!.size === 0) connection.transactions = null;
    return transaction;
  };

  /** Keeps SEND, ACK or NACK for the COMMIT. */
  const enroll = (connection: Conn<P>, frame: StompFrame): void => {
    const transaction = connection.transactions?.get(frame.headers['transaction']!);
    if (transaction === undefined) throw rule('this transaction has not begun');
    if (frame.command === 'SEND') need(frame, 'destination');
    if (transaction.frames.length >= limits.transactionFrames)
      throw limit(`a transaction has at most ${limits.transactionFrames} frames`);
    transaction.bytes += frame.body.length;
    if (transaction.bytes > limits.transactionBytes)
      throw limit(`a transaction has at most ${limits.transactionBytes} bytes`);
    transaction.frames.push({ command: frame.command, headers: frame.headers, body: Uint8Array.from(frame.body) });
  };

  /** Handles what was kept, in order. A fatal refusal ends it there; the rest of the transaction is not handled. */
  const commit = async (connection: Conn<P>, frame: StompFrame): Promise<void> => {
    for (const kept of take(connection, frame).frames) {
      if (connection.state === 'closing') return;
      if (kept.command === 'SEND') await send(connection, kept);
      else acknowledge(connection, kept);
    }
  };

  /** Handles one frame; DISCONNECT and CONNECT are the caller's. Throws refusals (or rejects with them). */
  const command = (connection: Conn<P>, frame: StompFrame): void | Promise<void> => {
    const { command, headers } = frame;
    if (command !== 'SEND' && frame.body.length > 0 && connection.version !== '1.0')
      throw rule(`${command} must not have a body`);
    switch (command) {
      case 'SEND':
        return headers['transaction'] === undefined ? send(connection, frame) : enroll(connection, frame);
      case 'SUBSCRIBE':
        return connection.state === 'open' ? subscribe(connection, frame) : undefined;
      case 'UNSUBSCRIBE':
        return connection.state === 'open' ? unsubscribe(connection, frame) : undefined;
      case 'NACK':
        if (connection.version === '1.0') throw rule('NACK is not part of STOMP 1.0');
        return connection.state !== 'open'
          ? undefined
          : headers['transaction'] === undefined
            ? acknowledge(connection, frame)
            : enroll(connection, frame);
      case 'ACK':
        return connection.state !== 'open'
          ? undefined
          : headers['transaction'] === undefined
            ? acknowledge(connection, frame)
            : enroll(connection, frame);
      case 'BEGIN':
        return begin(connection, frame);
      case 'COMMIT':
        return commit(connection, frame);
      case 'ABORT':
        take(connection, frame);
        return;
      case 'CONNECT':
      case 'STOMP':
        throw rule('this connection is connected already');
      default:
        throw rule('this command is unknown');
    }
  };

  return { command, sendVolatile };
}
