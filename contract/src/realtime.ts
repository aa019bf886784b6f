/**
 * The whole wire on one page: what browsers send and what the server sends over STOMP.
 * Rules: docs/product.md#4, #5 and #13.4.
 *
 * Destinations
 *   SUBSCRIBE /sb/user/{therapistId}     the room: its therapist and its admitted clients
 *   SUBSCRIBE /sb/user/only/{id}         one person alone (therapist or client, also while waiting)
 *   SEND      /app/check.update          CheckUpdate      answered to the asker alone with what it lacks
 *   SEND      /app/login.addUser         JoinMessage      a person (re)enters. Never starts a live session: room/open
 *                                                        does. A therapist's without one ends with ERROR
 *                                                        `live_session_over`
 *   SEND      /app/field.act             FieldActMessage  stored, ordered, confirmed by PLAYER_CHANGE or refused by
 *                                                        PROBLEM
 *   SEND      /app/field.drag            FieldDragMessage volatile
 *   SEND      /app/field.point           FieldPointMessage volatile
 *   SEND      /app/check.connection      {}               answered at once by ALIVE to the asker alone, whatever else
 *                                                        waits
 *   SEND      /app/video.line            VideoLineMessage how one's own video line carries
 *   SEND      /app/video.key             VideoKeyMessage  passed on to one person, never kept
 *
 * Invariants
 *  1. `participantsUpdatedOn` and `usersUpdatedOn` are revisions from the database; each goes up by one with each
 *     change of the field (of the people). Every change carries both as they were after it.
 *  2. A browser remembers the maximum of each stamp. A PLAYERS_VALUE or UNREGISTER_USER below it is ignored.
 *  3. PLAYER_CHANGE is applied only on top of revision-1; a gap asks `check.update`.
 *  4. One second after the last change of a room STAMPS goes out, so that a lost last change is noticed.
 *  5. After SUBSCRIBE of the room the server sends PLAYERS_VALUE and UNREGISTER_USER on the person's own channel if
 *     that is subscribed, else on the room's, to that connection alone. Browsers subscribe to the own channel first.
 *  6. Volatile messages carry no stamps and change no revision; PLAYER_DRAG and POINTER never outlive HOLD_MS of
 *     silence. They do not wait for stored messages of their sender; a stored message waits for those before it.
 *  7. While the therapist's connection is down, clients' acts, drags and pointers are refused (`therapist_away`).
 *  8. Waiting people hear their own channel only; nobody but the therapist hears of them.
 */
import * as z from 'zod/mini';
import type { Person, WaitingPerson } from './clients.ts';
import type { FieldChange, FieldSnapshot } from './field.ts';
import type { ProblemBody } from './problems.ts';
import type { Stamps } from './revisions.ts';
import { id, revision } from './text.ts';
import type { VideoKeyMessage, VideoState } from './video.ts';

export type { Stamps } from './revisions.ts';

export const SOCKET_PATHS = ['/socket/websocket', '/api/socket/websocket'] as const;
/** Login and passcode that programs send; authority comes from the token alone (docs/product.md#13.4). */
export const GUEST = { login: 'guest', passcode: 'guest' } as const;
export const HEARTBEAT_OUT_MS = 20_000;
/**
 * The mean wait before coming back; each wait is drawn between half and one and a half of it, so that not all come at
 * once.
 */
export const RECONNECT_MS = 5_000;
/**
 * How long a browser waits for an answer before it checks the connection: after a message of its own, and when all is
 * quiet.
 */
export const ANSWER_EXPECTED_MS = 3_000;
export const QUIET_MS = 15_000;
/**
 * How long the answer to a check may take before the connection counts as dead. A network may well stand still for
 * some seconds.
 */
export const ALIVE_WITHIN_MS = 8_000;
/** The guard: after a message no update check for this long, then one trailing check. */
export const CHECK_GUARD_MS = 1_000;
export const STAMPS_AFTER_MS = 1_000;

