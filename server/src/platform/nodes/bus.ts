/**
 * The bus carries messages between the nodes of one service. In one process it is a function call; `nodes/redis-bus.ts`
 * carries them over Redis.
 *
 * Contract
 *  1. Messages reach every handler in the order in which one publisher sent them, on whatever channels.
 *  2. A publisher receives its own messages too, if it subscribes: at once, without a way over the network.
 *  3. `subscribe` takes effect at once in this process. When `ready()` has resolved, nothing that any node publishes
 *  afterwards on these channels is missed unnoticed: it arrives, or `onGap` says that something may be missing.
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
  /** Whether there may be other nodes. */
  readonly isShared: boolean;
  /** Hands a message to all handlers of the channel: those of this node at once, those of others over the network. */
  publish(channel: string, message: BusMessage): void;
  /** The same for the handlers of this node alone. */
  publishHere(channel: string, message: BusMessage): void;
  /** The same for the handlers of other nodes alone. */
  tellOthers(channel: string, message: BusMessage): void;
  /**
   * The same, for senders that need an answer. Resolves with true if Redis passed it to another node that listens to
   * the channel. A failure is not reported to the others as a gap.
   */
  reach(channel: string, message: BusMessage): Promise<boolean>;
  /** Adds a handler. Returns a function that removes it (harmless if called twice). */
  subscribe(channel: string, handler: BusHandler): () => void;
  /** See rule 3. Waits for the network for a moment at most; rejects when the bus is closed. */
  ready(): Promise<void>;
  /**
   * Calls a listener when messages of other nodes may have been missed, once they arrive again: on this channel, or on
   * any (null).
   */
  onGap(listener: (channel: string | null) => void): void;
  /** Whether messages of other nodes arrive now. */
  isWhole(): boolean;
  /** Releases everything; nothing is delivered afterwards. */
  close(): Promise<void>;
}

export interface LocalBusOptions {
  /** Called with what a handler threw; the bus itself goes on. */
  onError?: (error: unknown, channel: string) => void;
}

/**
 * A bus of a single process: delivers synchronously. What a handler publishes is delivered after its own message has
 * reached everybody, so that all handlers see one order.
 */
export function createLocalBus(options: LocalBusOptions = {}): Bus {
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

  function publish(channel: string, message: BusMessage): void {
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
  }

  return {
    isShared: false,
    publish,
    publishHere: publish,
    tellOthers() {},
    reach: async () => false,
    onGap() {},
    isWhole: () => true,
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

/** Reads JSON of the wire. Its fault says nothing of the text, which a log must not keep. */
export function parseUnquoted<T>(json: string): T {
  try {
    return JSON.parse(json) as T;
  } catch {
    throw new Error('a message that is no JSON');
  }
}
