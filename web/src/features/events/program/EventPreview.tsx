/** Beside the form: a preview of the event, its faults, and the button to continue. */
import { Button } from '@mantine/core';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../platform/i18n/app.ts';
import { Callout } from '../../../ui/states/Callout.tsx';
import { faultWords } from '../eventWords.ts';
import type { EarlierPicture } from '../eventsApi.ts';
import type { Clash } from '../form/when/clashes.ts';
import type { EventFormValues } from '../form/formValues.ts';
import { countFaults } from '../form/useEventForm.ts';
import { PictureField } from '../picture/PictureField.tsx';
import { PreviewFacts } from './PreviewFacts.tsx';
import styles from './ProgramPage.module.css';

const DATES_SHOWN = 6;

export interface EventPreviewProps {
  form: UseFormReturn<EventFormValues>;
  clashes: readonly (Clash | null)[];
  /** The therapist's earlier pictures. */
  earlier: readonly EarlierPicture[];
}

/**
 * Shown at the side of the programme page. Its button submits the surrounding form. The number of faults is shown after
 * the first try.
 */
export function EventPreview({ form, clashes, earlier }: EventPreviewProps) {
  const { t } = useTranslation('events');
  const values = form.watch();
  const { errors, isSubmitted } = form.formState;
  const faults = countFaults(errors);
  const name = values.eventName.trim();
  const pictureFault = faultWords(t, 'picture', (errors.picture as { message?: string } | undefined)?.message);
  return (
    <aside className={styles.side} aria-label={t('summary.title')}>
      <div className={styles.summary}>
        <PictureField
          picture={values.picture}
          seed={values.eventName}
          earlier={earlier}
          onPick={(picture) => form.setValue('picture', picture, { shouldDirty: true })}
        />
        <div className={styles.words}>
          <p className={styles.eyebrow}>{t('summary.title')}</p>
          <p className={styles.name} data-empty={name === '' || undefined}>
            {name || t('summary.nameMissing')}
          </p>
          <PreviewFacts values={values} language={currentLanguage()} clashes={clashes} datesMax={DATES_SHOWN} />
          {pictureFault ? <p className="mantine-InputWrapper-error">{pictureFault}</p> : null}
          {isSubmitted && faults > 0 ? (
            <div className={styles.faults}>
              <Callout tone="fault" role="alert">
                {t('form.faults', { count: faults })}
              </Callout>
            </div>
          ) : null}
          <Button type="submit" size="lg" fullWidth className={styles.main}>
            {t('form.check')}
          </Button>
          <p className={styles.under}>{t('form.checkHint')}</p>
        </div>
      </div>
    </aside>
  );
}
