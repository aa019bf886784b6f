import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { numberFormat } from '../../../platform/i18n/formats.ts';
import { usageQuery } from '../../usage/running/index.ts';
import { Card, Loaded } from '../Card.tsx';
import styles from '../Dashboard.module.css';

/** How many different people have been in the therapist's live sessions. */
export function PeopleHelpedCard() {
  const { t } = useTranslation('dashboard');
  const query = useQuery(usageQuery());
  const number = query.data && numberFormat(currentLanguage()).format(query.data.peopleHelped);
  return (
    <Card title={t('helped.title')} aside={number ? <strong className={styles.figureOfPeople}>{number}</strong> : null}>
      <Loaded query={query} failed={t('helped.failed')} bones={<Skeleton height={54} radius={8} />}>
        {({ peopleHelped }) => <p className={styles.small}>{t(peopleHelped === 0 ? 'helped.none' : 'helped.text')}</p>}
      </Loaded>
    </Card>
  );
}
