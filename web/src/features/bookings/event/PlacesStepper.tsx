/** How many places a booking takes: a number between two buttons. */
import { useId } from 'react';
import { usePublicWords } from '../usePublicWords.ts';
import buttons from '../../../light/buttons.module.css';
import styles from './PlacesStepper.module.css';

export interface PlacesStepperProps {
  places: number;
  /** One booking can have this many places at the moment. */
  most: number;
  onChange(places: number): void;
}

/** A place for the person and for each companion (docs/product.md#9.21). Stops at 1 and at `most`. */
export function PlacesStepper({ places, most, onChange }: PlacesStepperProps) {
  const { t } = usePublicWords();
  const id = useId();
  const step = (by: number, label: string, able: boolean, sign: string) => (
    <button
      type="button"
      className={`${buttons.secondary} ${styles.step}`}
      aria-label={label}
      title={label}
      aria-disabled={!able}
      onClick={() => {
        if (able) onChange(places + by);
      }}
    >
      <span aria-hidden>{sign}</span>
    </button>
  );
  return (
    <div className={styles.places} role="group" aria-labelledby={id}>
      <div>
        <p id={id} className={styles.label}>
          {t('finalize.places')}
        </p>
        <p className={styles.hint}>{t('finalize.placesHint', { count: most })}</p>
      </div>
      <div className={styles.steps}>
        {step(-1, t('finalize.fewer'), places > 1, '−')}
        <output className={styles.number} aria-live="polite">
          {places}
        </output>
        {step(1, t('finalize.more'), places < most, '+')}
      </div>
    </div>
  );
}
