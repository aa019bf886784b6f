/** The minimum memory of a connection: a bare `ws` server that only reads messages. Prints its port. */
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on('connection', (socket) => {
  socket.on('message', () => undefined);
  socket.on('error', () => undefined);
});
process.on('message', (message) => {
  if (message !== 'gc') return;
  globalThis.gc?.();
  process.send?.('done');
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(`port ${address.port}`);
});
