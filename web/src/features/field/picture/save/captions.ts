/** The text under the figures of a saved picture (docs/product.md#5.31). Pure. */
import type { Language } from '@fieldroom/contract/text';

/** Names on a field may be clients' secrets: a picture has none unless the therapist chooses some. */
export const NAMES = ['none', 'initials', 'full'] as const;
export type Names = (typeof NAMES)[number];

const INITIALS_MAX = 3;
/** Separators of words: white space, and hyphens of any kind ("Anna-Maria"). */
const BETWEEN_WORDS = /[\s\p{Pd}]+/u;
const IS_LETTER = /[\p{L}\p{N}]/u;
const IS_EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}/u;
/** Letters that Hungarian writes with two or three characters; the longest first. */
const HUNGARIAN = /^(?:dzs|cs|dz|gy|ly|ny|sz|ty|zs)/iu;
/** Characters that XML cannot contain, and those that would change the direction of the text around them. */
const UNWRITABLE =
  /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]|[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu;

/** A name for any program: without control characters and lone surrogates, and isolated in direction. */
const writable = (name: string) => name.replace(UNWRITABLE, '').trim();

/** The first letter of a word as its language counts letters; null if there is neither letter nor emoji. */
function firstLetter(word: string, language: Language): string | null {
  // A letter with its accents, and an emoji of several characters, count as one.
  const letters = Array.from(new Intl.Segmenter(language).segment(word), ({ segment }) => segment);
  const at = letters.findIndex((letter) => IS_LETTER.test(letter));
  if (at < 0) return letters.find((letter) => IS_EMOJI.test(letter)) ?? null;
  const first = letters[at] as string;
  const rest = letters.slice(at).join('');
  const several = language === 'hu' ? HUNGARIAN.exec(rest)?.[0] : undefined;
  const upper = first.toLocaleUpperCase(language);
  // A letter without a capital of its own ("ß") is unchanged.
  const capital = Array.from(upper.normalize('NFC')).length > Array.from(first.normalize('NFC')).length ? first : upper;
  return several === undefined ? capital : capital + several.slice(1).toLocaleLowerCase(language);
}

/** The first letters of a name's words, at most three. Takes the name, and the reader's language. */
export function initials(name: string, language: Language): string {
  return writable(name)
    .split(BETWEEN_WORDS)
    .flatMap((word) => firstLetter(word, language) ?? [])
    .slice(0, INITIALS_MAX)
    .join('');
}

/** The text under a figure of this name; empty for none. */
export function captionFor(name: string, names: Names, language: Language): string {
  if (names === 'none') return '';
  return names === 'full' ? writable(name) : initials(name, language);
}

/** The word at a relation's line; empty for none. It is not a name, so initials do not shorten it. */
export const wordFor = (word: string, names: Names): string => (names === 'none' ? '' : writable(word));
