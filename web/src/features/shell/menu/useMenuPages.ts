import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { MenuPage } from '../../search/index.ts';
import { linksOf, menuFootFor, menuFor } from './mainMenu.ts';

/** The pages of a person's menu by their names, for the search. Takes the person's roles. */
export function useMenuPages(authorities: readonly string[]): readonly MenuPage[] {
  const { t } = useTranslation('shell');
  return useMemo(() => {
    const foot = menuFootFor(authorities);
    const links = [...linksOf(menuFor(authorities)), ...(foot ? [foot] : [])];
    // Entries that open a new window are not pages of the app.
    return links
      .filter(({ newWindow }) => newWindow !== true)
      .map(({ id, label, target }) => ({ id, name: t(`menu.${label}`), to: target }));
  }, [authorities, t]);
}
