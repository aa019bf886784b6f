/** How a connection begins: an HTTP upgrade is refused, or becomes a WebSocket with a record and listeners. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { StompCore } from '../stomp-core.ts';
import { createHeadCache } from '../stomp-frame.ts';
import type { StompBroker } from '../stomp-types.ts';
import { newConnection, RECORD, type Held } from './stomp-connection.ts';
import type { Crowd } from './stomp-crowd.ts';
import type { Endings } from './stomp-endings.ts';
import type { Intake } from './stomp-intake.ts';

const SUBPROTOCOLS = ['v12.stomp', 'v11.stomp', 'v10.stomp'];

/** Makes `handleUpgrade` of one broker. */
export function createUpgrade<P extends object>(
  core: StompCore<P>,
  crowd: Pick<Crowd<P>, 'makeRoom' | 'enter'>,
  { onMessage, onPong }: Intake<P>,
  { onClose }: Pick<Endings<P>, 'onClose'>,
): StompBroker<P>['handleUpgrade'] {
  const { options, limits, now, all, count } = core;
  const heads = createHeadCache();
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: limits.messageBytes,
    handleProtocols: (offered: Set<string>) => SUBPROTOCOLS.find((one) => offered.has(one)) ?? false,
    // Known to ws 8.23, not to its types.
    ...({ closeTimeout: limits.closeMs } as object),
  });

  function onError(this: Held<P>): void {
    // ws closes by itself after a fault of the WebSocket protocol; `close` follows and does the rest.
  }

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

  return (request, socket, head) => {
    const path = (request.url ?? '').split('?', 1)[0]!;
    if (!options.paths.includes(path)) return false;
    const refuse = (status: string) => {
      count('refusedUpgrades');
      socket.on('error', () => socket.destroy());
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`, () => socket.destroy());
    };
    if (core.draining) refuse('503 Service Unavailable');
    else if (!options.allowedOrigin(request.headers.origin)) refuse('403 Forbidden');
    else {
      const address = options.addressOf?.(request) ?? request.socket.remoteAddress ?? '';
      if (!crowd.makeRoom(address)) refuse('503 Service Unavailable');
      else server.handleUpgrade(request, socket, head, (ws) => open(ws, socket, path, request, address));
    }
    return true;
  };
}
