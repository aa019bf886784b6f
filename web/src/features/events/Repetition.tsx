/** The repetition of the form: switch, rule, and the dates that follow from it, each of which can be taken away. */
import { FREQUENCY_MAX, OCCASIONS_MAX, REPETITION_UNITS, shiftedDates } from '@fieldroom/contract/events.rules';
import type { Language } from '@fieldroom/contract/text';
import { Button, Select, Switch, TextInput } from '@mantine/core';
import { IconRotate, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { QuietButton } from '../../ui/QuietButton.tsx';
import type { Clash } from './clashes.ts';
import { type EventFormValues, type FormField, furtherOf } from './events.form.ts';
import { formatDay, formatDays, formatWeekdays } from './events.format.ts';
import type { RepetitionUnit } from './repetition.ts';
import styles from './EventForm.module.css';

export interface RepetitionProps {
  language: Language;
  values: EventFormValues;
  /** One for each occurrence, the first one included. */
  clashes: readonly (Clash | null)[];
  change<K extends keyof EventFormValues>(name: K, value: EventFormValues[K]): void;
  errorOf(field: FormField): string | null;
}

export function Repetition({ language, values, clashes, change, errorOf }: RepetitionProps) {
  const { t } = useTranslation('events');
  const list = useRef<HTMLOListElement>(null);
  const { kept, removed } = furtherOf(values);
  const first = values.dates[0];
  const take = (day: string) => {
    change('removed', [...values.removed, day]);
    list.current?.focus();
  };
  return (
    <>
      <div className={styles.repeat}>
        <Switch
          classNames={{ body: styles.switchBody ?? '', track: styles.switchTrack ?? '' }}
          size="md"
          labelPosition="left"
          withThumbIndicator={false}
          label={<span className={styles.switchLabel}>{t('form.repeat')}</span>}
          description={t('form.repeatHint')}
          checked={values.repeat}
          onChange={(event) => change('repeat', event.currentTarget.checked)}
        />
      </div>
      {errorOf('repeat') ? <p className="mantine-InputWrapper-error">{errorOf('repeat')}</p> : null}
      {values.repeat ? (
        <>
          <div className={styles.rule}>
            <TextInput
              label={t('form.frequency')}
              inputMode="numeric"
              autoComplete="off"
              maxLength={String(FREQUENCY_MAX).length + 1}
              value={values.frequency}
              error={errorOf('frequency')}
              onChange={(event) => change('frequency', event.currentTarget.value)}
            />
            <Select
              label={t('form.unit')}
              data={REPETITION_UNITS.map((unit) => ({ value: unit, label: t(`form.units.${unit}`) }))}
              value={values.unit}
              allowDeselect={false}
              comboboxProps={{ withinPortal: false }}
              error={errorOf('unit')}
              onChange={(unit) => unit && change('unit', unit as RepetitionUnit)}
            />
            <TextInput
              label={t('form.occasions')}
              description={t('form.occasionsHint', { count: OCCASIONS_MAX })}
              inputMode="numeric"
              autoComplete="off"
              maxLength={String(OCCASIONS_MAX).length + 1}
              value={values.occasions}
              error={errorOf('occasions')}
              onChange={(event) => change('occasions', event.currentTarget.value)}
            />
          </div>
          {first ? (
            <ol ref={list} className={styles.dates} tabIndex={-1} aria-label={t('form.datesLabel')}>
              {[first, ...kept].map((day, index) => {
                const dates = shiftedDates(values.dates, day);
                const clash = clashes[index];
                return (
                  <li key={day}>
                    <span className={styles.dateText}>
                      {formatDays(dates, language)}{' '}
                      <span className={styles.weekdays}>{formatWeekdays(dates, language)}</span>
                    </span>
                    {clash ? <ClashMark clash={clash} language={language} several={dates.length > 1} /> : null}
                    {index > 0 ? (
                      <QuietButton
                        label={t('form.dateRemove', { day: formatDays(dates, language) })}
                        onClick={() => take(day)}
                      >
                        <IconX size={18} stroke={1.75} aria-hidden />
                      </QuietButton>
                    ) : (
                      <span className={styles.dateFirst}>{t('form.dateFirst')}</span>
                    )}
                  </li>
                );
              })}
            </ol>
          ) : (
            <p className={styles.hint}>{t('form.datesNone')}</p>
          )}
          {removed.length > 0 ? (
            <p className={styles.removed} role="status">
              {t('form.datesRemoved', { count: removed.length })}
              <Button
                size="sm"
                variant="subtle"
                leftSection={<IconRotate size={18} stroke={1.75} aria-hidden />}
                onClick={() =>
                  change(
                    'removed',
                    values.removed.filter((day) => !removed.includes(day)),
                  )
                }
              >
                {t('form.datesBack')}
              </Button>
            </p>
          ) : null}
        </>
      ) : clashes[0] ? (
        <p className={styles.clashLine} role="status">
          <ClashMark clash={clashes[0]} language={language} several={values.dates.length > 1} />
        </p>
      ) : null}
    </>
  );
}

/** What a date falls into: "Evening circle on the 6th". */
export function ClashMark({ clash, language, several }: { clash: Clash; language: Language; several: boolean }) {
  const { t } = useTranslation('events');
  const day = formatDay(clash.day, language, { day: 'numeric', month: 'short' });
  const text =
    clash.eventName === null
      ? t('form.clashSelf')
      : several
        ? t('form.clashOn', { name: clash.eventName, day })
        : t('form.clash', { name: clash.eventName });
  return (
    <span className={styles.clash}>
      {clash.eventName === null ? null : <span>{t('form.clashLabel')} </span>}
      <span>{text}</span>
    </span>
  );
}
