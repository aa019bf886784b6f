/**
 * The people in a room, for the real-time connection. It reads the database where it matters, and memory for messages
 * that come thirty times a second. What people who are not in the room can cost is limited.
 */
import type { ClientSeat, Principal, RoomAccess } from '../../../access.ts';
import type { Clients } from '../clients.types.ts';

/** Look-ups a second for one person who is not known to be in the room, and how many at once. */
const LOOKS_PER_SECOND = 10;
const LOOKS_AT_ONCE = 60;
/** How long moves of a person who is not in the room cause no look-up. */
const MOVES_IGNORED_MS = 1_000;

export interface Members {
  /** The rights of this person in their room now, from the database; null for none. */
  accessNow(principal: Principal): Promise<RoomAccess | null>;
  /** The same from memory; null for people who are not known to be in the room. */
  admittedAs(principal: Principal): RoomAccess | null;
  /** The same, and looks unknown people up for the next time. */
  knownAccess(principal: Principal): RoomAccess | null;
  /**
   * Whether this person may cause a look-up now; counts it. People known to be in the room always may, so that people
   * who wait do not slow them down.
   */
  mayLook(principal: Principal): boolean;
  /** Forgets these people: they have left the room, or their connections end. */
  forget(personIds: readonly number[]): void;
  /** Forgets the counts of people who have been away for a while; for a sweep. */
  tidy(): void;
}

/** Makes the members of all rooms. Takes the clients, whose seats decide. */
export function createMembers(clients: Pick<Clients, 'seatOf' | 'roomAccessOf' | 'onPeopleChanged'>): Members {
  /** Clients known to be in their room. */
  const admitted = new Map<number, RoomAccess>();
  /** Look-ups left, as of a real time in ms. Reconnecting gives none back. */
  const looks = new Map<number, { left: number; at: number; noMovesUntil: number }>();
  /** Goes up each time somebody leaves, because a seat read before may be out of date then. */
  let leavings = 0;

  function forget(personIds: readonly number[]): void {
    for (const id of personIds) {
      leavings++;
      admitted.delete(id);
    }
  }
  clients.onPeopleChanged(({ gone }) => forget(gone));

  function countLook(id: number): boolean {
    const now = performance.now();
    let mine = looks.get(id);
    if (mine === undefined) looks.set(id, (mine = { left: LOOKS_AT_ONCE, at: now, noMovesUntil: 0 }));
    mine.left = Math.min(LOOKS_AT_ONCE, mine.left + ((now - mine.at) / 1_000) * LOOKS_PER_SECOND);
    mine.at = now;
    if (mine.left < 1) return false;
    mine.left -= 1;
    return true;
  }

  async function accessNow(principal: Principal): Promise<RoomAccess | null> {
    if (principal.kind === 'account') return clients.roomAccessOf(principal, principal.id);
    const seen = leavings;
    const seat: ClientSeat | null = await clients.seatOf(principal.id);
    const access = clients.roomAccessOf(seat, principal.therapistId);
    if (access === null) admitted.delete(principal.id);
    else if (seen === leavings) admitted.set(principal.id, access);
    return access;
  }

  /** Finds out whether this person is in, for the moves that follow. */
  function lookSoon(principal: Principal): void {
    if (performance.now() < (looks.get(principal.id)?.noMovesUntil ?? 0) || !countLook(principal.id)) return;
    const mine = looks.get(principal.id)!;
    mine.noMovesUntil = Infinity;
    const done = () => {
      mine.noMovesUntil = performance.now() + MOVES_IGNORED_MS;
    };
    // From then on a person in the room is known; after a fault a later move asks again.
    accessNow(principal).then(done, done);
  }

  /** A therapist's rights follow from the sign-in, without the database. */
  const admittedAs = (principal: Principal): RoomAccess | null =>
    principal.kind === 'account' ? clients.roomAccessOf(principal, principal.id) : (admitted.get(principal.id) ?? null);

  return {
    accessNow,
    admittedAs,
    knownAccess(principal) {
      const access = admittedAs(principal);
      if (access === null && principal.kind === 'client') lookSoon(principal);
      return access;
    },
    mayLook: (principal) => principal.kind === 'account' || admitted.has(principal.id) || countLook(principal.id),
    forget,
    tidy() {
      const now = performance.now();
      for (const [id, { at }] of looks) if (now - at > (LOOKS_AT_ONCE / LOOKS_PER_SECOND) * 1_000) looks.delete(id);
    },
  };
}
