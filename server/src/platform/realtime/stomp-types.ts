/** What the broker takes and gives. Nothing here knows the product. */
import type { IncomingMessage } from 'node:http';
import type { Bus } from '../nodes/bus.ts';
import { FRAME_LIMITS, type StompFrameLimits, type StompHeaders, type StompVersion } from './stomp-frame.ts';

/**
 * A refusal with a code for programs and a message for people; neither may repeat secrets. Fatal (as STOMP wants it):
 * ERROR frame, then close. Not fatal: `onRefused` answers in the product's own words and the connection goes on.
 */
export class StompRefusal extends Error {
  readonly code: string;
  readonly fatal: boolean;
  /** WebSocket close code after a fatal refusal (RFC 6455 section 7.4). */
  readonly closeCode: number;
  constructor(code: string, message: string, options: { fatal?: boolean; closeCode?: number } = {}) {
    super(message);
    this.name = 'StompRefusal';
    this.code = code;
    this.fatal = options.fatal ?? true;
    this.closeCode = options.closeCode ?? 1008;
  }
}

/** One connection as the product sees it. Compare by identity or by `id`, which is unique over all nodes. */
export interface StompConnection<P> {
  readonly id: string;
  readonly principal: P;
  readonly version: StompVersion;
  /** The path by which it came, without query. */
  readonly path: string;
  readonly framesIn: number;
  readonly framesOut: number;
  /** Volatile messages that this reader was too slow for. */
  readonly droppedVolatile: number;
}

/** A message from a browser. */
export interface StompMessage {
  readonly destination: string;
  readonly headers: StompHeaders;
  /** Valid while the message is being handled: copy it to keep it. */
  readonly body: Uint8Array;
  /** When it began to wait for its turn (`performance.now()`); undefined where it was handled at once. */
  readonly queuedAt: number | undefined;
  /** The body as text; throws a refusal `bad_text` (not fatal) when it is not UTF-8. */
  text(): string;
}

/** What was refused without being fatal. */
export interface RefusedFrame {
  readonly command: 'SEND' | 'SUBSCRIBE';
  readonly destination: string;
  /** The refused message; undefined for SUBSCRIBE. */
  readonly message: StompMessage | undefined;
}

export interface StompLimits extends StompFrameLimits {
  connections: number;
  /**
   * Connections that have not signed in, from one address and in total. Beyond either limit the oldest one that has
   * sent nothing gives way, so that a browser that signs in at once always gets in.
   */
  strangersOfAddress: number;
  strangers: number;
  /** Connections of one person (`personOf`). Beyond it the one that was silent longest is closed. */
  connectionsOfPerson: number;
  /** Frames a second on average, and how many may come at once; messages that may be lost are counted separately. */
  framesPerSecond: number;
  frameBurst: number;
  subscriptions: number;
  /** Bytes of one WebSocket message; a frame may come in several, and several in one. */
  messageBytes: number;
  /** Received frames that may wait for their turn; beyond it reading pauses until half of them are done. */
  pendingFrames: number;
  pendingBytes: number;
  /** Messages sent and not acknowledged yet, per subscription with `ack` client or client-individual. */
  unacknowledged: number;
  transactions: number;
  transactionFrames: number;
  transactionBytes: number;
  /** Unsent bytes beyond which volatile messages for this reader are dropped. */
  softBytes: number;
  /** Unsent bytes beyond which the reader is closed with 1013, so that it comes back for a fresh start. */
  hardBytes: number;
  /** Time for CONNECT to arrive. */
  connectMs: number;
  /** Silence (no bytes, no answer to pings) after which a connection counts as dead; pings go out at a third of it. */
  deadAfterMs: number;
  /** How long the closing handshake may take before the socket is cut. */
  closeMs: number;
}

