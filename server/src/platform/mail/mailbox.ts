/**
 * Which mailbox an address most likely leads to. For limits alone: `Anna.B+news@Gmail.com` and `annab@gmail.com` are
 * one mailbox, and a person who types many variants must not multiply what the limits allow. Two people who differ by a
 * dot at some provider share a limit, which harms nobody. Who somebody is goes by `normalizeEmail`, never by this.
 */
import { normalizeEmail } from '@fieldroom/contract/text';

const SAME_DOMAIN: Readonly<Record<string, string>> = { 'googlemail.com': 'gmail.com' };

/** Takes an address as typed, returns the mailbox as a text to count by. */
export function mailboxOf(address: string): string {
  const normalized = normalizeEmail(address);
  const at = normalized.lastIndexOf('@');
  if (at < 1) return normalized;
  const domain = normalized.slice(at + 1);
  const untagged = normalized.slice(0, at).split('+')[0]!;
  const local = untagged.replaceAll('.', '');
  return `${local === '' ? normalized.slice(0, at) : local}@${SAME_DOMAIN[domain] ?? domain}`;
}
