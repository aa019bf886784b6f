import { getPublicConfig } from '@fieldroom/contract/accounts';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { api } from '../api/index.ts';
import { productClock } from './clock.ts';

/** Reads the product's clock, in milliseconds; this machine's time until the server has answered. */
export function useProductClock(): () => number {
  const [begun] = useState(() => Date.now());
  const { data } = useQuery({
    // The key under which the pages of events keep the same clock.
    queryKey: ['clock'],
    queryFn: async ({ signal }) => productClock((await api.call(getPublicConfig, { signal })).clock).now,
  });
  return useMemo(() => data ?? (() => begun), [data, begun]);
}
