/** Asks for what the form of a new event begins with as soon as the page's code is there. */
import { isTherapist } from '@fieldroom/contract/accounts';
import type { QueryClient } from '@tanstack/react-query';
import { askAhead } from '../../../platform/fetching/askedAhead.ts';
import { queryClient } from '../../../platform/fetching/queryClient.ts';
import { storage } from '../../../platform/storage.ts';
import { eventQueries } from '../eventQueries.ts';

/**
 * Takes the query of the address, and where the answers are kept. An address that asks for a copy begins with another
 * form, for which the page asks. Resolves when the answers have come; what failed, the page asks for again.
 */
export async function fetchProgramAhead(
  search: string = window.location.search,
  queries: QueryClient = queryClient,
): Promise<void> {
  // The guard may lead people without a practice elsewhere.
  if (search !== '' || !isTherapist(storage.get('user'))) return;
  await askAhead(queries, [eventQueries.start(undefined), eventQueries.suggestions()]);
}
