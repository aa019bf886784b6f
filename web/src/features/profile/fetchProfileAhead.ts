/** Fetches the profile as soon as the page's code is loaded. */
import { isClient } from '@fieldroom/contract/accounts';
import type { QueryClient } from '@tanstack/react-query';
import { askAhead } from '../../platform/fetching/askedAhead.ts';
import { queryClient } from '../../platform/fetching/queryClient.ts';
import { storage } from '../../platform/storage.ts';
import { profileQueries } from './profileQueries.ts';

/** Takes the query client. Resolves when the answers have arrived; the page repeats failed requests. */
export async function fetchProfileAhead(queries: QueryClient = queryClient): Promise<void> {
  const user = storage.get('user');
  // The guard redirects other people.
  if (!user || isClient(user)) return;
  await askAhead(queries, [profileQueries.profile(), profileQueries.devices()]);
}
