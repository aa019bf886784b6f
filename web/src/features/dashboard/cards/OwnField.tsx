/** The therapist's own field in its current state. Fetched when it is needed (FieldCard.tsx). */
import { allFigures } from '@fieldroom/contract/field';
import { Skeleton } from '@mantine/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { api } from '../../../platform/api/index.ts';
import { useOwnGround } from '../../design/index.ts';
import { FieldStill } from '../../field/picture/index.ts';
import { Loaded } from '../Card.tsx';
import styles from '../Dashboard.module.css';
import { ownId } from '../dashboardQueries.ts';

/** With more figures than this, names would cover each other in a small picture. */
const NAMES_UP_TO = 20;

function figuresQuery() {
  const therapistId = ownId();
  return queryOptions({
    queryKey: ['figures', therapistId],
    queryFn: ({ signal }) => api.call(allFigures, { params: { therapistId }, signal }),
    refetchOnWindowFocus: true,
  });
}

/**
 * A still picture of the field and a sentence about it. It is fetched again when the page gets the focus. Up to 20
 * figures have their names.
 */
export function OwnField() {
  const { t } = useTranslation('dashboard');
  const query = useQuery(figuresQuery());
  const ground = useOwnGround();
  return (
    <>
      <div className={styles.fieldPicture} data-shown={query.data !== undefined || undefined}>
        <Loaded query={query} failed={t('field.failed')} bones={<Skeleton height={320} radius={0} />}>
          {(figures) => (
            <FieldStill
              figures={figures}
              label={t('field.label', { count: figures.length })}
              names={figures.length <= NAMES_UP_TO}
              ground={ground}
            />
          )}
        </Loaded>
      </div>
      <div className={styles.fieldWords}>
        <h2>{t('field.title')}</h2>
        <p>{query.data?.length === 0 ? t('field.empty') : t('field.text')}</p>
      </div>
    </>
  );
}
