/** Search: the box of the top bar, and what stands on the page of results. The shell says which pages there are. */
export { SearchBox } from './box/SearchBox.tsx';
export { ResultGroups } from './page/ResultGroups.tsx';
export type { MenuPage } from './shownResults.ts';
