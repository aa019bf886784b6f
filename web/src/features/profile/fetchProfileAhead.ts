/** Asks for the profile as soon as the page's code is there. */
import { isClient } from '@fieldroom/contract/accounts';
import type { QueryClient } from '@tanstack/react-query';
import { askAhead } from '../../platform/fetching/askedAhead.ts';
import { queryClient } from '../../platform/fetching/queryClient.ts';
import { storage } from '../../platform/storage.ts';
import { profileQueries } from './profileQueries.ts';

/** Takes where the answers are kept. Resolves when they have come; what failed, the page asks for again. */
export async function fetchProfileAhead(queries: QueryClient = queryClient): Promise<void> {
  const user = storage.get('user');
  // The guard leads others elsewhere.
  if (!user || isClient(user)) return;
  await askAhead(queries, [profileQueries.profile(), profileQueries.devices()]);
}
