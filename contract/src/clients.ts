/**
 * People without an account: entering, in the waiting room, in the room, and their roles. Rules:
 * docs/product.md#4 and #5.
 */
import * as z from 'zod/mini';
import { endpoint, type ReplyOf } from './http.ts';
import { id, idInPath, personName, therapistPath, timestamp, token } from './text.ts';

/** The alphabet of codes has no look-alikes: no 0 O 1 I L. */
export const CODE_ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
export const CODE_LENGTH = 5;
/** Leaves room for longer codes than today's. */
const CODE_MAX = 16;
/** Seats for clients, the therapist not counted. */
export const SEATS = 24;
/** Seats that one address takes without being let in, where the link alone lets people in. */
export const SEATS_PER_ADDRESS = SEATS / 2;
export const WAITING_MAX = 50;
/**
 * Waiting places for one internet address: enough for a whole group behind one connection, and some are left for
 * others.
 */
export const WAITING_PER_ADDRESS = 25;
/** Waiting places of one booking, for a person with two devices. */
export const WAITING_PER_BOOKING = 2;
/** Seconds (product time) for which a lost connection keeps its seat and roles. */
export const SEAT_KEPT_SECONDS = 60;
/** Minutes without the therapist after which the live session ends (product time). */
export const THERAPIST_AWAY_MINUTES = 10;
/** Hours after which a running live session's code is renewed without notice (product time). */
export const CODE_HOURS = 4;

/** Makes a typed code comparable: upper case, without spaces and hyphens. */
export function normalizeCode(typed: string): string {
  return typed.normalize('NFKC').toUpperCase().replace(/[\s-]/gu, '');
}
/** Returns what is wrong with a typed code, as a stable key; null if the server can look it up. */
export function codeFault(typed: string): 'required' | 'code_too_short' | 'too_long' | null {
  const { length } = normalizeCode(typed);
  if (length === 0) return 'required';
  if (length < CODE_LENGTH) return 'code_too_short';
  return length > CODE_MAX ? 'too_long' : null;
}

const code = z.pipe(z.string().check(z.maxLength(64, 'too_long')), z.transform(normalizeCode)).check(
  z.superRefine((text, context) => {
    const fault = codeFault(text);
    if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  }),
);
/**
 * The join link of a room. Links that the server makes carry 79 random bits: with admission `open` the link alone lets
 * people in.
 */
export const joinLink = z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{1,62}$/, 'invalid_format'));

/**
 * waiting → in | declined; in → away (seat freed after a lost connection) | left | removed; away → in; when the live
 * session ends, all become `over`.
 */
const CLIENT_STATES = ['waiting', 'in', 'away', 'declined', 'left', 'removed', 'over'] as const;
export type ClientState = (typeof CLIENT_STATES)[number];

/**
 * `joinLink` is the link by which the client came; empty for a client who came by code or booking, because the link is
 * not for them to know.
 */
export const therapistOfClient = z.strictObject({ id, joinLink: z.string(), firstName: z.string() });

/** A client as the fixed calls show it: an unregistered user (local storage key `client`). */
export const client = z.strictObject({
  id,
  name: z.string(),
  therapist: therapistOfClient,
  selected: z.boolean(),
  active: z.boolean(),
  /** Figures whose role the client holds. */
  participants: z.array(id),
  /** The active role: the one shown as "yours" and moved by keys. */
  activeParticipant: z.nullable(id),
  joinedOn: timestamp,
});
export type Client = z.infer<typeof client>;
/** What clients of a room may see of one another through the list call. */
export const clientName = z.strictObject({ id, name: z.string() });

/** Somebody in the room, as everybody there sees them. */
export const person = z.strictObject({
  id,
  name: z.string(),
  /** False while the connection is lost and the seat is kept. */
  connected: z.boolean(),
  selected: z.boolean(),
  active: z.boolean(),
  roles: z.array(id),
  activeRole: z.nullable(id),
  /** When the hand was raised; null while it is down. It goes down when the person leaves the room. */
  handRaisedOn: z.nullable(timestamp),
  joinedOn: timestamp,
});
export type Person = z.infer<typeof person>;

/** Somebody in the waiting room: only the therapist sees them. */
export const waitingPerson = z.strictObject({
  id,
  name: z.string(),
  arrivedOn: timestamp,
  /** `booking`: came by the private link of a confirmed booking; the name is the booked one. */
  by: z.enum(['link', 'code', 'booking']),
  connected: z.boolean(),
  /** The therapist, or somebody else in the room or the waiting room, has the same name or one that looks like it. */
  doubleName: z.boolean(),
});
export type WaitingPerson = z.infer<typeof waitingPerson>;

// ---- messages to the room and to the therapist's screens

