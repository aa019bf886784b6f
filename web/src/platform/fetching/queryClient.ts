/** The cache of what the signed-in pages fetched. Pages declare what they need; no page stores answers itself. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '../api/index.ts';
import { asksWhenDrawn } from './askedAhead.ts';
import { log } from '../log/log.ts';
import { onPersonForgotten } from '../storage.ts';

/** Logs faults, of ours or of a page, for the operator (docs/product.md#12.10). A refusal is an answer, not a fault. */
function logFault(fault: unknown): void {
  if (fault instanceof ApiProblem && fault.status < 500) return;
  log({ level: 'Error', event: 'A call failed', fault });
}

/** Makes an empty cache. The app has one (`queryClient`); each test has its own. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({ onError: logFault }),
    mutationCache: new MutationCache({ onError: logFault }),
    defaultOptions: {
      queries: {
        // A fault is shown at once, with a button to try again.
        retry: false,
        // Being offline is a fault like any other; a query must not wait silently for the connection.
        networkMode: 'always',
        refetchOnWindowFocus: false,
        refetchOnMount: asksWhenDrawn,
        // What failed without a connection is fetched again when it is back; what is shown stays as it is.
        refetchOnReconnect: ({ state }) => (state.status === 'error' ? 'always' : false),
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/** The app's cache of what it has fetched. It is emptied when a person's data is forgotten. */
export const queryClient = createQueryClient();

// The next person who signs in on this browser must not see the data of the previous one.
onPersonForgotten(() => queryClient.clear());
