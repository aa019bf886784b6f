/** The queries of the operator's pages, and their cache keys. */
import { findCronJobs, findUsage, type UsageFilter } from '@fieldroom/contract/admin';
import { findLogDays, findLogFiles, findLogOwners, linesOf, logFile } from '@fieldroom/contract/logs';
import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query';
import { api } from '../../platform/api/index.ts';
import { storage } from '../../platform/storage.ts';

/** Therapists on one page of the list. */
export const USAGE_PAGE_SIZE = 20;
/** How often jobs are fetched: while one runs, and otherwise, because they start automatically. */
const RUNNING_MS = 2_000;
const IDLE_MS = 15_000;

/** The signed-in admin's id. */
export const ownId = (): number => storage.get('user')?.id ?? 0;

export const adminQueries = {
  all: () => ['admin', ownId()] as const,
  usage: () => [...adminQueries.all(), 'usage'] as const,

  /** A page of therapists, from 0. The previous page is shown until the next answer. */
  usagePage: (filter: UsageFilter, page: number) =>
    queryOptions({
      queryKey: [...adminQueries.usage(), filter, page],
      queryFn: ({ signal }) => api.call(findUsage, { query: { page, size: USAGE_PAGE_SIZE }, body: filter, signal }),
      placeholderData: keepPreviousData,
    }),

  /** All scheduled jobs; fetched again while one runs. */
  jobs: () =>
    queryOptions({
      queryKey: [...adminQueries.all(), 'jobs'],
      queryFn: ({ signal }) => api.call(findCronJobs, { body: {}, signal }),
      refetchInterval: ({ state }) => (state.data?.some(({ running }) => running) ? RUNNING_MS : IDLE_MS),
    }),

  /** Days of which there are browser logs. */
  logDays: () =>
    queryOptions({
      queryKey: [...adminQueries.all(), 'logs'],
      queryFn: ({ signal }) => api.call(findLogDays, { signal }),
    }),
  /** Therapists with logs of a day; nothing is requested without a day. */
  logOwners: (date: string | null) =>
    queryOptions({
      queryKey: [...adminQueries.all(), 'logs', date],
      queryFn: date === null ? skipToken : ({ signal }) => api.call(findLogOwners, { params: { date }, signal }),
    }),
  logFiles: (date: string | null, therapistId: number | null) =>
    queryOptions({
      queryKey: [...adminQueries.all(), 'logs', date, therapistId],
      queryFn:
        date === null || therapistId === null
          ? skipToken
          : ({ signal }) => api.call(findLogFiles, { params: { date, therapistId }, signal }),
    }),
  /** The entries of a file, the latest first. */
  logLines: (date: string, therapistId: number, fileName: string) =>
    queryOptions({
      queryKey: [...adminQueries.all(), 'logs', date, therapistId, fileName],
      queryFn: async ({ signal }) => {
        const file = await api.call(logFile, { params: { date, therapistId, fileName }, signal });
        return linesOf(await file.text()).toReversed();
      },
    }),
};
