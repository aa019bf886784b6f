/**
 * Our STOMP broker alone in a process, to measure the memory of 5,000 connections. Broker, local bus and limits are the
 * product's. The identity comes from the login header instead of the database, because 5,000 people would otherwise
 * have to be admitted to 200 rooms first. Prints its port.
 */
import { createServer } from 'node:http';
import { createLocalBus } from '@fieldroom/server/platform/nodes/bus';
import { createStompBroker } from '@fieldroom/server/platform/realtime/stomp-broker';

interface Person {
  id: number;
  therapistId: number;
}

const broker = createStompBroker<Person>({
  paths: ['/socket/websocket'],
  bus: createLocalBus(),
  allowedOrigin: () => true,
  authenticate: (headers) => {
    const id = Number(headers['login']);
    return { id, therapistId: Math.floor(id / 25) };
  },
  authorizeSubscribe: () => true,
  onSend: () => undefined,
});
const server = createServer();
server.on('upgrade', (request, socket, head) => {
  if (!broker.handleUpgrade(request, socket as import('node:net').Socket, head)) socket.destroy();
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
