/** Searching texts: case and accents do not count, and there are no wildcards. */
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

/** A keyword as a LIKE pattern in which every character means itself; null if it is empty. */
export function patternOf(keyword: string | null | undefined): string | null {
  const bare = searchable(keyword ?? '');
  return bare === '' ? null : `%${bare.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}

/**
 * The same form, made by the database of a text that is not stored in it. Takes an expression. The range holds the
 * accents of Latin, Greek and Cyrillic letters.
 */
export const searchableInSql = (text: SQL): SQL<string> =>
  sql`regexp_replace(lower(normalize(${text}, NFD)), '[\u0300-\u036f]', '', 'g')`;
