/** What stands where logs are being loaded, or could not be. */
import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { LoadFault } from '../../../ui/LoadFault.tsx';
import styles from './LogsPage.module.css';

/** Says why something could not be loaded, and asks for it again. */
export function Fault({ asked: { error, refetch } }: { asked: Pick<UseQueryResult, 'error' | 'refetch'> }) {
  const { t: tc } = useTranslation('common');
  if (!error) return null;
  return <LoadFault text={problemText(sayProblem, error)} retry={tc('tryAgain')} onRetry={() => void refetch()} />;
}

export function Bones() {
  const { t: tc } = useTranslation('common');
  return (
    <div className={styles.bones} role="status" aria-busy="true" aria-label={tc('loading')}>
      {[1, 2, 3].map((key) => (
        <Skeleton key={key} height={36} radius={12} />
      ))}
    </div>
  );
}
