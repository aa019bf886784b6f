/**
 * The links of an address's live bookings, sent to that address when somebody types it (README, rule 28). Address and
 * bookings are looked up after the answer, so neither the answer nor its time says whether the address is known.
 */
import { Problem } from '../../../platform/problem.ts';
import { normalizeEmail } from '@fieldroom/contract/text';
import type { AfterAnswer } from '../../../platform/scheduling/after-answer.ts';
import type { Config } from '../../../platform/config.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import type { Limits } from '../../../platform/limits.ts';
import { newToken } from '../../../platform/tokens.ts';
import type { EventRow, Events } from '../../events/index.ts';
import * as store from '../bookings.store.ts';
import type { BookingEmails, BookingRow, LinkedBooking } from '../bookings.types.ts';
import type { UnprovenLimits } from './bookings.email-limits.ts';

/** More would make an email that nobody reads; the next events come first. */
const LISTED_MAX = 20;
/** People may try again after this time when too many requests wait. */
const RETRY_SECONDS = 60;

interface LinksByAddressParts {
  db: Db;
  events: Pick<Events, 'lock' | 'inviter'>;
  mail: Pick<BookingEmails, 'links'>;
  limits: Pick<Limits, 'take' | 'addressBlock'>;
  config: Pick<Config, 'limits'>;
  unprovenLimits: Pick<UnprovenLimits, 'allows'>;
  afterAnswer: AfterAnswer;
}

/** Takes the address that was typed, and the caller's. Problem: `too_many_requests`. */
export type SendLinksByAddress = (email: string, ip: string) => Promise<void>;

/** Makes the function that sends the links of an address, after the answer to the call. */
export function createLinksByAddress({
  db,
  events,
  mail,
  limits,
  config,
  unprovenLimits,
  afterAnswer,
}: LinksByAddressParts): SendLinksByAddress {
  /** A booking and the purpose of its link; null if nothing can be done with it now. */
  async function linkable(tx: Tx, booking: BookingRow, event: EventRow): Promise<Omit<LinkedBooking, 'token'> | null> {
    const host = await events.inviter(event.therapistId, tx);
    if (host === null) return null;
    const purpose = booking.state === 'CONFIRMED' ? 'private' : 'email';
    // Nothing new is confirmed with somebody who was suspended (rule 22).
    if (purpose === 'email' && !host.canBeMet) return null;
    return { booking, event, host, purpose };
  }

  /**
   * Locks events in the order of their ids, so that no two transactions wait for each other. Returns them by id. Only
   * the first is waited for: nobody who types an address may hold up one event while another is locked.
   */
  async function lockAll(tx: Tx, ids: readonly number[]): Promise<Map<number, EventRow>> {
    const locked = new Map<number, EventRow>();
    for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) {
      const event = await events.lock(tx, id, { noWait: locked.size > 0 });
      if (event !== null) locked.set(id, event);
    }
    return locked;
  }

  async function write(emailNormalized: string): Promise<void> {
    const seen = await store.readComingOf(db, emailNormalized, LISTED_MAX);
    if (seen.length === 0) return;
    await db.transaction(async (tx) => {
      const locked = await lockAll(
        tx,
        seen.map(({ eventId }) => eventId),
      );
      const found: Omit<LinkedBooking, 'token'>[] = [];
      // Read again: a booking that has ended in between gets no link, and under the locks nothing ends before the email
      // is stored.
      for (const row of await store.readComingOf(tx, emailNormalized, LISTED_MAX)) {
        const event = locked.get(row.eventId);
        const one = event === undefined ? null : await linkable(tx, row, event);
        if (one !== null) found.push(one);
      }
      if (found.length === 0 || !(await unprovenLimits.allows(tx, 'links', emailNormalized))) return;
      const links = found.map((one) => ({ ...one, ...newToken() }));
      await store.insertTokens(
        tx,
        links.map(({ hash, booking, purpose }) => ({ tokenHash: hash, bookingId: booking.id, purpose })),
      );
      await mail.links(tx, links);
    });
  }

  return async (email, ip) => {
    await limits.take(`booking links ${limits.addressBlock(ip)}`, config.limits.booking);
    const taken = afterAnswer.add(() => write(normalizeEmail(email)));
    if (!taken) throw new Problem('too_many_requests', { retryAfterSeconds: RETRY_SECONDS });
  };
}
