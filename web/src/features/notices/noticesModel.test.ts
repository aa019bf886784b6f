/** A page's state of the notices (docs/product.md#11.22, #11.23). */
import { expect, test } from 'vitest';
import { aNotice, pagesOf } from './notices.testing.ts';
import { isNews, stateOf, withMarked } from './noticesModel.ts';

const readOf = (pages: ReturnType<typeof pagesOf>) =>
  pages.pages.flatMap(({ content }) => content.map(({ read }) => read));

test('a notice is new if its revision is higher; before the first answer every one is', () => {
  const pages = pagesOf([aNotice(7), aNotice(6)]);
  expect([6, 7, 8].map((revision) => isNews(pages, { unread: 9, revision }))).toEqual([false, false, true]);
  expect([isNews(undefined, { unread: 0, revision: 0 }), stateOf(undefined)]).toEqual([true, null]);
});

test('one is marked on whichever page it is', () => {
  const marked = withMarked(pagesOf([aNotice(7)], [aNotice(6), aNotice(5)]), { id: 6 }, { unread: 2, revision: 8 });
  expect(readOf(marked)).toEqual([false, true, false]);
  expect(stateOf(marked)).toMatchObject({ unread: 2, revision: 8 });
});

test('all are marked up to the shown revision', () => {
  const marked = withMarked(pagesOf([aNotice(8), aNotice(7)], [aNotice(6)]), { upTo: 7 }, { unread: 1, revision: 9 });
  expect(readOf(marked)).toEqual([false, true, true]);
});

test('if something else happened in between, the page still knows that it lacks it', () => {
  const marked = withMarked(pagesOf([aNotice(7)]), { id: 7 }, { unread: 1, revision: 9 });
  expect([readOf(marked), isNews(marked, { unread: 1, revision: 9 })]).toEqual([[true], true]);
});
