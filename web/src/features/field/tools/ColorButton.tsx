/** The colour of the selected figure. */
import { type Figure, FIGURE_COLORS } from '@fieldroom/contract/field';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { COLOR_NAMES, type ColorName } from '../figureLabels.ts';
import { PressPopover } from './PressPopover.tsx';
import styles from './FigureBar.module.css';

interface ColorButtonProps {
  figure: Figure;
  onColor(color: string): void;
}

export function ColorButton({ figure, onColor }: ColorButtonProps) {
  const { t } = useTranslation('field');
  const [pointed, setPointed] = useState<ColorName | null>(null);
  const color = figure.color.toUpperCase();
  const own = COLOR_NAMES.find((name) => FIGURE_COLORS[name] === color);
  const named = pointed ?? own;
  // A drawing of one's own keeps its colours: what changes are its gaze and its mark.
  const ofGaze = figure.iconType === 'CUSTOM';
  const label = ofGaze ? t('bar.gazeColor') : t('bar.color');
  return (
    <PressPopover
      target={
        <button type="button" className={styles.tool} title={label}>
          <i className={styles.dot} style={{ background: figure.color }} />
          <span>{label}</span>
        </button>
      }
    >
      <div className={styles.colors} role="radiogroup" aria-label={label} onPointerLeave={() => setPointed(null)}>
        {COLOR_NAMES.map((name) => (
          <button
            key={name}
            type="button"
            role="radio"
            aria-checked={name === own}
            className={styles.color}
            aria-label={t(`color.${name}`)}
            onPointerEnter={() => setPointed(name)}
            onFocus={() => setPointed(name)}
            onClick={() => onColor(FIGURE_COLORS[name])}
          >
            <i className={styles.dot} style={{ background: FIGURE_COLORS[name] }} />
          </button>
        ))}
      </div>
      <p className={styles.caption} aria-hidden>
        {named ? t(`color.${named}`) : color}
      </p>
      {ofGaze && <p className={styles.caption}>{t('bar.gazeColorHint')}</p>}
    </PressPopover>
  );
}
