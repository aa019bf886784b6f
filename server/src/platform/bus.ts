/**
 * The bus carries messages between the nodes of one service. In one process it is a function call; a bus over a message
 * server can use the same interface.
 *
 * Contract
 *  1. Messages of one channel reach every handler in the order in which one publisher sent them.
 *  2. A publisher receives its own messages too, if it subscribes.
 *  3. `subscribe` takes effect at once in this process; `ready()` resolves when all nodes know every subscription made
 *  before it, so that nothing published afterwards is missed.
 *  4. A handler that throws harms neither other handlers nor the publisher.
 */

/**
 * What is sent. Attributes are short strings, so that a message can be written to a wire without knowing its meaning.
 */
export interface BusMessage {
  readonly body: string | Uint8Array;
  readonly attributes?: Readonly<Record<string, string>>;
}

type BusHandler = (message: BusMessage, channel: string) => void;

export interface Bus {
  /**
   * Hands a message to all handlers of the channel. If it returns a promise, that resolves when the bus has taken the
   * message.
   */
  publish(channel: string, message: BusMessage): void | Promise<void>;
  /** Adds a handler. Returns a function that removes it (harmless if called twice). */
  subscribe(channel: string, handler: BusHandler): () => void;
  /**
   * Resolves when the bus can be reached and all subscriptions made so far are active; rejects when it cannot be
   * reached.
   */
  ready(): Promise<void>;
  /** Releases everything; nothing is delivered afterwards. */
  close(): Promise<void>;
}

/** A bus that has delivered when `publish` returns. */
export interface LocalBus extends Bus {
  publish(channel: string, message: BusMessage): void;
}

export interface LocalBusOptions {
  /** Called with what a handler threw; the bus itself goes on. */
  onError?: (error: unknown, channel: string) => void;
}

/**
 * A bus of a single process: delivers synchronously. What a handler publishes is delivered after its own message has
 * reached everybody, so that all handlers see one order.
 */
export function createLocalBus(options: LocalBusOptions = {}): LocalBus {
  // Arrays are replaced, not changed, so that a delivery under way keeps its list.
  const channels = new Map<string, readonly BusHandler[]>();
  let waiting: { channel: string; message: BusMessage }[] = [];
  let delivering = false;
  let closed = false;
  const done = Promise.resolve();

  const deliver = (channel: string, message: BusMessage) => {
    const handlers = channels.get(channel);
    if (handlers === undefined) return;
    for (const handler of handlers) {
      try {
        handler(message, channel);
      } catch (error) {
        options.onError?.(error, channel);
      }
    }
  };

  return {
    publish(channel, message) {
      if (closed) return;
      if (delivering) {
        waiting.push({ channel, message });
        return;
      }
      delivering = true;
      try {
        deliver(channel, message);
        while (waiting.length > 0) {
          const batch = waiting;
          waiting = [];
          for (const next of batch) deliver(next.channel, next.message);
        }
      } finally {
        delivering = false;
      }
    },
    subscribe(channel, handler) {
      // A separate wrapper lets one function be subscribed twice and removed once.
      const own: BusHandler = (message, from) => handler(message, from);
      channels.set(channel, [...(channels.get(channel) ?? []), own]);
      return () => {
        const left = (channels.get(channel) ?? []).filter((one) => one !== own);
        if (left.length === 0) channels.delete(channel);
        else channels.set(channel, left);
      };
    },
    ready: () => (closed ? Promise.reject(new Error('the bus is closed')) : done),
    close() {
      closed = true;
      channels.clear();
      waiting = [];
      return done;
    },
  };
}
