/** When an event takes place: days, times, zone, and how it repeats. */
import { YEARS_AHEAD_MAX } from '@fieldroom/contract/events';
import { Select, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../../../platform/i18n/app.ts';
import { monthPlus } from '../../dates/calendarDays.ts';
import { parseTime } from '../../formatting.ts';
import { dayAt } from '../../dates/wallClock.ts';
import { zoneChoices } from '../../dates/zoneChoices.ts';
import type { Clash } from './clashes.ts';
import { DaysField } from './DaysField.tsx';
import { RepetitionFields } from './RepetitionFields.tsx';
import type { EventFields } from '../useEventFields.ts';
import section from '../../../../ui/sectionCard.module.css';
import styles from '../EventForm.module.css';

const TIMES = [
  { name: 'startTime', example: '09:30' },
  { name: 'endTime', example: '17:00' },
] as const;

export interface WhenSectionProps {
  fields: EventFields;
  mode: 'new' | 'edit';
  /** Product time in milliseconds, to determine the past. */
  now: number;
  /** One for each occurrence. */
  clashes: readonly (Clash | null)[];
  /** Days of the therapist's other events, with their names. */
  marked: ReadonlyMap<string, string>;
  /** Days of the first occurrence that clash. */
  clashing: ReadonlySet<string>;
  /** A repetition can be set. */
  repeatable: boolean;
}

/**
 * The part "When" of the event form. "Today" is that of the event's time zone. New events cannot begin in the past;
 * edited ones may. Times are written as `HH:mm` once their field is left (docs/product.md#9.19).
 */
export function WhenSection({ fields, mode, now, clashes, marked, clashing, repeatable }: WhenSectionProps) {
  const { t } = useTranslation('events');
  const language = currentLanguage();
  const { values, errorOf, change } = fields;
  const today = dayAt(now, values.timeZone);
  const tidy = (name: 'startTime' | 'endTime') => {
    const time = parseTime(values[name]);
    if (time !== null && time !== values[name]) change(name, time);
  };
  return (
    <section className={section.card} aria-labelledby="when-title">
      <h2 id="when-title">{t('form.when')}</h2>
      <div className={styles.when}>
        <DaysField
          language={language}
          days={values.dates}
          today={today}
          {...(mode === 'new' ? { from: today } : {})}
          to={monthPlus(today, YEARS_AHEAD_MAX * 12)}
          marked={marked}
          clashing={clashing}
          error={errorOf('dates')}
          onChange={(days) => change('dates', days)}
        />
        {TIMES.map(({ name, example }) => (
          <TextInput
            key={name}
            label={t(`form.${name}`)}
            placeholder={example}
            autoComplete="off"
            maxLength={8}
            value={values[name]}
            error={errorOf(name)}
            onChange={(event) => change(name, event.currentTarget.value)}
            onBlur={() => tidy(name)}
          />
        ))}
      </div>
      <Select
        label={t('form.timeZone')}
        description={t('form.timeZoneHint')}
        data={zoneChoices(language, values.timeZone)}
        searchable
        limit={60}
        nothingFoundMessage={t('form.timeZoneNone')}
        value={values.timeZone}
        allowDeselect={false}
        comboboxProps={{ withinPortal: false }}
        error={errorOf('timeZone')}
        onChange={(zone) => zone && change('timeZone', zone)}
      />
      {repeatable ? <RepetitionFields fields={fields} clashes={clashes} /> : null}
    </section>
  );
}