export const roomDestination = (therapistId: number) => `/sb/user/${therapistId}`;
export const ownDestination = (personId: number) => `/sb/user/only/${personId}`;
export const SEND = {
  checkUpdate: '/app/check.update',
  checkConnection: '/app/check.connection',
  addUser: '/app/login.addUser',
  act: '/app/field.act',
  drag: '/app/field.drag',
  point: '/app/field.point',
  videoLine: '/app/video.line',
  videoKey: '/app/video.key',
} as const;

// ---- what browsers send

export const checkUpdate = z.strictObject({
  userId: id,
  userType: z.enum(['THERAPIST', 'CLIENT']),
  usersUpdatedOn: revision,
  participantsUpdatedOn: revision,
});
export type CheckUpdate = z.infer<typeof checkUpdate>;
export const joinMessage = z.strictObject({ userId: id, type: z.literal('JOIN') });
export type JoinMessage = z.infer<typeof joinMessage>;

export const checkConnection = z.strictObject({});

// ---- what the server sends

export interface PeopleValue {
  people: Person[];
  /** The therapist's line is up. */
  therapistHere: boolean;
  /** Only on the therapist's own channel. */
  waiting?: WaitingPerson[];
}

export interface DragPosition {
  figureId: number;
  x: number;
  y: number;
  rotation?: number;
  scale?: number;
  by: number;
  /** The hand let go without a drop, or the hold ended: show the stored place again. */
  end?: true;
}
export type PointerPosition = { by: number; name: string; x: number; y: number } | { by: number; off: true };

export const LEAVING_REASONS = ['left', 'away', 'removed'] as const;
export const END_REASONS = ['ended', 'signed_out', 'therapist_away'] as const;
export type EndReason = (typeof END_REASONS)[number];

/** Changes about the field or the people: they carry the stamps. */
export type StampedChange = Stamps &
  (
    | { eventType: 'PLAYERS_VALUE'; contents: FieldSnapshot }
    | { eventType: 'PLAYER_CHANGE'; contents: FieldChange }
    | { eventType: 'UNREGISTER_USER'; contents: PeopleValue }
    | { eventType: 'STAMPS'; contents: null }
    | { eventType: 'LOGIN'; contents: { id: number; name: string } }
    | { eventType: 'LOGOUT'; contents: { id: number; name: string; reason: (typeof LEAVING_REASONS)[number] } }
    | { eventType: 'DISCONNECTED'; contents: { userId: number } }
    | { eventType: 'RECONNECTED'; contents: { userId: number } }
    | { eventType: 'SESSION_OUT'; contents: { reason: EndReason } }
  );

/** Changes without stamps: volatile, or for one person alone. */
export type PlainChange =
  | { eventType: 'PLAYER_DRAG'; contents: { drags: DragPosition[] } }
  | { eventType: 'POINTER'; contents: { pointers: PointerPosition[] } }
  /** The therapist has begun to publish: offer to join. */
  | { eventType: 'START_VIDEO'; contents: { userId: number } }
  | { eventType: 'VIDEO_STATE'; contents: VideoState }
  /** Whose voice is heard right now; volatile. */
  | { eventType: 'TALKING'; contents: { ids: number[] } }
  /** To one client: the therapist muted it, or asks it to speak up. */
  | { eventType: 'VIDEO_ASK'; contents: { ask: 'muted' | 'unmute' } }
  /** To one person: see VideoKeyMessage. */
  | { eventType: 'VIDEO_KEY'; contents: Omit<VideoKeyMessage, 'to'> & { from: number } }
  /** To the therapist's screens: fetch this again. */
  | {
      eventType: 'REFRESH_ADMIN';
      contents: { what: 'room' | 'icons' | 'arrival' } | { what: 'wrongCodes'; wrongTries: number };
    }
  /** To one client: where it stands now. */
  | { eventType: 'ADMISSION'; contents: { state: 'in' | 'declined' | 'removed' } }
  /** To the sender alone: an act or another message was refused and changed nothing. */
  | { eventType: 'PROBLEM'; contents: { actId: string | null; figureId: number | null; problem: ProblemBody } }
  /** The answer to `check.connection`. */
  | { eventType: 'ALIVE'; contents: null }
  /** The server goes down for a moment: come back by yourself. */
  | { eventType: 'RESTART'; contents: null };

export type Change = StampedChange | PlainChange;
export type EventType = Change['eventType'];