export const STOMP_LIMITS: Readonly<StompLimits> = {
  ...FRAME_LIMITS,
  connections: 10_000,
  strangersOfAddress: 100,
  strangers: 2_000,
  connectionsOfPerson: 12,
  framesPerSecond: 60,
  frameBurst: 120,
  subscriptions: 20,
  messageBytes: 131_072,
  pendingFrames: 128,
  pendingBytes: 524_288,
  unacknowledged: 1_000,
  transactions: 4,
  transactionFrames: 64,
  transactionBytes: 262_144,
  softBytes: 262_144,
  hardBytes: 2_097_152,
  connectMs: 10_000,
  deadAfterMs: 30_000,
  closeMs: 5_000,
};

/** Totals since the start, except the first three, which are present values. */
export interface StompStats {
  connections: number;
  subscriptions: number;
  destinations: number;
  framesIn: number;
  framesOut: number;
  /** MESSAGE frames among framesOut. */
  delivered: number;
  /** Volatile messages not given to slow readers. */
  droppedVolatile: number;
  /** Volatile messages of senders above their rate. */
  droppedIncoming: number;
  /** Closed because they read too slowly. */
  closedSlow: number;
  /** Closed because they gave no sign of life. */
  closedDead: number;
  /** Closed before they signed in, to make room for others. */
  closedSilent: number;
  /** ERROR frames sent. */
  errors: number;
  /** Those among them that are our own faults. */
  faults: number;
  /** Upgrades refused: origin, too many, shutting down. */
  refusedUpgrades: number;
}

/** Rare events that are counted. */
export type StompEvent = keyof Omit<
  StompStats,
  'connections' | 'subscriptions' | 'destinations' | 'framesIn' | 'framesOut' | 'delivered'
>;

/**
 * The part of pino that the broker needs. Fields carry ids, codes and stacks without message: never bodies, headers or
 * names.
 */
interface StompLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

type MaybePromise<T> = T | Promise<T>;

/** How often the server sends a sign of life, and wants one, in milliseconds; 0 for never. */
export interface Heartbeat {
  readonly sendMs: number;
  readonly wantMs: number;
}

export interface StompBrokerOptions<P extends object> {
  /** Exact paths that `handleUpgrade` takes. */
  paths: readonly string[];
  bus: Bus;
  /**
   * Returns who connects, by the headers of CONNECT (login and passcode among them). A refusal is answered with ERROR.
   */
  authenticate(headers: StompHeaders, request: IncomingMessage): MaybePromise<P | StompRefusal>;
  /** False (or a refusal thrown) prevents the principal from subscribing to this exact destination. */
  authorizeSubscribe(principal: P, destination: string, connection: StompConnection<P>): MaybePromise<boolean>;
  /**
   * A message from a browser. Those of one connection come one after another, in order; the next waits for the promise.
   * Throws `StompRefusal` to refuse. Every other error is our own fault: logged, ERROR with a reference, close.
   */
  onSend(principal: P, connection: StompConnection<P>, message: StompMessage): MaybePromise<void>;
  /** Destinations whose messages may be lost: above the rate they are dropped instead of ending the connection. */
  volatileSend?(destination: string): boolean;
  /**
   * Handles a message that may be lost, as it arrives, ahead of frames of its connection that still wait; those that
   * came later never overtake it. Without this hook, or with a receipt or in a transaction, it waits for its turn in
   * `onSend`.
   */
  onVolatile?(principal: P, connection: StompConnection<P>, message: StompMessage): void;
  /** Returns where a connection comes from, for the limit by address; by default the address of its socket. */
  addressOf?(request: IncomingMessage): string;
  /** Returns whose connection it is, for the limit by person; without it they are not counted. */
  personOf?(principal: P): string | number;
  /** Answers a refusal that is not fatal; without it every refusal is fatal. The frame's receipt follows it. */
  onRefused?(
    principal: P,
    connection: StompConnection<P>,
    refusal: StompRefusal,
    refused: RefusedFrame,
  ): MaybePromise<void>;
  /** Before CONNECTED goes out; may still refuse. */
  onConnect?(principal: P, connection: StompConnection<P>): MaybePromise<void>;
  /** The subscription is active: everything published from now on reaches it. May refuse, which removes it. */
  onSubscribe?(principal: P, connection: StompConnection<P>, destination: string): MaybePromise<void>;
  /** After an UNSUBSCRIBE; not called for subscriptions that end with their connection. */
  onUnsubscribe?(principal: P, connection: StompConnection<P>, destination: string): MaybePromise<void>;
  /**
   * Called once for every connection whose `onConnect` was called, after the last of its frames was handled. `graceful`
   * says whether DISCONNECT came before; `code` is the WebSocket's close code (1006: cut off).
   */
  onDisconnect?(
    principal: P,
    connection: StompConnection<P>,
    how: { graceful: boolean; code: number },
  ): MaybePromise<void>;
  /** Checked before the upgrade; undefined: the program sent no Origin. */
  allowedOrigin(origin: string | undefined): boolean;
  log?: StompLog;
  /** Called for rare events as they happen, with the name of the total in `stats()` that went up. */
  metrics?(event: StompEvent): void;
  limits?: Partial<StompLimits>;
  /** What the server offers (STOMP "Heart-beating"): it can send every `sendMs`, and wants to hear every `wantMs`. */
  heartbeat?: Heartbeat;
  /** The `server` header of CONNECTED. */
  serverName?: string;
  /**
   * Everything for one connection within this time is sent in one write; 0: within one turn of the event loop. At most
   * 16.
   */
  flushMs?: number;
  /** Real time in milliseconds, monotonic; for rates, heart-beats and dead connections. */
  now?: () => number;
  /** How often it looks for silence. */
  sweepMs?: number;
}

