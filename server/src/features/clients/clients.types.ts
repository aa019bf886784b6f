/** What other features and `app.ts` use of the clients. */
import type {
  admit,
  Admission,
  Client,
  enterRoom,
  Person,
  RoomState,
  Seat,
  PeopleValue,
} from '@fieldroom/contract/clients';
import type { BodyOf, ReplyOf } from '@fieldroom/contract/http';
import type { ProblemCode } from '@fieldroom/contract/problems';
import type { Stamps } from '@fieldroom/contract/realtime';
import type { ClientAccess, ClientSeat, Principal, RoomAccess } from '../../access.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { AfterCommit, Queries } from '../room/index.ts';

export type RoleHold = 'none' | 'held' | 'active';
/** One role before and after an act, as `ActTrace.roles` keeps it. */
export interface RoleTrace {
  clientId: number;
  figureId: number;
  before: RoleHold;
  after: RoleHold;
}

/** What happened to the people of a room, after commit. */
export interface PeopleChange {
  therapistId: number;
  /** Clients who may no longer act: left, away, removed, or the session is over. Figures that they drag are dropped. */
  gone: number[];
  /** Roles taken away from people who are still there. */
  rolesTaken: { clientId: number; figureId: number }[];
}

/**
 * Called inside the transaction in which somebody begins to wait while the therapist is not in the room. `again` says
 * that their browser gave up an older place or seat for it.
 */
export type ArrivalListener = (
  tx: Tx,
  arrival: { readonly therapistId: number; readonly clientId: number; readonly again: boolean },
  afterCommit: AfterCommit,
) => Promise<void>;

/** What the clients need from the connections. */
export interface Connections {
  /**
   * Ends every connection of these people of a room, after earlier messages to them. `why` is the code of the ERROR for
   * people who could not receive it yet, because they have not subscribed to their own channel.
   */
  close(therapistId: number, personIds: readonly number[], why?: ProblemCode): void;
  /** Unsubscribes them from the room; their own channel stays. */
  leaveRoom(therapistId: number, personIds: readonly number[]): void;
}

interface RoleKey {
  therapistId: number;
  clientId: number;
  figureId: number;
}

export interface Clients {
  /**
   * Takes the SHA-256 of a resume token. Returns the seat while waiting, in or away; null for unknown and ended tokens.
   */
  identifySeat(tokenHash: Buffer): Promise<ClientSeat | null>;
  /**
   * Why a token without a seat has ended: `live_session_over`, `declined`, `sent_out`, `session_expired`; null if the
   * token was never valid.
   */
  whyEnded(tokenHash: Buffer): Promise<ProblemCode | null>;
  /** The current seat of a client, by id. */
  seatOf(clientId: number): Promise<ClientSeat | null>;
  /**
   * The people's revision before each of these clients was let in, which a lost connection does not change; people who
   * are not in the room are left out.
   */
  admittedRevisions(clientIds: readonly number[]): Promise<ReadonlyMap<number, number>>;

  /**
   * Who is in the room, in the order they were let in. Seats kept for a lost connection are in it, `connected:
   * false`.
   */
  people(therapistId: number, db?: Queries): Promise<Person[]>;
  /** The content of UNREGISTER_USER; `withWaiting` is only for the therapist's own channel. */
  peopleValue(therapistId: number, options?: { withWaiting?: boolean }): Promise<PeopleValue>;
  /** Roles held in the room, by client. */
  rolesOf(therapistId: number, db?: Queries): Promise<Map<number, { figureId: number; active: boolean }[]>>;

  /**
   * Roles. All run in a transaction that holds the room's lock, return what they changed (for undo; empty = nothing),
   * and leave it to the caller to raise the people's revision and to call `announcePeople`. Problems: `not_found` if
   * the client is not in the room of that therapist (or the figure is not the therapist's), `role_not_held` for
   * `setActiveRole`. The first role that a client gets becomes active; when the active one is taken away, the oldest of
   * the others replaces it.
   */
  giveRole(tx: Queries, role: RoleKey): Promise<RoleTrace[]>;
  takeRole(tx: Queries, role: RoleKey): Promise<RoleTrace[]>;
  setActiveRole(
    tx: Queries,
    role: { therapistId: number; clientId: number; figureId: number | null },
  ): Promise<RoleTrace[]>;
  /** Frees all roles, also those that people who are away would get back. Returns the roles of people in the room. */
  freeAllRoles(tx: Queries, therapistId: number): Promise<RoleTrace[]>;
  /** Brings roles to `to`; leaves out clients who are no longer in the room and figures that do not exist. */
  restoreRoles(
    tx: Queries,
    therapistId: number,
    roles: readonly { clientId: number; figureId: number; to: RoleHold }[],
  ): Promise<RoleTrace[]>;

