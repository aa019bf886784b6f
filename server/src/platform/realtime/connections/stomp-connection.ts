/**
 * The record of one connection: its subscriptions, its rate, its pauses. Plain data: 5,000 idle ones must cost little.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import {
  createStompParser,
  type HeadCache,
  type StompFrame,
  type StompParser,
  type StompVersion,
} from '../stomp-frame.ts';
import type { Form, Outlet } from '../stomp-outlet.ts';
import type { StompConnection, StompLimits } from '../stomp-types.ts';

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
  /** The address it comes from, until the sign-in is known or it has ended; then null. */
  address: string | null;
  /** Its person, from its sign-in to its end. */
  person: string | number | null;
  principal: P;
  version: StompVersion;
  state: State;
  readonly parser: StompParser;
  subscriptions: Subscription<P>[];
  /**
   * Ids of subscriptions that we ended or refused without an error: an UNSUBSCRIBE for them is no mistake of the
   * client.
   */
  ended: string[] | null;
  transactions: Map<string, Transaction> | null;
  /** Frames that wait for their turn; null while there are none. */
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
  /** Frames that may come now; whenever this is read, the rate since the last look is added. */
  tokens: number;
  /**
   * The same for messages that may be lost: they are counted separately, so that a stream of them never ends the
   * connection.
   */
  volatileTokens: number;
  /**
   * The same for frames and WebSocket messages together, eight times as wide: it limits what costs work without being a
   * frame.
   */
  wideTokens: number;
  refilledAt: number;
  /** DISCONNECT came. */
  graceful: boolean;
  /** `onConnect` was called, so `onDisconnect` must follow. */
  announced: boolean;
  closeCode: number;
  /** Requests to end it that came while the principal was not known yet. */
  verdicts: ((principal: P, connection: Conn<P>) => boolean)[] | null;
  framesIn: number;
  framesOut: number;
  droppedVolatile: number;
}

/** Why a connection ends with an ERROR frame. */
export interface Failure {
  code: string;
  /** The short `message` header; the body repeats it. */
  message: string;
  closeCode: number;
  receipt?: string | undefined;
  headers?: Record<string, string>;
}

/** What ends a connection from our side. Both do nothing if it is ending already. */
export interface Ends<P> {
  /** Ends it: frames that wait to be written are sent, frames that wait to be handled are dropped. */
  readonly close: (connection: Conn<P>, code: number, reason: string) => void;
  /** Ends it after an ERROR frame. */
  readonly fail: (connection: Conn<P>, failure: Failure) => void;
}

/** Where a WebSocket keeps its record, so that all can share the same listeners. */
export const RECORD = Symbol('record');
/** A WebSocket with its record. */
export type Held<P> = WebSocket & { [RECORD]?: Conn<P> };

/** Whether frames may still be sent to it. */
export const isWritable = ({ state }: Pick<Conn<never>, 'state'>): boolean =>
  state === 'open' || state === 'connecting' || state === 'waiting';

/** Bytes that this reader has not taken yet. */
export const backlog = ({ socket, outBytes }: Pick<Conn<never>, 'socket' | 'outBytes'>): number =>
  socket.writableLength + outBytes;

const WIDE = 8;
/** A longer time without a message counts as silence. */
const SILENCE_MS = 1_000;

/**
 * Makes the record of a connection that has just been opened and has not sent CONNECT. `now` is real time in
 * milliseconds.
 */
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
    // CONNECT sets it; no hook sees the connection before.
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
 * silence: frames made while the network or this process was suspended arrive at once and must not look like a flood.
 * So silence adds all that the rate would have let through during it, up to the longest silence that a connection
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

/** Stops reading from its socket; does nothing if that is so already. `now` is real time in milliseconds. */
export function pause<P>(connection: Conn<P>, now: () => number): void {
  if (connection.pausedAt !== 0 || connection.state === 'closed') return;
  connection.pausedAt = now() || 1;
  connection.ws.pause();
}

/** Reads from its socket again; does nothing if that is so already. `now` is real time in milliseconds. */
export function resume<P>(connection: Conn<P>, limits: StompLimits, now: () => number): void {
  if (connection.pausedAt === 0) return;
  const at = now();
  creditPause(connection, limits, at);
  connection.pausedAt = 0;
  connection.lastIn = at;
  connection.ws.resume();
}

/** While we did not read, frames collected on their way at an allowed rate: that must not end the connection. */
function creditPause<P>(connection: Conn<P>, limits: StompLimits, now: number): void {
  const gained = ((now - connection.pausedAt) / 1_000) * limits.framesPerSecond;
  connection.tokens += gained;
  connection.volatileTokens += gained;
  connection.wideTokens += gained * WIDE;
  connection.refilledAt = now;
}
