/** Asks for the list that My events begins with as soon as the page's code is there. */
import { isTherapist } from '@fieldroom/contract/accounts';
import type { QueryClient } from '@tanstack/react-query';
import { askAhead } from '../../../platform/fetching/askedAhead.ts';
import { queryClient } from '../../../platform/fetching/queryClient.ts';
import { storage } from '../../../platform/storage.ts';
import { clockQuery } from '../../../platform/time/useProductClock.ts';
import { eventQueries } from '../eventQueries.ts';

/**
 * Takes the query of the address, and where the answers are kept. An address that asks for something else may begin
 * with another list, for which the page asks. Resolves when the answers have come; what failed, the page asks for
 * again.
 */
export async function fetchMyEventsAhead(
  search: string = window.location.search,
  queries: QueryClient = queryClient,
): Promise<void> {
  // The guard may lead people without a practice elsewhere.
  if (search !== '' || !isTherapist(storage.get('user'))) return;
  await askAhead(queries, [eventQueries.page('upcoming', {}, 0), clockQuery()]);
}
