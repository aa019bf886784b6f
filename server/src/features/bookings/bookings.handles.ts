/**
 * Booking, and what somebody who just booked may do: have the letter sent again, or correct the address. All of it answers
 * alike for addresses that have a booking and for those that have none; letters tell the difference to their owners alone.
 */
import type { KeyObject } from 'node:crypto';
import { HOLD_MINUTES, type Hold, type NewParticipant } from '@fieldroom/contract/bookings';
import { Problem } from '@fieldroom/contract/problems';
import { type Language, normalizeEmail } from '@fieldroom/contract/text';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { Limits } from '../../platform/limits.ts';
import type { Outbox } from '../../platform/mail/outbox.ts';
import { hashToken, newToken } from '../accounts/index.ts';
import type { Events } from '../events/index.ts';
import { type Holds, sourceOf, type TakenPlace } from './bookings.holds.ts';
import { type Known, writeAgain } from './bookings.known.ts';
import * as store from './bookings.store.ts';
import { type BookingMail, WITHDRAWN_AT_END } from './bookings.types.ts';

const NO_HOLDS_FREE_SECONDS = HOLD_MINUTES * 60;

export interface HandlesParts {
  db: Db;
  clock: Pick<Clock, 'now'>;
  events: Pick<Events, 'lock' | 'host'>;
  outbox: Pick<Outbox, 'row' | 'withdraw'>;
  mail: BookingMail;
  limits: Pick<Limits, 'take' | 'allows' | 'giveBack' | 'addressBlock'>;
  config: Pick<Config, 'limits'>;
  holds: Holds;
  known: Known;
  /** Secret of this database, for the hash of sources. */
  secret: () => Promise<KeyObject>;
}

const toHold = (handle: string, heldUntil: Date, extendable: boolean): Hold => ({
  handle,
  heldUntil: heldUntil.toISOString(),
  extendable,
});

export type Handles = ReturnType<typeof createHandles>;

