/**
 * Writes emails to the outbox: what an email consists of, what is refused in its headers, and its row with a
 * Message-ID that never changes.
 */
import { randomUUID } from 'node:crypto';
import type { Language } from '@fieldroom/contract/text';
import type { Queryable } from '../db/db.ts';
import { outboxEmails, type StoredAttachment } from '../platform.tables.ts';
import { type Attachment, type LaterAttachment, storedAttachment } from './attachments.ts';
import { now } from './outbox.store.ts';

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

export interface OutboxWriting {
  /**
   * Writes an email in the transaction. Returns its id. Throws on addresses and subjects that would add headers:
   * callers check what people type.
   */
  put(tx: Queryable, email: NewEmail): Promise<string>;
  /** The same for several emails, in statements small enough to be written in a moment. */
  putAll(tx: Queryable, emails: readonly NewEmail[]): Promise<void>;
  /**
   * The words of an email that many people get, for SQL that calls `put_prepared_emails` (outbox.sql). `mark` is a text
   * in them; each email's token replaces it. Throws if the subject or the address for answers would add headers.
   */
  prepareWords(email: Omit<NewEmail, 'to' | 'about' | 'attachments'>, mark: string): PreparedWords;
  /** Id and Message-ID of such an email. Throws on an address that would add headers. */
  prepareAddress(to: string): PreparedAddress;
}

const ADDRESS = /^[^\s<>@,;:"()[\]\\]+@[^\s<>@,;:"()[\]\\]+$/;
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001F\u007F]/;

function checkAddress(to: string): void {
  if (!ADDRESS.test(to) || CONTROL.test(to) || to.length > 254) throw new Error('an email needs one plain address');
}

function checkHeaders({ subject, replyTo }: Pick<NewEmail, 'subject' | 'replyTo'>): void {
  if (replyTo !== undefined && (!ADDRESS.test(replyTo) || CONTROL.test(replyTo) || replyTo.length > 254))
    throw new Error('answers go to one plain address');
  if (CONTROL.test(subject)) throw new Error('a subject is one line');
}

/** What a statement writes in a moment, whatever else the machine does. Calendar files of many days are large. */
const PORTION_BYTES = 500_000;

/** Splits rows into portions of about as many bytes. A larger row stands alone. */
function* portions<R extends Sized>(rows: readonly R[]): Generator<R[]> {
  let portion: R[] = [];
  let bytes = 0;
  for (const row of rows) {
    const more = sizeOf(row);
    if (portion.length > 0 && bytes + more > PORTION_BYTES) {
      yield portion;
      [portion, bytes] = [[], 0];
    }
    portion.push(row);
    bytes += more;
  }
  if (portion.length > 0) yield portion;
}

type Sized = Pick<NewEmail, 'text' | 'html'> & { readonly attachments: readonly StoredAttachment[] };
const sizeOf = ({ text, html, attachments }: Sized): number =>
  attachments.reduce((sum, one) => sum + ('base64' in one ? one.base64.length : 0), text.length + html.length);

/** Makes what writes emails. Takes the service's address, and whether emails count as sent when they are written. */
export function createOutboxWriting({
  publicUrl,
  sentAtOnce,
}: {
  readonly publicUrl: string;
  readonly sentAtOnce: boolean;
}): OutboxWriting {
  const host = new URL(publicUrl).hostname.replace(/^\[|\]$/g, '');

  function prepareAddress(to: string): PreparedAddress {
    checkAddress(to);
    const id = randomUUID();
    return { id, to, messageId: `<${id}@${host}>` };
  }

  function toRow({ to, subject, text, html, attachments = [], replyTo, kind, language, about }: NewEmail) {
    checkHeaders({ subject, replyTo });
    for (const { filename, contentType } of attachments)
      if (CONTROL.test(filename) || CONTROL.test(contentType))
        throw new Error('an attachment has a plain name and type');
    return {
      ...prepareAddress(to),
      kind,
      language,
      subject,
      text,
      html,
      attachments: attachments.map(storedAttachment),
      replyTo: replyTo ?? null,
      about: about ?? null,
      ...(sentAtOnce ? { sentAt: now as never } : {}),
    };
  }

  return {
    prepareWords({ kind, language, replyTo, subject, text, html }, mark) {
      checkHeaders({ subject, replyTo });
      return { kind, language, reply_to: replyTo ?? null, subject, text, html, mark, sent: sentAtOnce };
    },

    prepareAddress,

    async put(tx, email) {
      const row = toRow(email);
      await tx.insert(outboxEmails).values(row);
      return row.id;
    },

    async putAll(tx, emails) {
      for (const rows of portions(emails.map(toRow))) await tx.insert(outboxEmails).values(rows);
    },
  };
}
