/** The path `/video`: who may connect, how much, and how lines end. What is said on them is in connection.ts. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { VIDEO_PATH } from '@fieldroom/contract/video';
import { WebSocket, WebSocketServer } from 'ws';
import type { Member } from '../video.tickets.ts';
import { createConnection, type Connection, type ConnectionParts } from './connection.ts';
import { JANUS, SDP_BYTES } from './janus-wire.ts';

/** Real time and sizes; SAFE, "Limits". */
export interface GatewayLimits {
  /** Video messages a second, and at once. */
  messagesASecond: number;
  messagesAtOnce: number;
  /** Bytes of a message without a description; with one, the description's bound and its wrapping. */
  frameBytes: number;
  /** Bytes that wait for a slow reader before it is cut. */
  sendBytes: number;
  /** Without a sign of life a session ends. */
  sessionTimeoutMs: number;
  /** A socket without a session ends. */
  createWithinMs: number;
  connections: number;
  /** Of them, those that have not shown a ticket yet. */
  strangers: number;
}
export const GATEWAY_LIMITS: GatewayLimits = {
  messagesASecond: 20,
  messagesAtOnce: 200,
  frameBytes: 64 * 1024,
  sendBytes: 4 * 1024 * 1024,
  sessionTimeoutMs: 60_000,
  createWithinMs: 10_000,
  connections: 4_000,
  strangers: 500,
};
/** JSON writes the line ends of a description with two signs each; what is longer still is cut off unread. */
const FRAME_BYTES_WITH_JSEP = 2 * SDP_BYTES;
/** Refusals of a flood before its line is cut. */
const FLOOD_PATIENCE = 100;
const SUBPROTOCOL = 'janus-protocol';

export interface GatewayParts extends Pick<ConnectionParts, 'rooms' | 'take' | 'open'> {
  log: { error(fields: object, message: string): void };
  limits?: Partial<GatewayLimits>;
}

export interface Gateway {
  /** Takes the socket of an upgrade to `/video`; false for other paths. The caller has looked at the origin. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
  /** Ends the lines of members. */
  close(which: (member: Member) => boolean, reason: string): void;
  /** Members who have a line, each line once. */
  members(): Member[];
  count(): number;
  /** Ends all, with all sessions on the engine. */
  stop(): Promise<void>;
}

interface Socket {
  readonly ws: WebSocket;
  readonly connection: Connection;
  tokens: number;
  refilledAt: number;
  refused: number;
  lastIn: number;
}

/** Makes the gateway. In: rooms, tickets, how a session is opened. Source: Janus documentation "WebSockets interface"; PRODUCT 10. */
export function createGateway({ log, limits: wished = {}, ...parts }: GatewayParts): Gateway {
  const limits = { ...GATEWAY_LIMITS, ...wished };
  const sockets = new Set<Socket>();
  const endings = new Set<Promise<void>>();
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_BYTES_WITH_JSEP,
    perMessageDeflate: false,
    clientTracking: false,
    handleProtocols: () => SUBPROTOCOL,
  });
  let stopping = false;

  function open(ws: WebSocket): void {
    const send = (message: object) => {
      if (ws.readyState !== WebSocket.OPEN) return;
      if (ws.bufferedAmount > limits.sendBytes) return ws.terminate();
      ws.send(JSON.stringify(message));
    };
    const now = performance.now();
    const connection = createConnection({ ...parts, log, send, close: (code, reason) => ws.close(code, reason) });
    const socket: Socket = { ws, connection, tokens: limits.messagesAtOnce, refilledAt: now, refused: 0, lastIn: now };
    sockets.add(socket);

    ws.on('message', (data, isBinary) => {
      if (ws.readyState !== WebSocket.OPEN) return;
      if (isBinary) return ws.close(1003, 'text only');
      const fits = takeToken(socket);
      if (!fits) {
        if (++socket.refused > FLOOD_PATIENCE) return ws.close(1008, 'too many messages');
        return send({ janus: 'error', error: { code: JANUS.unknown, reason: 'Too many messages' } });
      }
      const bytes = data as Buffer;
      const text = bytes.toString('utf8');
      // A long message is one with a description in it, or it is none of ours.
      if (bytes.byteLength > limits.frameBytes && !/"jsep"\s*:/.test(text))
        return send({ janus: 'error', error: { code: JANUS.notJson, reason: 'Too long' } });
      try {
        connection.receive(text);
      } catch (error) {
        log.error({ err: error }, 'a message on the video line failed');
        ws.close(1011, 'failed');
      }
    });
    ws.on('error', () => ws.terminate());
    ws.on('close', () => {
      sockets.delete(socket);
      end(connection);
    });
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
      for (const { ws, connection, lastIn } of sockets) {
        const quietMs = now - lastIn;
        if (connection.member === null ? quietMs <= limits.createWithinMs : quietMs <= limits.sessionTimeoutMs)
          continue;
        if (connection.member !== null) connection.timeout();
        // Its session ends now: a peer that is gone would not answer the closing.
        end(connection);
        ws.close(1000, 'timeout');
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
      const strangers = [...sockets].filter(({ connection }) => connection.member === null).length;
      if (stopping || sockets.size >= limits.connections || strangers >= limits.strangers)
        refuse(socket, '503 Service Unavailable');
      else if (
        !(request.headers['sec-websocket-protocol'] ?? '').split(',').some((name) => name.trim() === SUBPROTOCOL)
      )
        refuse(socket, '400 Bad Request');
      else server.handleUpgrade(request, socket, head, open);
      return true;
    },
    close(which, reason) {
      for (const { ws, connection } of sockets) {
        if (connection.member === null || !which(connection.member)) continue;
        // What it holds is let go at once; the closing of the socket may take its time.
        end(connection);
        ws.close(1008, reason);
      }
    },
    members: () => [...sockets].flatMap(({ connection: { member } }) => member ?? []),
    count: () => sockets.size,
    async stop() {
      stopping = true;
      clearInterval(sweep);
      for (const { ws, connection } of sockets) {
        end(connection);
        ws.close(1001, 'the service restarts');
      }
      await Promise.all(endings);
      for (const { ws } of sockets) ws.terminate();
      server.close();
    },
  };
}
