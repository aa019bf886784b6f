/** Answers that are out of date once the server has something new to tell the person. */
import type { QueryClient } from '@tanstack/react-query';

/** For the `meta` of such a query. */
export const CHANGES_WITH_NEWS = { changesWithNews: true } as const;

/** There is news: asks again what is shown, and the rest when it is drawn again. */
export function askAgainAfterNews(queries: QueryClient): void {
  void queries.invalidateQueries({ predicate: ({ meta }) => meta?.changesWithNews === true });
}
