/** Hands an email to the mail server over SMTP, with headers and files. What follows from a failure: delivery.ts. */
import { asciiEmail } from '@fieldroom/contract/text';
import type { Transporter } from 'nodemailer';
import { finishedWithin } from '../scheduling/finished-within.ts';
import type { AttachmentBytes } from './attachments.ts';
import type { MailFault } from './delivery.ts';
import type { Email } from './outbox.store.ts';

export interface MailServer {
  /** Resolves when the mail server has taken the email. Throws a `MailFault`. */
  take(email: Email): Promise<void>;
  close(): void;
}

interface MailServerParts {
  readonly url: string;
  readonly requireTls: boolean;
  readonly from: string;
  readonly bytesOf: AttachmentBytes['bytesOf'];
  /** The longest that one delivery may take. */
  readonly limitMs?: number;
}

/** Emails sent at the same time, each over a separate connection. */
export const CONNECTIONS = 5;

/**
 * The longest that one delivery may take from its files to the server's last word, well below the lease of
 * outbox.queue.store.ts: when that ends, another node sends the same email. The time limits of its parts end with the
 * next byte, so a server that trickles its replies would hold a connection, and the queue with it, for ever. Longer
 * than those limits together for a server that merely stands still in one place.
 */
const DELIVERY_MS = 120_000;

/** The fault of an email whose attachment could not be made: it is tried again later, as after a 4xx. */
const NOT_MADE: MailFault = { code: 'EATTACHMENT', responseCode: 451, command: 'DATA' };
/** The fault of a delivery that took too long: it says nothing about the email. */
const TOO_SLOW: MailFault = { code: 'ETIMEDOUT', command: 'CONN' };

/** Makes the connection to the mail server, which opens with the first email. */
export function createMailServer({
  url,
  requireTls,
  from,
  bytesOf,
  limitMs = DELIVERY_MS,
}: MailServerParts): MailServer {
  /** What sends them, made for the first one, as its library takes 3 MB. */
  let transport: Transporter | null = null;
  async function openTransport(): Promise<Transporter> {
    const { createTransport } = await import('nodemailer');
    return (transport ??= createTransport(
      {
        url,
        requireTLS: requireTls,
        pool: true,
        maxConnections: CONNECTIONS,
        connectionTimeout: 20_000,
        greetingTimeout: 20_000,
        socketTimeout: 60_000,
        disableFileAccess: true,
        disableUrlAccess: true,
      },
      { from },
    ));
  }

  /** Returns the files of an email for nodemailer. One that cannot be made says nothing about the mail server. */
  async function filesOf({ attachments }: Email) {
    const made = Promise.all(
      attachments.map(async (attachment) => ({
        filename: attachment.filename,
        contentType: attachment.contentType,
        content: await bytesOf(attachment),
      })),
    );
    try {
      if (!(await finishedWithin(limitMs, made))) throw new Error('it took too long');
      return await made;
    } catch (error) {
      throw Object.assign(new Error('an attachment could not be made', { cause: error }), NOT_MADE);
    }
  }

  return {
    async take(email) {
      const opened = await openTransport();
      const limit = AbortSignal.timeout(limitMs);
      const attachments = await filesOf(email);
      const message = {
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
        // Its end closes the connection too, so that nothing goes on beside the next try.
        signal: limit,
      };
      try {
        await opened.sendMail(message);
      } catch (error) {
        throw limit.aborted
          ? Object.assign(new Error('the mail server took too long', { cause: error }), TOO_SLOW)
          : error;
      }
    },

    close: () => transport?.close(),
  };
}
