/** Shapes of texts and ids that several features share. Bad input gets a stable key at its place. */
import * as z from 'zod/mini';
import { isUnsafe } from './text/unsafe.ts';

/** Ids of therapists, clients, figures and icons: positive safe integers, also when they come as path text. */
export const id = z.int().check(z.positive(), z.maximum(Number.MAX_SAFE_INTEGER));
export const idInPath = z.pipe(z.string().check(z.regex(/^[1-9]\d{0,15}$/, 'not_a_number')), z.transform(Number));
/** Path of calls about one therapist. */
export const therapistPath = z.strictObject({ therapistId: idInPath });
/** A revision: 0 = nothing seen yet. */
export const revision = z.int().check(z.nonnegative(), z.maximum(Number.MAX_SAFE_INTEGER));
export const timestamp = z.iso.datetime({ offset: true });

/** Characters that are invisible; Unicode counts the Braille blank as a symbol. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;
/** Whether anything in a text is visible: a letter, digit, sign or symbol. Accents and joiners alone are not. */
const showsSomething = (text: string) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(text.replace(INVISIBLE, ''));

/** One line that a person wrote: NFC, trimmed, with single spaces, no control or bidi characters. May be empty. */
export function optionalLine(max: number) {
  return z
    .pipe(
      z.pipe(
        z.string().check(
          z.maxLength(max * 4, 'too_long'),
          z.refine((text) => !isUnsafe(text), 'unsafe_characters'),
        ),
        z.transform((text) => text.normalize('NFC').replace(/\s+/gu, ' ').trim()),
      ),
      z.string().check(z.maxLength(max, 'too_long')),
    )
    .register(z.globalRegistry, { maxLength: max });
}

/** Like `optionalLine`, but at least one character is visible. */
export function line(max: number) {
  return optionalLine(max).check(z.refine(showsSomething, 'required')).register(z.globalRegistry, { maxLength: max });
}

/** Takes linear time; a regular expression anchored at line ends would not. */
const withoutTrailingSpaces = (text: string): string =>
  text
    .split('\n')
    .map((part) => part.trimEnd())
    .join('\n');

/**
 * Several lines that a person wrote. They become NFC, with CR LF and CR as LF, no white space at line ends and at most
 * one empty line in a row. Tabs and line ends are the only control characters.
 */
export function paragraphs(max: number, { optional = false }: { optional?: boolean } = {}) {
  return z
    .pipe(
      z.pipe(
        z
          .pipe(
            z.string().check(z.maxLength(max * 4, 'too_long')),
            z.transform((text) => text.replace(/\r\n?/g, '\n').replace(/\t/g, ' ')),
          )
          .check(z.refine((text) => !isUnsafe(text.replace(/\n/g, ' ')), 'unsafe_characters')),
        z.transform((text) =>
          withoutTrailingSpaces(text.normalize('NFC'))
            .replace(/\n{3,}/g, '\n\n')
            .trim(),
        ),
      ),
      z.string().check(z.minLength(optional ? 0 : 1, 'required'), z.maxLength(max, 'too_long')),
    )
    .register(z.globalRegistry, { maxLength: max });
}

/** Name of a person in the waiting room, in the list and above the figure. */
export const PERSON_NAME_MAX = 60;
export const personName = line(PERSON_NAME_MAX);

/** Languages of the interface and of emails (docs/product.md#11.1). */
export const LANGUAGES = ['en', 'de', 'hu', 'ro'] as const;
export type Language = (typeof LANGUAGES)[number];
export const language = z.enum(LANGUAGES);

// eslint-disable-next-line no-control-regex
const IS_ASCII = /^[\u0000-\u007F]*$/;
/** One ASCII address: zod's own rule, with top-level domains that are written in punycode (`.xn--p1ai`) too. */
const ADDRESS =
  /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+(?:[A-Za-z]{2,}|xn--[A-Za-z0-9-]+)$/;

/**
 * Writes the domain of an address as mail servers know it: `info@müller.at` becomes `info@xn--mller-kva.at`. Other
 * texts stay unchanged, including those that are not addresses.
 */
export function asciiEmail(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  if (at < 0 || IS_ASCII.test(domain) || /[\s/?#\\:@[\]%]/.test(domain)) return address;
  const url = `http://${domain}`;
  return URL.canParse(url) ? `${address.slice(0, at)}@${new URL(url).hostname}` : address;
}

/** RFC 5321. */
export const EMAIL_MAX = 254;
/**
 * An email address as a person writes it; the domain may contain non-ASCII letters. No CR, LF or other control
 * characters, at most 254 characters (RFC 5321). No display name: an email needs one plain address.
 */
export const email = z
  .pipe(
    z.string().check(z.maxLength(EMAIL_MAX, 'too_long')),
    z.transform((text) => text.normalize('NFC').trim()),
  )
  .check(
    z.refine((text) => asciiEmail(text).length <= EMAIL_MAX, 'too_long'),
    z.refine((text) => ADDRESS.test(asciiEmail(text)), 'invalid_format'),
  );

/** Returns the form in which two spellings of an address are equal: NFKC, lower case, the domain in ASCII. */
export function normalizeEmail(address: string): string {
  return asciiEmail(address.normalize('NFKC').trim().toLowerCase());
}

/** Opaque random token: 256 bits, base64url. */
export const token = z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/, 'invalid_format'));
