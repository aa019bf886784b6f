/**
 * Emails on their way. An email is a row, written in the same transaction as what it is about, with a Message-ID that
 * never changes. A worker takes one due email for a while (a lease), hands it to the mail server and marks it. If the
 * process dies between the two, the email is sent again under the same Message-ID, by which mailboxes recognise it.
 * That happens at once where another node knows of the death, otherwise when the lease ends. Several workers send at
 * once. Delays count on product time; `delivery.ts` decides what follows a failure.
 *
 * Emails carry tokens, which are stored as hashes everywhere else. So an email keeps its words only until it is
 * delivered or given up. The exceptions are the demo, whose `/dev/mail` shows them, and a service without a mail
 * server, where the outbox is the only place to read them.
 */
import { randomUUID } from 'node:crypto';
import { asciiEmail, type Language } from '@fieldroom/contract/text';
import { and, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Transporter } from 'nodemailer';
import type { Config } from '../config.ts';
import type { Db, Queryable } from '../db/db.ts';
import { createLoneNode, type Nodes } from '../nodes/nodes.ts';
import type { Jobs } from '../scheduling/jobs.ts';
import type { Log } from '../monitoring/log.ts';
import {
  failureKind,
  type MailFault,
  pauseSeconds,
  retryDelay,
  SERVER_DOWN_DAYS,
  SERVER_RETRY_SECONDS,
} from './delivery.ts';
import { outboxEmails, type StoredAttachment } from '../platform.tables.ts';

