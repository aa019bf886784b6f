/**
 * Limits for emails.
 *
 * `createNotices`: emails that a therapist causes by adding somebody or changing an event (rule 26). Nobody may be
 * flooded by one therapist, by many, or by people who register as therapists for that purpose. Beyond a limit the whole
 * act is refused, so that nothing happens without an email. Cancellations of confirmed bookings, and answers to what a
 * person does by their own token, are always sent. An address with a hold may be a stranger's word. What a therapist
 * does with the hold goes on, and its email counts like those of the form that took the address.
 *
 * `createUnprovenLimits`: emails to addresses that somebody typed into a form and nobody has proven (rule 7).
 */
import type { Config } from '../../../platform/config.ts';
import type { Tx } from '../../../platform/db/db.ts';
import type { Limits } from '../../../platform/limits.ts';
import { allEmailsTo, mailboxOf } from '../../../platform/mail/mailbox.ts';
import type { Host } from '../../events/index.ts';
import type { BookingRow } from '../bookings.types.ts';

export interface Notices {
  /**
   * Counts one email about a booking, in the transaction: a rollback takes the count back. Problem: `too_many_requests`
   * beyond a limit.
   */
  count(
    tx: Tx,
    notice: {
      readonly host: Pick<Host, 'id' | 'isProven'>;
      readonly booking: Pick<BookingRow, 'email' | 'addedByTherapist'>;
    },
  ): Promise<void>;
  /**
   * Counts one email to an address that is only held, in the transaction. Returns whether it may leave.
   */
  mayTellHeld(tx: Tx, booking: Pick<BookingRow, 'email'>): Promise<boolean>;
}

/** Makes the limits of emails that a therapist causes. */
export function createNotices({
  limits,
  config,
}: {
  limits: Pick<Limits, 'takeWithin' | 'allowsWithin'>;
  config: Pick<Config, 'limits'>;
}): Notices {
  const { personNotices, addressNotices, youngNotices, youngTherapistNotices, addressEmails } = config.limits;
  return {
    mayTellHeld: (tx, { email }) => limits.allowsWithin(tx, allEmailsTo(mailboxOf(email)), addressEmails),

    async count(tx, { host, booking }) {
      const mailbox = mailboxOf(booking.email);
      await limits.takeWithin(tx, `notices ${host.id} ${mailbox}`, personNotices);
      // People who booked themselves asked for it; people whom a therapist added never did.
      if (!booking.addedByTherapist) return;
      if (host.isProven) return limits.takeWithin(tx, `notices ${mailbox}`, addressNotices);
      await limits.takeWithin(tx, `notices young ${mailbox}`, youngNotices);
      await limits.takeWithin(tx, `notices by ${host.id}`, youngTherapistNotices);
    },
  };
}

export interface UnprovenLimits {
  /**
   * Counts an email to an address about an event, or with all its links. Returns whether it may leave; one that may not
   * is not counted.
   */
  take(about: number | 'links', email: string): Promise<boolean>;
  /** Takes back a counted email that was not written. */
  giveBack(about: number | 'links', email: string): Promise<void>;
  /**
   * Counts an email, and has it written if it may leave. `write` returns whether it was; if not, the count goes back.
   */
  within(about: number | 'links', email: string, write: () => Promise<boolean>): Promise<void>;
}

/** Makes the limits of emails to addresses that nobody has proven. */
export function createUnprovenLimits({
  limits,
  config,
}: {
  limits: Pick<Limits, 'allows' | 'giveBack'>;
  config: Pick<Config, 'limits'>;
}): UnprovenLimits {
  // All forms that write to a typed address share the second key.
  const keys = (about: number | 'links', email: string) => {
    const mailbox = mailboxOf(email);
    return [
      [`booking emails ${about} ${mailbox}`, config.limits.formEmails],
      [allEmailsTo(mailbox), config.limits.addressEmails],
    ] as const;
  };
  const giveBack: UnprovenLimits['giveBack'] = async (about, email) => {
    await Promise.all(keys(about, email).map(([key]) => limits.giveBack(key)));
  };
  const take: UnprovenLimits['take'] = async (about, email) => {
    const allowed = await Promise.all(keys(about, email).map(([key, limit]) => limits.allows(key, limit)));
    if (allowed.every(Boolean)) return true;
    // Somebody who tries one event again and again must not use up the emails that all others may send to this mailbox.
    await giveBack(about, email);
    return false;
  };
  return {
    take,
    giveBack,
    async within(about, email, write) {
      if (!(await take(about, email))) return;
      let written = false;
      try {
        written = await write();
      } finally {
        if (!written) await giveBack(about, email);
      }
    },
  };
}
