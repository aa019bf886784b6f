/**
 * Emails that wait to be sent: a worker takes one due email for a while (a lease), and its row says what became of the
 * try. Delays count on product time.
 */
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../db/db.ts';
import type { Nodes } from '../nodes/nodes.ts';
import { outboxEmails } from '../platform.tables.ts';
import { SERVER_DOWN_DAYS, SERVER_RETRY_SECONDS } from './delivery.ts';
import { type Email, type EndedWords, isWaiting, now } from './outbox.store.ts';

interface QueueParts {
  readonly db: Db;
  readonly nodes: Pick<Nodes, 'isShared' | 'id' | 'mayLive'>;
  readonly ended: EndedWords;
}

export type OutboxQueue = ReturnType<typeof createOutboxQueue>;

/** Longer than the mail server may take for one email, all time limits of mail-server.ts together. */
const LEASE_SECONDS = 300;
/**
 * After a success others may be tried again before their time: at most this often, and not sooner than this after a
 * try.
 */
const WOKEN_MAX = 5;
const WOKEN_AFTER_SECONDS = 30;

const { leaseUntil, notBefore } = outboxEmails;
const later = (seconds: number) => sql`${now} + make_interval(secs => ${seconds})`;

/** Makes the queue of this node. */
export function createOutboxQueue({ db, nodes, ended }: QueueParts) {
  /** Whether somebody may be handing it to the mail server now: its lease runs, and the node that took it may live. */
  function isTaken(email: SQL): SQL {
    const runs = sql`${email}.lease_until > ${now}`;
    if (!nodes.isShared) return runs;
    const node = sql`${email}.lease_node`;
    return sql`(${runs} AND (${node} IS NULL OR ${node} = ${nodes.id} OR ${node} IN (${nodes.mayLive()})))`;
  }
  /** An email, unless another node has taken it since. */
  const ownById = (id: string) =>
    and(eq(outboxEmails.id, id), sql`${outboxEmails.leaseNode} IS NOT DISTINCT FROM ${nodes.id}`);

  return {
    /**
     * Takes one due email for LEASE_SECONDS, none before the pause of the queue ends. Emails about one thing to one
     * address keep their order, also while an earlier one waits for another try: the last to arrive is the newest.
     */
    async takeNext(pausedUntil: Date): Promise<Email | undefined> {
      const due = db
        .select({ id: outboxEmails.id })
        .from(outboxEmails)
        .where(sql`${isWaiting} AND ${notBefore} <= ${now} AND ${isTaken(sql`outbox_emails`)} IS NOT TRUE
        AND ${now} >= ${pausedUntil.toISOString()}::timestamptz
        AND NOT EXISTS (
          SELECT FROM outbox_emails earlier
           WHERE earlier.about = ${outboxEmails.about} AND earlier.to_address = ${outboxEmails.to}
             AND earlier.number < ${outboxEmails.number} AND earlier.sent_at IS NULL AND earlier.failed_at IS NULL
             AND (earlier.withdrawn_at IS NULL OR ${isTaken(sql`earlier`)}))`)
        // First emails that were never tried, then those whose last try is longest ago: an email that breaks every
        // connection must not always be the one that tries the mail server again.
        .orderBy(sql`${outboxEmails.triedAt} NULLS FIRST`, outboxEmails.number)
        .limit(1)
        .for('update', { skipLocked: true });
      const [email] = await db
        .update(outboxEmails)
        .set({
          leaseUntil: later(LEASE_SECONDS),
          leaseNode: nodes.id,
          attempts: sql`${outboxEmails.attempts} + 1`,
          triedAt: now,
        })
        .where(sql`${outboxEmails.id} = (${due})`)
        .returning();
      return email;
    },

    async markSent(ids: readonly string[]): Promise<void> {
      // Withdrawn while it was on its way: it has arrived nevertheless, and the row says so.
      const sent = { sentAt: now, withdrawnAt: null, leaseUntil: null, ...ended };
      await db
        .update(outboxEmails)
        .set(sent)
        .where(inArray(outboxEmails.id, [...ids]));
    },

    /** The mail server takes emails: those that failed before need not wait for their next try. */
    async wakeOthers(): Promise<void> {
      // Those that are being withdrawn are left alone: an act withdraws many, and locks them in another order.
      const asleep = db
        .select({ id: outboxEmails.id })
        .from(outboxEmails)
        .where(sql`${isWaiting} AND ${outboxEmails.failures} > 0 AND ${outboxEmails.woken} < ${WOKEN_MAX}
        AND ${notBefore} > ${outboxEmails.triedAt} + make_interval(secs => ${WOKEN_AFTER_SECONDS})`)
        .for('update', { skipLocked: true });
      await db
        .update(outboxEmails)
        .set({
          notBefore: sql`greatest(${now}, ${outboxEmails.triedAt} + make_interval(secs => ${WOKEN_AFTER_SECONDS}))`,
          woken: sql`${outboxEmails.woken} + 1`,
          // A try ahead of its time does not bring the end nearer.
          failures: sql`${outboxEmails.failures} - 1`,
        })
        .where(inArray(outboxEmails.id, asleep));
    },

    /** After a failure that is the email's own. Takes how many it has had, and the seconds to the next try. */
    async putOff(id: string, failures: number, delaySeconds: number): Promise<void> {
      const waiting = { notBefore: later(delaySeconds), failures, leaseUntil: null };
      await db.update(outboxEmails).set(waiting).where(ownById(id));
    },

    /**
     * After a failure that says nothing about the email. Returns the product time, and whether the email has waited for
     * a mail server too long; null when another node has taken the email since.
     */
    async putOffForServer(id: string): Promise<{ at: Date; isOld: boolean } | null> {
      const [row] = await db
        .update(outboxEmails)
        .set({ notBefore: later(SERVER_RETRY_SECONDS), leaseUntil: null })
        .where(ownById(id))
        .returning({
          now: sql<string>`${now}`,
          isOld: sql<boolean>`${outboxEmails.createdAt} < ${now} - make_interval(days => ${SERVER_DOWN_DAYS})`,
        });
      return row === undefined ? null : { at: new Date(row.now), isOld: row.isOld };
    },

    /** Returns false when another node has taken it since. */
    async giveUp(id: string): Promise<boolean> {
      const { rowCount } = await db
        .update(outboxEmails)
        .set({ failedAt: now, leaseUntil: null, ...ended })
        .where(ownById(id));
      return rowCount !== 0;
    },

    /** Ends all leases: whoever took those emails has died. */
    async endLeases(): Promise<void> {
      await db
        .update(outboxEmails)
        .set({ leaseUntil: null })
        .where(sql`${isWaiting} AND ${leaseUntil} IS NOT NULL`);
    },
  };
}
