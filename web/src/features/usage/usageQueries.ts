/** The pages' queries about the usage of the signed-in therapist, and their cache keys. */
import { getUsage } from '@fieldroom/contract/usage';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../platform/api/index.ts';

/** Plan, timer, people helped and hours by week. The cache is cleared when somebody else signs in. */
export const usageQuery = () =>
  queryOptions({ queryKey: ['usage'], queryFn: ({ signal }) => api.call(getUsage, { signal }) });
