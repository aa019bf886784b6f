/** People without an account: at the door, waiting, in the room, and their roles. Specification 7.2, PRODUCT sections 4 and 5. */
import { z } from 'zod';
import { CODE_LENGTH, normalizeCode, WAITING_MAX } from './clients.rules.ts';
import { endpoint } from './http.ts';
import { id, idInPath, personName, therapistPath, timestamp, token } from './text.ts';

export * from './clients.rules.ts';

export const code = z
  .string()
  .max(64, 'too_long')
  .transform(normalizeCode)
  .pipe(z.string().min(1, 'required').min(CODE_LENGTH, 'code_too_short').max(16, 'too_long'));
export const joinLink = z.string().regex(/^[a-z0-9][a-z0-9-]{1,62}$/, 'invalid_format');

/** waiting → in | declined; in → away (seat freed after a lost connection) | left | removed; away → in; all end as `over` with the live session. */
export const CLIENT_STATES = ['waiting', 'in', 'away', 'declined', 'left', 'removed', 'over'] as const;
export type ClientState = (typeof CLIENT_STATES)[number];

export const therapistOfClient = z.strictObject({ id, joinLink: z.string(), firstName: z.string() });

/** An unregistered user as the specification's calls show it (local storage key `client`). */
export const client = z.strictObject({
  id,
  name: z.string(),
  therapist: therapistOfClient,
  selected: z.boolean(),
  active: z.boolean(),
  /** Figures whose role the client holds. */
  participants: z.array(id),
  /** The active role: the one shown as "yours" and moved by keys. */
  activeParticipant: id.nullable(),
  joinedOn: timestamp,
});
export type Client = z.infer<typeof client>;
/** What other clients of the room may see of one another through the list call. */
export const clientName = z.strictObject({ id, name: z.string() });

/** Somebody in the room as everybody there sees them. */
export const person = z.strictObject({
  id,
  name: z.string(),
  /** False while the connection is lost and the seat is kept. */
  connected: z.boolean(),
  selected: z.boolean(),
  active: z.boolean(),
  roles: z.array(id),
  activeRole: id.nullable(),
  /** When the hand was raised; null while it is down. It goes down when the person leaves the room. */
  handRaisedOn: timestamp.nullable(),
  joinedOn: timestamp,
});
export type Person = z.infer<typeof person>;

/** Somebody at the door: only the therapist sees them. */
export const waitingPerson = z.strictObject({
  id,
  name: z.string(),
  arrivedOn: timestamp,
  /** `booking`: by the private link of a confirmed booking; the name is the booked one. */
  by: z.enum(['link', 'code', 'booking']),
  connected: z.boolean(),
  /** Somebody in the room or at the door has the same name. */
  doubleName: z.boolean(),
});
export type WaitingPerson = z.infer<typeof waitingPerson>;

// ---- the specification's calls

const clientPath = z.strictObject({ userId: idInPath });
const rolePath = z.strictObject({ userId: idInPath, participantId: idInPath });

export const getActiveClients = endpoint({
  method: 'POST',
  path: '/api/getAllUnregisterByTherapistIdAndJoinedOnAfterDateAndActive/{therapistId}',
  access: 'self; its clients get names of the room only',
  summary: 'Clients of the running live session who are active; clients get the names of the room',
  params: therapistPath,
  body: z.strictObject({ date: timestamp.optional(), active: z.boolean().optional() }).optional(),
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
  access: 'therapist of that client',
  summary: 'Selects a client (or none); one at a time',
  body: z.strictObject({ id, selected: z.boolean() }),
  reply: client,
});
export const setActive = endpoint({
  method: 'POST',
  path: '/api/setUnregisteredUserActive/{userId}',
  access: 'that client, its therapist',
  summary: 'Marks a client active, as on page refresh',
  params: clientPath,
});
export const setNonActive = endpoint({
  method: 'POST',
  path: '/api/setUnregisteredUserNonActive/{userId}',
  access: 'that client, its therapist',
  summary: 'Marks a client non-active, as on sign-out: seat and roles are freed',
  params: clientPath,
});
export const setRole = endpoint({
  method: 'POST',
  path: '/api/setUnregisteredUserRole/{userId}/{participantId}',
  access: 'its therapist',
  summary: 'Gives a client the role of a figure',
  params: rolePath,
  problems: ['not_found'],
});
export const setActiveRole = endpoint({
  method: 'POST',
  path: '/api/setUnregisteredUserActiveRole/{userId}/{participantId}',
  access: 'that client, its therapist',
  summary: 'Makes one of the held roles the active one',
  params: rolePath,
  problems: ['role_not_held'],
});
export const removeRole = endpoint({
  method: 'POST',
  path: '/api/removeUnregisteredUserRole/{userId}/{participantId}',
  access: 'its therapist',
  summary: 'Takes the role of a figure from a client',
  params: rolePath,
});

