import { isSearchable, searchWords } from '@fieldroom/contract/search';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { type MenuPage, type ShownGroup, shownGroup, shownPages, type ShownResult } from '../shownResults.ts';
import { searchQueries } from '../searchQueries.ts';

/** The last option, which leads to the results page. */
export const ALL_RESULTS = 'all';

/** The key of an option. */
export const keyOf = (option: ShownResult | typeof ALL_RESULTS): string =>
  option === ALL_RESULTS ? ALL_RESULTS : option.key;

/** The element of an option, by its place among all. */
export const optionId = (index: number): string => `search-option-${index}`;

export interface SuggestionsFound {
  groups: readonly ShownGroup[];
  /** The options for the arrow keys, in their order. */
  options: readonly (ShownResult | typeof ALL_RESULTS)[];
  /** The number of results, including those that are not shown. */
  total: number;
  pending: boolean;
  fault: unknown;
}

/** The suggestions for a key; none for one that is too short. */
export function useSuggestions(key: string, menuPages: readonly MenuPage[]): SuggestionsFound {
  const { t } = useTranslation('search');
  const pages = shownPages(menuPages, searchWords(key));
  const enabled = isSearchable(key);
  const { data, error, isPending } = useQuery({ ...searchQueries.box(key), enabled });
  const words = { t, language: currentLanguage() };
  const groups = enabled
    ? [pages, ...(data ?? []).map((group) => shownGroup(group, words))].filter(({ results }) => results.length > 0)
    : [];
  return {
    groups,
    options: [...groups.flatMap(({ results }) => results), ALL_RESULTS],
    total: groups.reduce((sum, group) => sum + group.total, 0),
    pending: enabled && isPending,
    fault: error,
  };
}
