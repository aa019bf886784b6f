/** The join page's requests to the server and its storage, without React. */
import { enterRoom, getSeat, leaveRoom, lookAtJoinLink, normalizeCode, type Seat } from '@fieldroom/contract/clients';
import type { ReplyOf } from '@fieldroom/contract/http';
import { api } from '../../platform/api/api.ts';
import { ApiProblem, isTemporary } from '../../platform/api/request.ts';
import { LEAVE_WITHIN_MS, within } from '../../platform/time/within.ts';
import { forgetPerson, keepSeat, type Store, storage, therapistSignedInHere } from '../../platform/storage.ts';
import type { GoodbyeReason, JoinAddress } from './joinAddress.ts';
import { joinLanguage } from './useJoinWords.ts';

export type Host = ReplyOf<typeof lookAtJoinLink>;

/** The view of the join page once it knows who opens it. */
export type JoinView =
  | { kind: 'blocked' }
  | { kind: 'form'; host: Host | null }
  | { kind: 'unknown' }
  | { kind: 'waiting'; seat: Seat }
  | { kind: 'in'; seat: Seat }
  | { kind: 'full' }
  | { kind: 'problem'; problem: unknown };

/**
 * Finds out who opens the page. A therapist who is signed in here is stopped; a client with a valid token continues
 * without a question; everybody else gets the form. Returns what to show.
 */
export async function findWhatToShow(
  address: Exclude<JoinAddress, { page: 'goodbye' }>,
  store: Store = storage,
): Promise<JoinView> {
  if (therapistSignedInHere(store)) return { kind: 'blocked' };
  const client = store.get('client');
  const token = store.getText('token');
  // A token for another room is kept until somebody really enters this one.
  if (client && token !== null && (address.page === 'code' || client.therapist.joinLink === address.joinLink)) {
    const seat = await fetchSeat();
    // Somebody has since entered or signed in here, or in another tab: the answer is not about them.
    if (store.getText('token') !== token) return findWhatToShow(address, store);
    if (seat.kind === 'in' || seat.kind === 'waiting' || seat.kind === 'full') return seat;
    // A temporary fault says nothing about the seat: keep it and ask again.
    if (seat.kind === 'problem' && isTemporary(seat.problem)) return seat;
    forgetPerson(store);
  }
  if (address.page === 'code') return { kind: 'form', host: null };
  try {
    return {
      kind: 'form',
      host: await api.call(lookAtJoinLink, { params: { joinLink: address.joinLink } }),
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
  | { kind: 'gone'; why: GoodbyeReason }
  | { kind: 'problem'; problem: ApiProblem };

/** Requests the present state of the stored token's holder. Throws anything that is not an answer of the server. */
export async function fetchSeat(signal?: AbortSignal): Promise<SeatAnswer> {
  try {
    const seat = await api.call(getSeat, signal ? { signal } : {});
    return { kind: seat.state === 'in' ? 'in' : 'waiting', seat };
  } catch (fault) {
    if (!(fault instanceof ApiProblem)) throw fault;
    return answerToRefusal(fault);
  }
}

/** Returns what a refusal means for the holder of a token, whether the call or the connection was refused. */
export function answerToRefusal(problem: ApiProblem): Exclude<SeatAnswer, { seat: Seat }> {
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

/**
 * Asks to come in. Returns the seat, waiting or in; this browser stores it, so that a reload asks nothing. Throws
 * ApiProblem.
 */
export async function knock(
  who: { name: string } & ({ joinLink: string } | { code: string }),
  store: Store = storage,
): Promise<Seat> {
  const body =
    'code' in who ? { code: normalizeCode(who.code), name: who.name } : { joinLink: who.joinLink, name: who.name };
  // Nobody enters as two people: the token of an older seat is sent along, and the server frees that seat. The token
  // stays here until the answer, because a fault says nothing about the seat. Any other sign-in ends first.
  if (store.get('client') === null) forgetPerson(store);
  const { token, ...seat } = await api.call(enterRoom, { body });
  forgetPerson(store);
  keepSeat(store, { token, client: seat.client, language: joinLanguage() });
  if ('code' in who) store.setText('secret_code', normalizeCode(who.code));
  return seat;
}

/**
 * Gives up the seat or the turn in the waiting room. If that fails or takes long, the person leaves all the same, and
 * the server ends it after the connection is gone.
 */
export async function leave(): Promise<void> {
  await within(LEAVE_WITHIN_MS, api.call(leaveRoom, { keepalive: true }));
}
