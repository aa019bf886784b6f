/** The record of one connection, its rate, and its subscriptions. Plain data: 5,000 idle ones have to be cheap. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import {
  createStompParser,
  type HeadCache,
  type StompFrame,
  type StompParser,
  type StompVersion,
} from './stomp-frame.ts';
import type { Form, Outlet } from './stomp-outlet.ts';
import type { StompConnection, StompLimits } from './stomp-types.ts';

/**
 * waiting for CONNECT → connecting (being authenticated) → open → closing (we ended it) or closed (the socket is
 * gone).
 */
type State = 'waiting' | 'connecting' | 'open' | 'closing' | 'closed';

export interface Subscription<P> extends Form {
  readonly connection: Conn<P>;
  readonly destination: string;
  readonly ack: 'auto' | 'client' | 'client-individual';
  /** Message ids sent and not acknowledged, oldest first; null in mode auto and while there are none. */
  outstanding: string[] | null;
}

interface Transaction {
  frames: StompFrame[];
  bytes: number;
}

export interface Conn<P> extends Outlet, StompConnection<P> {
  readonly ws: WebSocket;
  readonly socket: Duplex;
  /** Kept only until it has been authenticated. */
  request: IncomingMessage | null;
  /** Where it comes from, while nobody knows whose it is; null once that is known or it has ended. */
  address: string | null;
  /** Whose it is, from its sign-in to its end. */
  person: string | number | null;
  principal: P;
  version: StompVersion;
  state: State;
  readonly parser: StompParser;
  subscriptions: Subscription<P>[];
  /** Subscription ids that we ended or refused in kindness: an UNSUBSCRIBE for them is no mistake of the client. */
  ended: string[] | null;
  transactions: Map<string, Transaction> | null;
  /** Frames whose turn has not come; null while there are none. */
  queue: StompFrame[] | null;
  queuedBytes: number;
  /** A frame is being handled. */
  busy: boolean;
  /** When reading was paused; 0 when it is not. */
  pausedAt: number;
  openedAt: number;
  lastIn: number;
  pingedAt: number;
  /** Agreed heart-beats in milliseconds, 0 for none. */
  beatOutMs: number;
  beatInMs: number;
  /** Frames that may come now; what the rate gives is added when it is looked at. */
  tokens: number;
  /**
   * The same for messages that may be lost: they have their own, so that a stream of them never ends the connection.
   */
  volatileTokens: number;
  /**
   * The same for frames and WebSocket messages together, eight times as wide: it bounds what costs work without being
   * a frame.
   */
  wideTokens: number;
  refilledAt: number;
  /** DISCONNECT came. */
  graceful: boolean;
  /** `onConnect` was called, so `onDisconnect` has to follow. */
  announced: boolean;
  closeCode: number;
  /** Ends asked for while the principal was not known yet. */
  verdicts: ((principal: P, connection: Conn<P>) => boolean)[] | null;
  framesIn: number;
  framesOut: number;
  droppedVolatile: number;
}

const WIDE = 8;
/** A longer time without a message is silence. */
const SILENCE_MS = 1_000;

export function newConnection<P>(
  id: string,
  ws: WebSocket,
  socket: Duplex,
  path: string,
  request: IncomingMessage,
  address: string,
  limits: StompLimits,
  heads: HeadCache,
  now: number,
): Conn<P> {
  return {
    id,
    ws,
    socket,
    path,
    request,
    address,
    person: null,
    // Set by CONNECT; no hook sees the connection before.
    principal: undefined as P,
    version: '1.0',
    state: 'waiting',
    parser: createStompParser(limits, null, heads),
    subscriptions: [],
    ended: null,
    transactions: null,
    queue: null,
    queuedBytes: 0,
    busy: false,
    pausedAt: 0,
    openedAt: now,
    lastIn: now,
    lastOut: now,
    pingedAt: now,
    beatOutMs: 0,
    beatInMs: 0,
    tokens: limits.frameBurst,
    volatileTokens: limits.frameBurst,
    wideTokens: limits.frameBurst * WIDE,
    refilledAt: now,
    graceful: false,
    announced: false,
    closeCode: 1006,
    verdicts: null,
    out: null,
    outBytes: 0,
    listed: false,
    framesIn: 0,
    framesOut: 0,
    droppedVolatile: 0,
  };
}

/**
 * Adds what the rate gives for the time since the last look. Time alone never adds above the burst, except after
 * silence: what was made while the network or this process stood still arrives at once and must not look like a flood.
 * So silence adds all that the rate would have let through meanwhile, up to the longest silence that a connection
 * survives.
 */
export function refill<P>(connection: Conn<P>, limits: StompLimits, now: number): void {
  const elapsed = now - connection.refilledAt;
  connection.refilledAt = now;
  const gained = (Math.min(elapsed, limits.deadAfterMs) / 1_000) * limits.framesPerSecond;
  const most = limits.frameBurst + (elapsed > SILENCE_MS ? gained : 0);
  connection.tokens = added(connection.tokens, gained, most);
  connection.volatileTokens = added(connection.volatileTokens, gained, most);
  connection.wideTokens = added(connection.wideTokens, gained * WIDE, most * WIDE);
}

/** Tokens above the maximum stay: an earlier pause or silence gave them. */
function added(tokens: number, gained: number, most: number): number {
  return tokens < most ? Math.min(most, tokens + gained) : tokens;
}

/** While we did not read, frames gathered on their way at a rate that was allowed: that must not end the connection. */
export function creditPause<P>(connection: Conn<P>, limits: StompLimits, now: number): void {
  const gained = ((now - connection.pausedAt) / 1_000) * limits.framesPerSecond;
  connection.tokens += gained;
  connection.volatileTokens += gained;
  connection.wideTokens += gained * WIDE;
  connection.refilledAt = now;
}
