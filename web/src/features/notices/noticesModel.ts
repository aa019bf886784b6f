/** What a page knows of the notices, and how marking changes it. Pure. */
import type { findNotices, Notice, NoticesState } from '@fieldroom/contract/notices';
import type { ReplyOf } from '@fieldroom/contract/http';
import type { InfiniteData } from '@tanstack/react-query';

/** The pages of the list that were fetched, the newest first. */
export type NoticePages = InfiniteData<ReplyOf<typeof findNotices>, number | undefined>;

/** One notice, or all up to a revision of the list. */
export type Marked = { readonly id: number } | { readonly upTo: number };

/** How the list stands as far as the page knows. */
export const stateOf = (pages: Pick<NoticePages, 'pages'> | undefined): NoticesState | null => pages?.pages[0] ?? null;

/** The revision with which the newest notice came, 0 where there is none; null while the list is not known. */
export const newestOf = (pages: Pick<NoticePages, 'pages'> | undefined): number | null =>
  pages ? (pages.pages[0]?.content[0]?.revision ?? 0) : null;

/** Whether the server knows more than the page (invariant 1 of the contract). */
export const isNews = (pages: NoticePages | undefined, { revision }: NoticesState): boolean =>
  revision > (stateOf(pages)?.revision ?? -1);

const isMarked = (marked: Marked, notice: Notice): boolean =>
  'id' in marked ? notice.id === marked.id : notice.revision <= marked.upTo;

/**
 * The pages after some were marked as read. Takes what the server answered; its number counts where nothing else can
 * have happened in between, otherwise the page asks again anyway.
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
