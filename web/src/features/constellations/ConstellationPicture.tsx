/** The small picture of a constellation, as loading it would show it now, and the names of its figures. */
import type { Constellation, ConstellationFigure } from '@fieldroom/contract/constellations';
import type { Figure } from '@fieldroom/contract/field';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSeenOnce } from '../../ui/useSeenOnce.ts';
import { type FieldGround, FieldStill } from '../field/picture/index.ts';
import { constellationQueries } from './constellationQueries.ts';
import styles from './Constellations.module.css';

const onField = (figure: ConstellationFigure, index: number): Figure => ({
  ...figure,
  id: index + 1,
  relations: figure.relations.map((relation) => ({ ...relation, to: relation.to + 1 })),
  startX: figure.x,
  startY: figure.y,
  startRotation: figure.rotation,
  startScale: figure.scale,
  updatedOn: 0,
});

/**
 * Fetches the figures when it scrolls into view, and draws them without names; a line below has the names. `ground` is
 * the background, null for the theme's.
 */
export function ConstellationPicture({ one, ground }: { one: Constellation; ground: FieldGround | null }) {
  const { t } = useTranslation('constellations');
  // There may be a hundred: only those in view are fetched.
  const { box, seen } = useSeenOnce<HTMLDivElement>();
  const { data, isError } = useQuery({ ...constellationQueries.figures(one), enabled: seen });
  const figures = useMemo(() => data?.map(onField), [data]);
  const names = [...new Set(figures?.flatMap((figure) => figure.name || []))].join(', ');
  return (
    <>
      <div ref={box} className={styles.picture}>
        {figures ? (
          // Names would cover one another at this size.
          <FieldStill figures={figures} label={t('picture', { name: one.name })} names={false} ground={ground} />
        ) : null}
        {isError ? <p>{t('pictureFailed')}</p> : null}
      </div>
      <p className={styles.names}>{names}</p>
    </>
  );
}
