/** One page of the live sessions: loading, a fault, nothing found, or the rows and the pager below. */
import { HISTORY_PAGE, THERAPIST_ROOM } from '@fieldroom/contract/pages';
import type { LiveSession, SessionFilter } from '@fieldroom/contract/sessions';
import { Button, Skeleton } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage, sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { FigureIcon } from '../../../ui/figures/index.ts';
import { LoadFault } from '../../../ui/states/LoadFault.tsx';
import { PageButtons } from '../../../ui/controls/PageButtons.tsx';
import { useAppearance } from '../../../ui/theme/appearance.ts';
import { PAGE_SIZE, sessionQueries } from '../sessionQueries.ts';
import { durationWords, endWords, momentWords, spanWords } from '../sessionWords.ts';
import { isFiltering } from './SessionFilterBar.tsx';
import styles from './SessionList.module.css';

const LIST = 'session-list';

export interface SessionListProps {
  filter: SessionFilter;
  page: number;
  onPage(page: number): void;
  onClearFilter(): void;
}

/** Rows lead to the details. An empty last page is left automatically; `page` counts from 0. */
export function SessionList({ filter, page, onPage, onClearFilter }: SessionListProps) {
  const { t } = useTranslation('sessions');
  const { t: tc } = useTranslation('common');
  const { data, error, refetch, isFetching, isPlaceholderData } = useQuery(sessionQueries.page(filter, page));

  // The last live session of the last page may be gone.
  useEffect(() => {
    if (data && data.content.length === 0 && data.page > 0 && data.totalElements > 0)
      onPage(Math.ceil(data.totalElements / PAGE_SIZE) - 1);
  }, [data, onPage]);

  if (error)
    return (
      <div className={styles.card}>
        <LoadFault
          text={`${t('list.failed')} ${problemText(sayProblem, error)}`}
          retry={tc('tryAgain')}
          onRetry={() => void refetch()}
        />
      </div>
    );
  if (!data) return <Bones />;
  // The shown rows belong to the previous filter: until the answer arrives it is not known whether there are none at
  // all.
  if (data.content.length === 0)
    return <NothingFound filtering={isFiltering(filter) || isPlaceholderData} onClear={onClearFilter} />;
  return (
    <>
      <div className={styles.list} aria-busy={isFetching}>
        <Heads />
        <ul id={LIST} tabIndex={-1}>
          {data.content.map((session) => (
            <Row key={session.id} session={session} />
          ))}
        </ul>
      </div>
      <Foot shown={data.content.length} total={data.totalElements} page={page} onPage={onPage} />
    </>
  );
}

/** The headings of the columns. Each part of a row has one for screen readers and on phones. */
function Heads() {
  const { t } = useTranslation('sessions');
  return (
    <div className={styles.heads} aria-hidden>
      <span>{t('list.day')}</span>
      <span>{t('list.time')}</span>
      <span>{t('list.length')}</span>
      <span>{t('list.people')}</span>
      <span>{t('list.end')}</span>
    </div>
  );
}

function Row({ session }: { session: LiveSession }) {
  const { t } = useTranslation('sessions');
  const language = currentLanguage();
  const day = momentWords(session.startedOn, language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  });
  return (
    <li className={styles.row}>
      <Link
        to={HISTORY_PAGE}
        search={{ session: session.id }}
        // Going back closes the details, and stays on the list.
        replace
        resetScroll={false}
        className={styles.day}
        aria-label={t('list.open', { day, times: spanWords(t, session, language) })}
      >
        {day}
      </Link>
      <span>{spanWords(t, session, language)}</span>
      <span>
        <span className="fr-hidden">{t('list.length')}: </span>
        {durationWords(t, session.countedSeconds)}
      </span>
      <span>
        <span className="fr-hidden">{t('list.people')}: </span>
        {session.clients === 0 ? (
          <span className={styles.none}>{t('list.nobody')}</span>
        ) : (
          t('people', { count: session.clients })
        )}
      </span>
      <span className={styles.end} data-running={session.endedOn === null || undefined}>
        <span>{endWords(t, session)}</span>
      </span>
      <IconChevronRight className={styles.more} size={20} stroke={1.75} aria-hidden />
    </li>
  );
}

/** Placeholders of the rows. */
function Bones() {
  const { t: tc } = useTranslation('common');
  return (
    <div className={styles.list} role="status" aria-busy="true" aria-label={tc('loading')}>
      {[1, 2, 3, 4, 5].map((key) => (
        <div key={key} className={styles.bone}>
          <Skeleton height={20} radius={8} />
        </div>
      ))}
    </div>
  );
}

function NothingFound({ filtering, onClear }: { filtering: boolean; onClear(): void }) {
  const { t } = useTranslation('sessions');
  const { scheme } = useAppearance();
  return (
    <EmptyState
      picture={
        <>
          <FigureIcon kind="MALE_FIGURE" tone="#2B549D" scheme={scheme} size={60} rotation={60} />
          <FigureIcon kind="FEMALE_CIRCLE" tone="#D7739C" scheme={scheme} size={54} rotation={-50} />
        </>
      }
      title={filtering ? t('empty.filtered') : t('empty.title')}
      text={filtering ? t('empty.filteredText') : t('empty.text')}
    >
      {filtering ? (
        <Button variant="default" onClick={onClear}>
          {t('empty.clear')}
        </Button>
      ) : (
        <Button component={Link} to={THERAPIST_ROOM}>
          {t('empty.open')}
        </Button>
      )}
    </EmptyState>
  );
}

interface FootProps {
  /** Number of live sessions on this page, and in all. */
  shown: number;
  total: number;
  page: number;
  onPage(page: number): void;
}

function Foot({ shown, total, page, onPage }: FootProps) {
  const { t } = useTranslation('sessions');
  const pages = Math.max(1, Math.ceil(total / PAGE_SIZE));
  return (
    <div className={styles.foot}>
      <p role="status">{t('list.count', { shown, count: total })}</p>
      <PageButtons page={page} pages={pages} onPage={onPage} list={LIST} label={t('list.pages')} />
    </div>
  );
}
