/** Answers that are out of date once the server announces something new for the person. */
import type { QueryClient } from '@tanstack/react-query';

/** For the `meta` of such a query. */
export const CHANGES_WITH_NEWS = { changesWithNews: true } as const;

/** There is news: requests again what is shown now, and the rest when it is next drawn. */
export function askAgainAfterNews(queries: QueryClient): void {
  void queries.invalidateQueries({ predicate: ({ meta }) => meta?.changesWithNews === true });
}
