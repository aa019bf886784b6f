/**
 * Tickets for the video connection: 256 random bits, stored as a hash, valid once and for one minute of real time (rule
 * 1).
 */
import { TICKET_SECONDS } from '@fieldroom/contract/video';
import { hashToken, newToken } from '../../../platform/tokens.ts';

/** Whom a ticket admits, as the server knows it. Only `firefox` comes from the browser. */
export interface Member {
  readonly as: 'therapist' | 'client';
  readonly therapistId: number;
  readonly personId: number;
  /** Stated when the ticket was requested; it only changes one's own cap. */
  readonly firefox: boolean;
  /** Hash of the token of the therapist's sign-in, whose end closes the connection; null for clients. */
  readonly signIn: Buffer | null;
}

export interface Tickets {
  /** Issues a ticket. A person who holds too many loses the oldest. */
  issue(member: Member): string;
  /** Takes a ticket. Returns whom it admits; null when it is unknown, used, too old, or the membership has ended. */
  take(ticket: string): Member | null;
  /** Voids the tickets of members who have left. */
  forget(gone: (member: Member) => boolean): void;
  /** How many are kept. */
  count(): number;
}

/** A page needs one; a few more for pages that reload in a hurry or have two windows. */
export const TICKETS_A_PERSON = 5;

/**
 * Makes the store of tickets. Takes the machine's clock in milliseconds, for tests. It holds at most five tickets for
 * each person.
 */
export function createTickets(now: () => number = () => performance.now()): Tickets {
  const byHash = new Map<string, { member: Member; until: number }>();
  const keyOf = (hash: Buffer) => hash.toString('base64url');

  function dropOld(): void {
    // In the order they were issued, so the search ends at the first valid one.
    for (const [key, { until }] of byHash) {
      if (until > now()) return;
      byHash.delete(key);
    }
  }

  return {
    issue(member) {
      dropOld();
      const mine = [...byHash].filter(
        ([
          ,
          {
            member: { personId },
          },
        ]) => personId === member.personId,
      );
      for (const [key] of mine.slice(0, Math.max(0, mine.length - TICKETS_A_PERSON + 1))) byHash.delete(key);
      const { token, hash } = newToken();
      byHash.set(keyOf(hash), { member, until: now() + TICKET_SECONDS * 1000 });
      return token;
    },
    take(ticket) {
      const key = keyOf(hashToken(ticket));
      const found = byHash.get(key);
      byHash.delete(key);
      return found !== undefined && found.until > now() ? found.member : null;
    },
    forget(gone) {
      for (const [key, { member }] of byHash) if (gone(member)) byHash.delete(key);
    },
    count: () => byHash.size,
  };
}
