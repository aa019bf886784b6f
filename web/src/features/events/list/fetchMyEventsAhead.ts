/** Fetches the initial list of My events as soon as the page's code is loaded. */
import { isTherapist } from '@fieldroom/contract/accounts';
import type { QueryClient } from '@tanstack/react-query';
import { askAhead } from '../../../platform/fetching/askedAhead.ts';
import { queryClient } from '../../../platform/fetching/queryClient.ts';
import { storage } from '../../../platform/storage.ts';
import { clockQuery } from '../../../platform/time/useProductClock.ts';
import { eventQueries } from '../eventQueries.ts';

/**
 * Takes the query of the address, and the query client. An address with parameters may start with another list, which
 * the page fetches. Resolves when the answers have arrived; the page repeats failed requests.
 */
export async function fetchMyEventsAhead(
  search: string = window.location.search,
  queries: QueryClient = queryClient,
): Promise<void> {
  // The guard may redirect people without a practice.
  if (search !== '' || !isTherapist(storage.get('user'))) return;
  await askAhead(queries, [eventQueries.page('upcoming', {}, 0), clockQuery()]);
}
