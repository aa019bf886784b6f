/** Lists that come in pages, counted from 0. */
import * as z from 'zod/mini';
import type { Schema } from './http.ts';

export const PAGE_SIZE_MAX = 100;
/** Maximum characters of a list's search text. */
export const KEYWORD_MAX = 100;

export const pageQuery = z.strictObject({
  page: z._default(z.pipe(z.string().check(z.regex(/^\d{1,6}$/, 'not_a_number')), z.transform(Number)), 0),
  size: z._default(
    z.pipe(
      z.pipe(z.string().check(z.regex(/^\d{1,6}$/, 'not_a_number')), z.transform(Number)),
      z.number().check(z.minimum(1, 'too_small'), z.maximum(PAGE_SIZE_MAX, 'too_large')),
    ),
    20,
  ),
});
export type PageQuery = z.output<typeof pageQuery>;

/** One page of a list. Takes the shape of an item. */
export const pageOf = <T extends Schema>(item: T) =>
  z.strictObject({
    content: z.array(item),
    page: z.int(),
    size: z.int(),
    totalElements: z.int(),
  });
