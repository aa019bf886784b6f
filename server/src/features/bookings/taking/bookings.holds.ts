/** What a person who just booked may do with their hold: read it, have the email sent again, correct the address. */
import type { Hold, HoldView } from '@fieldroom/contract/bookings';
import { Problem } from '../../../platform/problem.ts';
import { normalizeEmail } from '@fieldroom/contract/text';
import type { Clock } from '../../../platform/clock.ts';
import type { Config } from '../../../platform/config.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import type { Limits } from '../../../platform/limits.ts';
import type { Outbox } from '../../../platform/mail/outbox.ts';
import type { Turns } from '../../../platform/scheduling/turns.ts';
import { hashToken, newToken } from '../../../platform/tokens.ts';
import type { EventRow, Events } from '../../events/index.ts';
import type { Links } from '../bookings.links.ts';
import { expire } from '../bookings.store.ts';
import * as store from './bookings.taking.store.ts';
import { type BookingEmails, WITHDRAWN_AT_END } from '../bookings.types.ts';
import { isOff, toHoldView } from '../bookings.views.ts';
import type { UnprovenLimits } from '../emails/bookings.email-limits.ts';
import { toHold } from './bookings.book.ts';
import { writeAgain } from './bookings.known-addresses.ts';
import { holdEnd, type Places } from './bookings.places.ts';

export interface HoldsParts {
  db: Db;
  turns: Turns;
  clock: Pick<Clock, 'now'>;
  events: Pick<Events, 'find' | 'lock' | 'host' | 'inviter'>;
  outbox: Pick<Outbox, 'prepareWords' | 'prepareAddress' | 'withdraw'>;
  mail: BookingEmails;
  limits: Pick<Limits, 'take' | 'addressBlock'>;
  config: Pick<Config, 'limits'>;
  unprovenLimits: UnprovenLimits;
  places: Pick<Places, 'takeWithin'>;
  links: Pick<Links, 'handle'>;
}

export type Holds = ReturnType<typeof createHolds>;

