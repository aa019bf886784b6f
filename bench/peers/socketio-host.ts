/**
 * The obvious server: socket.io with rooms, WebSocket only, no compression. Argument `plain`: forwards each position at
 * once. Argument `batched`: collects a room's positions for 16 ms and sends the newest of each figure as one event, as
 * our server does. Prints its port.
 */
import { createServer } from 'node:http';
import { Server, type Socket } from 'socket.io';

interface Position {
  figureId: number;
  x: number;
  y: number;
}

const batched = process.argv[2] === 'batched';
const server = createServer();
const io = new Server(server, {
  transports: ['websocket'],
  perMessageDeflate: false,
  httpCompression: false,
  serveClient: false,
});
/** Dropped positions by room and figure. */
const dropped = new Map<string, Map<number, Position>>();
const waiting = new Map<string, Map<number, Position & { by: string }>>();

io.on('connection', (socket: Socket) => {
  const room = String(socket.handshake.query['room']);
  const person = String(socket.handshake.query['person']);
  void socket.join([`room ${room}`, `own ${person}`]);
  socket.on('drag', ({ figureId, x, y }: Position) => {
    if (!Number.isFinite(x) || !Number.isFinite(y)) return;
    if (!batched) {
      socket.to(`room ${room}`).emit('drag', { figureId, x, y, by: person });
      return;
    }
    let positions = waiting.get(room);
    if (!positions) {
      const collected: Map<number, Position & { by: string }> = new Map();
      waiting.set(room, collected);
      positions = collected;
      setTimeout(() => {
        waiting.delete(room);
        io.to(`room ${room}`).emit('drags', [...collected.values()]);
      }, 16);
    }
    positions.set(figureId, { figureId, x, y, by: person });
  });
  socket.on('drop', ({ figureId, x, y }: Position) => {
    let positions = dropped.get(room);
    if (!positions) dropped.set(room, (positions = new Map()));
    positions.set(figureId, { figureId, x, y });
    io.to(`room ${room}`).emit('dropped', { figureId, x, y });
  });
});

// The state of a room, for the comparison at the end.
server.on('request', (request, response) => {
  const room = /^\/state\/(.+)$/.exec(request.url ?? '')?.[1];
  if (room === undefined) return;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify([...(dropped.get(room)?.values() ?? [])]));
});
process.on('message', (message) => {
  if (message === 'gc') {
    globalThis.gc?.();
    process.send?.('done');
  }
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`port ${address.port}`);
});
