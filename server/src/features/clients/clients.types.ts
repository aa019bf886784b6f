/** What other features and the wiring may ask of the clients. */
import type { Person, RoomState, Seat } from '@fieldroom/contract/clients';
import type { ProblemCode } from '@fieldroom/contract/problems';
import type { PeopleValue, Stamps } from '@fieldroom/contract/realtime';
import type { ClientAccess, ClientSeat, Principal, RoomAccess } from '../../access.ts';
import type { Queries } from '../room/index.ts';

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
  /** Clients who may not act any more: left, away, sent out, over. Whatever they hold in the hand drops. */
  gone: number[];
}

interface RoleKey {
  therapistId: number;
  clientId: number;
  figureId: number;
}

export interface Clients {
  /** In: SHA-256 of a resume token. Out: the seat while waiting, in or away; null for unknown and ended tokens. */
  identifySeat(tokenHash: Buffer): Promise<ClientSeat | null>;
  /** Why a token that yields no seat has ended: `live_session_over`, `sent_out`, `session_expired`; null when it was never ours. */
  whyEnded(tokenHash: Buffer): Promise<ProblemCode | null>;
  /** The seat of a client as it stands now, by id. */
  seatOf(clientId: number): Promise<ClientSeat | null>;

  /** Who is in the room, in the order they were let in. Seats kept for a lost connection are in it, `connected: false`. */
  people(therapistId: number, db?: Queries): Promise<Person[]>;
  /** What UNREGISTER_USER carries; `withWaiting` is for the therapist's own channel only. */
  peopleValue(therapistId: number, options?: { withWaiting?: boolean }): Promise<PeopleValue>;
  /** Roles held in the room, by client. */
  rolesOf(therapistId: number, db?: Queries): Promise<Map<number, { figureId: number; active: boolean }[]>>;

  /**
   * Roles. All run in a transaction that holds the room's lock, say what they changed (for undo; empty = nothing), and leave
   * raising the people's revision and `announcePeople` to the caller. Problems: `not_found` where the client is not in the room of
   * that therapist (or the figure is not the therapist's), `role_not_held` for `setActiveRole`.
   * The first role a client gets becomes active; when the active one goes, the oldest of those left takes its place.
   */
  giveRole(tx: Queries, role: RoleKey): Promise<RoleTrace[]>;
  takeRole(tx: Queries, role: RoleKey): Promise<RoleTrace[]>;
  setActiveRole(tx: Queries, role: { therapistId: number; clientId: number; figureId: number | null }): Promise<RoleTrace[]>;
  freeAllRoles(tx: Queries, therapistId: number): Promise<RoleTrace[]>;
  /** Brings roles to `to`; leaves out clients who are not in the room any more and figures that are not there. */
  restoreRoles(tx: Queries, therapistId: number, roles: readonly { clientId: number; figureId: number; to: RoleHold }[]): Promise<RoleTrace[]>;

  /** Sends UNREGISTER_USER: to the room without, to the therapist's own channel with those who wait. After commit, inside `room.inOrder`. */
  announcePeople(therapistId: number, stamps: Stamps): Promise<void>;
  /** Hears of every change of the people; returns how to stop hearing. */
  onPeopleChanged(listener: (change: PeopleChange) => void): () => void;

  /** The therapist of that room, or a client who is in; null for all others, also for those who wait. */
  roomAccessOf(principal: Principal | null, therapistId: number): RoomAccess | null;
  /** For calls about one client: the therapist whose client it is or the client itself, with the client's room. */
  clientAccessOf(principal: Principal | null, clientId: number, who: 'its therapist' | 'that client, its therapist'): Promise<ClientAccess | null>;

  /** The therapist's view of the room. */
  roomState(therapistId: number): Promise<RoomState>;
  /** Where a client stands; takes the seat again when it was freed. Problems: `room_full`, `live_session_over`, `sent_out`. */
  seat(seat: ClientSeat): Promise<Seat>;
  /** The client leaves of its own will, or signs out. */
  leave(clientId: number): Promise<void>;

  /** The first connection of a client is there, or the last one is gone. */
  connected(clientId: number): Promise<void>;
  disconnected(clientId: number): Promise<void>;
}
