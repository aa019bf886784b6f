/** The cache of what the signed-in pages fetched. Pages declare what they need; nobody keeps answers by hand. */
import { QueryClient } from '@tanstack/react-query';
import { onPersonForgotten } from './storage.ts';

/** Makes an empty cache. The app has one (`queryClient`); each test has its own. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A fault is shown at once, with a button to try again.
        retry: false,
        // Being offline is a fault like any other; a query must not wait for the connection without a word.
        networkMode: 'always',
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
      mutations: { networkMode: 'always' },
    },
  });
}

export const queryClient = createQueryClient();

// The next person who signs in on this browser must not see the data of the previous one.
onPersonForgotten(() => queryClient.clear());
