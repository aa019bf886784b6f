/** What the pages where clients enter ask of the server and of this browser, without React. */
import { enterRoom, getSeat, leaveRoom, lookAtDoor, normalizeCode, type Seat } from '@fieldroom/contract/clients';
import type { ReplyOf } from '@fieldroom/contract/http';
import { api } from '../../platform/api/api.ts';
import { ApiProblem } from '../../platform/api/request.ts';
import { forgetPerson, keepSeat, type Store, storage, therapistSignedInHere } from '../../platform/storage.ts';
import { doorLanguage } from './useDoorWords.ts';

export type Host = ReplyOf<typeof lookAtDoor>;

export type Place =
  | { page: 'join'; joinLink: string }
  | { page: 'code' }
  | { page: 'bye'; why: string; joinLink: string | null };
/** Which of the door's pages an address means. */
export function placeOf(pathname: string, search: string): Place {
  const [, , page, rest] = pathname.split('/');
  if (page === 'join' && rest) {
    let joinLink = rest;
    try {
      joinLink = decodeURIComponent(rest);
    } catch {
      // A broken escape names no room; the server says so.
    }
    return { page: 'join', joinLink };
  }
  if (page === 'bye') {
    const told = new URLSearchParams(search);
    return { page: 'bye', why: told.get('why') ?? 'ended', joinLink: told.get('link') };
  }
  return { page: 'code' };
}

export type Found =
  | { kind: 'blocked' }
  | { kind: 'form'; host: Host | null }
  | { kind: 'unknown' }
  | { kind: 'waiting'; seat: Seat }
  | { kind: 'in'; seat: Seat }
  | { kind: 'full' }
  | { kind: 'problem'; problem: unknown };

/**
 * Who opens the page: a therapist signed in here is stopped, a client with a token that still holds goes on without
 * being
 * asked, everybody else meets the form.
 */
export async function findOut(place: Exclude<Place, { page: 'bye' }>, store: Store = storage): Promise<Found> {
  if (therapistSignedInHere(store)) return { kind: 'blocked' };
  const client = store.get('client');
  // A token for another room is left alone until this door is really entered.
  if (
    client &&
    store.getText('token') !== null &&
    (place.page === 'code' || client.therapist.joinLink === place.joinLink)
  ) {
    const seat = await askSeat();
    if (seat.kind === 'in' || seat.kind === 'waiting' || seat.kind === 'full') return seat;
    // A hiccup says nothing about the seat: keep it and ask again.
    if (seat.kind === 'problem' && isPassing(seat.problem)) return seat;
    forgetPerson(store);
  }
  if (place.page === 'code') return { kind: 'form', host: null };
  try {
    return {
      kind: 'form',
      host: await api.call(lookAtDoor, { params: { joinLink: place.joinLink } }),
    };
  } catch (problem) {
    if (
      problem instanceof ApiProblem &&
      (problem.code === 'join_link_unknown' || problem.code === 'not_found' || problem.code === 'invalid_input')
    )
      return { kind: 'unknown' };
    return { kind: 'problem', problem };
  }
}

export type SeatAnswer =
  | { kind: 'in'; seat: Seat }
  | { kind: 'waiting'; seat: Seat }
  | { kind: 'full' }
  | { kind: 'gone'; why: ByeReason }
  | { kind: 'problem'; problem: ApiProblem };

/** Where the holder of the stored token stands now. */
export async function askSeat(signal?: AbortSignal): Promise<SeatAnswer> {
  try {
    const seat = await api.call(getSeat, signal ? { signal } : {});
    return { kind: seat.state === 'in' ? 'in' : 'waiting', seat };
  } catch (fault) {
    if (!(fault instanceof ApiProblem)) throw fault;
    return seatRefused(fault);
  }
}

/** What a refusal means for the holder of a token, whether the call or the line was refused. */
export function seatRefused(problem: ApiProblem): Exclude<SeatAnswer, { seat: Seat }> {
  switch (problem.code) {
    case 'room_full':
      return { kind: 'full' };
    case 'live_session_over':
      return { kind: 'gone', why: 'ended' };
    case 'declined':
      return { kind: 'gone', why: 'declined' };
    case 'sent_out':
      return { kind: 'gone', why: 'removed' };
    case 'not_signed_in':
    case 'session_expired':
      return { kind: 'gone', why: 'ended' };
    default:
      return { kind: 'problem', problem };
  }
}

/** Faults that go by themselves: a lost connection, a restart, a full server, a fault on its side. */
export function isPassing({ code, status }: ApiProblem): boolean {
  return code === 'offline' || code === 'too_many_requests' || status >= 500 || status === 429;
}

/** Knocks. Out: the seat, waiting or in; it is kept in this browser, so that a reload asks nothing. */
export async function knock(
  who: { name: string } & ({ joinLink: string } | { code: string }),
  store: Store = storage,
): Promise<Seat> {
  const body =
    'code' in who ? { code: normalizeCode(who.code), name: who.name } : { joinLink: who.joinLink, name: who.name };
  // Nobody enters as two people: an older seat is let go of by this browser.
  forgetPerson(store);
  const { token, ...seat } = await api.call(enterRoom, { body });
  keepSeat(store, { token, client: seat.client, language: doorLanguage() });
  if ('code' in who) store.setText('secret_code', normalizeCode(who.code));
  return seat;
}

/** Gives seat or place in the queue back. What fails is ended by the server when the line stays away. */
export async function goAway(store: Store = storage): Promise<void> {
  try {
    await api.call(leaveRoom, { keepalive: true });
  } catch {
    // Leaving must always work for the person who leaves.
  }
  forgetPerson(store);
}

export type ByeReason = 'left' | 'ended' | 'away' | 'declined' | 'removed';
/** The words a good-bye is told with; the room's own words for it are understood too. */
export function byeReason(why: string): ByeReason {
  switch (why) {
    case 'left':
    case 'away':
    case 'declined':
    case 'removed':
      return why;
    case 'therapist_away':
      return 'away';
    default:
      return 'ended';
  }
}
