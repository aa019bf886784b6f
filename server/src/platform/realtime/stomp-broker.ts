/**
 * A STOMP 1.0, 1.1 and 1.2 broker over WebSockets: exact destinations, no wildcards, no memory of messages. It knows
 * nothing of the product; its hooks (`StompBrokerOptions`) decide who may connect, subscribe and send.
 *
 * Why the parts are as they are
 *  - Frames of one connection are handled strictly one after the other, so that a hook never meets its own past. Only
 *    messages that may be lost do not wait for others: what follows them still comes after them.
 *  - One shared sweep looks for silence; connections have no timers.
 *  - Bytes are written to the socket past ws' sender, whose work would be repeated for each reader. That is sound
 *    because nothing is compressed: every write is a run of whole WebSocket messages (see stomp-outlet.ts).
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import type { BusMessage } from '../nodes/bus.ts';
import { createCommands } from './stomp-commands.ts';
import {
  backlog,
  creditPause,
  newConnection,
  refill,
  type Conn,
  type Failure,
  type Subscription,
} from './connections/stomp-connection.ts';
import { createCrowd } from './connections/stomp-crowd.ts';
import { createHeadCache, feedStomp, stompHead, type StompFrame, type StompVersion } from './stomp-frame.ts';
import { agree } from './connections/stomp-handshake.ts';
import { createFlusher, outgoing, wireFor, wireOf, type Outgoing } from './stomp-outlet.ts';
import { BUS_PREFIX, createStompPublisher } from './stomp-publisher.ts';
import { createSweep } from './connections/stomp-sweep.ts';
import {
  STOMP_LIMITS,
  StompRefusal,
  type StompBroker,
  type StompBrokerOptions,
  type StompConnection,
  type StompEvent,
  type StompLimits,
  type StompStats,
} from './stomp-types.ts';

export * from './stomp-types.ts';

const SUBPROTOCOLS = ['v12.stomp', 'v11.stomp', 'v10.stomp'];
const NO_BODY = new Uint8Array(0);
/** Where a WebSocket keeps its record, so that all can share the same listeners. */
const RECORD = Symbol('record');
type Held<P> = WebSocket & { [RECORD]?: Conn<P> };

interface Destination<P> {
  readonly subscriptions: Set<Subscription<P>>;
  readonly leave: () => void;
}

/**
 * Makes a broker. It listens to nothing by itself: give it the upgrades of your HTTP server, and call `drain()` at the
 * end. The clock it takes is real time; its limits are those of `STOMP_LIMITS` by default.
 */