  /**
   * Sends UNREGISTER_USER: to the room, and with the people who wait to the therapist's own channel. After commit,
   * inside `room.inOrder`.
   */
  announcePeople(therapistId: number, stamps: Stamps): Promise<void>;
  /** Listens to every change of the people. Returns a function that stops listening. */
  onPeopleChanged(listener: (change: PeopleChange) => void): () => void;
  /** Calls a listener when somebody begins to wait while the therapist is not in the room. */
  onArrival(listener: ArrivalListener): void;

  /** The therapist of that room, or a client who is in; null for all others, also for those who wait. */
  roomAccessOf(principal: Principal | null, therapistId: number): RoomAccess | null;
  /** For calls about one client: the therapist whose client it is or the client itself, with the client's room. */
  clientAccessOf(
    principal: Principal | null,
    clientId: number,
    who: 'itsTherapist' | 'clientOrItsTherapist',
  ): Promise<ClientAccess | null>;

  /** The therapist's view of the room. */
  roomState(therapistId: number): Promise<RoomState>;
  /** The therapist to whose room a link leads. Problem: `join_link_unknown`, after the throttle. */
  lookAtJoinLink(joinLink: string, ip: string): Promise<{ firstName: string; picture: string | null }>;
  /** A person enters by link or code: into the room or the lobby. Problems: see `enterRoom` of the contract. */
  enter(
    input: BodyOf<typeof enterRoom>,
    from: { principal: Principal | null; ip: string },
  ): Promise<Seat & { token: string }>;
  /**
   * A person enters the waiting room by a confirmed booking, which the caller has checked; the room always asks. Takes
   * the booked name. Problems: `room_full`, `waiting_room_full`.
   */
  enterBooked(booked: { therapistId: number; bookingId: number; name: string }): Promise<Seat & { token: string }>;
  /**
   * Returns the state of a client; takes the seat again if it was freed. Problems: `room_full`, `live_session_over`,
   * `declined`, `sent_out`.
   */
  seat(clientId: number): Promise<Seat>;
  /** The client leaves or signs out; its token ends. */
  leave(clientId: number): Promise<void>;
  /**
   * Lets in some or all of the people who wait, in the order they came, while there are seats. Problem:
   * `no_live_session`.
   */
  admit(therapistId: number, clientIds: 'all' | readonly number[]): Promise<ReplyOf<typeof admit>>;
  /** Declines some or all who wait. Returns how many. */
  decline(therapistId: number, clientIds: 'all' | readonly number[]): Promise<number>;
  /** Removes a client; until the live session ends, everybody has to wait for the therapist. Problem: `not_found`. */
  remove(therapistId: number, clientId: number): Promise<void>;
  /** Makes a new join link; the old one is invalid at once. People who are in the room or wait stay. */
  renewJoinLink(therapistId: number): Promise<string>;
  setAdmission(therapistId: number, admission: Admission): Promise<void>;
  /** Selects one client, or takes the selection away. Problem: `not_found`. */
  setSelected(therapistId: number, clientId: number, selected: boolean): Promise<Client>;
  /**
   * Raises or lowers a person's own hand; the therapist lowers the hands of others. A hand that is raised again keeps
   * its time, by which the therapist sees the order.
   * Problems: `forbidden` for somebody else's hand, `not_found` if that client is not in the room.
   */
  raiseHand(access: RoomAccess, hand: { raised: boolean; clientId?: number | undefined }): Promise<void>;
  /** Takes the seat again if it was freed. Problem: `room_full`. */
  setActive(clientId: number): Promise<void>;
  /**
   * Frees seat and roles, and hides the texts of figures that nobody holds any more. The token still lets the client
   * return without asking.
   */
  setNonActive(clientId: number): Promise<void>;
  /**
   * Changes one role by a fixed call (not part of an undoable act). Problems: as `giveRole`, `takeRole`,
   * `setActiveRole`.
   */
  changeRole(
    what: 'give' | 'take' | 'activate',
    role: { therapistId: number; clientId: number; figureId: number },
  ): Promise<void>;
  /** A client did something in the room. Kept in memory, and cheap: it is called for every move. */
  acted(clientId: number): void;
  /**
   * Frees the seats of clients who have done nothing for CLIENT_IDLE_SECONDS while their therapist is away, hides the
   * texts of figures whose last holder left, and returns how many left (rule 18 of the README).
   */
  removeIdle(): Promise<{ removed: number }>;
  /** Clients of the running live session who were let in. */
  clientsOf(therapistId: number, filter?: { since?: Date; active?: boolean }): Promise<Client[]>;

  /**
   * A connection of a client is open. Problems: `room_full`, or why its token has ended; then it does not count.
   * Compared by identity.
   */
  connected(client: Pick<ClientSeat, 'id' | 'therapistId'>, connection: object): Promise<void>;
  /** The connection has ended. Does nothing if it never counted. */
  disconnected(client: Pick<ClientSeat, 'id' | 'therapistId'>, connection: object): Promise<void>;
  /** Every second: frees seats that were kept long enough. */
  sweep(): Promise<void>;
  /** For the start of the server: nobody is connected yet. */
  afterStart(): Promise<void>;
  /** Sends the answers that are held back, when the server stops. */
  stopTaking(): void;
}
