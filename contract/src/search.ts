/**
 * Search over what a person has: events, attendees, live sessions, icons, and therapists for admins
 * (docs/product.md#11.27). The pages of the app are found in the browser, by the words of its menu.
 *
 * Invariants
 *  1. The key travels in the body, because addresses get into logs. It may be the name of a client.
 *  2. Server and browser compare texts in the same form, so what was found can be marked (`matchRanges`).
 *  3. A kind that the person does not have is missing from the answer; the same call may be made by everybody who has
 *     an account.
 */
import * as z from 'zod/mini';
import { THERAPIST_STATES } from './admin.ts';
import { EVENT_LISTS } from './events.ts';
import { endpoint } from './http.ts';
import { id, line, timestamp } from './text.ts';

/** Characters of a key. Accents without a letter do not count. */
const SEARCH_KEY_MIN = 2;
export const SEARCH_KEY_MAX = 100;
/** Results of a kind in one answer, and how many of them the box shows. */
export const SEARCH_PAGE_MAX = 20;
export const SEARCH_BOX_SIZE = 4;
/** Further results than these are found with a longer key. */
const SEARCH_FROM_MAX = 10_000;
/** Names of clients that one live session shows. */
export const SEARCH_NAMES_MAX = 3;

/** In the order in which results are shown. */
export const SEARCH_KINDS = ['events', 'attendees', 'sessions', 'icons', 'therapists'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

/**
 * The form in which texts are compared: lower case, single white space, no accents. The range holds the accents of
 * Latin, Greek and Cyrillic letters; the database strips the same ones (`searchableInSql` on the server).
 */
export const foldForSearch = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .trim();

/** Whether a key is long enough to be searched for. */
export const isSearchable = (key: string): boolean => [...foldForSearch(key)].length >= SEARCH_KEY_MIN;

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };
const spelledOut = (word: string): string => word.replace(/[äöü]/g, (umlaut) => UMLAUTS[umlaut]!);
/** Only where "ae", "oe" and "ue" can stand for an umlaut: not at the end (Zoe) and not after a vowel (Bauer). */
const contracted = (word: string): string => word.replace(/(?<![aeiouqy])([aou])e(?=\p{L})/gu, '$1');

/** A word of a key in all spellings that find it, folded: "müller" also as "mueller", "straße" also as "strasse". */
function spellings(word: string): readonly string[] {
  const plain = foldForSearch(word);
  // Texts that are stored for searching have no marks of any script.
  const forms = [plain, plain.replace(/\p{M}+/gu, ''), foldForSearch(spelledOut(word)), contracted(plain)].filter(
    Boolean,
  );
  return [...new Set(forms.flatMap((form) => [form, form.replaceAll('ß', 'ss'), form.replaceAll('ss', 'ß')]))];
}

/** The words of a key; a text fits if it contains each of them in one of its spellings. */
export type SearchWords = readonly (readonly string[])[];

/** Takes a key as it was typed. Returns its words; none for a key without any. */
export const searchWords = (key: string): SearchWords =>
  [...new Set(key.normalize('NFC').toLowerCase().split(/\s+/u))]
    .map(spellings)
    .filter(([plain]) => plain !== undefined && plain !== '');

/** Whether a text contains every word. */
export function fits(text: string, words: SearchWords): boolean {
  const folded = foldForSearch(text);
  return words.every((word) => word.some((form) => folded.includes(form)));
}