/** The people in the room, as UNREGISTER_USER carries them. */
export interface PeopleValue {
  people: Person[];
  /** The therapist's connection is up. */
  therapistHere: boolean;
  /** Only on the therapist's own channel. */
  waiting?: WaitingPerson[];
}

export const LEAVING_REASONS = ['left', 'away', 'removed'] as const;

declare module './realtime.ts' {
  interface StampedChanges {
    UNREGISTER_USER: PeopleValue;
    LOGIN: { id: number; name: string };
    LOGOUT: { id: number; name: string; reason: (typeof LEAVING_REASONS)[number] };
  }
  interface PlainChanges {
    /** Tells one client their new state. */
    ADMISSION: { state: 'in' | 'declined' | 'removed' };
  }
  interface Refreshes {
    arrival: { what: 'arrival' };
    wrongCodes: { what: 'wrongCodes'; wrongTries: number };
  }
}

// ---- the fixed calls (docs/product.md#1.2)

const clientPath = z.strictObject({ userId: idInPath });
const rolePath = z.strictObject({ userId: idInPath, participantId: idInPath });

export const getActiveClients = endpoint({
  method: 'POST',
  path: '/api/getAllUnregisterByTherapistIdAndJoinedOnAfterDateAndActive/{therapistId}',
  access: 'clientList',
  summary: 'Clients of the running live session who are active; clients get the names of the room',
  params: therapistPath,
  body: z.optional(z.strictObject({ date: z.optional(timestamp), active: z.optional(z.boolean()) })),
  reply: z.union([z.array(client), z.array(clientName)]),
});
export const getAllClients = endpoint({
  method: 'POST',
  path: '/api/getAllUnregisterByTherapistId/{therapistId}',
  access: 'self',
  summary: 'All clients of the running live session',
  params: therapistPath,
  reply: z.array(client),
});
export const updateSelected = endpoint({
  method: 'POST',
  path: '/api/updateUnregisteredUserSelected',
  access: 'therapistOfClient',
  summary: 'Selects a client (or none); one at a time',
  // Programs send the whole user object; its other parts are accepted and ignored.
  body: z.extend(z.required(z.partial(client), { id: true, selected: true }), { therapist: z.optional(z.unknown()) }),
  reply: client,
});
export const setActive = endpoint({
  method: 'POST',
  path: '/api/setUnregisteredUserActive/{userId}',
  access: 'clientOrItsTherapist',
  summary: 'Marks a client active, as on page refresh',
  params: clientPath,
});
export const setNonActive = endpoint({
  method: 'POST',
  path: '/api/setUnregisteredUserNonActive/{userId}',
  access: 'clientOrItsTherapist',
  summary:
    'Marks a client non-active, as after a long time without an act: seat and roles are freed, and the texts of figures that nobody holds any more are hidden',
  params: clientPath,
});
export const setRole = endpoint({
  method: 'POST',
  path: '/api/setUnregisteredUserRole/{userId}/{participantId}',
  access: 'itsTherapist',
  summary: 'Gives a client the role of a figure',
  params: rolePath,
  problems: ['not_found'],
});
export const setActiveRole = endpoint({
  method: 'POST',
  path: '/api/setUnregisteredUserActiveRole/{userId}/{participantId}',
  access: 'clientOrItsTherapist',
  summary: 'Makes one of the held roles the active one',
  params: rolePath,
  problems: ['role_not_held'],
});
export const removeRole = endpoint({
  method: 'POST',
  path: '/api/removeUnregisteredUserRole/{userId}/{participantId}',
  access: 'itsTherapist',
  summary: 'Takes the role of a figure from a client',
  params: rolePath,
});

// ---- our own calls about the room

/** `ask`: everybody waits for the therapist. `open`: the link alone lets people in; a code always asks. */
const admission = z.enum(['ask', 'open']);
export type Admission = z.infer<typeof admission>;

export const lookAtJoinLink = endpoint({
  method: 'GET',
  path: '/api/room/door/{joinLink}',
  access: 'anyone',
  summary: 'Whose room a join link leads to',
  params: z.strictObject({ joinLink }),
  reply: z.strictObject({ firstName: z.string(), picture: z.nullable(z.string()) }),
  problems: ['join_link_unknown', 'too_many_requests'],
});

/**
 * What the server writes into the document of the join page, so that the form is there before the page's script. A form
 * without a host asks for the code.
 */
export type JoinPageData = { kind: 'form'; host: ReplyOf<typeof lookAtJoinLink> | null } | { kind: 'unknown' };

export const seat = z.strictObject({
  client,
  state: z.enum(['waiting', 'in']),
  /** The therapist is connected and a live session runs. */
  therapistHere: z.boolean(),
  /** Was let in under a name that looks like that of somebody already in the room. People who wait never learn it. */
  nameTaken: z.boolean(),
});
export type Seat = z.infer<typeof seat>;

