/**
 * Limits for emails.
 *
 * `createNotices`: emails that a therapist causes by adding somebody or changing an event (rule 26). Nobody may be
 * flooded by one therapist, by many, or by people who register as therapists for that purpose. Beyond a limit the whole
 * act is refused, so that nothing happens without an email. Cancellations of confirmed bookings, and answers to what a
 * person does by their own token, are always sent. The address of a hold may have been typed by a stranger. A
 * therapist's act on the hold is done, and its email counts like those of other acts to an address that nobody has
 * proven.
 *
 * `createUnprovenLimits`: emails to addresses that somebody typed into a form and nobody has proven (rule 7). They are
 * counted by the transaction that writes them: whatever fails, neither is an email lost that was counted, nor one sent
 * that was not.
 */
import type { Config } from '../../../platform/config.ts';
import type { Tx } from '../../../platform/db/db.ts';
import { Problem } from '../../../platform/problem.ts';
import type { Counter, Limits } from '../../../platform/limits.ts';
import { actEmailsTo, allEmailsTo, mailboxOf } from '../../../platform/mail/mailbox.ts';
import type { Host } from '../../events/index.ts';
import type { BookingRow } from '../bookings.types.ts';

/** An email about a booking, with the therapist who causes it. */
interface Notice {
  readonly host: Pick<Host, 'id' | 'isProven'>;
  readonly booking: Pick<BookingRow, 'email' | 'addedByTherapist' | 'state'>;
}

export interface Notices {
  /**
   * Counts emails about bookings that somebody was added to or whose event changed, in the transaction: all those of
   * one act at once. Returns those that may be sent; the others are about holds, and the act continues without them.
   * Problem: `too_many_requests` if one about a confirmed booking is beyond a limit.
   */
  count<T extends Notice>(tx: Tx, notices: readonly T[]): Promise<readonly T[]>;
  /** The same for bookings that end: those about confirmed ones are not counted, and always sent. */
  countEnds<T extends Notice>(tx: Tx, notices: readonly T[]): Promise<readonly T[]>;
}

/** Makes the limits of emails that a therapist causes. */
export function createNotices({
  limits,
  config,
}: {
  limits: Pick<Limits, 'counter' | 'countTogether'>;
  config: Pick<Config, 'limits'>;
}): Notices {
  const { personNotices, addressNotices, youngNotices, youngTherapistNotices, addressEmails } = config.limits;
  const isHeld = ({ booking }: Notice) => booking.state !== 'CONFIRMED';

  async function countersOf(notice: Notice): Promise<Counter[]> {
    const { host, booking } = notice;
    const mailbox = mailboxOf(booking.email);
    if (isHeld(notice)) return [await limits.counter(actEmailsTo(mailbox), addressEmails)];
    const ofPerson = await limits.counter(`notices ${host.id} ${mailbox}`, personNotices);
    // People who booked themselves asked for it; people whom a therapist added never did.
    if (!booking.addedByTherapist) return [ofPerson];
    if (host.isProven) return [ofPerson, await limits.counter(`notices ${mailbox}`, addressNotices)];
    return [
      ofPerson,
      await limits.counter(`notices young ${mailbox}`, youngNotices),
      await limits.counter(`notices by ${host.id}`, youngTherapistNotices),
    ];
  }

  const count: Notices['count'] = async (tx, notices) => {
    const counted = await limits.countTogether(tx, await Promise.all(notices.map(countersOf)));
    const waits = notices.flatMap((one, nth) => {
      const { ok, retryAfterSeconds } = counted[nth]!;
      return ok || isHeld(one) ? [] : [retryAfterSeconds];
    });
    if (waits.length > 0) throw new Problem('too_many_requests', { retryAfterSeconds: Math.max(...waits) });
    return notices.filter((_, nth) => counted[nth]!.ok);
  };

  return {
    count,
    async countEnds(tx, notices) {
      const left = new Set(await count(tx, notices.filter(isHeld)));
      return notices.filter((one) => !isHeld(one) || left.has(one));
    },
  };
}

export interface UnprovenLimits {
  /** What counts an email to an address about an event, or with all its links: for the statement that writes it. */
  counters(about: number | 'links', email: string): Promise<readonly Counter[]>;
  /**
   * Counts such an email in the transaction that writes it. Returns whether it may be sent; otherwise it is not
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
      // All forms that write to a typed address share this one. Tries that may not send an email at one event do not
      // use it up: the two are counted together or not at all.
      limits.counter(allEmailsTo(mailbox), addressEmails),
    ]);
  };
  return {
    counters,
    allows: async (tx, about, email) => limits.allowsTogether(tx, await counters(about, email)),
  };
}
