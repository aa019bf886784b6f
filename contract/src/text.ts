/** Shapes of texts and ids that several features share. Bad input gets a stable key at its place. */
import { z } from 'zod';

/** Ids of therapists, clients, figures and icons: positive safe integers, also when they come as path text. */
export const id = z.number().int().positive().max(Number.MAX_SAFE_INTEGER);
export const idInPath = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, 'not_a_number')
  .transform(Number);
/** Path of calls about one therapist. */
export const therapistPath = z.strictObject({ therapistId: idInPath });
/** A revision: 0 = nothing seen yet. */
export const revision = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);
export const timestamp = z.iso.datetime({ offset: true });

/**
 * Characters that would change how the text around them reads: controls, bidirectional overrides and isolates,
 * zero-width characters other than the joiners that scripts and emoji need, tags, interlinear marks, lone surrogates.
 */
// eslint-disable-next-line no-control-regex
const UNSAFE_CHARACTERS =
  /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/u;

/** One line a person wrote: NFC, trimmed, inner white space single, 1 to `max` characters, no control or bidi characters. */
export function line(max: number) {
  return z
    .string()
    .max(max * 4, 'too_long')
    .refine((text) => !UNSAFE_CHARACTERS.test(text), 'unsafe_characters')
    .transform((text) => text.normalize('NFC').replace(/\s+/gu, ' ').trim())
    .pipe(z.string().min(1, 'required').max(max, 'too_long'));
}

/** Like `line`, but may be empty. */
export function optionalLine(max: number) {
  return z
    .string()
    .max(max * 4, 'too_long')
    .refine((text) => !UNSAFE_CHARACTERS.test(text), 'unsafe_characters')
    .transform((text) => text.normalize('NFC').replace(/\s+/gu, ' ').trim())
    .pipe(z.string().max(max, 'too_long'));
}

/**
 * Several lines a person wrote: NFC, CR LF and CR as LF, white space at the ends of lines and more than one empty line gone;
 * tabs and line ends are the only control characters.
 */
export function paragraphs(max: number, { optional = false }: { optional?: boolean } = {}) {
  return z
    .string()
    .max(max * 4, 'too_long')
    .transform((text) => text.replace(/\r\n?/g, '\n').replace(/\t/g, ' '))
    .refine((text) => !UNSAFE_CHARACTERS.test(text.replace(/\n/g, ' ')), 'unsafe_characters')
    .transform((text) =>
      text
        .normalize('NFC')
        .replace(/[^\S\n]+$/gmu, '')
        .replace(/\n{3,}/g, '\n\n')
        .trim(),
    )
    .pipe(
      z
        .string()
        .min(optional ? 0 : 1, 'required')
        .max(max, 'too_long'),
    );
}

/** Name of a person at the door, in the list and over the figure. */
export const PERSON_NAME_MAX = 60;
export const personName = line(PERSON_NAME_MAX);

/** Languages of the interface and of letters (specification section 9). */
export const LANGUAGES = ['en', 'de', 'hu', 'ro'] as const;
export type Language = (typeof LANGUAGES)[number];
export const language = z.enum(LANGUAGES);

/**
 * An e-mail address as it is written: no CR, LF or other control characters, 254 characters at most (RFC 5321).
 * The specification shows no format rule; one address without a display name is what a letter needs.
 */
export const email = z
  .string()
  .max(254, 'too_long')
  .transform((text) => text.trim())
  .pipe(z.email('invalid_format'));

/** The form by which two spellings of an address are one person: NFKC, lower case. */
export function normalizeEmail(address: string): string {
  return address.normalize('NFKC').trim().toLowerCase();
}

/** Opaque random token: 256 bits, base64url. */
export const token = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'invalid_format');
