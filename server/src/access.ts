/**
 * Access is a value. A bearer token gives a `Principal`; the gate of a call turns it into what the handler needs, or
 * refuses. Functions that touch a room take such a value, so that nobody can forget the check.
 */
import type { Access } from '@fieldroom/contract/http';
import type { Role } from '@fieldroom/contract/accounts';
import type { Language } from '@fieldroom/contract/text';
import type * as http from './platform/http/http.ts';

/** A signed-in therapist or admin. */
export interface Account {
  readonly kind: 'account';
  readonly id: number;
  readonly roles: readonly Role[];
  readonly language: Language;
  /** Hash of the token in use, to end exactly this sign-in. */
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

/** Somebody who may see a therapist's room: the therapist, or one of the admitted clients. */
export type RoomAccess =
  | { readonly as: 'therapist'; readonly therapistId: number; readonly personId: number }
  | { readonly as: 'client'; readonly therapistId: number; readonly personId: number; readonly name: string };

/** A client whom the call names, and the person who acts on them. */
export interface ClientAccess {
  readonly actor: RoomAccess;
  readonly clientId: number;
  readonly therapistId: number;
}

/** What the gate of each rule hands to the handler. */
export interface AccessValues extends Record<Access, unknown> {
  anyone: Principal | null;
  token: null;
  self: Principal;
  signedIn: Account;
  admin: Account;
  therapist: Account;
  seatHolder: ClientSeat;
  anySignIn: Principal;
  roomOfTherapist: RoomAccess;
  /** null where the call asks for the defaults. */
  roomDesign: RoomAccess | null;
  /** The room to which the token belongs. */
  roomMember: RoomAccess;
  profile: { readonly self: Account | null };
  clientList: RoomAccess;
  therapistOfClient: Account;
  itsTherapist: ClientAccess;
  clientOrItsTherapist: ClientAccess;
  figureMover: RoomAccess;
  roleHolder: RoomAccess;
  iconOwner: Account;
  /** The event that the call names, which is the therapist's own; null if it names none (a new event). */
  ownEvents: { readonly account: Account; readonly eventId: number | null };
  ownImages: Account;
  /** The gate admits therapists; the handler asks for nothing but their own rows. */
  ownRows: Account;
  ownRowsToAddress: Account;
  selfOnce: Account;
  anyoneThrottled: Principal | null;
  published: null;
  /** The owner's account; null for everybody else. */
  publishedOrOwn: { readonly owner: Account | null };
  fromOurPage: null;
}

/** The platform's HTTP side with the product's sign-ins and access rules. */
export type Http = http.Http<Principal, AccessValues>;
export type Gate<A> = http.Gate<Principal, A>;
export type Gates = http.Gates<Principal, AccessValues>;
export type GateContext = http.GateContext<Principal>;
