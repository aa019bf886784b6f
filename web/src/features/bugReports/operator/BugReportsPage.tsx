/**
 * Bug reports (/app/bug-reports), for admins: what people reported, and how far it is. Rules: docs/product.md#12.23.
 */
import { BUG_REPORT_STATES, type BugReportState, findBugReports } from '@fieldroom/contract/bugReports';
import { Select, Skeleton } from '@mantine/core';
import { IconMoodSmile } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../platform/api/index.ts';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { LoadFault } from '../../../ui/states/LoadFault.tsx';
import { PageButtons } from '../../../ui/controls/PageButtons.tsx';
import { REPORTS_KEY, ReportCard } from './ReportCard.tsx';
import styles from './BugReportsPage.module.css';

/** Reports on one page of the list. */
const PAGE_SIZE = 20;

const LIST = 'bug-report-list';

/** The list of reports, 20 on a page, filtered by state. */
export function BugReportsPage() {
  const { t } = useTranslation('bugReports');
  const { t: tc } = useTranslation('common');
  const [{ state, page }, setWanted] = useState<{ state: BugReportState | null; page: number }>({
    state: null,
    page: 0,
  });
  const asked = useQuery({
    queryKey: [...REPORTS_KEY, state, page],
    queryFn: ({ signal }) => api.call(findBugReports, { query: { page, size: PAGE_SIZE }, body: { state }, signal }),
    placeholderData: keepPreviousData,
  });
  const { data: found, error } = asked;
  const pages = Math.max(1, Math.ceil((found?.totalElements ?? 0) / PAGE_SIZE));
  // The last report of the last page may have another state now.
  useEffect(() => {
    if (found && found.content.length === 0 && found.page > 0 && found.totalElements > 0)
      setWanted((wanted) => ({ ...wanted, page: Math.ceil(found.totalElements / PAGE_SIZE) - 1 }));
  }, [found]);
  return (
    <>
      <p className={styles.lead}>{t('operator.lead')}</p>
      <Select
        className={styles.filter}
        aria-label={t('operator.state')}
        data={[
          { value: '', label: t('operator.anyState') },
          ...BUG_REPORT_STATES.map((value) => ({ value, label: t(`operator.states.${value}`) })),
        ]}
        value={state ?? ''}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        onChange={(value) => setWanted({ state: BUG_REPORT_STATES.find((known) => known === value) ?? null, page: 0 })}
      />
      {error ? (
        <LoadFault
          text={`${t('operator.failed')} ${problemText(sayProblem, error)}`}
          retry={tc('tryAgain')}
          onRetry={() => void asked.refetch()}
        />
      ) : null}
      {/* Also while the page before an emptied one is loading. */}
      {!error && (!found || (found.content.length === 0 && found.totalElements > 0)) ? <Bones /> : null}
      {found?.totalElements === 0 ? <NoReports filtering={state !== null} /> : null}
      {found && found.content.length > 0 ? (
        <div id={LIST} tabIndex={-1} className={styles.reports} aria-busy={asked.isPlaceholderData}>
          {found.content.map((report) => (
            <ReportCard key={report.id} report={report} />
          ))}
        </div>
      ) : null}
      <PageButtons
        page={page}
        pages={pages}
        onPage={(next) => setWanted({ state, page: next })}
        list={LIST}
        label={t('operator.pages')}
      />
    </>
  );
}

function Bones() {
  const { t: tc } = useTranslation('common');
  return (
    <div className={styles.reports} role="status" aria-busy="true" aria-label={tc('loading')}>
      {[1, 2, 3].map((key) => (
        <Skeleton key={key} height={190} radius={16} />
      ))}
    </div>
  );
}

function NoReports({ filtering }: { filtering: boolean }) {
  const { t } = useTranslation('bugReports');
  return (
    <EmptyState
      picture={<IconMoodSmile size={30} stroke={1.5} />}
      title={filtering ? t('operator.noneOfState') : t('operator.none')}
      text={filtering ? t('operator.noneOfStateText') : t('operator.noneText')}
    />
  );
}
