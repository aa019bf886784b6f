/** Search: the box of the top bar, and what stands on the page of results. The shell says which pages there are. */
export { SearchBox } from './box/SearchBox.tsx';
export { SearchResults } from './page/SearchResults.tsx';
export type { MenuPage } from './searchResults.ts';
