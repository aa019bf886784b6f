/** Tickets for the video line: 256 random bits, kept hashed, good once and for a minute of real time (rule 1). */
import { TICKET_SECONDS } from '@fieldroom/contract/video';
import { hashToken, newToken } from '../accounts/index.ts';

/** Whom a ticket lets in, as the server knows it; nothing of it is the browser's word but `firefox`. */
export interface Member {
  readonly as: 'therapist' | 'client';
  readonly therapistId: number;
  readonly personId: number;
  /** Told when the ticket was asked for; only lowers or raises one's own cap. */
  readonly firefox: boolean;
}

export interface Tickets {
  /** Makes one. The oldest of a person who holds too many is void. */
  issue(member: Member): string;
  /** Takes it: whom it lets in, or null where it was never made, was taken, is too old, or its membership has ended. */
  take(ticket: string): Member | null;
  /** Voids those of members who went. */
  forget(gone: (member: Member) => boolean): void;
  /** How many are kept. */
  count(): number;
}

/** A page needs one; a few more for those that reload in a hurry or have two windows. */
const TICKETS_A_PERSON = 5;

/** Makes the box of tickets. In: the machine's clock in milliseconds, for tests. It holds at most five tickets for each person who may ask. */
export function createTickets(now: () => number = () => performance.now()): Tickets {
  const byHash = new Map<string, { member: Member; until: number }>();
  const keyOf = (hash: Buffer) => hash.toString('base64url');

  function dropOld(): void {
    // In the order they were made, so the first that still holds ends the look.
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
