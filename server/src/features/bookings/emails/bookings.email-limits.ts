/**
 * Limits for emails.
 *
 * `createNotices`: emails that a therapist causes by adding somebody or changing an event (rule 26). Nobody may be
 * flooded by one therapist, by many, or by people who register as therapists for that purpose. Beyond a limit the whole
 * act is refused, so that nothing happens without an email. Cancellations of confirmed bookings, and answers to what a
 * person does by their own token, are always sent. An address with a hold may be a stranger's word. What a therapist
 * does with the hold goes on, and its email counts like those of the form that took the address.
 *
 * `createUnprovenLimits`: emails to addresses that somebody typed into a form and nobody has proven (rule 7). They are
 * counted by the transaction that writes them: whatever fails, neither is an email lost that was counted, nor one sent
 * that was not.
 */
import type { Config } from '../../../platform/config.ts';
import type { Tx } from '../../../platform/db/db.ts';
import type { Counter, Limits } from '../../../platform/limits.ts';
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
  /** What counts an email to an address about an event, or with all its links: for the statement that writes it. */
  counters(about: number | 'links', email: string): Promise<readonly Counter[]>;
  /**
   * Counts such an email in the transaction that writes it. Returns whether it may leave; one that may not is not
   * counted.
   */
  allows(tx: Tx, about: number | 'links', email: string): Promise<boolean>;
}

/** Makes the limits of emails to addresses that nobody has proven. */
export function createUnprovenLimits({
  limits,
  config,
}: {
  limits: Pick<Limits, 'counter' | 'allowsTogether'>;
  config: Pick<Config, 'limits'>;
}): UnprovenLimits {
  const { formEmails, addressEmails } = config.limits;
  const counters: UnprovenLimits['counters'] = (about, email) => {
    const mailbox = mailboxOf(email);
    return Promise.all([
      limits.counter(`booking emails ${about} ${mailbox}`, formEmails),
      // All forms that write to a typed address share this one. What tries at one event may not send does not use it
      // up: the two are counted together or not at all.
      limits.counter(allEmailsTo(mailbox), addressEmails),
    ]);
  };
  return {
    counters,
    allows: async (tx, about, email) => limits.allowsTogether(tx, await counters(about, email)),
  };
}