export const enterRoom = endpoint({
  method: 'POST',
  path: '/api/room/enter',
  access: 'anyone',
  summary: 'Enters the waiting room with join link or code and a name',
  body: z.strictObject({ joinLink: z.optional(joinLink), code: z.optional(code), name: personName }).check(
    z.refine((input) => (input.joinLink === undefined) !== (input.code === undefined), {
      message: 'link_or_code',
      path: ['code'],
    }),
  ),
  reply: z.extend(seat, { token }),
  problems: ['invalid_code', 'join_link_unknown', 'room_full', 'waiting_room_full', 'therapist_signed_in_here'],
});
export const getSeat = endpoint({
  method: 'GET',
  path: '/api/room/seat',
  access: 'seatHolder',
  summary: 'The state of a client token: waiting or in the room; takes a seat again if it was freed and one is free',
  reply: seat,
  problems: ['room_full', 'live_session_over', 'declined', 'sent_out'],
});
export const leaveRoom = endpoint({
  method: 'POST',
  path: '/api/room/leave',
  access: 'seatHolder',
  summary: 'Leaves: the seat and the roles are freed, the token ends',
});

export const liveSessionBrief = z.strictObject({ id, startedOn: timestamp });
export const roomState = z.strictObject({
  therapistId: id,
  joinLink: z.string(),
  /** null while no live session runs. */
  code: z.nullable(z.string()),
  admission,
  /** After a removal everybody waits for the therapist until the live session ends, whatever the switch says. */
  asksUntilEnd: z.boolean(),
  handsAllowed: z.boolean(),
  liveSession: z.nullable(liveSessionBrief),
  people: z.array(person),
  waiting: z.array(waitingPerson),
  /** Wrong codes and links of the last 15 minutes that were meant for this room. */
  wrongTries: z.int(),
});
export type RoomState = z.infer<typeof roomState>;

export const openRoom = endpoint({
  method: 'POST',
  path: '/api/room/open',
  access: 'therapist',
  summary: 'Opens the play area: starts a live session unless one runs',
  reply: roomState,
});
export const getRoom = endpoint({
  method: 'GET',
  path: '/api/room/state',
  access: 'therapist',
  summary: 'The therapist’s room: code, admission, people, and people who wait',
  reply: roomState,
});
export const admit = endpoint({
  method: 'POST',
  path: '/api/room/admit',
  access: 'therapist',
  summary: 'Lets in some or all of the people who wait, in the order they came, while there are seats',
  body: z.strictObject({
    clientIds: z.union([
      z.literal('all'),
      z.array(id).check(z.minLength(1, 'required'), z.maxLength(WAITING_MAX, 'too_long')),
    ]),
  }),
  reply: z.strictObject({
    admitted: z.array(id),
    refused: z.array(z.strictObject({ id, code: z.enum(['room_full', 'not_found']) })),
  }),
  problems: ['no_live_session'],
});
export const decline = endpoint({
  method: 'POST',
  path: '/api/room/decline',
  access: 'therapist',
  summary: 'Declines somebody who waits; their token ends',
  body: z.strictObject({
    clientIds: z.array(id).check(z.minLength(1, 'required'), z.maxLength(WAITING_MAX, 'too_long')),
  }),
});
export const clearWaiting = endpoint({
  method: 'POST',
  path: '/api/room/clear-waiting',
  access: 'therapist',
  summary: 'Declines everybody who waits, in one act; their tokens end',
  reply: z.strictObject({ declined: z.int() }),
});
export const remove = endpoint({
  method: 'POST',
  path: '/api/room/remove',
  access: 'therapist',
  summary:
    'Sends a client out: ends the token, frees seat and roles; until the live session ends, everybody has to wait for the therapist',
  body: z.strictObject({ clientId: id }),
  problems: ['not_found'],
});
export const renewCode = endpoint({
  method: 'POST',
  path: '/api/room/code',
  access: 'therapist',
  summary: 'Renews the code; the old one is invalid at once',
  reply: z.strictObject({ code: z.string() }),
  problems: ['no_live_session'],
});
export const renewJoinLink = endpoint({
  method: 'POST',
  path: '/api/room/join-link',
  access: 'therapist',
  summary: 'Renews the join link; the old one is invalid at once. People who are in the room or wait stay',
  reply: z.strictObject({ joinLink }),
});
export const setAdmission = endpoint({
  method: 'POST',
  path: '/api/room/admission',
  access: 'therapist',
  summary: 'Sets whether the link alone lets people in',
  body: z.strictObject({ admission }),
});
export const endLiveSession = endpoint({
  method: 'POST',
  path: '/api/room/end',
  access: 'therapist',
  summary: 'Ends the live session: clients see the goodbye page, the code is invalid',
  problems: ['no_live_session'],
});
