/**
 * A connection to one Janus server: requests with their replies, events by session, and reconnecting after a loss. A
 * server that no longer says anything, because it hangs or its host is gone, counts as lost, too: nothing else would
 * reveal it.
 * Source: Janus 1.x documentation, "WebSockets interface".
 */
import { randomBytes } from 'node:crypto';
import { WebSocket } from 'ws';
import { Problem } from '../../../platform/problem.ts';

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

/** The code of the fault when Janus did not answer in time. */
export const NO_ANSWER = 0;

/** Janus refused a request or did not answer it. */
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
  /** Connected: Janus answered and accepted the secret. */
  onUp(): void;
  /** The connection is lost; all its sessions are void. */
  onDown(): void;
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
  /** Time in which a request is answered, and a silent Janus shows that it lives. */
  answerMs?: number;
  /** Time without a message after which Janus is asked whether it lives. */
  quietMs?: number;
  /** Time before the first try to reconnect; it doubles up to twenty times that. */
  retryMs?: number;
}

export interface JanusLink {
  readonly url: string;
  isUp(): boolean;
  /**
   * Sends a request and waits for the final reply, past an acknowledgement. Throws JanusFault, or Problem
   * `video_unavailable` when disconnected.
   */
  ask(request: Record<string, unknown>): Promise<JanusMessage>;
  /** Sends without waiting for a reply. */
  tell(request: Record<string, unknown>): void;
  /** Listens to the events of a session. */
  listen(sessionId: number, listener: (message: JanusMessage) => void): void;
  forget(sessionId: number): void;
  stop(): void;
}

const ANSWER_MS = 10_000;
/** With `ANSWER_MS`, rooms leave a server that hangs after 15 s. */
const QUIET_MS = 5_000;
const RETRY_MS = 250;
const RETRY_GROWTH_MAX = 20;
/** Well within the 60 s after which Janus ends a session. */
const KEEPALIVE_MS = 25_000;
/** Used to test the connection itself; names no session. */
const HELLO = { janus: 'info' } as const;
/** Every Janus answers this without a session and without the secret. */
const PING = { janus: 'ping' } as const;

/**
 * Watches for silence: after `quietMs` without a sign of life it calls `ask`, and after `answerMs` more, `giveUp`.
 * Returns what to call at each sign of life, and at the end.
 */
function createWatch({
  quietMs,
  answerMs,
  ask,
  giveUp,
}: {
  quietMs: number;
  answerMs: number;
  ask(): void;
  giveUp(): void;
}): { alive(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let last: NodeJS.Immediate | undefined;
  function stop(): void {
    clearTimeout(timer);
    clearImmediate(last);
  }
  function wait(ms: number, then: () => void): void {
    timer = setTimeout(then, ms);
    timer.unref();
  }
  return {
    alive() {
      stop();
      wait(quietMs, () => {
        ask();
        // If this process itself stood still, the answer may lie in the socket: it is read before this turn ends.
        wait(answerMs, () => void (last = setImmediate(giveUp)));
      });
    },
    stop,
  };
}

/** Connects, and stays connected. */
export function createJanusLink({
  url,
  secret,
  onUp,
  onDown,
  log,
  answerMs = ANSWER_MS,
  quietMs = QUIET_MS,
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
        reject(new JanusFault(NO_ANSWER, `no answer to ${String(request.janus)} in time`));
      }, answerMs);
      timer.unref();
      waiting.set(transaction, { resolve, reject, timer });
      write(request, transaction);
    });
  }

  function receive(message: JanusMessage): void {
    const asked = message.transaction === undefined ? undefined : waiting.get(message.transaction);
    // Janus may send the plugin's reply before the acknowledgement of its core.
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
    const watch = createWatch({
      quietMs,
      answerMs,
      ask: () => write(PING, 'alive'),
      giveUp() {
        log.warn({ janus: where }, 'Janus no longer answers');
        socket.terminate();
      },
    });
    socket.on('open', () => {
      ask(HELLO)
        // Older or locked servers refuse `info` without a session; a session also shows whether the secret is accepted.
        .then(() => ask({ janus: 'create' }))
        .then(({ data }) => ask({ janus: 'destroy', session_id: data!.id }))
        .then(
          () => {
            if (ws !== socket || socket.readyState !== WebSocket.OPEN) return;
            up = true;
            retryAfter = retryMs;
            log.info({ janus: where }, 'connected to Janus');
            onUp();
          },
          (error: unknown) => {
            log.warn({ janus: where, err: error }, 'Janus does not let us in');
            socket.terminate();
          },
        );
    });
    socket.on('message', (data: Buffer) => {
      watch.alive();
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
      if (up || retryAfter === retryMs) log.warn({ janus: where, err: error }, 'the connection to Janus failed');
      socket.terminate();
    });
    socket.on('close', () => {
      watch.stop();
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