export function createStompBroker<P extends object>(options: StompBrokerOptions<P>): StompBroker<P> {
  const limits: StompLimits = { ...STOMP_LIMITS, ...options.limits };
  const heartbeat = options.heartbeat ?? { sendMs: 20_000, wantMs: 20_000 };
  const now = options.now ?? (() => performance.now());
  const flushMs = Math.min(16, Math.max(0, options.flushMs ?? 8));
  const sweepMs =
    options.sweepMs ??
    Math.min(1_000, Math.max(20, Math.min(limits.deadAfterMs, limits.connectMs, heartbeat.sendMs || Infinity) / 8));
  const serverName = options.serverName ?? 'stomp';
  const flusher = createFlusher<Conn<P>>(flushMs, now);
  // Message ids differ between nodes and restarts, because a reader may meet several in a day.
  const node = randomBytes(6).toString('base64url');
  let messages = 0;
  const heads = createHeadCache();

  /** All whose end has not been reported yet; `open` contains only those that can be written to. */
  const all = new Set<Conn<P>>();
  const destinations = new Map<string, Destination<P>>();
  const totals = {
    framesIn: 0,
    framesOut: 0,
    delivered: 0,
    droppedVolatile: 0,
    droppedIncoming: 0,
    closedSlow: 0,
    closedDead: 0,
    closedSilent: 0,
    errors: 0,
    faults: 0,
    refusedUpgrades: 0,
  };
  let subscriptionCount = 0;
  let revocations = 0;
  let draining = false;
  let drained: Promise<void> | null = null;
  /** Called when a connection has nothing left to handle or has gone. */
  let settled: (() => void) | null = null;

  const count = (event: StompEvent) => {
    totals[event]++;
    options.metrics?.(event);
  };

  // ---- out

  const writable = (connection: Conn<P>) =>
    connection.state === 'open' || connection.state === 'connecting' || connection.state === 'waiting';

  const put = (connection: Conn<P>, wire: Buffer): boolean => {
    if (!writable(connection)) return false;
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

  /** A frame of our own (not MESSAGE), written at once with everything that waits before it. */
  const answer = (
    connection: Conn<P>,
    command: string,
    headers: Record<string, string | undefined>,
    body = NO_BODY,
    version: StompVersion = connection.version,
  ) => {
    if (
      put(connection, wireOf(stompHead(command, headers, version, body.length > 0 ? body.length : null), body, false))
    )
      flusher.flush(connection);
  };

  /** Sends to one subscription. Returns false if it got nothing. */
  const give = (subscription: Subscription<P>, message: Outgoing, volatile: boolean): boolean => {
    const { connection } = subscription;
    if (
      volatile &&
      (backlog(connection) > limits.softBytes || (subscription.outstanding?.length ?? 0) >= limits.unacknowledged)
    ) {
      connection.droppedVolatile++;
      count('droppedVolatile');
      return false;
    }
    if (subscription.explicitAck && writable(connection)) {
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

  const nextMessageId = () => `${node}-${(++messages).toString(36)}`;

  /** Delivers a message from the bus to all subscribers of this node. */
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

  // ---- subscriptions

  const attach = (subscription: Subscription<P>): Promise<void> => {
    const { destination } = subscription;
    let known = destinations.get(destination);
    if (known === undefined) {
      known = {
        subscriptions: new Set(),
        leave: options.bus.subscribe(BUS_PREFIX + destination, (message) => deliver(destination, message)),
      };
      destinations.set(destination, known);
    }
    known.subscriptions.add(subscription);
    subscriptionCount++;
    // Asked even if the channel is known: its first subscription may still be on its way to the other nodes.
    return options.bus.ready();
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
    connection.transactions = null;
  };

  // ---- the end of a connection

  /** Ends it from our side: frames that wait to be written are sent, frames that wait to be handled are dropped. */
  const close = (connection: Conn<P>, code: number, reason: string) => {
    if (!writable(connection)) return;
    flusher.flush(connection);
    connection.state = 'closing';
    crowd.leave(connection);
    connection.queue = null;
    connection.queuedBytes = 0;
    detachAll(connection);
    // A paused socket would never see the answer to the closing handshake.
    resume(connection);
    connection.ws.close(code, reason);
  };

  const fail = (connection: Conn<P>, failure: Failure) => {
    if (!writable(connection)) return;
    count('errors');
    answer(
      connection,
      'ERROR',
      {
        message: failure.message,
        code: failure.code,
        'receipt-id': failure.receipt,
        'content-type': 'text/plain',
        ...failure.headers,
      },
      Buffer.from(`${failure.message}\n`),
      // Before the version is settled nothing may be escaped.
      connection.parser.version ?? '1.0',
    );
    close(connection, failure.closeCode, failure.code);
  };

  const crowd = createCrowd<P>({
    limits,
    personOf: options.personOf,
    isFull: () => all.size >= limits.connections,
    count,
    fail,
  });

  /** Answers whatever a hook or a rule threw. */
  const failWith = (connection: Conn<P>, error: unknown, frame: StompFrame) => {
    const receipt = frame.headers['receipt'];
    if (error instanceof StompRefusal) {
      fail(connection, { code: error.code, message: error.message, closeCode: error.closeCode, receipt });
      return;
    }
    const reference = randomBytes(5).toString('hex');
    count('faults');
    // Without the error's message: it may quote what the browser sent (JSON.parse does).
    options.log?.error(
      { reference, connection: connection.id, command: frame.command, ...traceOf(error) },
      'a frame could not be handled',
    );
    fail(connection, {
      code: 'internal',
      message: `something went wrong on our side, reference ${reference}`,
      closeCode: 1011,
      receipt,
    });
  };

  const farewell = (connection: Conn<P>) => {
    const gone = () => {
      all.delete(connection);
      settled?.();
    };
    if (!connection.announced || options.onDisconnect === undefined) {
      gone();
      return;
    }
    connection.announced = false;
    const failed = (error: unknown) => {
      count('faults');
      options.log?.error({ connection: connection.id, ...traceOf(error) }, 'onDisconnect failed');
    };
    try {
      Promise.resolve(
        options.onDisconnect(connection.principal, connection, {
          graceful: connection.graceful,
          code: connection.closeCode,
        }),
      )
        .catch(failed)
        .then(gone, gone);
    } catch (error) {
      failed(error);
      gone();
    }
  };

  // ---- in: one frame after another

  const { command, sendVolatile } = createCommands<P>({
    options,
    limits,
    attach,
    detach,
    revocations: () => revocations,
  });

  const pause = (connection: Conn<P>) => {
    if (connection.pausedAt !== 0 || connection.state === 'closed') return;
    connection.pausedAt = now() || 1;
    connection.ws.pause();
  };

  const resume = (connection: Conn<P>) => {
    if (connection.pausedAt === 0) return;
    const at = now();
    creditPause(connection, limits, at);
    connection.pausedAt = 0;
    connection.lastIn = at;
    connection.ws.resume();
  };

  const finished = (connection: Conn<P>, frame: StompFrame) => {
    const receipt = frame.headers['receipt'];
    if (receipt !== undefined) answer(connection, 'RECEIPT', { 'receipt-id': receipt });
    if (frame.command === 'DISCONNECT') {
      connection.graceful = true;
      close(connection, 1000, 'disconnected');
    }
  };

  /** Handles one frame; returns a promise if that takes time. Never throws or rejects. */
  const handle = (connection: Conn<P>, frame: StompFrame): void | Promise<void> => {
    try {
      const work = frame.command === 'DISCONNECT' ? undefined : command(connection, frame);
      if (work !== undefined) {
        return work.then(
          () => finished(connection, frame),
          (error: unknown) => failWith(connection, error, frame),
        );
      }
      finished(connection, frame);
    } catch (error) {
      failWith(connection, error, frame);
    }
  };

  /** Handles a message that may be lost, whatever still waits. */
  const pass = (connection: Conn<P>, frame: StompFrame) => {
    try {
      sendVolatile(connection, frame)?.catch((error: unknown) => failWith(connection, error, frame));
    } catch (error) {
      failWith(connection, error, frame);
    }
  };

  const rest = (connection: Conn<P>) => {
    connection.busy = false;
    connection.queue = null;
    connection.queuedBytes = 0;
    resume(connection);
    if (connection.state === 'closed') farewell(connection);
    else settled?.();
  };

  /** Handles what waits until something takes time or nothing is left. */
  const work = (connection: Conn<P>): void => {
    connection.busy = true;
    for (;;) {
      const frame = connection.queue?.shift();
      if (frame === undefined) {
        rest(connection);
        return;
      }
      connection.queuedBytes -= frame.body.length;
      if (
        connection.pausedAt !== 0 &&
        connection.queue!.length <= limits.pendingFrames / 2 &&
        connection.queuedBytes <= limits.pendingBytes / 2
      )
        resume(connection);
      const taking = handle(connection, frame);
      if (taking !== undefined) {
        void taking.then(() => work(connection));
        return;
      }
    }
  };

  const enqueue = (connection: Conn<P>, frame: StompFrame) => {
    if (!connection.busy) {
      const taking = handle(connection, frame);
      if (taking === undefined) return;
      connection.busy = true;
      void taking.then(() => work(connection));
      return;
    }
    (connection.queue ??= []).push({ ...frame, queuedAt: now() });
    connection.queuedBytes += frame.body.length;
    if (connection.queue.length >= limits.pendingFrames || connection.queuedBytes >= limits.pendingBytes)
      pause(connection);
  };

  // ---- CONNECT

  const connect = (connection: Conn<P>, frame: StompFrame) => {
    const { headers } = frame;
    const agreed = agree(headers, heartbeat);
    if ('closeCode' in agreed) return fail(connection, agreed);
    const { version, beatOutMs, beatInMs } = agreed;
    connection.beatOutMs = beatOutMs;
    connection.beatInMs = beatInMs;
    connection.version = version;
    connection.parser.version = version;
    connection.state = 'connecting';
    connection.busy = true;
    const request = connection.request!;
    connection.request = null;
    const admit = async () => {
      const who = await options.authenticate(headers, request);
      if (who instanceof StompRefusal) throw who;
      if (connection.state !== 'connecting') return;
      connection.principal = who;
      connection.state = 'open';
      crowd.signIn(connection);
      const { verdicts } = connection;
      connection.verdicts = null;
      if (verdicts?.some((verdict) => verdict(who, connection))) return;
      connection.announced = true;
      await options.onConnect?.(who, connection);
      answer(connection, 'CONNECTED', {
        version: agreed.told,
        session: connection.id,
        server: serverName,
        'heart-beat': agreed.beats,
      });
    };
    void admit()
      .catch((error: unknown) => failWith(connection, error, frame))
      .then(() => work(connection));
  };

  // ---- bytes

  const tooFast = (connection: Conn<P>) =>
    fail(connection, {
      code: 'rate',
      message: `at most ${limits.framesPerSecond} frames a second are taken`,
      closeCode: 1008,
    });

  const mayBeLost = ({ command: name, headers }: StompFrame): boolean =>
    name === 'SEND' &&
    headers['receipt'] === undefined &&
    headers['transaction'] === undefined &&
    options.volatileSend?.(headers['destination'] ?? '') === true;

  const onFrame = (connection: Conn<P>, frame: StompFrame): boolean => {
    if (!writable(connection)) return false;
    connection.framesIn++;
    totals.framesIn++;
    if (--connection.wideTokens < 0) {
      tooFast(connection);
      return false;
    }
    if (mayBeLost(frame)) {
      if (connection.volatileTokens < 1) {
        count('droppedIncoming');
        return true;
      }
      connection.volatileTokens--;
      if (connection.state === 'open' && options.onVolatile !== undefined) {
        pass(connection, frame);
        return writable(connection);
      }
    } else if (connection.tokens < 1) {
      tooFast(connection);
      return false;
    } else {
      connection.tokens--;
    }
    if (connection.state === 'waiting') {
      if (frame.command === 'CONNECT' || frame.command === 'STOMP') connect(connection, frame);
      else
        fail(connection, {
          code: 'protocol',
          message: 'the first frame has to be CONNECT',
          closeCode: 1002,
          receipt: frame.headers['receipt'],
        });
    } else {
      enqueue(connection, frame);
    }
    return writable(connection);
  };

  function onMessage(this: Held<P>, data: RawData): void {
    const connection = this[RECORD];
    if (connection === undefined || draining || !writable(connection)) return;
    const at = now();
    connection.lastIn = at;
    refill(connection, limits, at);
    if (--connection.wideTokens < 0) {
      tooFast(connection);
      return;
    }
    const fault = feedStomp(connection.parser, data as Buffer, connection, onFrame);
    if (fault !== null) {
      fail(connection, {
        code: fault.code,
        message: fault.message,
        closeCode: fault.code === 'too_large' ? 1009 : 1002,
        receipt: fault.receipt,
      });
    }
  }

  function onPong(this: Held<P>): void {
    const connection = this[RECORD];
    if (connection !== undefined) connection.lastIn = now();
  }

  function onError(this: Held<P>): void {
    // ws closes by itself after a fault of the WebSocket protocol; `close` follows and does the rest.
  }

  function onClose(this: Held<P>, code: number): void {
    const connection = this[RECORD];
    if (connection === undefined || connection.state === 'closed') return;
    // Frames that the browser sent before it left are still handled (an act on the way out of the page is an act).
    connection.state = 'closed';
    crowd.leave(connection);
    connection.closeCode = code;
    connection.request = null;
    connection.out = null;
    connection.outBytes = 0;
    connection.pausedAt = 0;
    for (const subscription of connection.subscriptions) detach(subscription);
    connection.subscriptions = [];
    if (!connection.busy) farewell(connection);
  }

  // ---- upgrades

  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.messageBytes,
    handleProtocols: (offered: Set<string>) => SUBPROTOCOLS.find((one) => offered.has(one)) ?? false,
    // Known to ws 8.23, not to its types.
    ...({ closeTimeout: limits.closeMs } as object),
  });

  const open = (ws: WebSocket, socket: Duplex, path: string, request: IncomingMessage, address: string) => {
    const connection = newConnection<P>(
      randomBytes(12).toString('base64url'),
      ws,
      socket,
      path,
      request,
      address,
      limits,
      heads,
      now(),
    );
    (ws as Held<P>)[RECORD] = connection;
    all.add(connection);
    crowd.enter(connection);
    ws.on('message', onMessage);
    ws.on('pong', onPong);
    ws.on('error', onError);
    ws.on('close', onClose);
  };

  // ---- silence

  const sweep = createSweep<P>({ connections: all, limits, sweepMs, now, count, fail });
  const sweeper = setInterval(sweep, sweepMs);
  sweeper.unref();

  // ---- what others call

  const mine = (connection: StompConnection<P>) => connection as Conn<P>;

  return {
    handleUpgrade(request, socket, head) {
      const path = (request.url ?? '').split('?', 1)[0]!;
      if (!options.paths.includes(path)) return false;
      const refuse = (status: string) => {
        count('refusedUpgrades');
        socket.on('error', () => socket.destroy());
        socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
      };
      if (draining) refuse('503 Service Unavailable');
      else if (!options.allowedOrigin(request.headers.origin)) refuse('403 Forbidden');
      else {
        const address = options.addressOf?.(request) ?? request.socket.remoteAddress ?? '';
        if (!crowd.makeRoom(address)) refuse('503 Service Unavailable');
        else server.handleUpgrade(request, socket, head, (ws) => open(ws, socket, path, request, address));
      }
      return true;
    },

    publish: createStompPublisher(options.bus),

    sendTo(connection, destination, body, how = {}) {
      const subscription = mine(connection).subscriptions.find((one) => one.destination === destination);
      if (subscription === undefined) return false;
      return give(
        subscription,
        outgoing(destination, nextMessageId(), body, how.contentType, how.headers),
        how.lane === 'volatile',
      );
    },

    isSubscribed: (connection, destination) =>
      mine(connection).subscriptions.some((one) => one.destination === destination),

    unsubscribe(destination, predicate) {
      revocations++;
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
    },

    disconnect(predicate, how = {}) {
      revocations++;
      const code = how.code ?? 1008;
      const reason = how.reason ?? '';
      const end = (connection: Conn<P>) => {
        if (how.errorMessage !== undefined)
          fail(connection, { code: how.errorCode ?? 'disconnected', message: how.errorMessage, closeCode: code });
        else close(connection, code, reason);
      };
      let ended = 0;
      for (const connection of all) {
        if (connection.state === 'connecting') {
          // The sign-in is known in a moment, perhaps from what was read before this call.
          (connection.verdicts ??= []).push((principal, one) => {
            if (!predicate(principal, one)) return false;
            end(one);
            return true;
          });
        } else if (connection.state === 'open' && predicate(connection.principal, connection)) {
          end(connection);
          ended++;
        } else if (
          connection.state === 'closed' &&
          connection.announced &&
          predicate(connection.principal, connection)
        ) {
          // Already gone, but frames still wait: they are not handled any more.
          connection.queue = null;
        }
      }
      return ended;
    },

    connectionsOf(predicate) {
      const found: StompConnection<P>[] = [];
      for (const connection of all)
        if (connection.state === 'open' && predicate(connection.principal, connection)) found.push(connection);
      return found;
    },

    stats(): StompStats {
      let connections = 0;
      for (const connection of all) if (connection.state !== 'closed') connections++;
      return { connections, subscriptions: subscriptionCount, destinations: destinations.size, ...totals };
    },

    drain(timeoutMs = 5_000) {
      drained ??= (async () => {
        draining = true;
        let late = false;
        const until = (condition: () => boolean) =>
          new Promise<void>((resolve) => {
            const look = () => {
              if (!late && !condition()) return;
              settled = null;
              resolve();
            };
            settled = look;
            look();
          });
        const cut = setTimeout(() => {
          late = true;
          settled?.();
        }, timeoutMs);
        const none = (condition: (connection: Conn<P>) => boolean) => () => ![...all].some(condition);
        // Work under way may still publish and answer; after that nothing new is sent.
        await until(none((connection) => connection.busy));
        flusher.flushAll();
        for (const connection of all) close(connection, 1012, 'service restart');
        await until(none(() => true));
        if (late) {
          for (const connection of all) connection.ws.terminate();
          options.log?.warn({ connections: all.size }, 'some connections did not close in time and were cut');
        }
        clearTimeout(cut);
        clearInterval(sweeper);
        flusher.flushAll();
      })();
      return drained;
    },
  };
}

/** The parts of an error that may be logged: its name, code and where it was thrown, but not its words. */
function traceOf(error: unknown): { error: string; code?: unknown; trace: string[] } {
  if (!(error instanceof Error)) return { error: typeof error, trace: [] };
  const trace = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { error: error.name, code: (error as { code?: unknown }).code, trace: trace.map((line) => line.trim()) };
}
