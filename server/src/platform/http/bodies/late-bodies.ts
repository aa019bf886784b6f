/**
 * Ends requests whose body does not come whole in time: one byte a second would hold a request for long. One look at
 * all of them now and then costs less than a timer for each.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** How often it looks, as a part of the time a body has: so much later than it could, a request is ended. */
const LOOKS = 30;

/** One connection, on which one body comes at a time. */
interface Connection {
  /** Whose body is awaited; null if none. */
  request: IncomingMessage | null;
  /** When it has to be here, by `performance.now()`. */
  dueMs: number;
}

export interface LateBodies {
  /** The body of a request has to come from now on. A request without a body is left alone. */
  watch(request: IncomingMessage): void;
  /** The request was answered. Its body may still be coming. */
  answered(request: IncomingMessage): void;
  stop(): void;
}

/** Makes the watch. Takes the milliseconds in which a body has to be here. */
export function watchBodies(ms: number): LateBodies {
  // By connection, because these stay: see running-calls.ts.
  const connections = new Map<Socket, Connection>();
  const timer = setInterval(() => {
    const now = performance.now();
    for (const connection of connections.values()) {
      const { request, dueMs } = connection;
      if (request === null || (!request.complete && dueMs > now)) continue;
      connection.request = null;
      if (!request.complete) request.destroy();
    }
  }, ms / LOOKS).unref();

  function connectionOf({ socket }: IncomingMessage): Connection {
    const known = connections.get(socket);
    if (known !== undefined) return known;
    const connection: Connection = { request: null, dueMs: 0 };
    connections.set(socket, connection);
    socket.once('close', () => connections.delete(socket));
    return connection;
  }

  return {
    watch(request) {
      const { 'content-length': length = '0', 'transfer-encoding': chunked } = request.headers;
      if ((length === '0' && chunked === undefined) || request.socket.destroyed) return;
      const connection = connectionOf(request);
      connection.request = request;
      connection.dueMs = performance.now() + ms;
    },
    answered(request) {
      if (!request.complete && !request.destroyed) return;
      const connection = connections.get(request.socket);
      if (connection?.request === request) connection.request = null;
    },
    stop: () => clearInterval(timer),
  };
}
