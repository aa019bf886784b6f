/**
 * The two addresses of an account: the public page's slug, which may be read anywhere, and the join link, which is a
 * secret.
 */
import { randomInt } from 'node:crypto';
import { SLUG_MAX } from '@fieldroom/contract/profile';

/** Lower case without look-alikes (no 0 o 1 i l). */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const SLUG_CHANCE_LENGTH = 8;
const LINK_GROUPS = 4;
const LINK_GROUP_LENGTH = 4;

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

function byChance(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** Writes a name in the letters of a link: `Zsófia Éva` → `zsofia-eva`; empty if nothing Latin is left. */
export function latin(name: string): string {
  return name
    .toLowerCase()
    .replace(/[ßæœøđłþðı]/gu, (letter) => LATIN[letter] ?? '')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/gu, '-')
    .replace(/^-+/u, '')
    .slice(0, SLUG_MAX)
    .replace(/-$/u, '');
}

/** The slug of a new account: `<first name>-<8 characters>`, so that two of one name differ. */
export function newSlug(firstName: string): string {
  return `${latin(firstName) || 'room'}-${byChance(SLUG_CHANCE_LENGTH)}`;
}

/**
 * Makes a join link: `xxxx-xxxx-xxxx-xxxx`, easy to read out. With admission `open` the link alone lets people in
 * (docs/product.md#4.4), so it says nothing about its owner and has 31^16 possibilities (79 bits), and wrong links are
 * limited.
 */
export function newJoinLink(): string {
  return Array.from({ length: LINK_GROUPS }, () => byChance(LINK_GROUP_LENGTH)).join('-');
}