/** Makes the acts on holds. Numbers of rules are those of ../README.md. */
export function createHolds({
  db,
  turns,
  clock,
  events,
  outbox,
  mail,
  limits,
  config,
  unprovenLimits,
  places,
  links,
}: HoldsParts) {
  /** A transaction that waits for its turn at the event. */
  const inTurn = <T>(eventId: number, work: (tx: Tx) => Promise<T>) => turns.take(eventId, () => db.transaction(work));

  /**
   * Uses up a handle, under the event's lock. Problems: `link_invalid` for unknown and used ones, `booking_ended` when
   * its time is over.
   */
  async function spend(tx: Tx, handleHash: Buffer): Promise<store.HandleRow> {
    const handle = await store.findHandle(tx, handleHash);
    if (handle === null || handle.usedAt !== null) throw new Problem('link_invalid');
    if (!handle.open) throw new Problem('booking_ended');
    await store.useHandle(tx, handleHash);
    return handle;
  }

  /** The end of a hold after this act; it is extended once. */
  async function extendedEnd(tx: Tx, { heldUntil, extended }: store.HandleRow, event: EventRow): Promise<Date> {
    return extended ? heldUntil : holdEnd(await clock.now(tx), event);
  }

  /** Finds a handle that is not used up. Problem: `link_invalid`. */
  async function unspent(handle: string, ip: string): Promise<store.HandleRow & { open: boolean }> {
    const found = await links.handle(handle, ip);
    // From now on the next handle identifies the hold.
    if (found.usedAt !== null) throw new Problem('link_invalid');
    return found;
  }

  /** Replaces a used handle. */
  async function nextHandle(
    tx: Tx,
    { eventId, source, places: wanted, firstName, lastName, email, phone, language, createdAt }: store.HandleRow,
    bookingId: number | null,
    heldUntil: Date,
  ): Promise<string> {
    const { token, hash } = newToken();
    await store.insertHandle(tx, {
      handleHash: hash,
      eventId,
      bookingId,
      source,
      places: wanted,
      firstName,
      lastName,
      email,
      phone,
      language,
      heldUntil,
      extended: true,
      createdAt,
    });
    return token;
  }

  return {
    /**
     * Returns the outcome of a hold (rule 24). A decoy gets the answer of a hold, because the answer depends on the
     * address and the time since it was typed, never on the handle. Problem: `link_invalid`, for used handles too.
     */
    async look(handle: string, ip: string): Promise<HoldView> {
      const found = await unspent(handle, ip);
      const { eventId, email, createdAt } = found;
      const [event, answered, now] = await Promise.all([
        events.find(eventId),
        store.isAnsweredSince(db, { eventId, emailNormalized: normalizeEmail(email) }, createdAt),
        clock.now(),
      ]);
      const host = event === null ? null : await events.inviter(event.therapistId);
      if (event === null || host === null) throw new Problem('link_invalid');
      return toHoldView(found, event, host, { answered, now });
    },

    /**
     * Sends the email again and extends the hold, or the decoy, once (rule 8). Does the same if there is no email to
     * write, because only the owner of the address may know. Problems: `link_invalid`, `booking_ended`,
     * `too_many_requests`.
     */
    async resend(handle: string, ip: string): Promise<Hold> {
      await limits.take(`booking again ${limits.addressBlock(ip)}`, config.limits.booking);
      const handleHash = hashToken(handle);
      const { eventId, email, language, places: wanted } = await unspent(handle, ip);
      const emailNormalized = normalizeEmail(email);
      return inTurn(eventId, async (tx) => {
        const event = await events.lock(tx, eventId);
        // Everybody may know the event's state, and nobody the outcome of the booking.
        if (event === null || isOff(event)) throw new Problem('booking_ended');
        const host = await events.host(event.therapistId, tx);
        await expire(tx, eventId);
        const spent = await spend(tx, handleHash);
        const heldUntil = await extendedEnd(tx, spent, event);
        // The answer does not reveal whether the owner has confirmed or declined.
        await store.extendHold(tx, spent.bookingId, heldUntil);
        const again = await nextHandle(tx, spent, spent.bookingId, heldUntil);
        const [live] = await store.findLiveOf(tx, [{ eventId, emailNormalized }]);
        const whom = live ?? { id: null, email, language, places: wanted, heldUntil: heldUntil.toISOString() };
        // Count even when no email is sent; otherwise the response time would reveal it.
        if ((await unprovenLimits.allows(tx, eventId, emailNormalized)) && host !== null)
          await writeAgain(tx, { mail, outbox }, { event, host, whom });
        return toHold(again, heldUntil, false);
      });
    },

    /**
     * Corrects the address (rule 9). The hold with its emails and tokens, or the decoy, ends, and a new one is taken in
     * the same transaction, so that the place stays. If its owner has answered already, there is none to end, and a
     * place is taken if one is free. Problems: `link_invalid`, `booking_ended`, `event_full`, `event_holds_full`,
     * `too_many_requests`.
     */
    async correct(handle: string, email: string, ip: string): Promise<Hold> {
      await limits.take(`booking again ${limits.addressBlock(ip)}`, config.limits.booking);
      const handleHash = hashToken(handle);
      const { eventId } = await unspent(handle, ip);
      const counters = await unprovenLimits.counters(eventId, normalizeEmail(email));
      const taken = await inTurn(eventId, async (tx) => {
        const event = await events.lock(tx, eventId);
        const host = event === null ? null : await events.host(event.therapistId, tx);
        if (event === null || host === null) throw new Problem('booking_ended');
        await expire(tx, eventId);
        const spent = await spend(tx, handleHash);
        const heldUntil = await extendedEnd(tx, spent, event);
        // A decoy has nothing to end, and runs the same statements.
        const ended = await store.endHold(tx, spent.bookingId);
        await outbox.withdraw(tx, [`booking ${ended}`], WITHDRAWN_AT_END);
        const { source, places: wanted, firstName, lastName, phone, language } = spent;
        const again = await places.takeWithin(
          tx,
          { eventId, source, places: wanted, firstName, lastName, email, phone, language, counters },
          { event, host, heldUntil, extended: true },
        );
        // Thrown, so that the first hold stays.
        if (
          again.verdict === 'event_full' ||
          again.verdict === 'event_holds_full' ||
          again.verdict === 'too_few_places'
        )
          throw new Problem(again.verdict);
        if (again.verdict !== 'held' && again.verdict !== 'known') throw new Problem('booking_ended');
        return again;
      });
      return toHold(taken.handle, taken.heldUntil, false);
    },
  };
}