export interface Attachment {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** A file that is made when the email is sent, always the same from the same key. It takes no place in the outbox. */
interface LaterAttachment {
  readonly filename: string;
  readonly contentType: string;
  /** The name under which the maker was set (`makeAttachments`). */
  readonly maker: string;
  readonly key: string;
}

export interface NewEmail {
  /** One address, without a name. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments?: readonly (Attachment | LaterAttachment)[];
  /** Where answers go: one address, without a name. */
  readonly replyTo?: string;
  /** What it is, for metrics and logs: `accounts.verify`. */
  readonly kind: string;
  /** What it is about, so that it can be withdrawn when it is no longer true: `booking 17`. */
  readonly about?: string;
  readonly language: Language;
}

export type Email = typeof outboxEmails.$inferSelect;

/** Words as `put_prepared_emails` takes them, without their number. */
export interface PreparedWords {
  readonly kind: string;
  readonly language: Language;
  readonly reply_to: string | null;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly mark: string;
  /** Without a mail server emails count as sent when they are written. */
  readonly sent: boolean;
}

export interface PreparedAddress {
  readonly id: string;
  readonly to: string;
  readonly messageId: string;
}

export interface Outbox {
  /**
   * Writes an email in the transaction. Returns its id. Throws on addresses and subjects that would add headers:
   * callers check what people type.
   */
  put(tx: Queryable, email: NewEmail): Promise<string>;
  /** The same for several emails, in one statement. */
  putAll(tx: Queryable, emails: readonly NewEmail[]): Promise<void>;
  /** Sets who makes the bytes of attachments that are made later. Set before the first email is sent. */
  makeAttachments(maker: string, make: (key: string) => Promise<Uint8Array>): void;
  /** Returns the bytes of an attachment, and makes them if that was left for later. */
  bytesOf(attachment: StoredAttachment): Promise<Buffer>;
  /**
   * The words of an email that many people get, for SQL that calls `put_prepared_emails` (outbox.sql). `mark` is a text
   * in them; each email's token replaces it. Throws if the subject or the address for answers would add headers.
   */
  prepareWords(email: Omit<NewEmail, 'to' | 'about' | 'attachments'>, mark: string): PreparedWords;
  /** Id and Message-ID of such an email. Throws on an address that would add headers. */
  prepareAddress(to: string): PreparedAddress;
  /**
   * Withdraws, in the transaction, emails about something that have not been sent. Takes what they are about and their
   * kinds. Returns how many. One that is being handed to the mail server at this moment may still arrive; it is not
   * tried again, and later emails about the same thing wait until it is through.
   */
  withdraw(tx: Queryable, about: string, kinds: readonly string[]): Promise<number>;
  /**
   * Returns how the newest email about each of several things is doing; things without one are left out. Kinds in
   * `except` do not count, nor do withdrawn emails.
   */
  states(on: Queryable, abouts: readonly string[], except: readonly string[]): Promise<Map<string, OutboxState>>;
  /** Sends what is due, several at once. Returns how many the mail server took. Runs by itself every second. */
  sendDue(): Promise<number>;
  /**
   * Tidies up before the first email is sent. If no other node sends, existing leases belong to a process that died,
   * and their emails are sent at once.
   */
  afterStart(how?: { isAlone: boolean }): Promise<void>;
  /** Takes no further email; those that the mail server has are finished. `sendDue` resolves soon afterwards. */
  stopSending(): void;
  stats(): Promise<OutboxStats>;
  /** All emails, newest first, for `/dev/mail` and tests. */
  list(most?: number): Promise<Email[]>;
  find(id: string): Promise<Email | null>;
  /**
   * Removes emails that were delivered or given up more than 30 days ago: they name people. Returns how many. The
   * demo's mailbox exists to be looked at, whatever the clock says, and keeps them.
   */
  removeOld(): Promise<number>;
  close(): void;
}

/** Waits for its first try, waits after a failed try, taken by the mail server, given up. */
type OutboxState = 'waiting' | 'delayed' | 'sent' | 'failed';

/** For the operator. */
interface OutboxStats {
  /** Emails that wait to be sent, and for how long the oldest has waited. */
  readonly waiting: number;
  readonly oldestSeconds: number;
  /** Those among them that failed at least once. */
  readonly retrying: number;
  /** Emails given up in the last 30 days. */
  readonly givenUp: number;
  /** Tries that failed since this process started. */
  readonly failedTries: number;
}

export interface OutboxParts {
  readonly db: Db;
  readonly config: Pick<Config, 'smtpUrl' | 'smtpRequireTls' | 'mailFrom' | 'publicUrl' | 'demo'>;
  readonly log: Log;
  readonly jobs: Pick<Jobs, 'every'>;
  /** By default this node has no others. */
  readonly nodes?: Pick<Nodes, 'isShared' | 'id' | 'mayLive'>;
}

/** The fault of an email whose attachment could not be made: it is tried again later, as after a 4xx. */
const NOT_MADE: MailFault = { code: 'EATTACHMENT', responseCode: 451, command: 'DATA' };

const toStored = (attachment: Attachment | LaterAttachment): StoredAttachment => {
  const { filename, contentType } = attachment;
  return 'bytes' in attachment
    ? { filename, contentType, base64: Buffer.from(attachment.bytes).toString('base64') }
    : { filename, contentType, maker: attachment.maker, key: attachment.key };
};

/** Longer than the mail server may take for one email, all time limits below together. */
const LEASE_SECONDS = 300;
/** Emails sent at the same time, each over a separate connection. */
const WORKERS = 5;
/**
 * After a success others may be tried again before their time: at most this often, and not sooner than this after a
 * try.
 */
const WOKEN_MAX = 5;
const WOKEN_AFTER_SECONDS = 30;
const KEPT_DAYS = 30;
const ADDRESS = /^[^\s<>@,;:"()[\]\\]+@[^\s<>@,;:"()[\]\\]+$/;
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001F\u007F]/;

const { sentAt, failedAt, withdrawnAt, leaseUntil, notBefore } = outboxEmails;
const isWaiting = sql`${sentAt} IS NULL AND ${failedAt} IS NULL AND ${withdrawnAt} IS NULL`;
const now = sql`product_now()`;
const later = (seconds: number) => sql`product_now() + make_interval(secs => ${seconds})`;
const BLANK = { text: '', html: '', attachments: [] };

function checkAddress(to: string): void {
  if (!ADDRESS.test(to) || CONTROL.test(to) || to.length > 254) throw new Error('an email needs one plain address');
}

function checkHeaders({ subject, replyTo }: Pick<NewEmail, 'subject' | 'replyTo'>): void {
  if (replyTo !== undefined && (!ADDRESS.test(replyTo) || CONTROL.test(replyTo) || replyTo.length > 254))
    throw new Error('answers go to one plain address');
  if (CONTROL.test(subject)) throw new Error('a subject is one line');
}

