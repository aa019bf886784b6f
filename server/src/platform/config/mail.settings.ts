/** Settings of emails: the server that sends them, and their sender. */
import { z } from 'zod';
import { address, isLoopback, type Read } from './values.ts';

export interface MailConfig {
  readonly smtpUrl: string | null;
  /** Whether a mail server must encrypt the connection (STARTTLS, or smtps:// from the start). */
  readonly smtpRequireTls: boolean;
  readonly mailFrom: string;
}

/** One address, with or without a name before it; no line breaks, which would add headers to emails. */
const mailFrom = z
  .string()
  .regex(
    /^(?:[^\r\n<>]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
    'has to be an email address, such as Fieldroom <mail@example.org>',
  );

export const mailSettings = {
  SMTP_URL: address(['smtp:', 'smtps:'], 'smtps://user:password@mail.example.org').optional(),
  SMTP_REQUIRE_TLS: z.enum(['0', '1'], 'has to be 0 or 1').optional(),
  MAIL_FROM: mailFrom.optional(),
};

type MailRead = Read<typeof mailSettings>;

/** Returns a line if there is a mail server without a sender. */
export const mailFaults = (read: MailRead): string[] =>
  read.SMTP_URL !== undefined && read.MAIL_FROM === undefined
    ? ['MAIL_FROM: with SMTP_URL the sender of emails has to be set']
    : [];

/** Returns these settings with their defaults. Takes the address of the service, of which the sender is made. */
export function mailConfig(read: MailRead, publicUrl: string): MailConfig {
  return {
    smtpUrl: read.SMTP_URL ?? null,
    // Emails carry tokens. On the same machine nobody can read them on the way.
    smtpRequireTls:
      read.SMTP_REQUIRE_TLS === undefined
        ? !isLoopback(new URL(read.SMTP_URL ?? 'smtp://localhost').hostname)
        : read.SMTP_REQUIRE_TLS === '1',
    mailFrom: read.MAIL_FROM ?? `Fieldroom <no-reply@${new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')}>`,
  };
}