// ---- our own calls about the room

/** `ask`: everybody waits for the therapist. `open`: the link alone lets in; a code always asks. */
export const admission = z.enum(['ask', 'open']);
export type Admission = z.infer<typeof admission>;

export const lookAtDoor = endpoint({
  method: 'GET',
  path: '/api/room/door/{joinLink}',
  access: 'anyone',
  summary: 'Whose room a join link leads to',
  params: z.strictObject({ joinLink }),
  reply: z.strictObject({ firstName: z.string(), picture: z.string().nullable() }),
  problems: ['join_link_unknown', 'too_many_requests'],
});

export const seat = z.strictObject({
  client,
  state: z.enum(['waiting', 'in']),
  /** The therapist's line is up and a live session runs. */
  therapistHere: z.boolean(),
});
export type Seat = z.infer<typeof seat>;

export const enterRoom = endpoint({
  method: 'POST',
  path: '/api/room/enter',
  access: 'anyone',
  summary: 'Knocks at the door with join link or code and a name',
  body: z
    .strictObject({ joinLink: joinLink.optional(), code: code.optional(), name: personName })
    .refine((input) => (input.joinLink === undefined) !== (input.code === undefined), {
      message: 'link_or_code',
      path: ['code'],
    }),
  reply: seat.extend({ token }),
  problems: ['invalid_code', 'join_link_unknown', 'room_full', 'waiting_room_full', 'therapist_signed_in_here'],
});
export const getSeat = endpoint({
  method: 'GET',
  path: '/api/room/seat',
  access: 'client, waiting or admitted',
  summary:
    'Where the holder of a client token stands: waiting or in; takes the seat again after it was freed while one is free',
  reply: seat,
  problems: ['room_full', 'live_session_over', 'declined', 'sent_out'],
});
export const leaveRoom = endpoint({
  method: 'POST',
  path: '/api/room/leave',
  access: 'client, waiting or admitted',
  summary: 'Leaves: the seat and the roles are freed, the token ends',
});

export const liveSessionBrief = z.strictObject({ id, startedOn: timestamp });
export const roomState = z.strictObject({
  therapistId: id,
  joinLink: z.string(),
  /** null while no live session runs. */
  code: z.string().nullable(),
  admission,
  /** After a removal the room asks until the live session ends, whatever the switch says. */
  asksUntilEnd: z.boolean(),
  handsAllowed: z.boolean(),
  liveSession: liveSessionBrief.nullable(),
  people: z.array(person),
  waiting: z.array(waitingPerson),
  /** Wrong codes or links tried in the last 15 minutes. */
  wrongTries: z.number().int(),
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
  summary: 'The therapist’s room: code, admission, people, who waits',
  reply: roomState,
});
export const admit = endpoint({
  method: 'POST',
  path: '/api/room/admit',
  access: 'therapist',
  summary: 'Lets in some or all who wait, in the order they came, as far as seats reach',
  body: z.strictObject({
    clientIds: z.union([z.literal('all'), z.array(id).min(1, 'required').max(WAITING_MAX, 'too_long')]),
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
  body: z.strictObject({ clientIds: z.array(id).min(1, 'required').max(WAITING_MAX, 'too_long') }),
});
export const remove = endpoint({
  method: 'POST',
  path: '/api/room/remove',
  access: 'therapist',
  summary: 'Sends a client out: token dead, seat and roles freed, the room asks until the live session ends',
  body: z.strictObject({ clientId: id }),
  problems: ['not_found'],
});
export const renewCode = endpoint({
  method: 'POST',
  path: '/api/room/code',
  access: 'therapist',
  summary: 'Renews the code; the old one is dead at once',
  reply: z.strictObject({ code: z.string() }),
  problems: ['no_live_session'],
});
export const setAdmission = endpoint({
  method: 'POST',
  path: '/api/room/admission',
  access: 'therapist',
  summary: 'Whether the link alone lets in',
  body: z.strictObject({ admission }),
});
export const endLiveSession = endpoint({
  method: 'POST',
  path: '/api/room/end',
  access: 'therapist',
  summary: 'Ends the live session: clients see the good-bye page, the code is dead',
  problems: ['no_live_session'],
});
