/** The days of one event: chips that can be removed, and a calendar to choose more. */
import { EVENT_DATES_MAX } from '@fieldroom/contract/events';
import type { Language } from '@fieldroom/contract/text';
import { Button, Popover } from '@mantine/core';
import { IconCalendarPlus, IconX } from '@tabler/icons-react';
import { useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useOpened } from '../../../../ui/dialogs/backCloses.ts';
import field from '../../../../ui/controls/fieldLabel.module.css';
import { DayPicker } from '../../dates/DayPicker.tsx';
import { formatDay } from '../../formatting.ts';
import styles from './DaysField.module.css';

export interface DaysFieldProps {
  language: Language;
  /** Sorted days. */
  days: readonly string[];
  onChange(days: string[]): void;
  today: string;
  from?: string;
  to?: string;
  /** Days of the therapist's other events, with their names. */
  marked: ReadonlyMap<string, string>;
  /** Chosen days with another event at the same time. */
  clashing: ReadonlySet<string>;
  error: string | null;
}

/**
 * Days are `YYYY-MM-DD`. Holds at most `EVENT_DATES_MAX`. Removing a day by its chip moves the focus to the button that
 * opens the calendar. `from` and `to` are the first and last day that can be chosen.
 */
export function DaysField({ language, days, onChange, today, from, to, marked, clashing, error }: DaysFieldProps) {
  const { t } = useTranslation('events');
  const { opened: open, onChange: setOpen } = useOpened();
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const full = days.length >= EVENT_DATES_MAX;
  const toggle = (day: string) => {
    if (days.includes(day)) onChange(days.filter((one) => one !== day));
    else if (!full) onChange([...days, day].toSorted());
  };
  const take = (day: string) => {
    onChange(days.filter((one) => one !== day));
    // The focused chip is gone.
    button.current?.focus();
  };
  const thisYear = today.slice(0, 4);

  return (
    <div
      className={styles.field}
      role="group"
      aria-labelledby={`${id}-label`}
      aria-describedby={error ? `${id}-fault` : undefined}
    >
      <span id={`${id}-label`} className={field.label}>
        {t('form.days')}
      </span>
      <Popover
        opened={open}
        onChange={setOpen}
        position="bottom-start"
        withinPortal={false}
        trapFocus
        returnFocus
        width="auto"
        withRoles={false}
        closeOnEscape
      >
        <Popover.Target>
          <div className={styles.box} data-error={error !== null || undefined}>
            {days.map((day) => (
              <span key={day} className={styles.chip} data-marked={clashing.has(day) || undefined}>
                {formatDay(day, language, {
                  weekday: 'short',
                  day: 'numeric',
                  month: 'short',
                  ...(day.startsWith(thisYear) ? {} : { year: 'numeric' }),
                })}
                <button
                  type="button"
                  aria-label={t('form.dayRemove', { day: formatDay(day, language) })}
                  onClick={() => take(day)}
                >
                  <IconX size={16} stroke={1.75} aria-hidden />
                </button>
              </span>
            ))}
            <button
              ref={button}
              type="button"
              className={styles.open}
              aria-haspopup="dialog"
              aria-expanded={open}
              data-invalid={error !== null || undefined}
              data-wide={days.length === 0 || undefined}
              onClick={() => setOpen(!open)}
            >
              <span className={days.length === 0 ? undefined : 'fr-hidden'}>{t('form.daysChoose')}</span>
              <IconCalendarPlus size={22} stroke={1.75} aria-hidden />
            </button>
          </div>
        </Popover.Target>
        <Popover.Dropdown role="dialog" aria-label={t('form.daysChoose')}>
          {open ? (
            <DayPicker
              language={language}
              chosen={days}
              marked={marked}
              today={today}
              {...(from ? { from } : {})}
              {...(to ? { to } : {})}
              onPick={toggle}
            />
          ) : null}
          <div className={styles.foot}>
            <span role="status">
              {full ? t('form.daysFull', { count: EVENT_DATES_MAX }) : t('form.daysCount', { count: days.length })}
            </span>
            <Button size="sm" variant="default" onClick={() => setOpen(false)}>
              {t('form.daysDone')}
            </Button>
          </div>
        </Popover.Dropdown>
      </Popover>
      {error ? (
        <p id={`${id}-fault`} className="mantine-InputWrapper-error">
          {error}
        </p>
      ) : null}
    </div>
  );
}
