/**
 * Access is a value. The bearer token yields a `Principal`; the gate of an endpoint turns it into what the handler
 * needs or refuses. A function that touches a room takes one of these, so that a check cannot be forgotten.
 */
import type { Access } from '@fieldroom/contract/http';
import type { Role } from '@fieldroom/contract/accounts';
import type { Language } from '@fieldroom/contract/text';

/** A signed-in therapist or admin. */
export interface Account {
  readonly kind: 'account';
  readonly id: number;
  readonly roles: readonly Role[];
  readonly language: Language;
  /** Hash of the token in use, to end this very sign-in. */
  readonly tokenHash: Buffer;
}

/** A person without an account, by their resume token. */
export interface ClientSeat {
  readonly kind: 'client';
  readonly id: number;
  readonly therapistId: number;
  readonly name: string;
  readonly state: 'waiting' | 'in' | 'away';
}

export type Principal = Account | ClientSeat;

/** Somebody who may see a therapist's room: the therapist, or one of its admitted clients. */
export type RoomAccess =
  | { readonly as: 'therapist'; readonly therapistId: number; readonly personId: number }
  | { readonly as: 'client'; readonly therapistId: number; readonly personId: number; readonly name: string };

/** A client named in the call, and who acts on it. */
export interface ClientAccess {
  readonly actor: RoomAccess;
  readonly clientId: number;
  readonly therapistId: number;
}

/** What each rule of the contract hands to the handler. */
export interface AccessValues extends Record<Access, unknown> {
  anyone: Principal | null;
  token: null;
  self: Principal;
  'signed in': Account;
  admin: Account;
  therapist: Account;
  'client, waiting or admitted': ClientSeat;
  'signed in, clients': Principal;
  'self, clients of that therapist': RoomAccess;
  /** The room of the token itself. */
  'members of the room': RoomAccess;
  'self in full; anyone the public part (name, picture)': { readonly self: Account | null };
  'self; its clients get names of the room only': RoomAccess;
  'therapist of that client': Account;
  'its therapist': ClientAccess;
  'that client, its therapist': ClientAccess;
  'therapist; a client only for a figure it may move': RoomAccess;
  "therapist, the figure's role holder": RoomAccess;
  'therapist who owns it': Account;
  /** The event named in the call is the therapist's own; null where none is named (a new one). */
  'therapist, own events': { readonly account: Account; readonly eventId: number | null };
  'therapist, own images': Account;
  'anyone, throttled': Principal | null;
  'anyone, published events': null;
  /** The owner's account, null for everybody else. */
  'anyone, published events; the owner also the others': { readonly owner: Account | null };
  'token, only from our page': null;
}
