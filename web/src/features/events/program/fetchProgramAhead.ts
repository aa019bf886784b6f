/** Fetches the initial values of a new event's form as soon as the page's code is loaded. */
import { isTherapist } from '@fieldroom/contract/accounts';
import type { QueryClient } from '@tanstack/react-query';
import { askAhead } from '../../../platform/fetching/askedAhead.ts';
import { queryClient } from '../../../platform/fetching/queryClient.ts';
import { storage } from '../../../platform/storage.ts';
import { eventQueries } from '../eventQueries.ts';

/**
 * Takes the query of the address, and the query client. An address with a copy starts with another form, whose data the
 * page fetches. Resolves when the answers have arrived; the page repeats failed requests.
 */
export async function fetchProgramAhead(
  search: string = window.location.search,
  queries: QueryClient = queryClient,
): Promise<void> {
  // The guard may redirect people without a practice.
  if (search !== '' || !isTherapist(storage.get('user'))) return;
  await askAhead(queries, [eventQueries.start(undefined), eventQueries.suggestions()]);
}
