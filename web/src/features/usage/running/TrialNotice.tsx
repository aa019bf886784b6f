/** On the help page, where a therapist is led whose free hours are used up (docs/product.md#7.4). */
import { isTherapist } from '@fieldroom/contract/accounts';
import { PACKAGE_PAGE } from '@fieldroom/contract/pages';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { storage } from '../../../platform/storage.ts';
import { usageQuery } from '../usageQueries.ts';
import styles from './TrialNotice.module.css';

/**
 * Says that the free hours are used up and nothing is lost, and leads to the package. Draws nothing for other people.
 */
export function TrialNotice() {
  const { t } = useTranslation('usage');
  const { data } = useQuery({ ...usageQuery(), enabled: isTherapist(storage.get('user')) });
  if (data?.trialOver !== true) return null;
  return (
    <section className={styles.notice} aria-labelledby="trial-over">
      <h2 id="trial-over">{t('trialOver.title')}</h2>
      <p>{t('trialOver.text')}</p>
      <p>{t('trialOver.kept')}</p>
      <Button component={Link} to={PACKAGE_PAGE}>
        {t('toPackage')}
      </Button>
    </section>
  );
}
