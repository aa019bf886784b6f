/** Searching texts: case and accents do not count, and there are no wildcards. */
import type { SearchWords } from '@fieldroom/contract/search';
import { type SQL, sql } from 'drizzle-orm';

/** The form in which texts and keywords are compared: without case and accents, with single white space. */
export function searchable(...texts: readonly string[]): string {
  return texts
    .join(' ')
    .normalize('NFD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .trim();
}

/** A LIKE pattern in which every character means itself. */
const containing = (text: string): string => `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;

/** A keyword as a LIKE pattern; null if it is empty. */
export function patternOf(keyword: string | null | undefined): string | null {
  const bare = searchable(keyword ?? '');
  return bare === '' ? null : containing(bare);
}

/**
 * The same form, made by the database of a text that is not stored in it. Takes an expression. The range holds the
 * accents of Latin, Greek and Cyrillic letters. ASCII, which has one byte for each character, skips the costly part.
 */
export const searchableInSql = (text: SQL): SQL<string> => sql`
  CASE WHEN octet_length(${text}) = char_length(${text}) THEN lower(${text})
       ELSE regexp_replace(lower(normalize(${text}, NFD)), '[\u0300-\u036f]', '', 'g') END`;

/** Whether a text in the form of `searchableInSql` contains every word of a key (docs/product.md#11.29). */
export const containsInSql = (text: SQL, words: SearchWords): SQL<boolean> =>
  sql`(${sql.join(
    words.map((spellings) => sql`(${text}) LIKE ANY (${sql.param(spellings.map(containing))}::text[])`),
    sql` AND `,
  )})`;
