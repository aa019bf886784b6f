/** Join links of new accounts: a readable beginning, an end that nobody guesses. */
import { randomInt } from 'node:crypto';

/** Lower case without look-alikes (no 0 o 1 i l). */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const CHANCE_LENGTH = 8;
const SLUG_MAX = 40;

/** Letters that Unicode does not decompose into a Latin letter and a mark. */
const LATIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  þ: 'th',
  ð: 'd',
  ı: 'i',
};

/** A name in the letters of a link: `Zsófia Éva` → `zsofia-eva`; empty where nothing Latin is left. */
export function slug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[ßæœøđłþðı]/gu, (letter) => LATIN[letter] ?? '')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-+/u, '')
    .slice(0, SLUG_MAX)
    .replace(/-+$/u, '');
}

/**
 * The join link of a new account: `<first name>-<8 characters>`. Where the therapist's door is open the link alone lets
 * in (PRODUCT 4), so its end carries 31^8 ≈ 8.5·10^11 possibilities, beside the limit on wrong links.
 */
export function newJoinLink(firstName: string): string {
  const chance = Array.from({ length: CHANCE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
  return `${slug(firstName) || 'room'}-${chance}`;
}
