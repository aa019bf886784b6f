/**
 * The path `/video`: who may connect, how much they may send, and how connections end. Messages are handled in
 * connection.ts.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { VIDEO_PATH } from '@fieldroom/contract/video';
import { WebSocket, WebSocketServer } from 'ws';
import type { Member } from '../members/tickets.ts';
import type { Link, LinkEnd } from '../nodes/links.ts';
import { createConnection, type Connection, type ConnectionParts } from './connection.ts';
import { JANUS, SDP_BYTES } from './janus-wire.ts';
import { createRoutedConnection, type Elsewhere, fromAnotherNode } from './routed-connection.ts';
import { linkWire, socketWire, type Wire } from './wire.ts';

/** Limits, in real time and bytes (docs/product.md#14.7). */
export interface GatewayLimits {
  /** Messages per second, and at once. */
  messagesASecond: number;
  messagesAtOnce: number;
  /** Maximum bytes of a message without a description; one with a description may be longer. */
  frameBytes: number;
  /** Maximum bytes waiting for a slow reader before it is disconnected. */
  sendBytes: number;
  /** A session without a sign of life ends after this time. */
  sessionTimeoutMs: number;
  /** A socket without a session ends after this time. */
  createWithinMs: number;
  connections: number;
  /** Of them, those that have not shown a ticket yet, in all and per address. Beyond it the oldest is disconnected. */
  unauthenticated: number;
  unauthenticatedPerAddress: number;
  /** Per person; beyond it the oldest is disconnected. */
  perPerson: number;
}
const GATEWAY_LIMITS: GatewayLimits = {
  messagesASecond: 20,
  messagesAtOnce: 200,
  frameBytes: 64 * 1024,
  sendBytes: 4 * 1024 * 1024,
  sessionTimeoutMs: 60_000,
  createWithinMs: 10_000,
  connections: 4_000,
  unauthenticated: 500,
  // A whole room behind one address translation may come at once; each shows its ticket within a moment.
  unauthenticatedPerAddress: 30,
  perPerson: 6,
};
/** JSON writes each line end of a description as two characters each. Longer messages are cut off unread. */
const FRAME_BYTES_WITH_JSEP = 2 * SDP_BYTES;
/** Refusals before a flooding connection is closed. */
const FLOOD_PATIENCE = 100;
const SUBPROTOCOL = 'janus-protocol';
const refusal = (code: number, reason: string) => JSON.stringify({ janus: 'error', error: { code, reason } });

export interface GatewayParts extends Pick<ConnectionParts, 'rooms' | 'take' | 'open'> {
  log: { error(fields: object, message: string): void };
  /** The sender's address, as a block that counts as one. Default: the other end of the socket. */
  addressOf?: (request: IncomingMessage) => string;
  limits?: Partial<GatewayLimits>;
  /** The way to rooms of other nodes; left out on a service of one node. */
  elsewhere?: Elsewhere;
}

export interface Gateway {
  /** Takes the socket of an upgrade to `/video`; returns false for other paths. The caller has checked the origin. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Takes a page of another node, to a room that this one has. Returns what hears it; null when there is no place. */
  accept(link: Link): LinkEnd | null;
  /** Closes the connections of members. */
  close(which: (member: Member) => boolean, reason: string, code?: number): void;
  /** Takes no sockets any more. Pages of other nodes still come to the rooms that this one has. */
  stopTaking(): void;
  /** Sends all that are left to other nodes. */
  sendAway(): void;
  /** The members who are connected, one entry per connection. */
  members(): Member[];
  count(): number;
  /** Closes everything, with all sessions in the engine. */
  stop(): Promise<void>;
}

interface Socket {
  readonly wire: Wire;
  readonly connection: Connection;
  /** null for a page of another node, which counts strangers itself. */
  readonly address: string | null;
  tokens: number;
  refilledAt: number;
  refused: number;
  lastIn: number;
}

/**
 * Makes the gateway. Takes rooms, tickets, and how a session is opened. Source: Janus documentation "WebSockets
 * interface"; docs/product.md#10.2.
 */