/** Makes the outbox. Without a mail server emails count as delivered when they are written; `/dev/mail` shows them. */
export function createOutbox({ db, config, log, jobs, nodes = createLoneNode() }: OutboxParts): Outbox {
  const { smtpUrl } = config;
  /** What sends them, made for the first one, as its library takes 3 MB. */
  let transport: Transporter | null = null;
  async function openTransport(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    return (transport ??= createTransport(
      {
        url: smtpUrl!,
        requireTLS: config.smtpRequireTls,
        pool: true,
        maxConnections: WORKERS,
        connectionTimeout: 20_000,
        greetingTimeout: 20_000,
        socketTimeout: 60_000,
        disableFileAccess: true,
        disableUrlAccess: true,
      },
      { from: config.mailFrom },
    ));
  }
  const host = new URL(config.publicUrl).hostname.replace(/^\[|\]$/g, '');
  /** What an email keeps of its words once it is delivered or given up. */
  const ended = smtpUrl === null || config.demo ? {} : BLANK;

  /** While the mail server cannot be used: how often in a row that happened, and until when nobody tries. */
  let pauses = 0;
  let pausedUntil = new Date(0);
  /** Whether emails wait for a later try because an earlier one failed; after a restart this is unknown. */
  let othersWait = true;
  let failedTries = 0;
  let sentCount = 0;
  /** How many emails had been sent when one last met a mail server that could not be used. */
  const sentAtFailure = new Map<string, number>();
  /** Emails that the mail server has taken and whose rows do not say so yet. */
  const unmarked = new Set<string>();
  let stopping = false;
  const makers = new Map<string, (key: string) => Promise<Uint8Array>>();

  /** One at a time, so that each sees what the others have taken. */
  let taking: Promise<unknown> = Promise.resolve();
  function take(): Promise<Email | undefined> {
    const taken = taking.then(takeNext);
    taking = taken.catch(() => {});
    return taken;
  }

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

  /** Takes one due email for LEASE_SECONDS. Emails about one thing to one address keep their order. */
  async function takeNext(): Promise<Email | undefined> {
    if (stopping) return undefined;
    const due = db
      .select({ id: outboxEmails.id })
      .from(outboxEmails)
      .where(sql`${isWaiting} AND ${notBefore} <= ${now} AND ${isTaken(sql`outbox_emails`)} IS NOT TRUE
        AND ${now} >= ${pausedUntil.toISOString()}::timestamptz
        AND NOT EXISTS (
          SELECT FROM outbox_emails earlier
           WHERE earlier.about = ${outboxEmails.about} AND earlier.to_address = ${outboxEmails.to}
             AND earlier.number < ${outboxEmails.number} AND ${isTaken(sql`earlier`)}
             AND earlier.sent_at IS NULL AND earlier.failed_at IS NULL)`)
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
  }

  async function bytesOf(attachment: StoredAttachment): Promise<Buffer> {
    if ('base64' in attachment) return Buffer.from(attachment.base64, 'base64');
    const bytes = await makers.get(attachment.maker)!(attachment.key);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Returns the files of an email for nodemailer. One that cannot be made says nothing about the mail server. */
  async function filesOf({ attachments }: Email) {
    try {
      return await Promise.all(
        attachments.map(async (attachment) => ({
          filename: attachment.filename,
          contentType: attachment.contentType,
          content: await bytesOf(attachment),
        })),
      );
    } catch (error) {
      throw Object.assign(new Error('an attachment could not be made', { cause: error }), NOT_MADE);
    }
  }

  async function send(email: Email): Promise<boolean> {
    try {
      const attachments = await filesOf(email);
      const opened = await openTransport();
      await opened.sendMail({
        messageId: email.messageId,
        to: asciiEmail(email.to),
        ...(email.replyTo === null ? {} : { replyTo: asciiEmail(email.replyTo) }),
        subject: email.subject,
        text: email.text,
        html: email.html,
        date: email.createdAt,
        attachments,
        // RFC 3834: no out-of-office answers to it.
        headers: {
          'Auto-Submitted': 'auto-generated',
          'X-Auto-Response-Suppress': 'All',
          'Content-Language': email.language,
        },
      });
    } catch (error) {
      await onFailure(email, error as MailFault);
      return false;
    }
    pauses = 0;
    sentCount += 1;
    sentAtFailure.delete(email.id);
    unmarked.add(email.id);
    await markSent([email.id]);
    if (othersWait) {
      othersWait = false;
      try {
        await wakeOthers();
      } catch (error) {
        othersWait = true;
        throw error;
      }
    }
    return true;
  }

  /** Marks emails as sent; where that fails, the next `sendDue` begins with it, so that none is sent twice. */
  async function markSent(ids: readonly string[]): Promise<void> {
    // Withdrawn while it was on its way: it has arrived nevertheless, and the row says so.
    const sent = { sentAt: now, withdrawnAt: null, leaseUntil: null, ...ended };
    await db
      .update(outboxEmails)
      .set(sent)
      .where(inArray(outboxEmails.id, [...ids]));
    for (const id of ids) unmarked.delete(id);
  }

  /** The mail server takes emails: those that failed before need not wait for their next try. */
  async function wakeOthers(): Promise<void> {
    await db.update(outboxEmails).set({
      notBefore: sql`greatest(${now}, ${outboxEmails.triedAt} + make_interval(secs => ${WOKEN_AFTER_SECONDS}))`,
      woken: sql`${outboxEmails.woken} + 1`,
      // A try ahead of its time does not bring the end nearer.
      failures: sql`${outboxEmails.failures} - 1`,
    }).where(sql`${isWaiting} AND ${outboxEmails.failures} > 0 AND ${outboxEmails.woken} < ${WOKEN_MAX}
        AND ${notBefore} > ${outboxEmails.triedAt} + make_interval(secs => ${WOKEN_AFTER_SECONDS})`);
  }

  async function onFailure(email: Email, fault: MailFault): Promise<void> {
    failedTries += 1;
    const kind = failureKind(fault);
    // Others were sent since this one met the same fault: so it is this email that breaks the connection.
    const isItsOwn = kind === 'server' && (sentAtFailure.get(email.id) ?? sentCount) < sentCount;
    if (kind === 'server' && !isItsOwn) return onServerFailure(email, fault);
    const failures = email.failures + 1;
    const delay = retryDelay(kind === 'refused' ? 'refused' : 'deferred', failures, email.about !== null);
    if (delay === null) return giveUp(email, fault);
    othersWait = true;
    const waiting = { notBefore: later(delay), failures, leaseUntil: null };
    await db.update(outboxEmails).set(waiting).where(ownById(email.id));
    logFailure(email, fault, delay);
  }

  async function onServerFailure(email: Email, fault: MailFault): Promise<void> {
    sentAtFailure.set(email.id, sentCount);
    const [row] = await db
      .update(outboxEmails)
      .set({ notBefore: later(SERVER_RETRY_SECONDS), leaseUntil: null })
      .where(ownById(email.id))
      .returning({
        now: sql<string>`${now}`,
        isOld: sql<boolean>`${outboxEmails.createdAt} < ${now} - make_interval(days => ${SERVER_DOWN_DAYS})`,
      });
    if (row?.isOld) await giveUp(email, fault);
    if (row === undefined) return;
    const at = new Date(row.now);
    // Workers that met the same fault together make one pause.
    if (at >= pausedUntil) {
      pauses += 1;
      pausedUntil = new Date(at.getTime() + pauseSeconds(pauses) * 1000);
    }
    logFailure(email, fault, SERVER_RETRY_SECONDS);
  }

  async function giveUp(email: Email, { code, responseCode }: MailFault): Promise<void> {
    sentAtFailure.delete(email.id);
    const { rowCount } = await db
      .update(outboxEmails)
      .set({ failedAt: now, leaseUntil: null, ...ended })
      .where(ownById(email.id));
    if (rowCount === 0) return;
    log.error(
      { emailId: email.id, kind: email.kind, attempts: email.attempts, fault: code, responseCode },
      'an email was given up',
    );
  }

  function logFailure(
    { id, kind, attempts }: Email,
    { code, responseCode, command }: MailFault,
    nextTrySeconds: number,
  ): void {
    log.warn(
      { emailId: id, kind, attempts, fault: code, responseCode, command, nextTrySeconds },
      'an email could not be sent',
    );
  }

  const aMessage = (to: string): PreparedAddress => {
    checkAddress(to);
    const id = randomUUID();
    return { id, to, messageId: `<${id}@${host}>` };
  };

  function toRow({ to, subject, text, html, attachments = [], replyTo, kind, language, about }: NewEmail) {
    checkHeaders({ subject, replyTo });
    for (const { filename, contentType } of attachments)
      if (CONTROL.test(filename) || CONTROL.test(contentType))
        throw new Error('an attachment has a plain name and type');
    return {
      ...aMessage(to),
      kind,
      language,
      subject,
      text,
      html,
      attachments: attachments.map(toStored),
      replyTo: replyTo ?? null,
      about: about ?? null,
      ...(smtpUrl === null ? { sentAt: now as never } : {}),
    };
  }

  const outbox: Outbox = {
    prepareWords({ kind, language, replyTo, subject, text, html }, mark) {
      checkHeaders({ subject, replyTo });
      return { kind, language, reply_to: replyTo ?? null, subject, text, html, mark, sent: smtpUrl === null };
    },

    prepareAddress: aMessage,

    async put(tx, email) {
      const row = toRow(email);
      await tx.insert(outboxEmails).values(row);
      return row.id;
    },

    async putAll(tx, emails) {
      if (emails.length > 0) await tx.insert(outboxEmails).values(emails.map(toRow));
    },

    makeAttachments: (maker, make) => void makers.set(maker, make),
    bytesOf,

    async withdraw(tx, about, kinds) {
      // The words of one that the mail server has are already read.
      const { rowCount } = await tx
        .update(outboxEmails)
        .set({ withdrawnAt: now, ...ended })
        .where(and(eq(outboxEmails.about, about), inArray(outboxEmails.kind, [...kinds]), isWaiting));
      return rowCount ?? 0;
    },

    async states(on, abouts, except) {
      if (abouts.length === 0) return new Map();
      const { rows } = await on.execute<{ about: string; state: OutboxState }>(sql`
        SELECT DISTINCT ON (about) about,
               CASE WHEN sent_at IS NOT NULL THEN 'sent' WHEN failed_at IS NOT NULL THEN 'failed'
                    WHEN attempts > 0 AND lease_until IS NULL THEN 'delayed' ELSE 'waiting' END AS state
          FROM outbox_emails
         WHERE about = ANY (${sql.param([...abouts])}::text[]) AND kind <> ALL (${sql.param([...except])}::text[])
           AND withdrawn_at IS NULL
         ORDER BY about, number DESC`);
      return new Map(rows.map(({ about, state }) => [about, state]));
    },

    async sendDue() {
      if (smtpUrl === null) return 0;
      if (unmarked.size > 0) await markSent([...unmarked]);
      let sent = 0;
      const worker = async (most: number) => {
        for (let number = 0; number < most; number++) {
          const email = await take();
          if (email === undefined) return;
          if (await send(email)) sent += 1;
        }
      };
      // After a fault one email goes first, so that a server that is still away costs one try and not many.
      if (pauses > 0) await worker(1);
      if (pauses === 0) await Promise.all(Array.from({ length: WORKERS }, () => worker(Infinity)));
      return sent;
    },

    async afterStart({ isAlone } = { isAlone: true }) {
      if (smtpUrl === null) return;
      if (isAlone)
        await db
          .update(outboxEmails)
          .set({ leaseUntil: null })
          .where(sql`${isWaiting} AND ${leaseUntil} IS NOT NULL`);
      // From a time when words were kept: the demo's, or an earlier version's.
      if (!config.demo)
        await db
          .update(outboxEmails)
          .set(BLANK)
          .where(sql`NOT (${isWaiting}) AND ${outboxEmails.html} <> ''`);
    },

    stopSending() {
      stopping = true;
    },

    async stats() {
      const [row] = await db
        .select({
          waiting: sql<number>`count(*) FILTER (WHERE ${isWaiting})`.mapWith(Number),
          retrying: sql<number>`count(*) FILTER (WHERE ${isWaiting} AND ${outboxEmails.attempts} > 0)`.mapWith(Number),
          oldest:
            sql<number>`coalesce(extract(epoch FROM ${now} - min(${outboxEmails.createdAt}) FILTER (WHERE ${isWaiting})), 0)`.mapWith(
              Number,
            ),
          givenUp: sql<number>`count(*) FILTER (WHERE ${failedAt} IS NOT NULL)`.mapWith(Number),
        })
        .from(outboxEmails)
        .where(sql`${sentAt} IS NULL AND ${withdrawnAt} IS NULL`);
      const { waiting, retrying, oldest, givenUp } = row!;
      return { waiting, retrying, givenUp, oldestSeconds: Math.max(0, Math.round(oldest)), failedTries };
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
      if (config.demo) return 0;
      const age = sql`product_now() - make_interval(days => ${KEPT_DAYS})`;
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

    close: () => transport?.close(),
  };
  if (smtpUrl !== null) jobs.every(1, 'mail.send', outbox.sendDue);
  return outbox;
}
