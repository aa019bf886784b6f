/**
 * The pages' queries about live sessions, and their cache keys. Keys begin with the therapist's id, so that nobody sees
 * another person's data. Rules: docs/product.md#6.3.
 */
import {
  findSessionDetails,
  findSessions,
  type LiveSessionDetails,
  sendSessionEmail,
  type SessionFilter,
} from '@fieldroom/contract/sessions';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../platform/api/index.ts';
import { storage } from '../../platform/storage.ts';

/** Live sessions on one page of the list, and on the dashboard. */
export const PAGE_SIZE = 20;
const LATEST = 4;

export const sessionQueries = {
  all: () => ['sessions', storage.get('user')?.id ?? 0] as const,

  /**
   * A page of the list. The previous one is shown until the next answer, so that nothing flickers while somebody types.
   */
  page: (filter: SessionFilter, page: number) =>
    queryOptions({
      queryKey: [...sessionQueries.all(), 'page', filter, page],
      queryFn: ({ signal }) => api.call(findSessions, { query: { page, size: PAGE_SIZE }, body: filter, signal }),
      placeholderData: keepPreviousData,
    }),

  /** The newest ones with attendance and field. One of them may have started or ended in another tab. */
  latest: () =>
    queryOptions({
      queryKey: [...sessionQueries.all(), 'latest'],
      queryFn: ({ signal }) => api.call(findSessionDetails, { query: { page: 0, size: LATEST }, body: {}, signal }),
      refetchOnWindowFocus: true,
    }),

  /** One with its details; null if this therapist has none with this id. */
  one: (id: number) =>
    queryOptions({
      queryKey: [...sessionQueries.all(), 'one', id],
      queryFn: async ({ signal }): Promise<LiveSessionDetails | null> => {
        const found = await api.call(findSessionDetails, { query: { page: 0, size: 1 }, body: { id }, signal });
        return found.content[0] ?? null;
      },
    }),
};

/** Sends the dates of a live session, by default to the therapist's own address. Problem: `too_many_requests`. */
export const sendEmail = (id: number, address: string | null): Promise<void> =>
  api.call(sendSessionEmail, { body: { id, email: address } });
