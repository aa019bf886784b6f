/**
 * Letters on their way. A letter is a row written in the same transaction as what it tells about, with a Message-ID
 * that never changes. A worker takes due letters for a while (a lease), hands them to the mail server and marks them; if
 * it dies between the two, the lease ends and the letter goes out again under the same Message-ID, by which mailboxes
 * know it as the same one. Delays count on product time.
 */
import { randomUUID } from 'node:crypto';
import type { Language } from '@fieldroom/contract/text';
import { and, desc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import { createTransport } from 'nodemailer';
import type { Config } from '../config.ts';
import type { Db, Queryable } from '../db/db.ts';
import type { Jobs } from '../jobs.ts';
import type { Log } from '../log.ts';
import { outboxLetters } from '../platform.tables.ts';

export interface Attachment {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export interface NewLetter {
  /** One address, without a name. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments?: readonly Attachment[];
  /** Where answers go: one address, without a name. */
  readonly replyTo?: string;
  /** What it is, for metrics and logs: `accounts.verify`. */
  readonly kind: string;
  /** What it is about, so that it can be withdrawn when that has become untrue: `booking 17`. */
  readonly about?: string;
  readonly language: Language;
}

export type Letter = typeof outboxLetters.$inferSelect;

export interface Outbox {
  /** Writes a letter with the transaction. Out: its id. Throws on addresses and subjects that would add headers: callers check what people type. */
  put(tx: Queryable, letter: NewLetter): Promise<string>;
  /** The row that `put` would write, for statements that write it themselves together with what it tells about. Throws as `put`. */
  row(letter: NewLetter): typeof outboxLetters.$inferInsert & { readonly id: string };
  /**
   * Takes back, with the transaction, letters about something that are not on their way yet. In: what they are about, and
   * of which kinds. Out: how many. A letter that a worker holds at this moment goes out.
   */
  withdraw(tx: Queryable, about: string, kinds: readonly string[]): Promise<number>;
  /** Sends what is due. Out: how many the mail server took. Runs by itself every second once the jobs are started. */
  sendDue(): Promise<number>;
  /** All letters, newest first, for `/dev/mail` and tests. */
  list(most?: number): Promise<Letter[]>;
  find(id: string): Promise<Letter | null>;
  /** Removes letters whose way ended more than 30 days ago: they name people. */
  removeOld(): Promise<void>;
  close(): void;
}

export interface OutboxParts {
  readonly db: Db;
  readonly config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'publicUrl' | 'demo'>;
  readonly log: Log;
  readonly jobs: Pick<Jobs, 'every'>;
}

/** Longer than the mail server may take for one letter, all time limits below together. */
const LEASE_SECONDS = 300;
const BATCH = 10;
/** Seconds to the next try, after the first, second, … one; about two days in all. */
const DELAYS = [30, 60, 300, 900, 1800, 3600, 7200, 14_400, 28_800, 43_200, 86_400];
const KEPT_DAYS = 30;
const ADDRESS = /^[^\s<>@,;:"()[\]\\]+@[^\s<>@,;:"()[\]\\]+$/;
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001F\u007F]/;

/** Makes the outbox. Without a mail server letters count as delivered when they are written; `/dev/mail` shows them. */
export function createOutbox({ db, config, log, jobs }: OutboxParts): Outbox {
  const transport =
    config.smtpUrl === null
      ? null
      : createTransport(
          {
            url: config.smtpUrl,
            pool: true,
            maxConnections: 2,
            connectionTimeout: 20_000,
            greetingTimeout: 20_000,
            socketTimeout: 60_000,
            disableFileAccess: true,
            disableUrlAccess: true,
          },
          { from: config.mailFrom },
        );
  const host = new URL(config.publicUrl).hostname.replace(/^\[|\]$/g, '');

  /** Takes letters for LEASE_SECONDS; of two workers each gets others. */
  async function take(): Promise<Letter[]> {
    const due = db
      .select({ id: outboxLetters.id })
      .from(outboxLetters)
      .where(
        sql`${outboxLetters.sentAt} IS NULL AND ${outboxLetters.failedAt} IS NULL AND ${outboxLetters.withdrawnAt} IS NULL AND ${outboxLetters.notBefore} <= product_now() AND (${outboxLetters.leaseUntil} IS NULL OR ${outboxLetters.leaseUntil} <= product_now())`,
      )
      .orderBy(outboxLetters.number)
      .limit(BATCH)
      .for('update', { skipLocked: true });
    return db
      .update(outboxLetters)
      .set({
        leaseUntil: sql`product_now() + make_interval(secs => ${LEASE_SECONDS})`,
        attempts: sql`${outboxLetters.attempts} + 1`,
      })
      .where(sql`${outboxLetters.id} IN (${due})`)
      .returning();
  }

  async function send(letter: Letter): Promise<boolean> {
    try {
      await transport!.sendMail({
        messageId: letter.messageId,
        to: letter.to,
        ...(letter.replyTo === null ? {} : { replyTo: letter.replyTo }),
        subject: letter.subject,
        text: letter.text,
        html: letter.html,
        date: letter.createdAt,
        attachments: letter.attachments.map(({ filename, contentType, base64 }) => ({
          filename,
          contentType,
          content: Buffer.from(base64, 'base64'),
        })),
        // RFC 3834: no out-of-office answers to it.
        headers: {
          'Auto-Submitted': 'auto-generated',
          'X-Auto-Response-Suppress': 'All',
          'Content-Language': letter.language,
        },
      });
    } catch (error) {
      await postpone(letter, error as MailFault);
      return false;
    }
    await db
      .update(outboxLetters)
      .set({ sentAt: sql`product_now()`, leaseUntil: null })
      .where(eq(outboxLetters.id, letter.id));
    return true;
  }

  async function postpone(letter: Letter, { code, responseCode, command }: MailFault): Promise<void> {
    const delay = DELAYS[letter.attempts - 1];
    // 5xx about the recipient or the letter is final (RFC 5321, 4.2.1); about our sign-in it is an operator's to mend.
    const refused = responseCode !== undefined && responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA');
    if (delay === undefined || refused) {
      await db
        .update(outboxLetters)
        .set({ failedAt: sql`product_now()`, leaseUntil: null })
        .where(eq(outboxLetters.id, letter.id));
      log.error(
        { letter: letter.id, kind: letter.kind, attempts: letter.attempts, fault: code, responseCode },
        'a letter was given up',
      );
      return;
    }
    await db
      .update(outboxLetters)
      .set({ notBefore: sql`product_now() + make_interval(secs => ${delay})`, leaseUntil: null })
      .where(eq(outboxLetters.id, letter.id));
    log.warn(
      {
        letter: letter.id,
        kind: letter.kind,
        attempts: letter.attempts,
        fault: code,
        responseCode,
        nextTrySeconds: delay,
      },
      'a letter could not be sent',
    );
  }

  const outbox: Outbox = {
    row({ to, subject, text, html, attachments = [], replyTo, kind, language, about }) {
      if (replyTo !== undefined && (!ADDRESS.test(replyTo) || CONTROL.test(replyTo) || replyTo.length > 254))
        throw new Error('answers go to one plain address');
      if (!ADDRESS.test(to) || CONTROL.test(to) || to.length > 254) throw new Error('a letter needs one plain address');
      if (CONTROL.test(subject)) throw new Error('a subject is one line');
      for (const { filename, contentType } of attachments)
        if (CONTROL.test(filename) || CONTROL.test(contentType))
          throw new Error('an attachment has a plain name and type');
      const id = randomUUID();
      return {
        id,
        messageId: `<${id}@${host}>`,
        kind,
        language,
        to,
        subject,
        text,
        html,
        attachments: attachments.map(({ filename, contentType, bytes }) => ({
          filename,
          contentType,
          base64: Buffer.from(bytes).toString('base64'),
        })),
        replyTo: replyTo ?? null,
        about: about ?? null,
        ...(transport === null ? { sentAt: sql`product_now()` as never } : {}),
      };
    },

    async put(tx, letter) {
      const row = outbox.row(letter);
      await tx.insert(outboxLetters).values(row);
      return row.id;
    },

    async withdraw(tx, about, kinds) {
      const free = sql`(${outboxLetters.leaseUntil} IS NULL OR ${outboxLetters.leaseUntil} <= product_now())`;
      const { rowCount } = await tx
        .update(outboxLetters)
        .set({ withdrawnAt: sql`product_now()`, leaseUntil: null })
        .where(
          and(
            eq(outboxLetters.about, about),
            inArray(outboxLetters.kind, [...kinds]),
            sql`${outboxLetters.sentAt} IS NULL AND ${outboxLetters.failedAt} IS NULL AND ${outboxLetters.withdrawnAt} IS NULL AND ${free}`,
          ),
        );
      return rowCount ?? 0;
    },

    async sendDue() {
      if (transport === null) return 0;
      let sent = 0;
      for (;;) {
        const letters = await take();
        for (const letter of letters) if (await send(letter)) sent += 1;
        if (letters.length < BATCH) return sent;
      }
    },

    list: (most = 500) =>
      db
        .select()
        .from(outboxLetters)
        .where(isNull(outboxLetters.withdrawnAt))
        .orderBy(desc(outboxLetters.number))
        .limit(most),

    async find(id) {
      const [letter] = await db
        .select()
        .from(outboxLetters)
        .where(sql`${outboxLetters.id}::text = ${id}`);
      return letter ?? null;
    },

    async removeOld() {
      const age = sql`product_now() - make_interval(days => ${KEPT_DAYS})`;
      await db
        .delete(outboxLetters)
        .where(
          and(
            isNotNull(sql`coalesce(${outboxLetters.sentAt}, ${outboxLetters.failedAt}, ${outboxLetters.withdrawnAt})`),
            sql`coalesce(${outboxLetters.sentAt}, ${outboxLetters.failedAt}, ${outboxLetters.withdrawnAt}) < ${age}`,
          ),
        );
    },

    close: () => transport?.close(),
  };
  if (transport !== null) jobs.every(1, 'mail.send', outbox.sendDue);
  // The demo's mailbox is there to be looked at, whatever the clock says.
  if (!config.demo) jobs.every(3600, 'mail.removeOld', outbox.removeOld);
  return outbox;
}

/** What nodemailer tells of a fault; its message quotes addresses and stays out of the log. */
interface MailFault {
  code?: string;
  responseCode?: number;
  command?: string;
}
