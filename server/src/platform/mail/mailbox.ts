/**
 * Which mailbox an address most likely belongs to. For limits alone: `Anna.B+news@Gmail.com` and `annab@gmail.com` are
 * one mailbox, and typing many variants must not multiply what the limits allow. If two people's addresses differ only
 * by a dot at some provider, they share a limit, which harms nobody. `normalizeEmail` decides who somebody is, never
 * this.
 */
import { normalizeEmail } from '@fieldroom/contract/text';

const SAME_DOMAIN: Readonly<Record<string, string>> = { 'googlemail.com': 'gmail.com' };

/** Takes an address as typed. Returns the mailbox as a text for counting. */
export function mailboxOf(address: string): string {
  const normalized = normalizeEmail(address);
  const at = normalized.lastIndexOf('@');
  if (at < 1) return normalized;
  const domain = normalized.slice(at + 1);
  const untagged = normalized.slice(0, at).split('+')[0]!;
  const local = untagged.replaceAll('.', '');
  return `${local === '' ? normalized.slice(0, at) : local}@${SAME_DOMAIN[domain] ?? domain}`;
}

/**
 * What counts the emails of all forms to a mailbox, whichever feature sends them: an address that strangers may name
 * gets no more of all together than of one. Only for forms whose answer is the same whether or not an email leaves; see
 * `actEmailsTo`. Takes the mailbox.
 */
export const allEmailsTo = (mailbox: string): string => `emails ${mailbox}`;

/**
 * What counts the emails of therapists' acts to a mailbox that is not proven. Their answers show when too many were
 * sent. Forms count apart from them: they write only to addresses that are known to them, so a shared count would tell
 * everybody who can act whether an address has a booking or an account. Takes the mailbox.
 */
export const actEmailsTo = (mailbox: string): string => `emails of acts ${mailbox}`;
