import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { askClock } from './askClock.ts';

/** Reads the product's clock, in milliseconds; this machine's time until the server has answered. */
export function useProductClock(): () => number {
  const [begun] = useState(() => Date.now());
  const { data } = useQuery({
    // The key under which the pages of events keep the same clock.
    queryKey: ['clock'],
    queryFn: async () => (await askClock()).now,
  });
  return useMemo(() => data ?? (() => begun), [data, begun]);
}