export function createHandles({ db, clock, events, outbox, mail, limits, config, holds, known, secret }: HandlesParts) {
  // The second key is shared by all forms that write to an address somebody typed.
  const letterKeys = (eventId: number, email: string) =>
    [
      [`booking letters ${eventId} ${email}`, config.limits.formLetters],
      [`letters ${email}`, config.limits.addressLetters],
    ] as const;

  /** Counts a letter to an address nobody has proven, and tells whether it may go out. */
  async function mayWrite(eventId: number, email: string): Promise<boolean> {
    const allowed = await Promise.all(letterKeys(eventId, email).map(([key, limit]) => limits.allows(key, limit)));
    return allowed.every(Boolean);
  }
  const notWritten = (eventId: number, email: string) =>
    Promise.all(letterKeys(eventId, email).map(([key]) => limits.giveBack(key)));

  /** Under the event's lock: the handle, spent. Problems: `link_invalid` for unknown and used ones, `booking_ended` once its time is over. */
  async function spend(tx: Tx, handleHash: Buffer): Promise<store.HandleRow> {
    const handle = await store.findHandle(tx, handleHash);
    if (handle === null || handle.usedAt !== null) throw new Problem('link_invalid');
    if (!handle.open) throw new Problem('booking_ended');
    await store.useHandle(tx, handleHash);
    return handle;
  }

  /** Until when a hold lasts that is made longer now, once. */
  async function longer(tx: Tx, { heldUntil, extended }: store.HandleRow): Promise<Date> {
    return extended ? heldUntil : new Date((await clock.now(tx)).getTime() + HOLD_MINUTES * 60_000);
  }

  /** The same handle again by another name. */
  async function next(
    tx: Tx,
    { eventId, source, firstName, lastName, email, phone, language }: store.HandleRow,
    bookingId: number | null,
    heldUntil: Date,
  ): Promise<string> {
    const { token, hash } = newToken();
    await store.insertHandle(tx, {
      handleHash: hash,
      eventId,
      bookingId,
      source,
      firstName,
      lastName,
      email,
      phone,
      language,
      heldUntil,
      extended: true,
    });
    return token;
  }

  return {
    /** Holds a place and writes to the address. Rules 1 to 9. Problems: as `bookEvent` of the contract. */
    async book(
      eventId: number,
      person: NewParticipant & { language?: Language | undefined },
      ip: string,
    ): Promise<Hold> {
      const emailNormalized = normalizeEmail(person.email);
      const refusal = await holds.refusalOf(eventId);
      if (refusal !== null) {
        if (refusal === 'event_full' || refusal === 'event_holds_full')
          known.tell({ eventId, emailNormalized, mayWrite: () => mayWrite(eventId, emailNormalized) });
        throw new Problem(refusal);
      }
      const block = limits.addressBlock(ip);
      await limits.take(`booking ${block}`, config.limits.booking);
      const letter = await mayWrite(eventId, emailNormalized);
      const { firstName, lastName, email, phoneNumber: phone, language } = person;
      const taken = await holds.take({
        eventId,
        source: sourceOf(await secret(), block),
        firstName,
        lastName,
        email,
        phone,
        language,
        letter,
      });
      if (taken.verdict === 'held' || taken.verdict === 'known') return toHold(taken.handle, taken.heldUntil, true);
      // Nothing was written; for those who have a place the letter is counted when it is.
      await notWritten(eventId, emailNormalized);
      if (taken.verdict === 'too_many_holds')
        throw new Problem('too_many_requests', { retryAfterSeconds: NO_HOLDS_FREE_SECONDS });
      if (taken.verdict === 'event_full' || taken.verdict === 'event_holds_full')
        known.tell({ eventId, emailNormalized, mayWrite: () => mayWrite(eventId, emailNormalized) });
      throw new Problem(taken.verdict);
    },

    /**
     * Sends the letter again and makes the hold, or the decoy, longer, once. Whether there is a letter to write is nobody's
     * business but the address's owner's: the same is done where there is none. Problems: `link_invalid`, `booking_ended`,
     * `too_many_requests`.
     */
    async resend(handle: string, ip: string): Promise<Hold> {
      await limits.take(`booking again ${limits.addressBlock(ip)}`, config.limits.booking);
      const handleHash = hashToken(handle);
      const found = await store.findHandle(db, handleHash);
      if (found === null) throw new Problem('link_invalid');
      const { eventId, email, language } = found;
      const emailNormalized = normalizeEmail(email);
      // Stays counted also where it turns out that nobody is to be written to: giving it back would show in the time.
      const letter = await mayWrite(eventId, emailNormalized);
      let hold: Hold | null = null;
      try {
        hold = await db.transaction(async (tx) => {
          const event = await events.lock(tx, eventId);
          const host = event === null ? null : await events.host(event.therapistId, tx);
          await store.expire(tx, eventId);
          const spent = await spend(tx, handleHash);
          const heldUntil = await longer(tx, spent);
          // Whoever has confirmed or declined by the letter meanwhile is told nothing else here than others are.
          await store.extendHold(tx, spent.bookingId, heldUntil);
          const again = await next(tx, spent, spent.bookingId, heldUntil);
          const [live] = await store.findLiveOf(tx, [{ eventId, emailNormalized }]);
          if (letter && event !== null && host !== null)
            await writeAgain(
              tx,
              { mail, outbox },
              { event, host, whom: live ?? { id: null, email, language, heldUntil: heldUntil.toISOString() } },
            );
          return toHold(again, heldUntil, false);
        });
        return hold;
      } finally {
        if (hold === null) await notWritten(eventId, emailNormalized);
      }
    },

    /**
     * Corrects the address: the first hold, or the decoy, ends, a hold with its letters and tokens, and a new one is taken in the same
     * transaction, so that the place stays. Where there was none to end (its owner has answered already), a place is taken if one is
     * free. Problems: `link_invalid`, `booking_ended`, `event_full`, `event_holds_full`, `too_many_requests`.
     */
    async correct(handle: string, email: string, ip: string): Promise<Hold> {
      await limits.take(`booking again ${limits.addressBlock(ip)}`, config.limits.booking);
      const handleHash = hashToken(handle);
      const found = await store.findHandle(db, handleHash);
      if (found === null) throw new Problem('link_invalid');
      const { eventId } = found;
      const emailNormalized = normalizeEmail(email);
      const letter = await mayWrite(eventId, emailNormalized);
      let taken: TakenPlace | null = null;
      try {
        taken = await db.transaction(async (tx) => {
          const event = await events.lock(tx, eventId);
          const host = event === null ? null : await events.host(event.therapistId, tx);
          if (event === null || host === null) throw new Problem('booking_ended');
          await store.expire(tx, eventId);
          const spent = await spend(tx, handleHash);
          const heldUntil = await longer(tx, spent);
          // The same statements for a decoy, which has nothing to end.
          const ended = await store.endHold(tx, spent.bookingId);
          await outbox.withdraw(tx, `booking ${ended}`, WITHDRAWN_AT_END);
          const { source, firstName, lastName, phone, language } = spent;
          const again = await holds.takeWithin(
            tx,
            { eventId, source, firstName, lastName, email, phone, language, letter },
            { event, host, heldUntil, extended: true },
          );
          // Thrown, so that the first hold stays.
          if (again.verdict === 'event_full' || again.verdict === 'event_holds_full') throw new Problem(again.verdict);
          if (again.verdict !== 'held' && again.verdict !== 'known') throw new Problem('booking_ended');
          return again;
        });
        return toHold(taken.handle, taken.heldUntil, false);
      } finally {
        if (taken === null) await notWritten(eventId, emailNormalized);
      }
    },
  };
}
