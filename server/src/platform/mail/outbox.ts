/**
 * Emails on their way. An email is a row, written in the same transaction as what it is about, with a Message-ID that
 * never changes. A worker takes one due email for a while (a lease), hands it to the mail server and marks it. If the
 * process dies between the two, the email is sent again under the same Message-ID, by which mailboxes recognise it.
 * That happens at once where another node knows of the death, otherwise when the lease ends.
 *
 * This file joins the parts:
 * - outbox.writing.ts      what an email consists of, and its row
 * - attachments.ts         its files, kept or made later
 * - outbox.queue.store.ts  leases, and what became of a try
 * - outbox.sending.ts      workers, pauses of the queue, the log
 * - delivery.ts            what follows from a failure
 * - mail-server.ts         SMTP
 * - outbox.store.ts        withdrawing, reading, clearing and removing
 */
import type { Config } from '../config.ts';
import type { Db } from '../db/db.ts';
import type { Log } from '../monitoring/log.ts';
import { createLoneNode, type Nodes } from '../nodes/nodes.ts';
import type { Jobs } from '../scheduling/jobs.ts';
import { type AttachmentBytes, createAttachmentBytes } from './attachments.ts';
import { createMailServer } from './mail-server.ts';
import { createOutboxQueue } from './outbox.queue.store.ts';
import { createOutboxSending, type OutboxSending } from './outbox.sending.ts';
import { createOutboxRows, endedWords, type OutboxCounts, type OutboxRows } from './outbox.store.ts';
import { createOutboxWriting, type OutboxWriting } from './outbox.writing.ts';

export type { Attachment } from './attachments.ts';
export type { Email } from './outbox.store.ts';
export type { NewEmail, PreparedAddress, PreparedWords } from './outbox.writing.ts';

export interface Outbox extends OutboxWriting, AttachmentBytes, OutboxSending, OutboxRows {
  /**
   * Tidies up before the first email is sent. If no other node sends, existing leases belong to a process that died,
   * and their emails are sent at once.
   */
  afterStart(how?: { isAlone: boolean }): Promise<void>;
  stats(): Promise<OutboxStats>;
  close(): void;
}

interface OutboxStats extends OutboxCounts {
  /** Since this process started: tries that failed, and emails that the mail server took. */
  readonly failedTries: number;
  readonly sent: number;
}

export interface OutboxParts {
  readonly db: Db;
  readonly config: Pick<Config, 'smtpUrl' | 'smtpRequireTls' | 'mailFrom' | 'publicUrl' | 'demo'>;
  readonly log: Log;
  readonly jobs: Pick<Jobs, 'every'>;
  /** By default this node has no others. */
  readonly nodes?: Pick<Nodes, 'isShared' | 'id' | 'mayLive'>;
}

/** Makes the outbox. Without a mail server emails count as delivered when they are written; `/dev/mail` shows them. */
export function createOutbox({ db, config, log, jobs, nodes = createLoneNode() }: OutboxParts): Outbox {
  const { smtpUrl, smtpRequireTls, mailFrom, publicUrl, demo } = config;
  const ended = endedWords(smtpUrl === null || demo);
  const attachments = createAttachmentBytes();
  const { counts, clearEnded, ...rows } = createOutboxRows({ db, ended, keepsOld: demo });
  const parts = {
    ...createOutboxWriting({ publicUrl, sentAtOnce: smtpUrl === null }),
    ...attachments,
    ...rows,
  };
  if (smtpUrl === null)
    return {
      ...parts,
      sendDue: async () => 0,
      stopSending() {},
      async afterStart() {},
      stats: async () => ({ ...(await counts()), failedTries: 0, sent: 0 }),
      close() {},
    };

  const queue = createOutboxQueue({ db, nodes, ended });
  const mailServer = createMailServer({
    url: smtpUrl,
    requireTls: smtpRequireTls,
    from: mailFrom,
    bytesOf: attachments.bytesOf,
  });
  const { failedTries, sent, ...sending } = createOutboxSending({ queue, mailServer, log });
  jobs.every(1, 'mail.send', sending.sendDue);
  return {
    ...parts,
    ...sending,
    async afterStart({ isAlone } = { isAlone: true }) {
      if (isAlone) await queue.endLeases();
      // From a time when words were kept: the demo's, or an earlier version's.
      if (!demo) await clearEnded();
    },
    stats: async () => ({ ...(await counts()), failedTries: failedTries(), sent: sent() }),
    close: mailServer.close,
  };
}
