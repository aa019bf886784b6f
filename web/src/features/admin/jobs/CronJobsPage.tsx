/**
 * Scheduled jobs (/app/cron-job-conf), for admins: their last result and their next run. Rules: docs/product.md#15.3.
 */
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { useProductClock } from '../../../platform/time/useProductClock.ts';
import { LoadFault } from '../../../ui/states/LoadFault.tsx';
import { adminQueries } from '../adminQueries.ts';
import { JobCard } from './JobCard.tsx';
import styles from './CronJobsPage.module.css';

/** A card for each job. Times are on the product's clock. */
export function CronJobsPage() {
  const { t } = useTranslation('admin');
  const { t: tc } = useTranslation('common');
  const jobs = useQuery(adminQueries.jobs());
  const clock = useProductClock();
  return (
    <>
      <p className={styles.lead}>{t('jobs.lead')}</p>
      {jobs.error ? (
        <LoadFault
          text={`${t('jobs.loadFailed')} ${problemText(sayProblem, jobs.error)}`}
          retry={tc('tryAgain')}
          onRetry={() => void jobs.refetch()}
        />
      ) : null}
      {!jobs.data && !jobs.error ? (
        <div className={styles.jobs} role="status" aria-busy="true" aria-label={tc('loading')}>
          {[1, 2, 3, 4].map((key) => (
            <Skeleton key={key} height={210} radius={16} />
          ))}
        </div>
      ) : null}
      {jobs.data?.length === 0 ? <p>{t('jobs.none')}</p> : null}
      {jobs.data && jobs.data.length > 0 ? (
        <div className={styles.jobs}>
          {jobs.data.map((job) => (
            <JobCard key={job.type} job={job} now={clock()} />
          ))}
        </div>
      ) : null}
    </>
  );
}
