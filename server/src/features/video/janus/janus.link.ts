/** One line to one Janus server: requests with their answers, events by session, and coming back after a loss. Source: Janus 1.x documentation, "WebSockets interface". */
import { randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import { Problem } from '@fieldroom/contract/problems';

/** A message of Janus'. */
export interface JanusMessage {
  janus: string;
  transaction?: string;
  session_id?: number;
  sender?: number;
  data?: { id: number };
  error?: { code: number; reason: string };
  plugindata?: { plugin: string; data: Record<string, unknown> };
  jsep?: { type: 'offer' | 'answer'; sdp: string; e2ee?: boolean };
  [other: string]: unknown;
}

/** Janus refused a request, or did not answer it. */
export class JanusFault extends Error {
  readonly code: number;
  constructor(code: number, reason: string) {
    super(`Janus answered ${code}: ${reason}`);
    this.code = code;
  }
}

export interface LinkOptions {
  url: string;
  /** Janus' `api_secret`. */
  secret: string | null;
  /** The line is up: Janus answered and took the secret. */
  onUp(): void;
  /** It was up and is lost; all sessions on it are void. */
  onDown(): void;
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  answerMs?: number;
  /** Between two tries to come back, at first; doubling up to twenty times that. */
  retryMs?: number;
}

export interface JanusLink {
  readonly url: string;
  isUp(): boolean;
  /** Asks and waits for the final answer, past an acknowledgement. Throws JanusFault, or Problem `video_unavailable` when the line is down. */
  ask(request: Record<string, unknown>): Promise<JanusMessage>;
  /** Sends without waiting for anything. */
  tell(request: Record<string, unknown>): void;
  /** Hears what comes unasked for a session. */
  listen(sessionId: number, listener: (message: JanusMessage) => void): void;
  forget(sessionId: number): void;
  stop(): void;
}

const ANSWER_MS = 10_000;
const RETRY_MS = 250;
const RETRY_GROWTH_MAX = 20;
/** Well within the 60 s after which Janus ends a session. */
const KEEPALIVE_MS = 25_000;
/** Names no session when the line itself is asked after. */
const HELLO = { janus: 'info' } as const;

/** Opens the line and keeps it open. */
export function createJanusLink({
  url,
  secret,
  onUp,
  onDown,
  log,
  answerMs = ANSWER_MS,
  retryMs = RETRY_MS,
}: LinkOptions): JanusLink {
  let ws: WebSocket | null = null;
  let up = false;
  let stopped = false;
  let retry: NodeJS.Timeout | undefined;
  let retryAfter = retryMs;
  const waiting = new Map<
    string,
    { resolve(message: JanusMessage): void; reject(error: Error): void; timer: NodeJS.Timeout }
  >();
  const sessions = new Map<number, (message: JanusMessage) => void>();
  const where = new URL(url).host;

  function write(request: Record<string, unknown>, transaction: string): void {
    ws?.send(JSON.stringify({ ...request, transaction, ...(secret === null ? {} : { apisecret: secret }) }));
  }

  function ask(request: Record<string, unknown>): Promise<JanusMessage> {
    if (ws?.readyState !== WebSocket.OPEN) return Promise.reject(new Problem('video_unavailable'));
    const transaction = randomBytes(9).toString('base64url');
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(transaction);
        reject(new JanusFault(0, `no answer to ${String(request.janus)} in time`));
      }, answerMs);
      timer.unref();
      waiting.set(transaction, { resolve, reject, timer });
      write(request, transaction);
    });
  }

  function receive(message: JanusMessage): void {
    const asked = message.transaction === undefined ? undefined : waiting.get(message.transaction);
    // Janus may send the answer of the plugin before the acknowledgement of its core.
    if (message.janus === 'ack' && message.session_id !== undefined) return;
    if (asked !== undefined) {
      waiting.delete(message.transaction!);
      clearTimeout(asked.timer);
      if (message.janus === 'error')
        asked.reject(new JanusFault(message.error?.code ?? 0, message.error?.reason ?? 'unknown'));
      else asked.resolve(message);
      return;
    }
    if (message.session_id !== undefined) sessions.get(message.session_id)?.(message);
  }

  function connect(): void {
    const socket = new WebSocket(url, 'janus-protocol', { handshakeTimeout: answerMs, perMessageDeflate: false });
    ws = socket;
    socket.on('open', () => {
      ask(HELLO)
        // Older or locked servers refuse `info` without a session; a session tells as well whether the secret is taken.
        .then(() => ask({ janus: 'create' }))
        .then(({ data }) => ask({ janus: 'destroy', session_id: data!.id }))
        .then(
          () => {
            if (ws !== socket || socket.readyState !== WebSocket.OPEN) return;
            up = true;
            retryAfter = retryMs;
            log.info({ janus: where }, 'the line to Janus is up');
            onUp();
          },
          (error: unknown) => {
            log.warn({ janus: where, err: error }, 'Janus does not let us in');
            socket.terminate();
          },
        );
    });
    socket.on('message', (data: Buffer) => {
      let message: JanusMessage;
      try {
        message = JSON.parse(data.toString('utf8')) as JanusMessage;
      } catch {
        socket.terminate();
        return;
      }
      receive(message);
    });
    socket.on('error', (error) => {
      if (up || retryAfter === retryMs) log.warn({ janus: where, err: error }, 'the line to Janus failed');
      socket.terminate();
    });
    socket.on('close', () => {
      if (ws !== socket) return;
      ws = null;
      const wasUp = up;
      up = false;
      sessions.clear();
      for (const { reject, timer } of waiting.values()) {
        clearTimeout(timer);
        reject(new Problem('video_unavailable'));
      }
      waiting.clear();
      if (wasUp) onDown();
      if (stopped) return;
      retry = setTimeout(connect, retryAfter);
      retry.unref();
      retryAfter = Math.min(retryAfter * 2, retryMs * RETRY_GROWTH_MAX);
    });
  }

  const keepalive = setInterval(() => {
    for (const session_id of sessions.keys()) write({ janus: 'keepalive', session_id }, 'alive');
  }, KEEPALIVE_MS);
  keepalive.unref();
  connect();

  return {
    url,
    isUp: () => up,
    ask,
    tell: (request) => {
      if (ws?.readyState === WebSocket.OPEN) write(request, randomBytes(9).toString('base64url'));
    },
    listen: (sessionId, listener) => void sessions.set(sessionId, listener),
    forget: (sessionId) => void sessions.delete(sessionId),
    stop() {
      stopped = true;
      clearTimeout(retry);
      clearInterval(keepalive);
      ws?.terminate();
    },
  };
}
