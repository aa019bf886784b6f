/** The picture of a moment, fetched once. */
import type { Moment } from '@fieldroom/contract/moments';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type FieldGround, FieldStill } from '../../field/picture/index.ts';
import { momentQueries } from '../momentQueries.ts';
import styles from './strip.module.css';

/** A still of the field without names. The button around it names the moment. */
export function MomentPicture({ moment, ground }: { moment: Moment; ground: FieldGround | null }) {
  const { t } = useTranslation('moments');
  const { data, isError } = useQuery(momentQueries.field(moment.id));
  return (
    <span className={styles.picture} data-missing={isError || undefined}>
      {data ? (
        <FieldStill figures={data} label={t('picture', { count: data.length })} names={false} ground={ground} />
      ) : null}
      {isError ? t('pictureFailed') : null}
    </span>
  );
}
