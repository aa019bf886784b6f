/**
 * What is asked for while the page that shows it is still on its way. A query asks whenever it is drawn, also where an
 * answer is there; what has just been asked ahead would be asked twice within a second.
 */
import {
  type FetchQueryOptions,
  hashKey,
  type Query,
  type QueryClient,
  type QueryKey,
  QueryObserver,
} from '@tanstack/react-query';

/** How long an answer that came ahead counts as fresh, in ms. */
const FRESH_MS = 10_000;

/** Hashes of the keys. */
const asked = new Set<string>();
/** How to let go of the answers that are held for the page. */
const held = new Set<() => void>();

/**
 * Asks for what a page begins with. Takes where the answers are kept, and the queries. Resolves when they have come;
 * what failed, the page asks for again.
 */
export async function askAhead(queries: QueryClient, wanted: readonly { queryKey: QueryKey }[]): Promise<void> {
  for (const { queryKey } of wanted) {
    asked.add(hashKey(queryKey));
    hold(queries, queryKey);
  }
  // Each has an answer of its own kind, which nobody reads here.
  await Promise.all(wanted.map((query) => queries.prefetchQuery(query as FetchQueryOptions)));
}

/** Keeps an answer for the page, for FRESH_MS at most: the cache drops some at once where nothing draws them. */
function hold(queries: QueryClient, queryKey: QueryKey): void {
  const letGo = new QueryObserver(queries, { queryKey, enabled: false, gcTime: 0 }).subscribe(() => undefined);
  held.add(letGo);
  setTimeout(() => {
    letGo();
    held.delete(letGo);
  }, FRESH_MS);
}

/** The page that they were asked for has gone. A component that draws them from now on asks, as always. */
export function forgetAskedAhead(): void {
  asked.clear();
  for (const letGo of held) letGo();
  held.clear();
}

/** Whether a query asks when it is drawn: unless its answer has just come ahead. */
export const asksWhenDrawn = ({ queryHash, state }: Pick<Query, 'queryHash' | 'state'>): boolean =>
  state.isInvalidated || !asked.has(queryHash) || Date.now() - state.dataUpdatedAt >= FRESH_MS;
