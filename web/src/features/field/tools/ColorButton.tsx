/** The colour of the selected figure. */
import { type Figure, FIGURE_COLORS } from '@fieldroom/contract/field';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { COLOR_NAMES, type ColorName } from '../figureLabels.ts';
import { PressPopover } from './PressPopover.tsx';
import styles from './FigureBar.module.css';

interface ColorChoicesProps {
  label: string;
  /** `#RRGGBB`; it may differ from all choices. */
  color: string;
  onColor(color: string): void;
}

/**
 * The colours that figures can have, as a radio group. Below it is the name of the colour under the pointer, else of
 * the chosen one.
 */
export function ColorChoices({ label, color, onColor }: ColorChoicesProps) {
  const { t } = useTranslation('field');
  const [pointed, setPointed] = useState<ColorName | null>(null);
  const own = COLOR_NAMES.find((name) => FIGURE_COLORS[name] === color.toUpperCase());
  const named = pointed ?? own;
  return (
    <>
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
        {named ? t(`color.${named}`) : color.toUpperCase()}
      </p>
    </>
  );
}

interface ColorButtonProps {
  figure: Figure;
  onColor(color: string): void;
}

/**
 * A button of the figure's toolbar that opens the colours. An own icon keeps its colours, so for it the button sets the
 * colour of its gaze.
 */
export function ColorButton({ figure, onColor }: ColorButtonProps) {
  const { t } = useTranslation('field');
  // An own icon keeps its colours: only its gaze and its mark change.
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
      <ColorChoices label={label} color={figure.color} onColor={onColor} />
      {ofGaze && <p className={styles.caption}>{t('bar.gazeColorHint')}</p>}
    </PressPopover>
  );
}
