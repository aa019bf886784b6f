/**
 * The frame of the wire: how a browser connects, the destinations, and the messages that belong to no feature. What a
 * feature sends and receives is in its own file, which adds its part with `declare module './realtime.ts'`.
 * Rules: docs/product.md#4, #5 and #13.4.
 *
 * Destinations
 *   SUBSCRIBE /sb/user/{therapistId}     the room: its therapist and its admitted clients
 *   SUBSCRIBE /sb/user/only/{id}         one person alone (therapist or client, also while waiting)
 *   SEND      /app/check.update          CheckUpdate      answered to the asker alone with what it lacks
 *   SEND      /app/login.addUser         joinMessage      a person (re)enters. Never starts a live session: room/open
 *                                                        does. A therapist's without one ends with ERROR
 *                                                        `live_session_over`
 *   SEND      /app/check.connection      {}               answered at once by ALIVE to the asker alone, whatever else
 *                                                        waits
 *   SEND      /app/{feature}.{message}   see the feature's file
 *
 * Invariants
 *  1. `participantsUpdatedOn` and `usersUpdatedOn` are revisions from the database; each goes up by one with each
 *     change of the field (of the people). Every stamped change carries both as they were after it.
 *  2. A browser remembers the maximum of each stamp. A PLAYERS_VALUE or UNREGISTER_USER below it is ignored.
 *  3. PLAYER_CHANGE is applied only on top of revision-1; a gap asks `check.update`.
 *  4. One second after the last change of a room STAMPS goes out, so that a lost last change is noticed.
 *  5. After SUBSCRIBE of the room the server sends PLAYERS_VALUE and UNREGISTER_USER on the person's own channel if
 *     that is subscribed, else on the room's, to that connection alone. Browsers subscribe to their person's own
 *     channel first.
 *  6. Volatile messages carry no stamps and change no revision; PLAYER_DRAG and POINTER never outlive HOLD_MS of
 *     silence. They do not wait for stored messages of their sender; a stored message waits for those before it.
 *  7. While the therapist's connection is down, clients' acts, drags and pointers are refused (`therapist_away`).
 *  8. Waiting people hear their own channel only; nobody but the therapist hears of them.
 *  9. A refused message answers with PROBLEM to its sender alone. A message that carries an `actId` is named by it.
 */
import * as z from 'zod/mini';
import type { Schema } from './http.ts';
import type { ProblemBody, ProblemCode } from './problems.ts';
import type { Stamps } from './revisions.ts';
import { id, revision } from './text.ts';

export type { Stamps } from './revisions.ts';

export const SOCKET_PATHS = ['/socket/websocket', '/api/socket/websocket'] as const;
/**
 * The address of a socket of a room. Takes where the page came from, the socket's path, and the therapist's id, which
 * is that of the room. It stands behind the path for the proxy, which may lead the sockets of a room to one node; no
 * node reads it.
 */
export const socketAddress = (
  { protocol, host }: { readonly protocol: string; readonly host: string },
  path: string,
  therapistId: number,
): string => `${protocol === 'https:' ? 'wss' : 'ws'}://${host}${path}?room=${therapistId}`;
/** Login and passcode that programs send; authority comes from the token alone (docs/product.md#13.4). */
export const GUEST = { login: 'guest', passcode: 'guest' } as const;
export const HEARTBEAT_OUT_MS = 20_000;
/**
 * The mean wait before coming back; each wait is drawn between half and one and a half of it, so that not everybody
 * reconnects at once.
 */
export const RECONNECT_MS = 5_000;
/** A node that shuts down closes connections with this code if other nodes take them over. */
export const CLOSE_MOVE = 4012;
/**
 * The wait before connecting to another node, drawn between these two: the proxy has noticed by then that the node
 * leaves, which closes its connections over 4 s, and everybody should be back within 10 s.
 */
export const MOVE_MS = { from: 1_000, to: 4_000 } as const;
/**
 * How long a browser waits for an answer before it checks the connection: after a message of its own, and when all is
 * quiet.
 */
