import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { eventQueries } from '../events/list/index.ts';

/** Reads the product's clock, in milliseconds; this machine's time until it has answered. */
export function useProductClock(): () => number {
  const [begun] = useState(() => Date.now());
  const { data } = useQuery(eventQueries.clock());
  return useMemo(() => data ?? (() => begun), [data, begun]);
}
