/** A broker on a real socket and a bare client that sees every WebSocket message; for the tests of this folder. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket } from 'ws';
import { createLocalBus, type Bus } from '../nodes/bus.ts';
import { createStompBroker, StompRefusal, type StompBroker, type StompBrokerOptions } from './stomp-broker.ts';
import { createStompParser, FRAME_LIMITS, feedStomp, stompHead, type StompVersion } from './stomp-frame.ts';

export interface Someone {
  name: string;
}

export interface Stage {
  broker: StompBroker<Someone>;
  bus: Bus;
  url: string;
  http: Server;
  /** The calls of the hooks, in order. */
  told: string[];
  /** What was logged, as it would be written. */
  logged: string[];
  stop(): Promise<void>;
}

const PATH = '/socket';

/**
 * Everybody who gives a login is let in by that name. `/topic/…` may be subscribed; `/app/echo` publishes what it gets
 * on `/topic/echo`; other destinations do what their names say.
 */
export async function stage(overrides: Partial<StompBrokerOptions<Someone>> = {}): Promise<Stage> {
  const told: string[] = [];
  const logged: string[] = [];
  const bus = overrides.bus ?? createLocalBus();
  const log = (fields: object, message: string) => void logged.push(JSON.stringify({ ...fields, message }));
  const options: StompBrokerOptions<Someone> = {
    paths: [PATH],
    bus,
    authenticate: (headers) =>
      headers['login'] === undefined ? new StompRefusal('unauthorized', 'who are you?') : { name: headers['login'] },
    authorizeSubscribe: (_, destination) => destination.startsWith('/topic/'),
    onSend(principal, connection, message) {
      const bytes = message.destination === '/app/echo-bytes';
      told.push(`send ${principal.name} ${message.destination} ${bytes ? message.body.length : message.text()}`);
      switch (message.destination) {
        case '/app/echo':
          broker.publish('/topic/echo', message.text(), { contentType: 'text/plain' });
          return;
        case '/app/echo-bytes':
          broker.publish('/topic/echo', Uint8Array.from(message.body));
          return;
        case '/app/refuse':
          throw new StompRefusal('not_now', 'not now', { fatal: false });
        case '/app/refuse-hard':
          return Promise.reject(new StompRefusal('never', 'never'));
        case '/app/bug':
          JSON.parse(message.text());
          return;
        case '/app/answer':
          broker.sendTo(connection, '/topic/own', `for ${principal.name}`);
      }
    },
    onRefused(principal, connection, refusal, { destination }) {
      told.push(`refused ${principal.name} ${destination} ${refusal.code}`);
      broker.sendTo(connection, '/topic/own', `refused ${refusal.code}`);
    },
    onConnect: ({ name }) => void told.push(`connect ${name}`),
    onSubscribe: ({ name }, _, destination) => void told.push(`subscribe ${name} ${destination}`),
    onUnsubscribe: ({ name }, _, destination) => void told.push(`unsubscribe ${name} ${destination}`),
    onDisconnect: ({ name }, _, { graceful, code }) => void told.push(`disconnect ${name} ${graceful} ${code}`),
    allowedOrigin: (origin) => origin === undefined || origin === 'https://good.example',
    log: { warn: log, error: log },
    sweepMs: 20,
    ...overrides,
    // Connections that send nothing here stay silent until the test goes on, even on a machine that is suspended in
    // between.
    limits: { connectMs: 600_000, ...overrides.limits },
  };
  const broker: StompBroker<Someone> = createStompBroker(options);
  const http = createServer();
  http.on('upgrade', (request, socket, head) => {
    if (!broker.handleUpgrade(request, socket, head)) socket.destroy();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    broker,
    bus,
    told,
    logged,
    http,
    url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}${PATH}`,
    async stop() {
      await broker.drain(200);
      await new Promise<void>((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      });
    },
  };
}

interface Got {
  command: string;
  headers: Record<string, string | undefined>;
  body: string;
  bytes: Buffer;
}

export interface Bare {
  ws: WebSocket;
  /** Everything received and not taken yet. */
  got: Got[];
  beats: number;
  /** WebSocket messages received. */
  messages: number;
  closed: Promise<{ code: number; reason: string }>;
  sendText(text: string): void;
  send(command: string, headers?: Record<string, string>, body?: string | Uint8Array): void;
  /** Takes the next frame from `got`; rejects if the connection closes before. */
  next(): Promise<Got>;
  connect(headers?: Record<string, string>): Promise<Got>;
  subscribe(destination: string, headers?: Record<string, string>): Promise<void>;
  /** Sends a frame with a receipt and waits for it; frames that came before are kept in `got`. */
  settle(command: string, headers?: Record<string, string>, body?: string | Uint8Array): Promise<void>;
}

let receipts = 0;

/** A client that knows only frames. */
export async function bare(
  url: string,
  version: StompVersion = '1.2',
  options: { protocols?: string[]; origin?: string } = {},
): Promise<Bare> {
  const ws = new WebSocket(url, options.protocols ?? [], { origin: options.origin, perMessageDeflate: false });
  const parser = createStompParser({ ...FRAME_LIMITS, bodyBytes: 10_000_000, frameBytes: 10_000_000 }, version);
  let wake: (() => void)[] = [];
  let gone = false;
  const rouse = () => {
    const due = wake;
    wake = [];
    for (const one of due) one();
  };
  const client: Bare = {
    ws,
    got: [],
    beats: 0,
    messages: 0,
    closed: new Promise((resolve) =>
      ws.on('close', (code, reason) => {
        gone = true;
        resolve({ code, reason: String(reason) });
        rouse();
      }),
    ),
    sendText: (text) => ws.send(text),
    send: (command, headers = {}, body) =>
      ws.send(serializeStomp({ command, headers, body }, version), {
        binary: body !== undefined && typeof body !== 'string',
      }),
    async next() {
      for (;;) {
        const frame = client.got.shift();
        if (frame !== undefined) return frame;
        if (gone) throw new Error('closed');
        await new Promise<void>((resolve) => wake.push(resolve));
      }
    },
    async connect(headers = {}) {
      client.send('CONNECT', { ...(version === '1.0' ? {} : { 'accept-version': version }), login: 'ann', ...headers });
      return client.next();
    },
    subscribe: (destination, headers = {}) => client.settle('SUBSCRIBE', { id: destination, destination, ...headers }),
    async settle(command, headers = {}, body) {
      const receipt = `r${++receipts}`;
      client.send(command, { ...headers, receipt }, body);
      for (;;) {
        const at = client.got.findIndex(
          (frame) => frame.command === 'ERROR' || frame.headers['receipt-id'] === receipt,
        );
        if (at >= 0) {
          const frame = client.got[at]!;
          if (frame.command === 'ERROR') throw new Error(`ERROR ${frame.headers['message']}`);
          client.got.splice(at, 1);
          return;
        }
        if (gone) throw new Error('closed');
        await new Promise<void>((resolve) => wake.push(resolve));
      }
    },
  };
  ws.on('message', (data, isBinary) => {
    client.messages++;
    const fault = feedStomp(
      parser,
      data as Buffer,
      client,
      (to, { command, headers, body }) => {
        const bytes = Buffer.from(body);
        to.got.push({
          command,
          headers: { ...headers, ...(isBinary ? { ':binary': 'yes' } : {}) },
          body: bytes.toString('utf8'),
          bytes,
        });
        return true;
      },
      (to) => void to.beats++,
    );
    if (fault !== null) throw new Error(fault.message);
    rouse();
  });
  await new Promise<void>((resolve, reject) => {
    ws.once('open', resolve);
    ws.once('error', reject);
  });
  ws.on('error', () => {});
  return client;
}

/** A connected client. */
export async function joined(url: string, name = 'ann', version: StompVersion = '1.2'): Promise<Bare> {
  const client = await bare(url, version);
  const answer = await client.connect({ login: name });
  if (answer.command !== 'CONNECTED') throw new Error(`${answer.command} ${answer.body}`);
  return client;
}

/** Longer than any pause of a machine: it only ends what would never come. */
const WITHIN_MS = 60_000;

/** Resolves when the condition holds; checks it every few milliseconds. */
export async function when(condition: () => boolean): Promise<void> {
  const until = performance.now() + WITHIN_MS;
  while (!condition()) {
    if (performance.now() > until) throw new Error(`did not come about: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** A whole frame as bytes, with content-length when it has a body. */
export function serializeStomp(
  frame: { command: string; headers?: Readonly<Record<string, string | undefined>>; body?: string | Uint8Array },
  version: StompVersion,
): Buffer {
  const body =
    frame.body === undefined
      ? new Uint8Array(0)
      : typeof frame.body === 'string'
        ? Buffer.from(frame.body, 'utf8')
        : frame.body;
  const head = stompHead(frame.command, frame.headers ?? {}, version, body.length > 0 ? body.length : null);
  const headBytes = Buffer.byteLength(head);
  const bytes = Buffer.allocUnsafe(headBytes + body.length + 1);
  bytes.write(head, 0, 'utf8');
  bytes.set(body, headBytes);
  bytes[bytes.length - 1] = 0;
  return bytes;
}
