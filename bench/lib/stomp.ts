/**
 * The little of STOMP 1.2 that a load generator speaks. Header values here never hold what would have to be escaped.
 */
import { openWebSocket, type WebSocketConnection } from './websocket.ts';

const stompFrame = (command: string, headers: Record<string, string>, body = ''): string =>
  `${command}\n${Object.entries(headers)
    .map(([name, value]) => `${name}:${value}\n`)
    .join('')}\n${body}\0`;

export interface StompLine {
  readonly line: WebSocketConnection;
  subscribe(id: string, destination: string): Promise<void>;
  send(destination: string, body: unknown): void;
}

export interface StompLineOptions {
  port: number;
  path: string;
  headers: Record<string, string>;
  /** Body of a MESSAGE, valid during the call. */
  onBody(body: Buffer): void;
  onError?(text: string): void;
  onClose?(): void;
}

/** Connects; out once CONNECTED has come. Rejects on ERROR before that. */
export async function openStomp(options: StompLineOptions): Promise<StompLine> {
  let connected: () => void = () => undefined;
  let refused: (error: Error) => void = () => undefined;
  const up = new Promise<void>((resolve, reject) => {
    connected = resolve;
    refused = reject;
  });
  const receipts = new Map<string, () => void>();
  let next = 0;

  const line = await openWebSocket({
    port: options.port,
    path: options.path,
    protocol: 'v12.stomp',
    onClose: () => {
      refused(new Error('the line was closed before CONNECTED'));
      options.onClose?.();
    },
    onMessage(payload) {
      // A heart-beat is a single line feed.
      if (payload.length < 2) return;
      if (payload[0] === 77 /* M of MESSAGE */) {
        // Brokers may write line feeds behind a frame, and several frames in one message.
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
        receipts.get(id)?.();
        receipts.delete(id);
      } else if (text.startsWith('ERROR')) {
        refused(new Error(text));
        options.onError?.(text);
      }
    },
  });
  line.send(stompFrame('CONNECT', { 'accept-version': '1.2', host: '/', 'heart-beat': '0,0', ...options.headers }));
  await up;
  return {
    line,
    subscribe(id, destination) {
      const receipt = `r${++next}`;
      const done = new Promise<void>((resolve) => {
        receipts.set(receipt, resolve);
      });
      line.send(stompFrame('SUBSCRIBE', { id, destination, receipt }));
      return done;
    },
    send(destination, body) {
      line.send(`SEND\ndestination:${destination}\ncontent-type:application/json\n\n${JSON.stringify(body)}\0`);
    },
  };
}