export function createGateway({
  log,
  addressOf = ({ socket }) => socket.remoteAddress ?? '',
  limits: wished = {},
  elsewhere,
  ...parts
}: GatewayParts): Gateway {
  const limits = { ...GATEWAY_LIMITS, ...wished };
  const sockets = new Set<Socket>();
  const endings = new Set<Promise<void>>();
  /** Sockets that have not shown a ticket yet, by address, the oldest first. */
  const unauthenticated = new Map<string, Set<Socket>>();
  let unauthenticatedCount = 0;
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_BYTES_WITH_JSEP,
    perMessageDeflate: false,
    clientTracking: false,
    handleProtocols: () => SUBPROTOCOL,
  });
  let stopping = false;
  let stopped = false;

  function authenticated(socket: Socket): void {
    if (socket.address === null) return;
    const there = unauthenticated.get(socket.address);
    if (!there?.delete(socket)) return;
    unauthenticatedCount--;
    if (there.size === 0) unauthenticated.delete(socket.address);
  }

  function forget(socket: Socket): void {
    sockets.delete(socket);
    authenticated(socket);
  }

  /**
   * Disconnects the oldest unauthenticated socket of a crowd. Members show their ticket in the first message, so one
   * that still waits has none.
   */
  function cutOldest(crowd: ReadonlySet<Socket>): void {
    const [oldest] = crowd;
    if (oldest === undefined) return;
    forget(oldest);
    oldest.wire.cut();
  }

  /** Makes room for a connection from that address. Returns false when members take all places. */
  function makePlace(address: string): boolean {
    const there = unauthenticated.get(address);
    if (there !== undefined && there.size >= limits.unauthenticatedPerAddress) cutOldest(there);
    if (unauthenticatedCount < limits.unauthenticated && sockets.size < limits.connections) return true;
    let crowd: Set<Socket> | null = null;
    for (const one of unauthenticated.values()) if (crowd === null || one.size > crowd.size) crowd = one;
    if (crowd === null) return false;
    cutOldest(crowd);
    return true;
  }

  /** A member has come: of the same person's connections the oldest are closed. */
  function boundPerson({ personId }: Member): void {
    const theirs = [...sockets].filter(({ connection }) => connection.member?.personId === personId);
    for (const { wire, connection } of theirs.slice(0, Math.max(0, theirs.length - limits.perPerson))) {
      end(connection);
      wire.close(1008, 'too many connections');
    }
  }

  function sendText(wire: Wire, text: string): void {
    if (!wire.isOpen()) return;
    if (wire.waiting() > limits.sendBytes) return wire.cut();
    wire.send(text);
  }

  /** Makes the connection of a page. `own` is how its tickets are taken. */
  function join(wire: Wire, address: string | null, own: Pick<ConnectionParts, 'take' | 'hashOf'>): Socket {
    const now = performance.now();
    const here = createConnection({
      ...parts,
      ...own,
      log,
      send: (message) => sendText(wire, JSON.stringify(message)),
      close: wire.close,
      onMember(member) {
        authenticated(socket);
        boundPerson(member);
      },
    });
    const connection =
      elsewhere === undefined || address === null
        ? here
        : createRoutedConnection({
            here,
            elsewhere,
            sendText: (text) => sendText(wire, text),
            close: wire.close,
            waitingMax: limits.sendBytes,
            onRelayed: () => authenticated(socket),
            log,
          });
    const socket: Socket = {
      wire,
      connection,
      address,
      tokens: limits.messagesAtOnce,
      refilledAt: now,
      refused: 0,
      lastIn: now,
    };
    sockets.add(socket);
    return socket;
  }

  function hear({ wire, connection }: Socket, text: string): void {
    try {
      connection.receive(text);
    } catch (error) {
      log.error({ err: error }, 'a message on the video connection failed');
      wire.close(1011, 'failed');
    }
  }
  function closed(socket: Socket): void {
    forget(socket);
    end(socket.connection);
  }

  function open(ws: WebSocket, address: string): void {
    const wire = socketWire(ws);
    const socket = join(wire, address, { take: parts.take });
    const there = unauthenticated.get(address) ?? new Set();
    unauthenticated.set(address, there.add(socket));
    unauthenticatedCount++;

    ws.on('message', (data, isBinary) => {
      if (ws.readyState !== WebSocket.OPEN) return;
      if (isBinary) return ws.close(1003, 'text only');
      const fits = takeToken(socket);
      if (!fits) {
        if (++socket.refused > FLOOD_PATIENCE) return ws.close(1008, 'too many messages');
        return sendText(wire, refusal(JANUS.unknown, 'Too many messages'));
      }
      const bytes = data as Buffer;
      const text = bytes.toString('utf8');
      // A long message contains a description, or it is not for us.
      if (bytes.byteLength > limits.frameBytes && !/"jsep"\s*:/.test(text))
        return sendText(wire, refusal(JANUS.notJson, 'Too long'));
      hear(socket, text);
    });
    ws.on('error', () => ws.terminate());
    ws.on('close', () => closed(socket));
  }

  function end(connection: Connection): void {
    const ending = connection
      .end()
      .catch((error: unknown) => log.error({ err: error }, 'a video session could not be ended'));
    endings.add(ending);
    void ending.finally(() => endings.delete(ending));
  }

  function takeToken(socket: Socket): boolean {
    const now = performance.now();
    socket.tokens = Math.min(
      limits.messagesAtOnce,
      socket.tokens + ((now - socket.refilledAt) / 1000) * limits.messagesASecond,
    );
    socket.refilledAt = now;
    socket.lastIn = now;
    if (socket.tokens < 1) return false;
    socket.tokens--;
    return true;
  }

  const sweep = setInterval(
    () => {
      const now = performance.now();
      for (const { wire, connection, lastIn } of sockets) {
        if (connection.isRelayed) continue;
        const quietMs = now - lastIn;
        if (connection.member === null ? quietMs <= limits.createWithinMs : quietMs <= limits.sessionTimeoutMs)
          continue;
        if (connection.member !== null) connection.timeout();
        // End its session now: a peer that is gone would not answer the closing.
        end(connection);
        wire.close(1000, 'timeout');
      }
    },
    Math.min(5_000, limits.sessionTimeoutMs / 2, limits.createWithinMs / 2),
  );
  sweep.unref();

  const refuse = (socket: Duplex, status: string) => {
    socket.on('error', () => socket.destroy());
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
  };

  return {
    handleUpgrade(request, socket, head) {
      if ((request.url ?? '').split('?', 1)[0] !== VIDEO_PATH) return false;
      const address = addressOf(request);
      if (stopping) refuse(socket, '503 Service Unavailable');
      else if (
        !(request.headers['sec-websocket-protocol'] ?? '').split(',').some((name) => name.trim() === SUBPROTOCOL)
      )
        refuse(socket, '400 Bad Request');
      else if (!makePlace(address)) refuse(socket, '503 Service Unavailable');
      else server.handleUpgrade(request, socket, head, (ws) => open(ws, address));
      return true;
    },
    accept(link) {
      if (stopped || elsewhere === undefined || sockets.size >= limits.connections) {
        link.close(1013, 'try again later');
        return null;
      }
      const wire = linkWire(link, () => closed(socket));
      // Later, after the answer.
      const endSoon = (code: number, reason: string) => void setImmediate(() => wire.close(code, reason));
      let asked = false;
      // The node with the socket counts it no longer as one without a ticket: a link takes one, or ends.
      const take = async (hash: Buffer) => {
        asked = true;
        try {
          const member = await elsewhere.takeTicket(hash);
          if (member === null) endSoon(1008, 'unauthorized');
          return member;
        } catch (error) {
          endSoon(1012, 'connect again');
          throw error;
        }
      };
      const socket = join(wire, null, fromAnotherNode(take));
      return {
        frame(text) {
          if (!wire.isOpen()) return;
          // The node with the socket has counted it.
          socket.lastIn = performance.now();
          hear(socket, text);
          if (!asked) wire.close(1008, 'no ticket');
        },
        closed() {
          wire.drop();
          closed(socket);
        },
      };
    },
    close(which, reason, code = 1008) {
      for (const { wire, connection } of sockets) {
        if (connection.member === null || !which(connection.member)) continue;
        // Release what it holds at once; closing the socket may take time.
        end(connection);
        wire.close(code, reason);
      }
    },
    stopTaking: () => void (stopping = true),
    sendAway() {
      for (const { wire, connection } of sockets) {
        end(connection);
        wire.close(1012, 'connect again');
      }
    },
    members: () => [...sockets].flatMap(({ connection: { member } }) => member ?? []),
    count: () => sockets.size,
    async stop() {
      stopping = true;
      stopped = true;
      clearInterval(sweep);
      for (const { wire, connection } of sockets) {
        end(connection);
        wire.close(1001, 'the service restarts');
      }
      await Promise.all(endings);
      for (const { wire } of sockets) wire.cut();
      server.close();
    },
  };
}
