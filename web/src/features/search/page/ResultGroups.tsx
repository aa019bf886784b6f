/** The results of a search (/app/pages/miscellaneous/search?key=…). Rules: docs/product.md#11.31 and 11.33. */
import { isSearchable, type SearchGroup, searchWords } from '@fieldroom/contract/search';
import { Skeleton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { LoadFault } from '../../../ui/states/LoadFault.tsx';
import { type MenuPage, shownGroup, shownPages } from '../shownResults.ts';
import { keyIn } from '../searchAddress.ts';
import { keyFault, searchFault } from '../searchFault.ts';
import { searchQueries } from '../searchQueries.ts';
import { MoreResults, ResultList } from './ResultList.tsx';
import styles from './ResultGroups.module.css';

/**
 * Reads the key from the address. A key that is too short is reported and not searched for (docs/product.md#11.28).
 * `pages` are those of the person's menu.
 */
export function ResultGroups({ pages }: { pages: readonly MenuPage[] }) {
  const { t } = useTranslation('search');
  const key = keyIn(useSearch({ strict: false }));
  return isSearchable(key) ? (
    <Results key={key} searched={key} menuPages={pages} />
  ) : (
    <Note title={t('page.tooShort')} text={t('page.what')} />
  );
}

function Results({ searched, menuPages }: { searched: string; menuPages: readonly MenuPage[] }) {
  const { t } = useTranslation('search');
  const { t: tc } = useTranslation('common');
  const words = searchWords(searched);
  const pages = shownPages(menuPages, words);
  const found = useQuery(searchQueries.page(searched));
  const wrongKey = keyFault(found.error);
  // The same key would be refused again.
  if (wrongKey !== null)
    return (
      <div role="alert">
        <Note title={wrongKey} text={t('page.what')} />
      </div>
    );
  if (found.data === undefined && found.error)
    return (
      <LoadFault
        text={`${t('page.failed', { key: searched })} ${searchFault(found.error)}`}
        retry={tc('tryAgain')}
        onRetry={() => void found.refetch()}
      />
    );
  if (found.data === undefined) return <Waiting />;
  const groups = found.data.filter(({ items }) => items.length > 0);
  const total = groups.reduce((sum, group) => sum + group.total, pages.total);
  return (
    <>
      <div role="status">
        {total === 0 ? (
          <Note title={t('nothing', { key: searched })} text={t('page.tips')} />
        ) : (
          <p className={styles.summary}>{t('page.found', { count: total, key: searched })}</p>
        )}
      </div>
      <div className={styles.groups}>
        {pages.total > 0 ? <ResultList group={pages} words={words} /> : null}
        {groups.map((group) => (
          <Pages key={group.kind} searched={searched} first={group} />
        ))}
      </div>
    </>
  );
}

/** The results of one kind, including further ones on demand. */
function Pages({ searched, first }: { searched: string; first: SearchGroup }) {
  const { t } = useTranslation('search');
  const words = { t, language: currentLanguage() };
  return (
    <MoreResults searched={searched} first={first}>
      {(groups, foot) => {
        const shown = groups.map((group) => shownGroup(group, words));
        const results = shown.flatMap((group) => group.results);
        return (
          <ResultList
            group={{ kind: first.kind, total: first.total, results }}
            words={searchWords(searched)}
            foot={foot}
          />
        );
      }}
    </MoreResults>
  );
}

function Waiting() {
  const { t } = useTranslation('search');
  return (
    <div className={styles.groups} role="status" aria-busy="true" aria-label={t('searching')}>
      {[0, 1].map((group) => (
        <div key={group}>
          <Skeleton height={24} width={160} radius={8} mb={14} />
          <Skeleton height={64} radius={12} mb={8} />
          <Skeleton height={64} radius={12} />
        </div>
      ))}
    </div>
  );
}

/** An empty result: why, and what to do. */
function Note({ title, text }: { title: string; text: string }) {
  return (
    <div className={styles.note}>
      <IconSearch size={32} stroke={1.5} aria-hidden />
      <h2>{title}</h2>
      <p>{text}</p>
    </div>
  );
}
