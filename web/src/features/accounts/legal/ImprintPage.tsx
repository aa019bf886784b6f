import { getPublicConfig } from '@fieldroom/contract/accounts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { OfflineBar } from '../../../light/OfflineBar.tsx';
import { api } from '../../../platform/api/index.ts';
import { sayProblem } from '../../../platform/i18n/app.ts';
import { problemText } from '../../../platform/i18n/faults.ts';
import { queryClient } from '../../../platform/fetching/queryClient.ts';
import { LoadFault } from '../../../ui/states/LoadFault.tsx';
import { usePageTitle } from '../../../ui/usePageTitle.ts';
import { AccountHead } from '../frame/AccountHead.tsx';
import styles from '../frame/accounts.module.css';

/** Who runs this service (/user/imprint, docs/product.md#11.38): the seller of the operator's settings. */
export function ImprintPage() {
  const { t } = useTranslation('accounts');
  const { t: tc } = useTranslation('common');
  usePageTitle(t('imprint.title'));
  const config = useQuery(
    { queryKey: ['public-config'], queryFn: ({ signal }) => api.call(getPublicConfig, { signal }) },
    queryClient,
  );
  const operator = config.data?.operator;
  return (
    <>
      <OfflineBar text={tc('offline')} />
      <div className={styles.page}>
        <AccountHead />
        <main>
          <h1>{t('imprint.title')}</h1>
          {config.error ? (
            <LoadFault
              text={`${t('imprint.failed')} ${problemText(sayProblem, config.error)}`}
              retry={tc('tryAgain')}
              onRetry={() => void config.refetch()}
            />
          ) : null}
          {operator === null ? <p>{t('imprint.missing')}</p> : null}
          {operator ? (
            <>
              <p className={styles.muted}>{t('imprint.lead')}</p>
              <address className={styles.address}>
                <strong>{operator.name}</strong>
                <span>{operator.address}</span>
                <span>
                  {t('imprint.taxNumber')} {operator.taxNumber}
                </span>
                <a className={styles.link} href={`mailto:${operator.email}`}>
                  {operator.email}
                </a>
              </address>
            </>
          ) : null}
        </main>
      </div>
    </>
  );
}
