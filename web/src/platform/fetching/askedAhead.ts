/**
 * What is asked for while the page that shows it is still on its way. A query asks whenever it is drawn, also where an
 * answer is there; what has just been asked ahead would be asked twice within a second.
 */
import { hashKey, type Query, type QueryKey } from '@tanstack/react-query';

/** How long an answer that came ahead counts as fresh, in ms. */
const FRESH_MS = 10_000;

/** Hashes of the keys. */
const asked = new Set<string>();

/** Takes the keys of the queries that have been asked for. */
export function noteAskedAhead(keys: readonly QueryKey[]): void {
  for (const key of keys) asked.add(hashKey(key));
}

/** The page that they were asked for has gone. A component that draws them from now on asks, as always. */
export const forgetAskedAhead = (): void => asked.clear();

/** Whether a query asks when it is drawn: unless its answer has just come ahead. */
export const asksWhenDrawn = ({ queryHash, state }: Pick<Query, 'queryHash' | 'state'>): boolean =>
  state.isInvalidated || !asked.has(queryHash) || Date.now() - state.dataUpdatedAt >= FRESH_MS;