/** Where a text contains words of the key: from (included) to (excluded), in order, without overlaps. */
export function matchRanges(text: string, words: SearchWords): readonly (readonly [from: number, to: number])[] {
  let folded = '';
  /** For each unit of `folded`, where the character that it came from begins. */
  const origins: number[] = [];
  let at = 0;
  for (const character of text) {
    const form = /\s/u.test(character) ? ' ' : foldForSearch(character);
    folded += form;
    for (let unit = 0; unit < form.length; unit += 1) origins.push(at);
    at += character.length;
  }
  origins.push(at);
  const found: [number, number][] = [];
  for (const form of words.flat())
    for (let from = folded.indexOf(form); from !== -1; from = folded.indexOf(form, from + form.length))
      found.push([origins[from]!, origins[from + form.length]!]);
  found.sort(([a], [b]) => a - b);
  const merged: [number, number][] = [];
  for (const [from, to] of found) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

const EXCERPT_BEFORE = 40;
const EXCERPT_MAX = 140;

/** A line of a text around its first match; null if nothing matches. */
export function excerptOf(text: string, words: SearchWords): string | null {
  const flat = text.replace(/\s+/gu, ' ').trim();
  const [first] = matchRanges(flat, words);
  if (first === undefined) return null;
  const start = first[0] <= EXCERPT_BEFORE ? 0 : flat.indexOf(' ', first[0] - EXCERPT_BEFORE) + 1;
  const from = start > first[0] ? first[0] : start;
  const rest = flat.slice(from);
  if (rest.length <= EXCERPT_MAX) return (from > 0 ? '…' : '') + rest;
  const [space, matchEnd] = [rest.lastIndexOf(' ', EXCERPT_MAX), first[1] - from];
  // Not in the middle of a character that has two units.
  const kept = rest.slice(0, space < matchEnd ? EXCERPT_MAX : space).replace(/[\uD800-\uDBFF]$/, '');
  return `${from > 0 ? '…' : ''}${kept}…`;
}

/** The key: one line, lower case, trimmed, from two characters on (docs/product.md#11.28). */
export const searchKey = z
  .pipe(
    line(SEARCH_KEY_MAX),
    z.transform((key) => key.toLowerCase()),
  )
  .check(z.refine(isSearchable, 'too_short'));

export const eventResult = z.strictObject({
  id,
  name: z.string(),
  /** The owner's list that contains it. */
  list: z.enum(EVENT_LISTS),
  startsOn: timestamp,
  timeZone: z.string(),
  /** The passage that mentions the key, if the name does not. */
  excerpt: z.nullable(z.string()),
});
export type EventResult = z.infer<typeof eventResult>;

/** Somebody who has a place at an event, held or confirmed. */
export const attendeeResult = z.strictObject({
  /** Of the booking. */
  id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  state: z.enum(['HELD', 'CONFIRMED']),
  eventId: id,
  eventName: z.string(),
  list: z.enum(EVENT_LISTS),
  startsOn: timestamp,
  timeZone: z.string(),
});
export type AttendeeResult = z.infer<typeof attendeeResult>;

/** A live session in which a client with this name was. */
export const sessionResult = z.strictObject({
  id,
  startedOn: timestamp,
  /** null while it runs. */
  endedOn: z.nullable(timestamp),
  /** The different names that fit, in order of arrival, at most `SEARCH_NAMES_MAX`. */
  names: z.array(z.string()),
});

export const iconResult = z.strictObject({ id, name: z.string() });

/** For admins; nothing of clients. */
export const therapistResult = z.strictObject({
  id,
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  state: z.enum(THERAPIST_STATES),
});
export type TherapistResult = z.infer<typeof therapistResult>;

const group = <K extends SearchKind, R extends z.ZodMiniType>(kind: K, result: R) =>
  z.strictObject({
    kind: z.literal(kind),
    items: z.array(result),
    /** The number of results in all; 0 when `from` is beyond the last one. */
    total: z.int(),
  });
const searchGroup = z.discriminatedUnion('kind', [
  group('events', eventResult),
  group('attendees', attendeeResult),
  group('sessions', sessionResult),
  group('icons', iconResult),
  group('therapists', therapistResult),
]);
export type SearchGroup = z.infer<typeof searchGroup>;

/** The results of one kind. */
export type ResultOf<K extends SearchKind> = Extract<SearchGroup, { kind: K }>['items'][number];

export const search = endpoint({
  method: 'POST',
  path: '/api/me/search',
  access: 'signedIn',
  summary: 'The caller’s own events, attendees, live sessions and icons that contain a key; therapists for admins',
  body: z.strictObject({
    key: searchKey,
    /** Only this kind, for further results. */
    kind: z.nullish(z.enum(SEARCH_KINDS)),
    /** The first result wanted, counted from 0. */
    from: z.nullish(z.int().check(z.nonnegative(), z.maximum(SEARCH_FROM_MAX))),
    size: z.nullish(z.int().check(z.positive(), z.maximum(SEARCH_PAGE_MAX))),
  }),
  reply: z.strictObject({ groups: z.array(searchGroup) }),
  problems: ['too_many_requests'],
});
