/**
 * Rows of the outbox outside sending: withdrawn, read, cleared of their words, and removed. `outbox.queue.store.ts` has
 * those that wait.
 *
 * Emails carry tokens, which are stored as hashes everywhere else. So an email keeps its words only until it is
 * delivered, withdrawn or given up. The exceptions are the demo, whose `/dev/mail` shows them, and a service without a
 * mail server, where the outbox is the only place to read them.
 */
import { and, desc, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Db, Queryable } from '../db/db.ts';
import { outboxEmails } from '../platform.tables.ts';

export type Email = typeof outboxEmails.$inferSelect;

/** Waits for its first try, waits after a failed try, taken by the mail server, given up. */
type OutboxState = 'waiting' | 'delayed' | 'sent' | 'failed';

export interface OutboxRows {
  /**
   * Withdraws, in the transaction, emails that have not been sent. Takes what they are about and their kinds. Returns
   * how many. One that is being handed to the mail server at this moment may still arrive; it is not tried again, and
   * later emails about the same thing wait until it is through.
   */
  withdraw(tx: Queryable, abouts: readonly string[], kinds: readonly string[]): Promise<number>;
  /**
   * Returns how the newest email about each of several things is doing; things without one are left out. Kinds in
   * `except` do not count, nor do withdrawn emails.
   */
  states(on: Queryable, abouts: readonly string[], except: readonly string[]): Promise<Map<string, OutboxState>>;
  /** All emails, newest first, for `/dev/mail` and tests. */
  list(most?: number): Promise<Email[]>;
  find(id: string): Promise<Email | null>;
  /**
   * Removes emails that were delivered or given up more than 30 days ago: they name people. Returns how many. The
   * demo's mailbox exists to be looked at, whatever the clock says, and keeps them.
   */
  removeOld(): Promise<number>;
}

/** For the operator. */
export interface OutboxCounts {
  /** Emails that wait to be sent. */
  readonly waiting: number;
  /**
   * For how long the oldest has waited of those that nothing but the mail server keeps: not those that failed by a
   * fault of their own, nor those that wait behind an earlier one to keep their order.
   */
  readonly oldestSeconds: number;
  /** Those among them that failed at least once. */
  readonly retrying: number;
  /** Emails given up in the last 30 days. */
  readonly givenUp: number;
}

const KEPT_DAYS = 30;

const { sentAt, failedAt, withdrawnAt } = outboxEmails;
export const isWaiting = sql`${sentAt} IS NULL AND ${failedAt} IS NULL AND ${withdrawnAt} IS NULL`;
export const now = sql`product_now()`;
const BLANK = { text: '', html: '', attachments: [] };

/** What is written over the words of an email that has ended. */
export type EndedWords = Partial<typeof BLANK>;

/** Takes whether ended emails keep their words. */
export const endedWords = (areKept: boolean): EndedWords => (areKept ? {} : BLANK);

/** Makes the access to rows. Takes what ended emails keep, and whether they stay for ever. */
export function createOutboxRows({
  db,
  ended,
  keepsOld,
}: {
  readonly db: Db;
  readonly ended: EndedWords;
  readonly keepsOld: boolean;
}) {
  const rows: OutboxRows = {
    async withdraw(tx, abouts, kinds) {
      // The words of one that the mail server has are already read.
      const { rowCount } = await tx
        .update(outboxEmails)
        .set({ withdrawnAt: now, ...ended })
        .where(and(inArray(outboxEmails.about, [...abouts]), inArray(outboxEmails.kind, [...kinds]), isWaiting));
      return rowCount ?? 0;
    },

    async states(on, abouts, except) {
      if (abouts.length === 0) return new Map();
      const found = await on.execute<{ about: string; state: OutboxState }>(sql`
        SELECT DISTINCT ON (about) about,
               CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN failed_at IS NOT NULL THEN 'failed'
                    WHEN attempts > 0 AND lease_until IS NULL THEN 'delayed' ELSE 'waiting' END AS state
          FROM outbox_emails
         WHERE about = ANY (${sql.param([...abouts])}::text[]) AND kind <> ALL (${sql.param([...except])}::text[])
           AND withdrawn_at IS NULL
         ORDER BY about, number DESC`);
      return new Map(found.rows.map(({ about, state }) => [about, state]));
    },

    list: (most = 500) =>
      db
        .select()
        .from(outboxEmails)
        .where(isNull(outboxEmails.withdrawnAt))
        .orderBy(desc(outboxEmails.number))
        .limit(most),

    async find(id) {
      const [email] = await db
        .select()
        .from(outboxEmails)
        .where(sql`${outboxEmails.id}::text = ${id}`);
      return email ?? null;
    },

    async removeOld() {
      if (keepsOld) return 0;
      const age = sql`${now} - make_interval(days => ${KEPT_DAYS})`;
      const { rowCount } = await db
        .delete(outboxEmails)
        .where(
          and(
            isNotNull(sql`coalesce(${outboxEmails.sentAt}, ${outboxEmails.failedAt}, ${outboxEmails.withdrawnAt})`),
            sql`coalesce(${outboxEmails.sentAt}, ${outboxEmails.failedAt}, ${outboxEmails.withdrawnAt}) < ${age}`,
          ),
        );
      return rowCount ?? 0;
    },
  };

  return {
    ...rows,

    async counts(): Promise<OutboxCounts> {
      // The order is that of `takeNext`. A try ahead of its time takes a failure back, but counts as woken.
      const isKeptByServer = sql`${isWaiting} AND outbox_emails.failures + outbox_emails.woken = 0 AND NOT EXISTS (
        SELECT FROM outbox_emails earlier
         WHERE earlier.about = outbox_emails.about AND earlier.to_address = outbox_emails.to_address
           AND earlier.number < outbox_emails.number AND earlier.sent_at IS NULL AND earlier.failed_at IS NULL
           AND earlier.withdrawn_at IS NULL)`;
      const [row] = await db
        .select({
          waiting: sql<number>`count(*) FILTER (WHERE ${isWaiting})`.mapWith(Number),
          retrying: sql<number>`count(*) FILTER (WHERE ${isWaiting} AND ${outboxEmails.attempts} > 0)`.mapWith(Number),
          oldest:
            sql<number>`coalesce(extract(epoch FROM ${now} - min(${outboxEmails.createdAt}) FILTER (WHERE ${isKeptByServer})), 0)`.mapWith(
              Number,
            ),
          givenUp: sql<number>`count(*) FILTER (WHERE ${failedAt} IS NOT NULL)`.mapWith(Number),
        })
        .from(outboxEmails)
        .where(sql`${sentAt} IS NULL AND ${withdrawnAt} IS NULL`);
      const { waiting, retrying, oldest, givenUp } = row!;
      return { waiting, retrying, givenUp, oldestSeconds: Math.max(0, Math.round(oldest)) };
    },

    /** Clears ended emails that still have words. */
    async clearEnded(): Promise<void> {
      await db
        .update(outboxEmails)
        .set(BLANK)
        .where(sql`NOT (${isWaiting}) AND ${outboxEmails.html} <> ''`);
    },
  };
}
