/**
 * Composes the emails of every feature: a feature brings the words and facts of an email, and this module adds what all
 * emails share (greeting, closing, signature, layout).
 */
import type { Language } from '@fieldroom/contract/text';
import type { NewEmail } from '../platform/mail/outbox.ts';
import { type FactTable, renderEmail } from './emails.layout.ts';
import { FRAMES } from './emails.words.ts';

export type { FactTable } from './emails.layout.ts';

/** What one kind of email says in one language. Braces name values to fill in: `{host}`. */
export interface EmailWords {
  /** One neutral line without braces: it tells nobody what the product is for. It is the heading too. */
  readonly subject: string;
  /** Paragraphs before the button. */
  readonly before: readonly string[];
  readonly button: string;
  /** Paragraphs after the button. */
  readonly after: readonly string[];
}

export interface EmailDraft {
  /** For metrics, logs and `withdraw`: `accounts.verify`. */
  readonly kind: string;
  readonly language: Language;
  readonly words: Omit<EmailWords, 'button'> & Partial<Pick<EmailWords, 'button'>>;
  /** Values for the braces in the paragraphs. */
  readonly values?: Readonly<Record<string, string>>;
  /** The person whom the email greets by name. Without it, or if it is empty, the greeting has no name. */
  readonly name?: string;
  /** Text that somebody wrote, with a label. Its lines are kept. */
  readonly quote?: { readonly label: string; readonly text: string };
  readonly facts?: readonly (Omit<FactTable, 'button'> & { readonly button?: { label: string; url: string } })[];
  /** Where the button leads: an http(s) address. */
  readonly url?: string;
  /** Paragraphs after those of the words. */
  readonly more?: readonly string[];
}

/**
 * Composes an email in one language. Takes words, values, facts and the button's address; returns subject, text and
 * HTML, without recipient. Throws if the button's address is not http(s).
 */
export function composeEmail({
  kind,
  language,
  words: { subject, before, button, after },
  values = {},
  name = '',
  quote,
  facts = [],
  url,
  more = [],
}: EmailDraft): Pick<NewEmail, 'kind' | 'language' | 'subject' | 'text' | 'html'> {
  const { greeting, greetingByName, fallback, closing, signature } = FRAMES[language];
  const { html, text } = renderEmail({
    language,
    title: subject,
    greeting: name === '' ? greeting : fill(greetingByName, { person: name }),
    paragraphs: before.map((paragraph) => fill(paragraph, values)),
    ...(quote === undefined ? {} : { quote }),
    facts: facts.map(({ button: link, ...table }) => ({
      ...table,
      ...(link ? { button: { ...link, fallback } } : {}),
    })),
    ...(button === undefined || url === undefined ? {} : { button: { label: button, url, fallback } }),
    after: [...after.map((paragraph) => fill(paragraph, values)), ...more],
    brand: signature,
    footer: [closing, signature],
  });
  return { kind, language, subject, text, html };
}

/** Replaces `{name}` by its value. One pass, so that braces in a value stay text. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
