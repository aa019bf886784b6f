/**
 * Requests data while the page that shows it is still loading. A query makes its request whenever it is drawn, even if
 * there is an answer; without this module, data just requested ahead would be requested twice within a second.
 */
import {
  type FetchQueryOptions,
  hashKey,
  type Query,
  type QueryClient,
  type QueryKey,
  QueryObserver,
} from '@tanstack/react-query';

/** How long an answer that was requested ahead counts as fresh, in ms. */
const FRESH_MS = 10_000;

/** Hashes of the keys. */
const asked = new Set<string>();
/** Functions that release the answers that are held for the page. */
const held = new Set<() => void>();

/**
 * Requests what a page needs first. Takes the cache and the queries. Resolves when they have been answered; the page
 * requests again what failed.
 */
export async function askAhead(queries: QueryClient, wanted: readonly { queryKey: QueryKey }[]): Promise<void> {
  for (const { queryKey } of wanted) {
    asked.add(hashKey(queryKey));
    hold(queries, queryKey);
  }
  // Each answer has its own type, which nothing reads here.
  await Promise.all(wanted.map((query) => queries.prefetchQuery(query as FetchQueryOptions)));
}

/** Keeps an answer for the page, for FRESH_MS at most: the cache drops some at once if nothing draws them. */
function hold(queries: QueryClient, queryKey: QueryKey): void {
  const letGo = new QueryObserver(queries, { queryKey, enabled: false, gcTime: 0 }).subscribe(() => undefined);
  held.add(letGo);
  setTimeout(() => {
    letGo();
    held.delete(letGo);
  }, FRESH_MS);
}

/** The page for which they were requested has gone. A component that draws them from now on makes its own request, as
 * always. */
export function forgetAskedAhead(): void {
  asked.clear();
  for (const letGo of held) letGo();
  held.clear();
}

/** Whether a query makes a request when it is drawn: yes, unless its answer has just been requested ahead. */
export const asksWhenDrawn = ({ queryHash, state }: Pick<Query, 'queryHash' | 'state'>): boolean =>
  state.isInvalidated || !asked.has(queryHash) || Date.now() - state.dataUpdatedAt >= FRESH_MS;
