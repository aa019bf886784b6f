/**
 * The queries of the box and the page, and their cache keys. Keys begin with the account's id, so that nobody sees
 * another person's data.
 */
import {
  search,
  SEARCH_BOX_SIZE,
  SEARCH_PAGE_MAX,
  type SearchGroup,
  type SearchKind,
} from '@fieldroom/contract/search';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../platform/api/index.ts';
import { storage } from '../../platform/storage.ts';

export const searchQueries = {
  all: () => ['search', storage.get('user')?.id ?? 0] as const,

  /** The first results of every kind. The previous ones are shown until the next answer, so that nothing flickers. */
  box: (key: string) =>
    queryOptions({
      queryKey: [...searchQueries.all(), 'box', key],
      queryFn: async ({ signal }) => (await api.call(search, { body: { key, size: SEARCH_BOX_SIZE }, signal })).groups,
      placeholderData: keepPreviousData,
    }),

  /** The first page of every kind. */
  page: (key: string) =>
    queryOptions({
      queryKey: [...searchQueries.all(), 'page', key],
      queryFn: async ({ signal }) => (await api.call(search, { body: { key, size: SEARCH_PAGE_MAX }, signal })).groups,
    }),

  /** All pages of one kind so far, beginning with the loaded one. */
  more: (key: string, kind: SearchKind, first: SearchGroup) =>
    infiniteQueryOptions({
      queryKey: [...searchQueries.all(), 'more', key, kind, first] as const,
      queryFn: async ({ pageParam, signal }): Promise<SearchGroup> => {
        const body = { key, kind, from: pageParam, size: SEARCH_PAGE_MAX };
        const { groups } = await api.call(search, { body, signal });
        return groups[0] ?? { ...first, items: [] };
      },
      initialData: { pages: [first], pageParams: [0] },
      initialPageParam: 0,
      getNextPageParam: (last, pages) => {
        const shown = pages.reduce((sum, { items }) => sum + items.length, 0);
        return last.items.length > 0 && shown < first.total ? shown : null;
      },
      staleTime: Number.POSITIVE_INFINITY,
    }),
};