export const ANSWER_EXPECTED_MS = 3_000;
export const QUIET_MS = 15_000;
/**
 * How long the answer to a check may take before the connection counts as dead. A network may well pause for some
 * seconds.
 */
export const ALIVE_WITHIN_MS = 8_000;
/** Refusals of a connection after which the same token is useless. */
export const FINAL_REFUSALS = [
  'not_signed_in',
  'session_expired',
  'forbidden',
  'declined',
  'sent_out',
  'live_session_over',
  'account_suspended',
  'not_admitted',
  'too_many_connections',
  'room_full',
] as const satisfies readonly ProblemCode[];
/** The guard: no update check for this long after a message, then one trailing check. */
export const CHECK_GUARD_MS = 1_000;
export const STAMPS_AFTER_MS = 1_000;

/** The room's broadcast destination. */
export const roomDestination = (therapistId: number) => `/sb/user/${therapistId}`;
/** The destination of one person alone, therapist or client. */
export const ownDestination = (personId: number) => `/sb/user/only/${personId}`;
export const SEND = {
  checkUpdate: '/app/check.update',
  checkConnection: '/app/check.connection',
  addUser: '/app/login.addUser',
} as const;

// ---- what browsers send

/** The schemas of messages that browsers send, by their destinations. */
export type SentMessages = Readonly<Record<string, Schema>>;
/**
 * Declares the messages of a file, which exports them as `SENT_MESSAGES`; `calls.ts` collects them from there. Takes
 * destinations by name, and for each name the schema of what is sent there.
 */
export function messagesTo<Name extends string>(
  destinations: Readonly<Record<Name, string>>,
  schemas: Readonly<Record<NoInfer<Name>, Schema>>,
): SentMessages {
  const names = Object.keys(destinations) as Name[];
  return Object.fromEntries(names.map((name) => [destinations[name], schemas[name]]));
}

export const checkUpdate = z.strictObject({
  userId: id,
  userType: z.enum(['THERAPIST', 'CLIENT']),
  usersUpdatedOn: revision,
  participantsUpdatedOn: revision,
});
export type CheckUpdate = z.infer<typeof checkUpdate>;
export const joinMessage = z.strictObject({ userId: id, type: z.literal('JOIN') });

export const checkConnection = z.strictObject({});

export const SENT_MESSAGES = messagesTo(SEND, { checkUpdate, checkConnection, addUser: joinMessage });

// ---- what the server sends

export const END_REASONS = ['ended', 'signed_out', 'therapist_away', 'timed_out', 'trial_over'] as const;
export type EndReason = (typeof END_REASONS)[number];

/**
 * Changes that carry the stamps, because they are about the field or the people: contents by event type. Features add
 * theirs with `declare module './realtime.ts'`.
 * @public
 */
export interface StampedChanges {
  STAMPS: null;
  DISCONNECTED: { userId: number };
  RECONNECTED: { userId: number };
  SESSION_OUT: { reason: EndReason };
}

/**
 * Changes without stamps: volatile, or for one person alone. Features add theirs in the same way.
 * @public
 */
export interface PlainChanges {
  /** To the sender alone: an act or another message was refused and changed nothing. */
  PROBLEM: { actId: string | null; figureId: number | null; problem: ProblemBody };
  /** Asks the therapist's screens to fetch something again. */
  REFRESH_ADMIN: Refreshes[keyof Refreshes];
  /** The answer to `check.connection`. */
  ALIVE: null;
  /** The server restarts soon: reconnect without asking the person. */
  RESTART: null;
}

/**
 * What REFRESH_ADMIN can be about: its contents by `what`. Features add theirs in the same way, and take what is
 * theirs.
 * @public
 */
export interface Refreshes {
  room: { what: 'room' };
}

/** The messages of a list of changes: a union with `eventType` as its discriminant. */
type MessageOf<Changes> = { [E in keyof Changes]: { eventType: E; contents: Changes[E] } }[keyof Changes];

export type StampedChange = Stamps & MessageOf<StampedChanges>;
export type PlainChange = MessageOf<PlainChanges>;
export type Change = StampedChange | PlainChange;
export type EventType = Change['eventType'];