export interface PublishOptions {
  /** `stored` (default) is never dropped; `volatile` gives way for slow readers. Order between lanes is kept. */
  lane?: 'stored' | 'volatile';
  contentType?: string;
  /** Further headers of the MESSAGE. */
  headers?: Readonly<Record<string, string>>;
  exceptConnectionId?: string;
  /** Only to subscribers on this node. */
  onThisNode?: boolean;
}

export interface StompBroker<P extends object> {
  /**
   * Returns true if the path is ours: it has taken the socket, with an upgrade or a refusal. False: not ours,
   * untouched.
   */
  handleUpgrade(request: IncomingMessage, socket: import('node:stream').Duplex, head: Buffer): boolean;
  /** Sends to all subscribers of this exact destination, on all nodes. A string is sent as text, bytes as binary. */
  publish(destination: string, body: string | Uint8Array, options?: PublishOptions): void;
  /**
   * Sends to this connection alone, by its subscription to the destination. Returns false if it has none, or is gone;
   * then nothing was sent.
   */
  sendTo(
    connection: StompConnection<P>,
    destination: string,
    body: string | Uint8Array,
    options?: Omit<PublishOptions, 'exceptConnectionId'>,
  ): boolean;
  isSubscribed(connection: StompConnection<P>, destination: string): boolean;
  /** Ends subscriptions to the destination from our side; the connections stay open. Returns how many. */
  unsubscribe(destination: string, predicate: (principal: P, connection: StompConnection<P>) => boolean): number;
  /**
   * Ends connections, after an ERROR frame if there is an `errorMessage`. Frames of theirs that still wait are thrown
   * away.
   */
  disconnect(
    predicate: (principal: P, connection: StompConnection<P>) => boolean,
    how?: { code?: number; reason?: string; errorMessage?: string; errorCode?: string },
  ): number;
  connectionsOf(predicate: (principal: P, connection: StompConnection<P>) => boolean): StompConnection<P>[];
  stats(): StompStats;
  /**
   * The graceful stop: no new connections and frames, work under way is finished and answered, everything is flushed,
   * all are closed with 1012 "service restart". Resolves when the last `onDisconnect` is done; what takes longer than
   * `timeoutMs` (default 5,000) is cut.
   */
  drain(timeoutMs?: number): Promise<void>;
}
