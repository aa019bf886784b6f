import { readableOn } from '@fieldroom/contract/colours/contrast';
import { memo, useCallback, useSyncExternalStore } from 'react';
import { type Scheme, toneOf } from '../../../ui/figures/index.ts';
import type { Arranger } from './arranger.ts';
import type { FigureOnField } from '../drawing/fieldViewTypes.ts';
import type { EdgeMark } from './marks.ts';
import styles from './EdgeMarks.module.css';

interface EdgeMarksProps {
  arranger: Arranger;
  figures: readonly FigureOnField[];
  scheme: Scheme;
  /** Name of the group for screen readers. */
  label: string;
  show: (names: readonly string[]) => string;
  /** Takes the first figure of the mark. Called only for keys: the field's gestures handle pointers. */
  onShow: (figureId: number, focus: boolean) => void;
}

/**
 * Buttons at the edge of the view that lead to figures out of it. The arranger places them; React draws them when one
 * is added or removed.
 */
export const EdgeMarks = memo(function EdgeMarks({ arranger, figures, scheme, label, show, onShow }: EdgeMarksProps) {
  const marks = useSyncExternalStore(arranger.onMarks, arranger.marks);
  if (marks.length === 0) return null;
  const namesOf = ({ figureIds }: EdgeMark) =>
    figureIds
      .map((id) => figures.find((figure) => figure.id === id))
      .map((figure) => figure?.caption.trim() || figure?.label || '');
  return (
    <div className={styles.marks} role="group" aria-label={label}>
      {marks.map((mark) => {
        const first = mark.figureIds[0] as number;
        return (
          <Mark
            key={first}
            arranger={arranger}
            id={first}
            color={figures.find((figure) => figure.id === first)?.color ?? ''}
            scheme={scheme}
            count={mark.figureIds.length}
            label={show(namesOf(mark))}
            onShow={onShow}
          />
        );
      })}
    </div>
  );
});

interface MarkProps extends Pick<EdgeMarksProps, 'arranger' | 'scheme' | 'onShow'> {
  id: number;
  color: string;
  count: number;
  label: string;
}

const Mark = memo(function Mark({ arranger, id, color, scheme, count, label, onShow }: MarkProps) {
  const ref = useCallback(
    (element: HTMLElement | null) => {
      arranger.attachMark(id, element);
      return () => arranger.attachMark(id, null);
    },
    [arranger, id],
  );
  const { fill, outline, halo } = toneOf(color, scheme);
  return (
    <button
      ref={ref}
      type="button"
      className={styles.mark}
      data-outside={id}
      aria-label={label}
      title={label}
      onClick={(event) => {
        // The press of a pointer was already a tap on the field.
        if (event.detail === 0) onShow(id, true);
      }}
    >
      <svg viewBox="-22 -22 44 44" aria-hidden>
        <path className={styles.halo} d={DROP} stroke={halo} />
        <path className={styles.drop} d={DROP} fill={fill} stroke={outline} />
        {count > 1 && (
          <text y={4.5} fill={readableOn(fill)}>
            {count}
          </text>
        )}
      </svg>
    </button>
  );
});

/** The drop of the logo: round, with a tip that shows the way. */
const DROP = 'M0 -19L8.6 -9.2A12.6 12.6 0 1 1 -8.6 -9.2Z';
