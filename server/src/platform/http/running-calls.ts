/**
 * The connections of an HTTP server, with how many of their calls are not answered yet: a stop waits for these. Calls
 * are counted and not collected: a set or a map that calls enter and leave is copied again and again, its copies keep
 * answered calls alive, and clearing them away took a twentieth of the server's time in a rush.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface RunningCalls {
  /** A call has come on this connection. */
  begin(socket: Socket): void;
  /** A call that has begun there was answered. */
  end(socket: Socket): void;
  /** How many calls run. */
  count(): number;
  /** Resolves when no call runs; half of a request's head does not count. */
  quiet(): Promise<void>;
  /** All open connections. */
  sockets(): Iterable<Socket>;
}

/** Watches the connections of a server from now on. */
export function watchCalls(server: Pick<Server, 'on'>): RunningCalls {
  const sockets = new Map<Socket, { running: number }>();
  let sum = 0;
  let onQuiet: (() => void) | null = null;
  const look = () => {
    if (onQuiet !== null && sum === 0) onQuiet();
  };
  server.on('connection', (socket: Socket) => {
    const connection = { running: 0 };
    sockets.set(socket, connection);
    socket.once('close', () => {
      sockets.delete(socket);
      sum -= connection.running;
      look();
    });
  });
  /** Nothing changes for a connection that has closed: its calls ended with it. */
  function add(socket: Socket, calls: 1 | -1): void {
    const connection = sockets.get(socket);
    if (connection === undefined) return;
    connection.running += calls;
    sum += calls;
  }
  return {
    begin: (socket) => add(socket, 1),
    end(socket) {
      add(socket, -1);
      look();
    },
    count: () => sum,
    quiet: () =>
      new Promise((resolve) => {
        onQuiet = resolve;
        look();
      }),
    sockets: () => sockets.keys(),
  };
}
