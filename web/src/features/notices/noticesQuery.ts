/** The notices of the signed-in therapist in the page's cache, and marking them as read. */
import { findNotices, type NoticesState, readAllNotices, readNotice } from '@fieldroom/contract/notices';
import { infiniteQueryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../../platform/api/index.ts';
import { askAgainAfterNews } from '../../platform/fetching/news.ts';
import { isNews, type Marked, newestOf, type NoticePages, withMarked } from './noticesModel.ts';

const KEY = ['notices'] as const;

/** The list by pages. The cache is cleared when somebody else signs in. */
export const noticesQuery = () =>
  infiniteQueryOptions({
    queryKey: KEY,
    queryFn: ({ pageParam, signal }) =>
      api.call(findNotices, { query: pageParam === undefined ? {} : { before: String(pageParam) }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ more, content }) => (more ? content.at(-1)?.revision : undefined),
  });

/** Fetches the list again: always, or if the server has a newer state than the page. */
export function useAskAgain(): (state?: NoticesState) => void {
  const queries = useQueryClient();
  return (state) => {
    const known = queries.getQueryData<NoticePages>(KEY);
    if (state === undefined || isNews(known, state)) void queries.invalidateQueries({ queryKey: KEY });
  };
}

/**
 * Fetches the subjects of notices again, with each notice newer than the page's, whether received by the connection or
 * by polling. Takes the pages of the list.
 */
export function useAskAfterNews(pages: Pick<NoticePages, 'pages'> | undefined): void {
  const queries = useQueryClient();
  const newest = newestOf(pages);
  const known = useRef<number | null>(null);
  useEffect(() => {
    if (newest === null) return;
    if (known.current !== null && newest > known.current) askAgainAfterNews(queries);
    known.current = newest;
  }, [newest, queries]);
}

/** Marks one notice, or all up to a revision, as read. Faults are in the result. */
export function useMarking() {
  const queries = useQueryClient();
  const marking = useMutation({
    mutationFn: (marked: Marked) =>
      'id' in marked
        ? api.call(readNotice, { params: { noticeId: marked.id } })
        : api.call(readAllNotices, { body: { upTo: marked.upTo } }),
    onSuccess: (answer, marked) => {
      queries.setQueryData<NoticePages>(KEY, (known) => known && withMarked(known, marked, answer));
      if (isNews(queries.getQueryData<NoticePages>(KEY), answer)) void queries.invalidateQueries({ queryKey: KEY });
    },
  });
  return { mark: marking.mutate, failed: marking.isError, busy: marking.isPending };
}
