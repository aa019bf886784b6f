/**
 * How a feature takes part in the real-time connection: which messages it handles, and what it does when somebody
 * connects, joins the room or goes. `realtime.ts` joins the channels of all features; it knows no message itself.
 */
import { type ProblemCode, PROBLEMS } from '@fieldroom/contract/problems';
import { Problem } from '../platform/problem.ts';
import type { Change, PlainChange } from '@fieldroom/contract/realtime';
import type { $ZodType } from 'zod/v4/core';
import type { Principal, RoomAccess } from '../access.ts';
import { compileSchema } from '../platform/input/compile-schema.ts';
import { fieldFaults } from '../platform/http/faults.ts';
import { StompRefusal } from '../platform/realtime/stomp-types.ts';

/** One connection of one person, as the handlers see it. */
export interface Sender {
  readonly principal: Principal;
  /** The room that this person belongs to, by its therapist. */
  readonly therapistId: number;
  /** Distinguishes two connections of one person. Compare by identity. */
  readonly connection: object;
  /** What the person may do in the room now, read from the database. Problems: `forbidden`, `not_admitted`. */
  access(): Promise<RoomAccess>;
  /**
   * The same from memory, for messages that come many times a second. Returns null for a person who is out, and for one
   * who is not known yet; then it looks the person up for later messages.
   */
  knownAccess(): RoomAccess | null;
  /** Whether this connection subscribes to the person's own destination. */
  hearsOwn(): boolean;
  /** Sends to this connection alone: on its own destination if it is subscribed, otherwise on the room's. */
  tell(change: Change): void;
}

/** Handles a message that waits for its turn: messages of one connection are handled one after another. */
export interface StoredHandler {
  readonly lane: 'stored';
  readonly whenUnavailable: WhenUnavailable;
  /** Finds the figure that a message is about, for the PROBLEM that refuses it. Takes the body as it came, if any. */
  readonly figureIn?: ((body: unknown) => number | null) | undefined;
  /**
   * Tells the PROBLEM that refuses a message with an `actId`. Without it, the connection that sent it hears it alone.
   */
  readonly tellRefusal?: ((problem: PlainChange, sender: Sender) => void) | undefined;
  handle(body: unknown, sender: Sender): Promise<void> | void;
}

/** Handles a message that may be lost: at once or not at all, so that none is handled after its sender has gone. */
export interface VolatileHandler {
  readonly lane: 'volatile';
  handle(body: unknown, sender: Sender): void;
}

export type MessageHandler = StoredHandler | VolatileHandler;

/**
 * What the sender learns when the database does not answer. `refuse` sends `unavailable`. `end` also ends the
 * connection, so that the browser comes back. `ignore` says nothing, because the browser asks again by itself.
 */
type WhenUnavailable = 'refuse' | 'end' | 'ignore';

/**
 * How many times longer than other messages a step of a connection may wait for the database, and a message that ends
 * the connection where it cannot be served. After a restart everybody comes within seconds; who is refused then comes
 * again and costs the same once more.
 */
export const CONNECTING_PATIENCE = 3;

/**
 * What a feature does with connections. Hooks that run while a connection is being made (`onConnect`,
 * `onOwnSubscribed`, `onJoin`) end it when they throw a Problem; they run in the order in which `app.ts` lists the
 * channels.
 */
export interface Channel {
  /**
   * Handlers by the destination to which a browser sends. Several features may handle one message, each its own part. A
   * Problem that a handler throws is sent to this connection alone, as PROBLEM; the connection stays.
   */
  readonly messages?: Readonly<Record<string, MessageHandler>>;
  /** Somebody has signed in on a new connection. */
  onConnect?(sender: Sender): Promise<void> | void;
  /** The connection has subscribed to the person's own destination. */
  onOwnSubscribed?(sender: Sender): Promise<void> | void;
  /** The connection has subscribed to the room: send what it needs to show it. */
  onJoin?(sender: Sender): Promise<void> | void;
  /** The connection is gone. `last` says whether it was the person's last one. All channels are called at once. */
  onGone?(sender: Sender, last: boolean): Promise<void> | void;
}

/** A schema of the contract, of any flavour of zod. */
interface Schema<T> {
  safeParse(input: unknown): { success: true; data: T } | { success: false; error: Parameters<typeof fieldFaults>[0] };
}

/**
 * Makes the handler of a stored message. Takes its schema, what to do with a message that fits it, and what is needed
 * when it is refused.
 */
export function stored<T>(
  schema: Schema<T> & $ZodType,
  handle: (message: T, sender: Sender) => Promise<void> | void,
  { whenUnavailable = 'refuse', figureIn, tellRefusal }: Partial<Omit<StoredHandler, 'lane' | 'handle'>> = {},
): StoredHandler {
  compileSchema(schema);
  return {
    lane: 'stored',
    whenUnavailable,
    figureIn,
    tellRefusal,
    handle: (body, sender) => handle(parseMessage(schema, body), sender),
  };
}

/** Makes the handler of a volatile message. Takes the body as it came: the handler checks it in its own, quick way. */
export function volatile(handle: (body: unknown, sender: Sender) => void): VolatileHandler {
  return { lane: 'volatile', handle };
}

/** Returns the message. Throws `invalid_input` with the faults in it. */
export function parseMessage<T>(schema: Schema<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new Problem('invalid_input', { fields: fieldFaults(parsed.error, body) });
  return parsed.data;
}

/** Ends the connection with an ERROR frame that carries the code; thrown by handlers and hooks. */
export function endConnection(code: ProblemCode): StompRefusal {
  return new StompRefusal(code, PROBLEMS[code].title);
}

/** Refuses one message because the database does not answer. The same may work this soon. */
export const unavailable = (): Problem => new Problem('unavailable', { retryAfterSeconds: 1 });
