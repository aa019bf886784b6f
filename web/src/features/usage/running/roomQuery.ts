/**
 * The therapist's room, as the pages outside of it see it (docs/product.md#11.51). The request changes nothing there.
 */
import { getRoom } from '@fieldroom/contract/clients';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { api } from '../../../platform/api/index.ts';

/** How often a page outside the room polls, beside fetching when it gets the focus or learns of a change. */
export const LOOK_MS = 60_000;

const KEY = ['room'] as const;

/** Nothing is cached while the room is open: otherwise an old state would be shown for a moment afterwards. */
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
    // The first answer, still pending, may be from before the change, and the cache would keep waiting for it.
    void queries.cancelQueries({ queryKey: KEY }).then(() => queries.invalidateQueries({ queryKey: KEY }));
  }, [queries]);
}

/** How many people wait to be admitted; 0 while it is not known, and for people without a room. */
export function useWaitingCount(hasRoom: boolean): number {
  const { data } = useQuery({ ...roomQuery(), enabled: hasRoom });
  return data?.waiting.length ?? 0;
}
