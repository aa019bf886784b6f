/**
 * The card of the therapist's own field. It is drawn like the room's, with code that is loaded after the page's first
 * files.
 */
import { Skeleton } from '@mantine/core';
import { createElement } from 'react';
import { useTranslation } from 'react-i18next';
import { loadWords } from '../../../platform/i18n/app.ts';
import { lazyPart } from '../../../ui/lazy/lazyPart.ts';
import styles from '../Dashboard.module.css';
import { useLaterPart } from '../useLaterPart.ts';

const ownField = lazyPart(async () => {
  const [{ OwnField }] = await Promise.all([import('./OwnField.tsx'), loadWords(['field'])]);
  return OwnField;
});

/** Reserves the picture's space until `OwnField` is loaded (docs/product.md#11.74). */
export function FieldCard() {
  const { t } = useTranslation('dashboard');
  const { box, part } = useLaterPart(ownField);
  return (
    <section ref={box} className={styles.field}>
      {part ? (
        createElement(part)
      ) : (
        <>
          <div className={styles.fieldPicture}>
            <Skeleton height={320} radius={0} />
          </div>
          <div className={styles.fieldWords}>
            <h2>{t('field.title')}</h2>
            <p>{t('field.text')}</p>
          </div>
        </>
      )}
    </section>
  );
}
