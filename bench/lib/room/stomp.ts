/** The part of STOMP 1.2 that a load generator needs. No header value here contains a character to escape. */
import { openWebSocket, type WebSocketConnection } from './websocket.ts';

const stompFrame = (command: string, headers: Record<string, string>, body = ''): string =>
  `${command}\n${Object.entries(headers)
    .map(([name, value]) => `${name}:${value}\n`)
    .join('')}\n${body}\0`;

export interface StompConnection {
  readonly socket: WebSocketConnection;
  /** Resolves with the server's receipt; rejects when the connection ends before it. */
  subscribe(id: string, destination: string): Promise<void>;
  send(destination: string, body: unknown): void;
}

export interface StompOptions {
  port: number;
  path: string;
  headers: Record<string, string>;
  /** Address of this machine from which to connect; 127.0.0.1 by default. */
  localAddress?: string | undefined;
  /** Body of a MESSAGE, valid during the call. */
  onBody(body: Buffer): void;
  onError?(text: string): void;
  onClose?(): void;
}

/** Connects. Resolves when CONNECTED has arrived; rejects on an ERROR before that. */
export async function openStomp(options: StompOptions): Promise<StompConnection> {
  let connected: () => void = () => undefined;
  let refused: (error: Error) => void = () => undefined;
  const up = new Promise<void>((resolve, reject) => {
    connected = resolve;
    refused = reject;
  });
  // The socket may end before anybody waits for CONNECTED.
  up.catch(() => undefined);
  const receipts = new Map<string, PromiseWithResolvers<void>>();
  let next = 0;

  const socket = await openWebSocket({
    port: options.port,
    path: options.path,
    protocol: 'v12.stomp',
    localAddress: options.localAddress,
    onClose: () => {
      refused(new Error('the connection was closed before CONNECTED'));
      for (const { reject } of receipts.values()) reject(new Error('the connection was closed before the receipt'));
      options.onClose?.();
    },
    onMessage(payload) {
      // A heart-beat is a single newline.
      if (payload.length < 2) return;
      if (payload[0] === 77 /* M of MESSAGE */) {
        // Brokers may add newlines after a frame, and put several frames into one message.
        for (let at = 0; at >= 0 && at < payload.length;) {
          const start = payload.indexOf('\n\n', at);
          if (start < 0) return;
          const end = payload.indexOf(0, start);
          options.onBody(payload.subarray(start + 2, end));
          at = payload.indexOf('MESSAGE', end);
        }
        return;
      }
      const text = payload.toString();
      if (text.startsWith('CONNECTED')) connected();
      else if (text.startsWith('RECEIPT')) {
        const id = /receipt-id:(\S+)/.exec(text)?.[1] ?? '';
        receipts.get(id)?.resolve();
        receipts.delete(id);
      } else if (text.startsWith('ERROR')) {
        refused(new Error(text));
        options.onError?.(text);
      }
    },
  });
  socket.send(stompFrame('CONNECT', { 'accept-version': '1.2', host: '/', 'heart-beat': '0,0', ...options.headers }));
  await up;
  return {
    socket,
    subscribe(id, destination) {
      const receipt = `r${++next}`;
      const done = Promise.withResolvers<void>();
      receipts.set(receipt, done);
      socket.send(stompFrame('SUBSCRIBE', { id, destination, receipt }));
      return done.promise;
    },
    send(destination, body) {
      socket.send(`SEND\ndestination:${destination}\ncontent-type:application/json\n\n${JSON.stringify(body)}\0`);
    },
  };
}
