import { useCurrentUser } from '../accounts/index.ts';
import { ResultGroups } from '../search/index.ts';
import { useMenuPages } from './menu/useMenuPages.ts';

/** The results page (/app/pages/miscellaneous/search?key=…): the search's results, and pages of the person's menu. */
export function SearchPage() {
  const { user } = useCurrentUser();
  return <ResultGroups pages={useMenuPages(user?.authorities ?? [])} />;
}
