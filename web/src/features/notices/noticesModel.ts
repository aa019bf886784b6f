/** A page's state of the notices, and how marking changes it. Pure. */
import type { findNotices, Notice, NoticesState } from '@fieldroom/contract/notices';
import type { ReplyOf } from '@fieldroom/contract/http';
import type { InfiniteData } from '@tanstack/react-query';

/** The pages of the list that were fetched, the newest first. */
export type NoticePages = InfiniteData<ReplyOf<typeof findNotices>, number | undefined>;

/** One notice, or all up to a revision of the list. */
export type Marked = { readonly id: number } | { readonly upTo: number };

/** The list's last known state. */
export const stateOf = (pages: Pick<NoticePages, 'pages'> | undefined): NoticesState | null => pages?.pages[0] ?? null;

/** The revision of the newest notice, 0 if there is none; null while the list is not known. */
export const newestOf = (pages: Pick<NoticePages, 'pages'> | undefined): number | null =>
  pages ? (pages.pages[0]?.content[0]?.revision ?? 0) : null;

/** Whether the server has a newer state than the page (invariant 1 of the contract). */
export const isNews = (pages: NoticePages | undefined, { revision }: NoticesState): boolean =>
  revision > (stateOf(pages)?.revision ?? -1);

const isMarked = (marked: Marked, notice: Notice): boolean =>
  'id' in marked ? notice.id === marked.id : notice.revision <= marked.upTo;

/**
 * The pages after some were marked as read. Takes the server's answer; its number is used if nothing else can have
 * happened in between, otherwise the page fetches the list again anyway.
 */
export function withMarked(pages: NoticePages, marked: Marked, answer: NoticesState): NoticePages {
  const known = stateOf(pages)?.revision ?? 0;
  const { unread, revision } = answer;
  const state = revision === known || revision === known + 1 ? { unread, revision } : {};
  return {
    ...pages,
    pages: pages.pages.map((page) => ({
      ...page,
      ...state,
      content: page.content.map((notice) => (isMarked(marked, notice) ? { ...notice, read: true } : notice)),
    })),
  };
}
