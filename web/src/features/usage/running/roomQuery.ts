/** The therapist's room as the pages outside of it know it (docs/product.md#11.51). Asking changes nothing there. */
import { getRoom } from '@fieldroom/contract/clients';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api } from '../../../platform/api/index.ts';

/** How often a page outside the room looks, beside the moments when it gets the focus or hears of a change. */
export const LOOK_MS = 60_000;

const KEY = ['room'] as const;

/** Nothing is kept while the room is open: what was true before it would be shown for a moment afterwards. */
export const roomQuery = () =>
  queryOptions({
    queryKey: KEY,
    queryFn: ({ signal }) => api.call(getRoom, { signal }),
    gcTime: 0,
    refetchInterval: LOOK_MS,
    refetchOnWindowFocus: true,
  });

/** Returns the function to call when the room has changed. */
export function useAskForRoom(): () => void {
  const queries = useQueryClient();
  return useCallback(() => {
    // The first answer, on its way, may be from before the change, and the cache would go on waiting for it.
    void queries.cancelQueries({ queryKey: KEY }).then(() => queries.invalidateQueries({ queryKey: KEY }));
  }, [queries]);
}

/** How many people wait to be let in; 0 while it is not known, and for those who have no room. */
export function useWaitingCount(hasRoom: boolean): number {
  const { data } = useQuery({ ...roomQuery(), enabled: hasRoom });
  return data?.waiting.length ?? 0;
}
