/**
 * The repetition of the form: switch, rule, its meaning in words, and the resulting dates, each of which can be
 * removed.
 */
import { FREQUENCY_MAX, OCCASIONS_MAX, REPETITION_UNITS, shiftedDates } from '@fieldroom/contract/events';
import { Button, Select, Switch, TextInput } from '@mantine/core';
import { IconRotate, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../../platform/i18n/app.ts';
import { QuietButton } from '../../../../ui/controls/QuietButton.tsx';
import { formatDays, formatWeekdays } from '../../formatting.ts';
import { ClashMark } from './ClashMark.tsx';
import type { Clash } from './clashes.ts';
import { furtherOf } from '../formValues.ts';
import type { RepetitionUnit } from './repeatedDays.ts';
import { repetitionSentence } from './repetitionSentence.ts';
import type { EventFields } from '../useEventFields.ts';
import styles from '../EventForm.module.css';

export interface RepetitionFieldsProps {
  fields: EventFields;
  /** One for each occurrence, the first one included. */
  clashes: readonly (Clash | null)[];
}

/** Part of the section "When". Explains the rule in a sentence (docs/product.md#9.5). */
export function RepetitionFields({ fields, clashes }: RepetitionFieldsProps) {
  const { t } = useTranslation('events');
  const { values, errorOf, change } = fields;
  const fault = errorOf('repeat');
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
      {fault ? <p className="mantine-InputWrapper-error">{fault}</p> : null}
      {values.repeat ? <Repeated fields={fields} clashes={clashes} /> : null}
      {!values.repeat && clashes[0] ? (
        <p className={styles.clashLine} role="status">
          <ClashMark clash={clashes[0]} language={currentLanguage()} several={values.dates.length > 1} />
        </p>
      ) : null}
    </>
  );
}

/** The rule and its dates. */
function Repeated({ fields, clashes }: RepetitionFieldsProps) {
  const { t } = useTranslation('events');
  const list = useRef<HTMLOListElement>(null);
  const { values, change } = fields;
  const { kept, removed } = furtherOf(values);
  const first = values.dates[0];
  const remove = (day: string) => {
    change('removed', [...values.removed, day]);
    // The focused button is gone.
    list.current?.focus();
  };
  const restore = () => {
    const stillRemoved = values.removed.filter((day) => !removed.includes(day));
    change('removed', stillRemoved);
  };
  return (
    <>
      <RuleFields fields={fields} />
      <p className={styles.sentence} role="status">
        {repetitionSentence(t, currentLanguage(), values)}
      </p>
      {first ? (
        <ol ref={list} className={styles.dates} tabIndex={-1} aria-label={t('form.datesLabel')}>
          {[first, ...kept].map((day, index) => (
            <Occurrence
              key={day}
              dates={shiftedDates(values.dates, day)}
              clash={clashes[index] ?? null}
              {...(index > 0 ? { onRemove: () => remove(day) } : {})}
            />
          ))}
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
            onClick={restore}
          >
            {t('form.datesBack')}
          </Button>
        </p>
      ) : null}
    </>
  );
}

function RuleFields({ fields: { values, errorOf, change } }: { fields: EventFields }) {
  const { t } = useTranslation('events');
  return (
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
  );
}

interface OccurrenceProps {
  dates: readonly string[];
  clash: Clash | null;
  /** Left out for the first occurrence, which always takes place. */
  onRemove?(): void;
}

function Occurrence({ dates, clash, onRemove }: OccurrenceProps) {
  const { t } = useTranslation('events');
  const language = currentLanguage();
  const words = formatDays(dates, language);
  return (
    <li>
      <span className={styles.dateText}>
        {words} <span className={styles.weekdays}>{formatWeekdays(dates, language)}</span>
      </span>
      {clash ? <ClashMark clash={clash} language={language} several={dates.length > 1} /> : null}
      {onRemove ? (
        <QuietButton label={t('form.dateRemove', { day: words })} onClick={onRemove}>
          <IconX size={18} stroke={1.75} aria-hidden />
        </QuietButton>
      ) : (
        <span className={styles.dateFirst}>{t('form.dateFirst')}</span>
      )}
    </li>
  );
}
