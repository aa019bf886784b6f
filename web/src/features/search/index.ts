/** Search: the box of the top bar, and the content of the results page. The shell provides the pages. */
export { SearchBox } from './box/SearchBox.tsx';
export { ResultGroups } from './page/ResultGroups.tsx';
export type { MenuPage } from './shownResults.ts';
