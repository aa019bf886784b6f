import type { SearchGroup, SearchWords } from '@fieldroom/contract/search';
import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { LoadFault } from '../../../ui/states/LoadFault.tsx';
import { ResultLines } from '../ResultLines.tsx';
import type { ShownGroup } from '../shownResults.ts';
import { searchQueries } from '../searchQueries.ts';
import styles from './ResultGroups.module.css';

interface ResultListProps {
  group: ShownGroup;
  words: SearchWords;
  /** Content below the results. */
  foot?: ReactNode;
}

/** Results of one kind under their heading, each a link to its place. */
export function ResultList({ group: { kind, total, results }, words, foot }: ResultListProps) {
  const { t } = useTranslation('search');
  const heading = useId();
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading} className={styles.kind}>
        {t(`kind.${kind}`)} <span className={styles.count}>{total}</span>
      </h2>
      <ul className={styles.results}>
        {results.map((result) => (
          <li key={result.key}>
            <Link to={result.place.to} search={(result.place.search ?? {}) as never} className={styles.result}>
              <ResultLines kind={kind} result={result} words={words} />
            </Link>
          </li>
        ))}
      </ul>
      {foot}
    </section>
  );
}

interface MoreResultsProps {
  searched: string;
  /** The first results, which are already loaded. */
  first: SearchGroup;
  /** Takes all results so far, and the button for more of them. */
  children(groups: readonly SearchGroup[], foot: ReactNode): ReactNode;
}

/** Fetches the further results of a kind on demand. */
export function MoreResults({ searched, first, children }: MoreResultsProps) {
  const { t } = useTranslation('search');
  const { t: tc } = useTranslation('common');
  const { data, error, hasNextPage, isFetching, fetchNextPage } = useInfiniteQuery(
    searchQueries.more(searched, first.kind, first),
  );
  const shown = data.pages.reduce((sum, { items }) => sum + items.length, 0);
  const foot = error ? (
    <LoadFault
      text={`${t('page.moreFailed')} ${problemText(sayProblem, error)}`}
      retry={tc('tryAgain')}
      onRetry={() => void fetchNextPage()}
    />
  ) : hasNextPage ? (
    <div className={styles.more}>
      <Button variant="default" loading={isFetching} onClick={() => void fetchNextPage()}>
        {t('page.more')}
      </Button>
      <span role="status">{t('page.shown', { shown, total: first.total })}</span>
    </div>
  ) : null;
  return children(data.pages, foot);
}
