/** Builders for the tests of notices. */
import type { Notice } from '@fieldroom/contract/notices';
import type { NoticePages } from './noticesModel.ts';

/** The product's clock in the tests: the last half hour is one day in every time zone. */
export const NOW = '2026-11-24T12:30:00.000Z';
/** This many minutes before `NOW`, as ISO text. */
export const minutesAgo = (minutes: number): string => new Date(Date.parse(NOW) - minutes * 60_000).toISOString();

const EVENT = { id: 31, name: 'Evening circle', startsOn: '2026-12-17T18:00:00Z', timeZone: 'Europe/Vienna' };

/** A notice; its number is its revision too. */
export function aNotice(number: number, change: Partial<Notice> = {}): Notice {
  return {
    ...{ id: number, revision: number, at: minutesAgo(5), read: false, kind: 'booked', event: EVENT },
    person: { firstName: 'Réka', lastName: 'Oláh' },
    ...change,
  } as Notice;
}

/** One page of the list, as the server answers; the newest first. */
export const aPage = (content: readonly Notice[], more = false) => ({
  content: [...content],
  more,
  unread: content.filter(({ read }) => !read).length,
  revision: content[0]?.revision ?? 0,
});
/** The pages of the list as the query's cache keeps them. */
export const pagesOf = (...pages: readonly Notice[][]): NoticePages => ({
  pages: pages.map((content) => aPage(content)),
  pageParams: pages.map(() => undefined),
});
