import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { askClock } from './askClock.ts';

/** The product's clock: how to read it, in milliseconds. */
export const clockQuery = () => queryOptions({ queryKey: ['clock'], queryFn: async () => (await askClock()).now });

/** Reads the product's clock, in milliseconds; this machine's time until the server has answered. */
export function useProductClock(): () => number {
  const [begun] = useState(() => Date.now());
  const { data } = useQuery(clockQuery());
  return useMemo(() => data ?? (() => begun), [data, begun]);
}
