/** The connections of an HTTP server, with their calls that are not answered yet: a stop waits for these. */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface RunningCalls {
  /** A call has come on this connection. */
  begin(socket: Socket, call: object): void;
  /** It was answered. */
  end(socket: Socket, call: object): void;
  /** How many calls run. */
  count(): number;
  /** Resolves when no call runs; half of a request's head does not count. */
  quiet(): Promise<void>;
  /** All open connections. */
  sockets(): Iterable<Socket>;
}

/** Watches the connections of a server from now on. */
export function watchCalls(server: Pick<Server, 'on'>): RunningCalls {
  const sockets = new Map<Socket, Set<object>>();
  let onQuiet: (() => void) | null = null;
  const count = () => [...sockets.values()].reduce((sum, calls) => sum + calls.size, 0);
  const look = () => {
    if (onQuiet !== null && count() === 0) onQuiet();
  };
  server.on('connection', (socket: Socket) => {
    sockets.set(socket, new Set());
    socket.once('close', () => {
      sockets.delete(socket);
      look();
    });
  });
  return {
    begin: (socket, call) => void sockets.get(socket)?.add(call),
    end(socket, call) {
      sockets.get(socket)?.delete(call);
      look();
    },
    count,
    quiet: () =>
      new Promise((resolve) => {
        onQuiet = resolve;
        look();
      }),
    sockets: () => sockets.keys(),
  };
}
